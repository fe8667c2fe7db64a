/* What the files of this package share. Taxa and names are vectors of R integers, -1 where there is none. */
#ifndef DOOR_H
#define DOOR_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <stol.h>

/* Rows between two looks at whether the user has interrupted. All memory is R's, which frees it then. */
#define CHUNK 65536

/* For each chunk of so many rows, at what row it starts and how many rows it has. */
#define EACH_CHUNK(start, count, rows)                                                                   \
  for (R_xlen_t start = 0, rows; start < (count) &&                                                      \
       (rows = (count) - start < CHUNK ? (count) - start : CHUNK, R_CheckUserInterrupt(), 1); start += CHUNK)

/* What an external pointer of R leads to, or a condition of class stol_closed. */
const stol_pack *pack_of(SEXP pointer);

/* Raises a condition where a function of stol.h says more than that it needs room; whether it had all. */
int had_room(int32_t code, const stol_error *error);

/* Raises a condition: what follows "stol_" in its class, and a sentence. */
void refuse(const char *kind, const char *format, ...);

/* Keys of which some are equal, each with the number of the first such among distinct ones. */
typedef struct {
  size_t room;
  size_t mask;
  uint64_t *keys;
  int32_t *numbers;
  int32_t count;
} dictionary;

/* One for so many keys; `forget` makes it empty for so many or fewer. */
dictionary new_dictionary(size_t count);
void forget(dictionary *known, size_t count);

/* The number of a key, which must not be 0. */
int32_t number_of(dictionary *known, uint64_t key);

/* Rows of a chunk of some columns of R texts of which many may repeat: for each row the number of the first such, and for
   each number that row. Returns how many are distinct. */
size_t distinct_rows(const SEXP *columns, size_t column_count, R_xlen_t start, size_t rows, int32_t *numbers, R_xlen_t *firsts);

/* A text of a pack as one of R; NA for an empty one, which stands for none. */
SEXP text_of(const char *bytes, size_t length);

/* Chosen elements of a vector of R texts as a column of UTF-8, where they stand; `rows` NULL for the first ones. */
stol_texts texts_of_rows(SEXP column, const R_xlen_t *rows, size_t count);

/* Texts of a whole pack for taxa or names, as R texts: NA where there is none. */
SEXP texts_of_taxa(SEXP pointer, SEXP field, SEXP language, SEXP taxa);
SEXP texts_of_names(SEXP pointer, SEXP names);

/* A text of R in UTF-8; what cannot be is left as it is, for the library to say so. */
const char *utf8(SEXP text);

/* The same or NULL, as options are. */
const char *option_text(SEXP text);

/* The word for a code, as R numbers the levels of a factor. */
static inline int level(uint8_t code) { return code + 1; }

SEXP open_pack(SEXP path);
SEXP close_pack(SEXP pointer);
SEXP is_open(SEXP pointer);
SEXP facts_of_pack(SEXP pointer);
SEXP dataset_text(SEXP pointer, SEXP key);
SEXP id_kind(SEXP pointer);
SEXP taxa_of_ids(SEXP pointer, SEXP ids);
SEXP ids_of_taxa(SEXP pointer, SEXP taxa, SEXP kind);
SEXP parents(SEXP pointer, SEXP taxa);
SEXP subtree_ends(SEXP pointer, SEXP taxa);
SEXP lca_pairs(SEXP pointer, SEXP a, SEXP b);
SEXP lca_lists(SEXP pointer, SEXP places, SEXP taxa);
SEXP lineages(SEXP pointer, SEXP taxa);
SEXP rank_columns(SEXP pointer, SEXP taxa, SEXP ranks);
SEXP resolve(SEXP pointer, SEXP texts, SEXP rank, SEXP within);
SEXP match(SEXP pointer, SEXP columns, SEXP hint_ranks, SEXP options);
SEXP search(SEXP pointer, SEXP texts, SEXP options, SEXP rank, SEXP within);

#endif
