/* What scalar functions are made of. */
#ifndef STOL_DUCKDB_SCALARS_H
#define STOL_DUCKDB_SCALARS_H

#include "door.h"

/* The most that can be said beside a name. */
enum { GREATEST_BESIDE = 64 };

typedef struct scalar_session scalar_session;

/* How a scalar function is declared. */
typedef struct scalar {
  const char *name;
  /* Answers a chunk. */
  bool (*body)(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);
  /* NUMBER_IDS or TEXTS; matches and lineages with ids that are numbers ('m', 'l') or texts ('M', 'L'). */
  char result;
  /* NUMBER_IDS or TEXTS for each; '*' at the end for any more texts. */
  const char *parameters;
} scalar;

/* The session of a scalar function. */
struct scalar_session {
  session base;
  const scalar *scalar;
  /* The call in the statement, and the constant texts among its arguments. */
  struct call *call;
  char *const *words;
  idx_t word_count;
  /* Names that were looked up before, and the memory that they are in. */
  struct known_name *known;
  void *known_memory;
  /* In how many chunks to come nothing is looked for there. */
  int rest;
};

bool taxa_of_names(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);
bool matches_of_names(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);
bool names_of_taxa(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);
bool ranks_of_taxa(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);
bool ancestors_of_rank(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);
bool lineages_of_taxa(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);
bool ancestors_of_pairs(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output);

/* The types of a match and of a lineage, with ids of a kind. */
duckdb_logical_type match_type(int id_kind);
duckdb_logical_type lineage_type(int id_kind);

#endif
