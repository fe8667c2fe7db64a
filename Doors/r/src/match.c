/* Matching of names as people write them. */
#include <string.h>
#include <time.h>

#include "door.h"

/* The most names between two looks at whether the user has interrupted, and about how many seconds there are. */
#define BATCH 4096
#define SECONDS 0.05

static double seconds_now(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* How many names to match next, after so many took so long: a few that were cheap do not tell that others are too. */
static size_t next_batch(size_t names, double took) {
  const double fitting = took > 0 ? (double)names * SECONDS / took : BATCH;
  const double most = 4.0 * (double)names < BATCH ? 4.0 * (double)names : BATCH;
  return fitting < 1 ? 1 : (size_t)(fitting < most ? fitting : most);
}

/* Where a chunk's matches are, one for each distinct row. */
typedef struct {
  stol_matches all;
  SEXP reasons;
  SEXP candidates;
} chunk_matches;

/* Matches distinct rows. Columns of one row are meant for all. */
static void match_rows(
  const stol_pack *pack, SEXP columns, const stol_match_columns *given, const stol_match_options *options,
  const R_xlen_t *rows, size_t count, size_t from, chunk_matches *found) {
  stol_match_columns asked = *given;
  const size_t column_count = (size_t)XLENGTH(columns), hint_count = column_count - 4;
  stol_texts *texts = (stol_texts *)R_alloc(column_count, sizeof(stol_texts));
  const stol_texts **hints = (const stol_texts **)R_alloc(hint_count + 1, sizeof(stol_texts *));
  for (size_t column = 0; column < column_count; column++) {
    SEXP values = VECTOR_ELT(columns, (R_xlen_t)column);
    if (values == R_NilValue) continue;
    const int is_for_all = column > 0 && XLENGTH(values) == 1;
    texts[column] = texts_of_rows(values, is_for_all ? NULL : rows, is_for_all ? 1 : count);
    if (column == 0) asked.names = &texts[column];
    if (column == 1) asked.authorships = &texts[column];
    if (column == 2) asked.ranks = &texts[column];
    if (column == 3) asked.codes = &texts[column];
    if (column > 3) hints[column - 4] = &texts[column];
  }
  asked.hints = hints;

  stol_matches part = found->all;
  part.taxa += from;
  part.names += from;
  part.statuses += from;
  part.edits += from;
  part.scores += from;
  stol_error error = STOL_ERROR_INIT;
  for (int is_enough = 0; !is_enough;) {
    if (part.reason_offsets != NULL) part.reason_bytes = R_alloc(part.reason_room + 1, 1);
    if (part.candidate_offsets != NULL) part.candidate_taxa = (uint32_t *)R_alloc(part.candidate_room + 1, sizeof(uint32_t));
    is_enough = had_room(stol_match(pack, &asked, options, &part, &error), &error);
    if (part.reason_offsets != NULL && !is_enough) part.reason_room = (size_t)part.reason_offsets[count];
    if (part.candidate_offsets != NULL && !is_enough) part.candidate_room = (size_t)part.candidate_offsets[count];
  }
  for (size_t row = 0; row < count; row++) {
    if (part.reason_offsets != NULL) {
      const int64_t at = part.reason_offsets[row];
      SET_STRING_ELT(found->reasons, (R_xlen_t)(from + row), text_of(part.reason_bytes + at, (size_t)(part.reason_offsets[row + 1] - at)));
    }
    if (part.candidate_offsets != NULL) {
      const int64_t at = part.candidate_offsets[row], candidates = part.candidate_offsets[row + 1] - at;
      SEXP taxa = Rf_allocVector(INTSXP, candidates);
      SET_VECTOR_ELT(found->candidates, (R_xlen_t)(from + row), taxa);
      if (candidates > 0) memcpy(INTEGER(taxa), part.candidate_taxa + at, (size_t)candidates * sizeof(uint32_t));
    }
  }
}

/* `columns` are names, authorships, ranks, codes, and a column for each of `hint_ranks`, NULL where there is none;
   `options` the least score, flags, and whether reasons and candidates are asked for. */
SEXP match(SEXP pointer, SEXP columns, SEXP hint_ranks, SEXP options) {
  static const char *answers[] = {"taxa", "names", "statuses", "scores", "edits", "reasons", "candidates", ""};
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(VECTOR_ELT(columns, 0));
  const size_t most = count < CHUNK ? (size_t)count : CHUNK, batch = most < BATCH ? most : BATCH;
  const int with_reasons = INTEGER(options)[2], with_candidates = INTEGER(options)[3];
  SEXP answer = PROTECT(Rf_mkNamed(VECSXP, answers));
  for (int column = 0; column < 5; column++) SET_VECTOR_ELT(answer, column, Rf_allocVector(INTSXP, count));
  if (with_reasons) SET_VECTOR_ELT(answer, 5, Rf_allocVector(STRSXP, count));
  if (with_candidates) SET_VECTOR_ELT(answer, 6, Rf_allocVector(VECSXP, count));

  stol_match_columns given = STOL_MATCH_COLUMNS_INIT;
  given.hint_count = (size_t)XLENGTH(hint_ranks);
  const char **words = (const char **)R_alloc(given.hint_count + 1, sizeof(char *));
  for (size_t hint = 0; hint < given.hint_count; hint++)
    words[hint] = Rf_translateCharUTF8(STRING_ELT(hint_ranks, (R_xlen_t)hint));
  given.hint_ranks = words;
  stol_match_options chosen = STOL_MATCH_OPTIONS_INIT;
  chosen.least_score = INTEGER(options)[0];
  chosen.flags = (uint32_t)INTEGER(options)[1];

  /* Columns whose rows differ tell rows apart. */
  SEXP *telling = (SEXP *)R_alloc((size_t)XLENGTH(columns), sizeof(SEXP));
  size_t telling_count = 0;
  for (R_xlen_t column = 0; column < XLENGTH(columns); column++) {
    SEXP values = VECTOR_ELT(columns, column);
    if (column == 0 || (values != R_NilValue && XLENGTH(values) != 1)) telling[telling_count++] = values;
  }
  int32_t *numbers = (int32_t *)R_alloc(most + 1, sizeof(int32_t));
  R_xlen_t *firsts = (R_xlen_t *)R_alloc(most + 1, sizeof(R_xlen_t));
  chunk_matches found = {STOL_MATCHES_INIT, R_NilValue, R_NilValue};
  found.all.taxa = (uint32_t *)R_alloc(most + 1, sizeof(uint32_t));
  found.all.names = (uint32_t *)R_alloc(most + 1, sizeof(uint32_t));
  found.all.statuses = (uint8_t *)R_alloc(most + 1, 1);
  found.all.edits = (uint8_t *)R_alloc(most + 1, 1);
  found.all.scores = (uint8_t *)R_alloc(most + 1, 1);
  if (with_reasons) found.all.reason_offsets = (int64_t *)R_alloc(batch + 1, sizeof(int64_t));
  if (with_candidates) found.all.candidate_offsets = (int64_t *)R_alloc(batch + 1, sizeof(int64_t));
  found.all.reason_room = 128 * batch;
  found.all.candidate_room = 16 * batch;
  found.reasons = PROTECT(Rf_allocVector(STRSXP, with_reasons ? (R_xlen_t)most : 0));
  found.candidates = PROTECT(Rf_allocVector(VECSXP, with_candidates ? (R_xlen_t)most : 0));

  const void *top = vmaxget();
  size_t next = 1;
  if (count == 0) match_rows(pack, columns, &given, &chosen, firsts, 0, 0, &found);
  EACH_CHUNK(start, count, rows) {
    const size_t distinct = distinct_rows(telling, telling_count, start, (size_t)rows, numbers, firsts);
    for (size_t from = 0, names; from < distinct; from += names) {
      R_CheckUserInterrupt();
      names = distinct - from < next ? distinct - from : next;
      const double begun = seconds_now();
      match_rows(pack, columns, &given, &chosen, firsts + from, names, from, &found);
      next = next_batch(names, seconds_now() - begun);
      vmaxset(top);
    }
    for (R_xlen_t row = 0; row < rows; row++) {
      const int32_t number = numbers[row];
      const int has_taxon = found.all.taxa[number] != STOL_NO_TAXON;
      INTEGER(VECTOR_ELT(answer, 0))[start + row] = (int)found.all.taxa[number];
      INTEGER(VECTOR_ELT(answer, 1))[start + row] = (int)found.all.names[number];
      INTEGER(VECTOR_ELT(answer, 2))[start + row] = level(found.all.statuses[number]);
      INTEGER(VECTOR_ELT(answer, 3))[start + row] = has_taxon ? found.all.scores[number] : NA_INTEGER;
      INTEGER(VECTOR_ELT(answer, 4))[start + row] = has_taxon ? found.all.edits[number] : NA_INTEGER;
      if (with_reasons) SET_STRING_ELT(VECTOR_ELT(answer, 5), start + row, STRING_ELT(found.reasons, number));
      if (with_candidates) SET_VECTOR_ELT(VECTOR_ELT(answer, 6), start + row, VECTOR_ELT(found.candidates, number));
    }
  }
  UNPROTECT(3);
  return answer;
}
