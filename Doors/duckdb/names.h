/* Looking up of the names of a chunk. */
#ifndef STOL_DUCKDB_NAMES_H
#define STOL_DUCKDB_NAMES_H

#include "scalars.h"

/* What became of a name. */
typedef struct answer {
  stol_taxon taxon;
  stol_name name;
  uint8_t status, difference, edits, score;
} answer;

/* Asks the library for as many answers as there are texts in each column: names, and what is said beside them. */
typedef bool asking(scalar_session *session, const stol_texts *texts, answer *answers);

/* What became of each name of a chunk: asked, or known from before. NULL where it fails. */
const answer *take_answers(scalar_session *session, duckdb_data_chunk input, idx_t count, asking *asking);

#endif
