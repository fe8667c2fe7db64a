/* What tables that are read are made of. */
#ifndef STOL_DUCKDB_TABLES_H
#define STOL_DUCKDB_TABLES_H

#include "door.h"

enum table { ALL, WITHIN, SEARCH };

/* The columns of taxa, in order; those of a search begin as these do. */
enum { ID, NAME, RANK, AUTHORSHIP, COMMON_NAME, PARENT, POSITION, LAST_POSITION, TAXON_COLUMN_COUNT };
enum { MATCHED_NAME = RANK + 1, KIND, MATCH, DISTANCE, HIT_COLUMN_COUNT };

/* How many kinds of names there are, and ways of matching. */
enum { KIND_COUNT = 3, MATCH_COUNT = 10 };

/* What a call in a statement asks. */
typedef struct call {
  /* Whether ids were texts in the pack that the statement was prepared for. */
  bool has_text_ids;
  /* The taxon whose subtree is meant, as a text or else as a number; there is none in stol_taxa(). */
  char *taxon;
  bool has_number;
  int64_t number;
  /* A search. */
  char *text;
  char *rank;
  stol_search_options options;
} call;

/* What DuckDB calls when a statement begins, when a thread of it does, and for the next rows. */
void begin_all(duckdb_init_info info);
void begin_within(duckdb_init_info info);
void begin_search(duckdb_init_info info);
void begin_thread(duckdb_init_info info);
void run_taxa(duckdb_function_info info, duckdb_data_chunk output);
void run_search(duckdb_function_info info, duckdb_data_chunk output);

#endif
