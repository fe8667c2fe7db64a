/* Ids, and the tree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door.h"

/* What ids come out as: the number of a word in R. */
enum { INTEGERS = 0, DOUBLES = 1, TEXTS = 2, INTEGERS_64 = 3 };

/* Beyond it not every whole number is a double. */
#define GREATEST_DOUBLE 9007199254740992.0

static uint32_t *taxa_in(SEXP taxa) { return (uint32_t *)INTEGER(taxa); }

/* A number that is no id, with as many digits as it takes to tell it from those that are. */
static const char *shown(double number, char *text, size_t room) {
  if (!R_FINITE(number)) return number > 0 ? "Inf" : "-Inf";
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, room, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  return text;
}

/* The id of an element of a vector of numbers. */
static int64_t id_at(SEXP ids, int is_long, R_xlen_t row) {
  if (TYPEOF(ids) != REALSXP) {
    const int number = TYPEOF(ids) == LGLSXP ? LOGICAL(ids)[row] : INTEGER(ids)[row];
    return number == NA_INTEGER ? STOL_NO_ID : number;
  }
  const double number = REAL(ids)[row];
  int64_t id = STOL_NO_ID;
  if (is_long) {
    /* As bit64 keeps them, whose NA is the same number. */
    memcpy(&id, &number, sizeof id);
  } else if (!ISNAN(number)) {
    if (number != floor(number) || fabs(number) > GREATEST_DOUBLE) {
      char text[32];
      refuse("wrong_argument", "ids are whole numbers up to 2^53: element %.0f is %s", (double)row + 1, shown(number, text, sizeof text));
    }
    id = (int64_t)number;
  }
  return id;
}

static void taxa_of_texts(const stol_pack *pack, SEXP ids, uint32_t *taxa) {
  const R_xlen_t count = XLENGTH(ids);
  const size_t most = count < CHUNK ? (size_t)count : CHUNK;
  int32_t *numbers = (int32_t *)R_alloc(most + 1, sizeof(int32_t));
  R_xlen_t *firsts = (R_xlen_t *)R_alloc(most + 1, sizeof(R_xlen_t));
  uint32_t *found = (uint32_t *)R_alloc(most + 1, sizeof(uint32_t));
  EACH_CHUNK(start, count, rows) {
    const void *top = vmaxget();
    const size_t distinct = distinct_rows(&ids, 1, start, (size_t)rows, numbers, firsts);
    const stol_texts texts = texts_of_rows(ids, firsts, distinct);
    stol_error error = STOL_ERROR_INIT;
    had_room(stol_taxa_of_id_texts(pack, &texts, found, NULL, &error), &error);
    for (R_xlen_t row = 0; row < rows; row++) taxa[start + row] = found[numbers[row]];
    vmaxset(top);
  }
}

SEXP taxa_of_ids(SEXP pointer, SEXP ids) {
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(ids);
  SEXP answer = PROTECT(Rf_allocVector(INTSXP, count));
  if (TYPEOF(ids) == STRSXP) {
    taxa_of_texts(pack, ids, taxa_in(answer));
  } else {
    const int is_long = Rf_inherits(ids, "integer64");
    int64_t *numbers = (int64_t *)R_alloc(CHUNK, sizeof(int64_t));
    EACH_CHUNK(start, count, rows) {
      stol_error error = STOL_ERROR_INIT;
      for (R_xlen_t row = 0; row < rows; row++) numbers[row] = id_at(ids, is_long, start + row);
      had_room(stol_taxa_of_ids(pack, numbers, (size_t)rows, taxa_in(answer) + start, NULL, &error), &error);
    }
  }
  UNPROTECT(1);
  return answer;
}

static void ids_of(const stol_pack *pack, const uint32_t *taxa, R_xlen_t count, int64_t *ids) {
  stol_error error = STOL_ERROR_INIT;
  had_room(stol_ids_of_taxa(pack, taxa, (size_t)count, ids, &error), &error);
}

