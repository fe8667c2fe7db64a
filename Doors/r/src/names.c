/* Names: which taxa they are, and which are like them. */
#include <string.h>

#include "door.h"

SEXP resolve(SEXP pointer, SEXP texts, SEXP rank, SEXP within) {
  static const char *columns[] = {"taxa", "names", "statuses", ""};
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(texts);
  const size_t most = count < CHUNK ? (size_t)count : CHUNK;
  SEXP answer = PROTECT(Rf_mkNamed(VECSXP, columns));
  for (int column = 0; column < 3; column++) SET_VECTOR_ELT(answer, column, Rf_allocVector(INTSXP, count));
  int *taxa = INTEGER(VECTOR_ELT(answer, 0)), *names = INTEGER(VECTOR_ELT(answer, 1)), *statuses = INTEGER(VECTOR_ELT(answer, 2));

  stol_resolve_options options = STOL_RESOLVE_OPTIONS_INIT;
  options.rank = option_text(rank);
  options.within = (uint32_t)Rf_asInteger(within);
  int32_t *numbers = (int32_t *)R_alloc(most + 1, sizeof(int32_t));
  R_xlen_t *firsts = (R_xlen_t *)R_alloc(most + 1, sizeof(R_xlen_t));
  uint32_t *found = (uint32_t *)R_alloc(most + 1, sizeof(uint32_t));
  uint32_t *found_names = (uint32_t *)R_alloc(most + 1, sizeof(uint32_t));
  uint8_t *became = (uint8_t *)R_alloc(most + 1, 1);
  stol_error error = STOL_ERROR_INIT;
  /* Options that are wrong are refused even where nothing is asked. */
  const stol_texts nothing = texts_of_rows(texts, NULL, 0);
  if (count == 0) had_room(stol_resolve(pack, &nothing, &options, found, found_names, became, &error), &error);
  EACH_CHUNK(start, count, rows) {
    const void *top = vmaxget();
    const size_t distinct = distinct_rows(&texts, 1, start, (size_t)rows, numbers, firsts);
    const stol_texts asked = texts_of_rows(texts, firsts, distinct);
    had_room(stol_resolve(pack, &asked, &options, found, found_names, became, &error), &error);
    for (R_xlen_t row = 0; row < rows; row++) {
      taxa[start + row] = (int)found[numbers[row]];
      names[start + row] = (int)found_names[numbers[row]];
      statuses[start + row] = level(became[numbers[row]]);
    }
    vmaxset(top);
  }
  UNPROTECT(1);
  return answer;
}

/* `options` are mode, words, edits and limit. One block a call: R asks for further ones. */
SEXP search(SEXP pointer, SEXP texts, SEXP options, SEXP rank, SEXP within) {
  static const char *columns[] = {"lengths", "taxa", "names", "kinds", "matches", "distances", ""};
  const stol_pack *pack = pack_of(pointer);
  const size_t count = (size_t)XLENGTH(texts);
  R_CheckUserInterrupt();
  stol_error error = STOL_ERROR_INIT;
  stol_search_options chosen = STOL_SEARCH_OPTIONS_INIT;
  chosen.mode = INTEGER(options)[0];
  chosen.words = INTEGER(options)[1];
  chosen.edits = INTEGER(options)[2];
  chosen.limit = (size_t)INTEGER(options)[3];
  chosen.rank = option_text(rank);
  chosen.within = (uint32_t)Rf_asInteger(within);

  const stol_texts asked = texts_of_rows(texts, NULL, count);
  const size_t room = count * chosen.limit;
  int64_t *offsets = (int64_t *)R_alloc(count + 1, sizeof(int64_t));
  stol_hits hits = STOL_HITS_INIT;
  hits.room = room;
  hits.taxa = (uint32_t *)R_alloc(room + 1, sizeof(uint32_t));
  hits.names = (uint32_t *)R_alloc(room + 1, sizeof(uint32_t));
  hits.kinds = (uint8_t *)R_alloc(room + 1, 1);
  hits.classes = (uint8_t *)R_alloc(room + 1, 1);
  hits.distances = (uint8_t *)R_alloc(room + 1, 1);
  size_t needed = 0;
  had_room(stol_search(pack, &asked, &chosen, offsets, &hits, &needed, &error), &error);

  SEXP answer = PROTECT(Rf_mkNamed(VECSXP, columns));
  for (int column = 0; column < 6; column++)
    SET_VECTOR_ELT(answer, column, Rf_allocVector(INTSXP, (R_xlen_t)(column == 0 ? count : needed)));
  for (size_t row = 0; row < count; row++)
    INTEGER(VECTOR_ELT(answer, 0))[row] = (int)(offsets[row + 1] - offsets[row]);
  memcpy(INTEGER(VECTOR_ELT(answer, 1)), hits.taxa, needed * sizeof(uint32_t));
  memcpy(INTEGER(VECTOR_ELT(answer, 2)), hits.names, needed * sizeof(uint32_t));
  for (size_t hit = 0; hit < needed; hit++) {
    INTEGER(VECTOR_ELT(answer, 3))[hit] = level(hits.kinds[hit]);
    INTEGER(VECTOR_ELT(answer, 4))[hit] = level(hits.classes[hit]);
    INTEGER(VECTOR_ELT(answer, 5))[hit] = hits.distances[hit];
  }
  UNPROTECT(1);
  return answer;
}
