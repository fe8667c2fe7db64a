/*
 * What the files of the extension share: attached packs, sessions, and columns.
 *
 * A database has one pack at a time. Each thread of a statement has a session for each call of a function, and
 * sessions of one call that run beside each other have the same pack, whatever is attached meanwhile.
 */
#ifndef STOL_DUCKDB_DOOR_H
#define STOL_DUCKDB_DOOR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "duckdb_extension.h"
#include "stol.h"

DUCKDB_EXTENSION_EXTERN

/* What went wrong, for DuckDB to raise. */
typedef struct failure {
  char message[512];
} failure;

/* Sets the sentence, and returns false for the caller to return. */
bool fail(failure *failure, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool fail_for_memory(failure *failure);
/* Whether a function of the library did what it should. */
bool went_well(int32_t code, const stol_error *error, failure *failure);

/* A pack, which is open as long as something uses it. */
typedef struct pack {
  atomic_size_t uses;
  stol_pack *handle;
  stol_facts facts;
  /* Different for each pack that was attached to the database. */
  uint32_t number;
} pack;

void release_pack(pack *pack);

/* An open database of DuckDB. The functions in its catalog use it, and end when it closes. */
typedef struct database {
  atomic_size_t uses;
  pthread_mutex_t lock;
  /* The pack that is attached, or NULL. */
  pack *pack;
  uint32_t attached_count;
} database;

database *make_database(void);
database *retain_database(database *database);
void release_database(void *database);
/* The pack that is attached, for the caller to release; or NULL. */
pack *take_pack(database *database, failure *failure);
bool attach_pack(database *database, const char *path, failure *failure);
/* Whether there was one. */
bool detach_pack(database *database);

/* Memory that grows, and is used by one chunk after the other. */
typedef struct room {
  void *bytes;
  size_t size;
} room;

enum { TEXT_BYTES, TEXT_OFFSETS, TAXA, MORE_TAXA, FOUND, NAMES, STATUSES, INDEX, DISTINCT, BUCKETS, PLACES, VALUES, ANSWERS, ROOM_COUNT };

/* What one thread of a statement asks, and what it has for that. */
typedef struct session {
  pack *pack;
  failure failure;
  room rooms[ROOM_COUNT];
} session;

/* Room for so many elements, which hold anything; NULL where there is no memory, as `failure` then says. */
void *take_room(session *session, int room, size_t count, size_t stride);
void free_rooms(session *session);

/* Kinds of columns. */
enum { NUMBER_IDS = 'i', TEXTS = 't' };

/* A text of a vector. */
static inline const char *bytes_of(const duckdb_string_t *text) {
  return text->value.inlined.length <= sizeof text->value.inlined.inlined ? text->value.inlined.inlined : text->value.pointer.ptr;
}

static inline bool is_there(const uint64_t *validity, idx_t row) {
  return !validity || (validity[row / 64] >> (row % 64) & 1);
}

void set_null(duckdb_vector vector, idx_t row);
/* The text of a constant, for the caller to free by duckdb_free; NULL where it has a NUL, at which it would end in C. */
char *take_text(duckdb_value value, const char *what, failure *failure);
/* The texts of a vector, in memory of the session. */
bool read_texts(session *session, duckdb_vector vector, idx_t count, stol_texts *texts);
/* The taxa of a column of ids, none for nulls. */
bool read_taxa(session *session, duckdb_vector vector, idx_t count, int kind, stol_taxon *taxa);
/* Ids of taxa from row `base` on; null for none. */
bool write_ids(session *session, const stol_taxon *taxa, idx_t count, int kind, duckdb_vector vector, idx_t base);
/* A text of each taxon, STOL_SCIENTIFIC_NAME and so on; or names. Null where there is none. */
bool write_texts(session *session, int32_t field, const stol_taxon *taxa, idx_t count, duckdb_vector vector, idx_t base);
bool write_names(session *session, const stol_name *names, idx_t count, duckdb_vector vector);

/* Types of columns; the caller destroys them. */
duckdb_logical_type id_type(int kind);
duckdb_logical_type word_type(const char *const *words, idx_t count);
duckdb_logical_type struct_type(idx_t count, const char *const *names, duckdb_logical_type *types);

/* Functions by topic. */
duckdb_state register_scalars(duckdb_connection connection, database *database);
duckdb_state register_lca(duckdb_connection connection, database *database);
duckdb_state register_attaching(duckdb_connection connection, database *database);
duckdb_state register_tables(duckdb_connection connection, database *database);

#endif