SEXP id_kind(SEXP pointer) {
  const stol_pack *pack = pack_of(pointer);
  stol_error error = STOL_ERROR_INIT;
  stol_facts facts = STOL_FACTS_INIT;
  had_room(stol_get_facts(pack, &facts, &error), &error);
  if (facts.has_text_ids) return Rf_ScalarInteger(TEXTS);
  int kind = INTEGERS;
  uint32_t *taxa = (uint32_t *)R_alloc(CHUNK, sizeof(uint32_t));
  int64_t *ids = (int64_t *)R_alloc(CHUNK, sizeof(int64_t));
  const R_xlen_t count = (R_xlen_t)facts.taxon_count;
  EACH_CHUNK(start, count, rows) {
    for (R_xlen_t row = 0; row < rows; row++) taxa[row] = (uint32_t)(start + row);
    ids_of(pack, taxa, rows, ids);
    for (R_xlen_t row = 0; row < rows; row++) {
      if (ids[row] == STOL_NO_ID) continue;
      if (fabs((double)ids[row]) >= GREATEST_DOUBLE) return Rf_ScalarInteger(TEXTS);
      if (ids[row] > INT32_MAX || ids[row] < -INT32_MAX) kind = DOUBLES;
    }
  }
  return Rf_ScalarInteger(kind);
}

SEXP ids_of_taxa(SEXP pointer, SEXP taxa, SEXP kind) {
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(taxa);
  const int as = Rf_asInteger(kind);
  SEXP answer = PROTECT(Rf_allocVector(as == INTEGERS ? INTSXP : REALSXP, count));
  int64_t *ids = (int64_t *)R_alloc(CHUNK, sizeof(int64_t));
  EACH_CHUNK(start, count, rows) {
    ids_of(pack, taxa_in(taxa) + start, rows, ids);
    if (as == INTEGERS_64) {
      memcpy(REAL(answer) + start, ids, (size_t)rows * sizeof(int64_t));
    } else if (as == INTEGERS) {
      for (R_xlen_t row = 0; row < rows; row++)
        INTEGER(answer)[start + row] = ids[row] == STOL_NO_ID ? NA_INTEGER : (int)ids[row];
    } else {
      for (R_xlen_t row = 0; row < rows; row++)
        REAL(answer)[start + row] = ids[row] == STOL_NO_ID ? NA_REAL : (double)ids[row];
    }
  }
  if (as == INTEGERS_64) Rf_setAttrib(answer, R_ClassSymbol, Rf_mkString("integer64"));
  UNPROTECT(1);
  return answer;
}

/* Parents or ends. */
typedef int32_t (*column)(const stol_pack *pack, const stol_taxon *taxa, size_t count, stol_taxon *found, stol_error *error);

static SEXP each(SEXP pointer, column ask, SEXP taxa) {
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(taxa);
  SEXP answer = PROTECT(Rf_allocVector(INTSXP, count));
  EACH_CHUNK(start, count, rows) {
    stol_error error = STOL_ERROR_INIT;
    had_room(ask(pack, taxa_in(taxa) + start, (size_t)rows, taxa_in(answer) + start, &error), &error);
  }
  UNPROTECT(1);
  return answer;
}

SEXP parents(SEXP pointer, SEXP taxa) { return each(pointer, stol_parents, taxa); }

SEXP subtree_ends(SEXP pointer, SEXP taxa) { return each(pointer, stol_subtree_ends, taxa); }

SEXP lca_pairs(SEXP pointer, SEXP a, SEXP b) {
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(a);
  SEXP answer = PROTECT(Rf_allocVector(INTSXP, count));
  EACH_CHUNK(start, count, rows) {
    stol_error error = STOL_ERROR_INIT;
    had_room(
      stol_lca_pairs(pack, taxa_in(a) + start, taxa_in(b) + start, (size_t)rows, taxa_in(answer) + start, &error), &error);
  }
  UNPROTECT(1);
  return answer;
}

SEXP lca_lists(SEXP pointer, SEXP places, SEXP taxa) {
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(places) - 1;
  SEXP answer = PROTECT(Rf_allocVector(INTSXP, count));
  int64_t *offsets = (int64_t *)R_alloc(CHUNK + 1, sizeof(int64_t));
  EACH_CHUNK(start, count, rows) {
    stol_error error = STOL_ERROR_INIT;
    for (R_xlen_t row = 0; row <= rows; row++) offsets[row] = (int64_t)REAL(places)[start + row];
    had_room(
      stol_lca_lists(pack, 64, offsets, (size_t)rows, taxa_in(taxa), (size_t)XLENGTH(taxa), taxa_in(answer) + start, &error),
      &error);
  }
  UNPROTECT(1);
  return answer;
}

SEXP lineages(SEXP pointer, SEXP taxa) {
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(taxa);
  static const char *names[] = {"lengths", "taxa", ""};
  SEXP answer = PROTECT(Rf_mkNamed(VECSXP, names));
  SEXP lengths = Rf_allocVector(INTSXP, count);
  SET_VECTOR_ELT(answer, 0, lengths);
  int64_t *offsets = (int64_t *)R_alloc(CHUNK + 1, sizeof(int64_t));
  stol_error error = STOL_ERROR_INIT;
  size_t needed = 0, total = 0;
  EACH_CHUNK(start, count, rows) {
    had_room(stol_lineages(pack, taxa_in(taxa) + start, (size_t)rows, offsets, NULL, 0, &needed, &error), &error);
    for (R_xlen_t row = 0; row < rows; row++) INTEGER(lengths)[start + row] = (int)(offsets[row + 1] - offsets[row]);
    total += needed;
  }
  SEXP found = Rf_allocVector(INTSXP, (R_xlen_t)total);
  SET_VECTOR_ELT(answer, 1, found);
  size_t done = 0;
  EACH_CHUNK(start, count, rows) {
    had_room(
      stol_lineages(
        pack, taxa_in(taxa) + start, (size_t)rows, offsets, taxa_in(found) + done, total - done, &needed, &error),
      &error);
    done += needed;
  }
  UNPROTECT(1);
  return answer;
}

SEXP rank_columns(SEXP pointer, SEXP taxa, SEXP ranks) {
  const stol_pack *pack = pack_of(pointer);
  const R_xlen_t count = XLENGTH(taxa), rank_count = XLENGTH(ranks);
  SEXP answer = PROTECT(Rf_allocVector(VECSXP, rank_count));
  const char **words = (const char **)R_alloc((size_t)rank_count + 1, sizeof(char *));
  for (R_xlen_t rank = 0; rank < rank_count; rank++) {
    words[rank] = utf8(STRING_ELT(ranks, rank));
    SET_VECTOR_ELT(answer, rank, Rf_allocVector(INTSXP, count));
  }
  const size_t most = count < CHUNK ? (size_t)count : CHUNK;
  uint32_t *found = (uint32_t *)R_alloc(most * (size_t)rank_count + 1, sizeof(uint32_t));
  stol_error error = STOL_ERROR_INIT;
  /* Words that are no ranks are refused even where nothing is asked of them. */
  if (count == 0) had_room(stol_rank_columns(pack, NULL, 0, words, (size_t)rank_count, found, &error), &error);
  EACH_CHUNK(start, count, rows) {
    had_room(
      stol_rank_columns(pack, taxa_in(taxa) + start, (size_t)rows, words, (size_t)rank_count, found, &error), &error);
    for (R_xlen_t rank = 0; rank < rank_count; rank++)
      memcpy(taxa_in(VECTOR_ELT(answer, rank)) + start, found + rank * rows, (size_t)rows * sizeof(uint32_t));
  }
  UNPROTECT(1);
  return answer;
}
