/*
 * The aggregate stol_lca: the lowest common ancestor of a group. Taxa stand in depth-first preorder, so that it is
 * that of the first and the last of them: a state is these two.
 */
#include <stdlib.h>

#include "door.h"

/* The first and the last taxon of a group; there are none where the first is STOL_NO_TAXON. */
typedef struct interval {
  stol_taxon first, last;
  /* The number of the pack that they are of. */
  uint32_t pack;
} interval;

/* What the function in the catalog refers to. */
typedef struct aggregate {
  database *database;
  int id_kind;
} aggregate;

static idx_t state_size(duckdb_function_info info) {
  (void)info;
  return sizeof(interval);
}

static void begin(duckdb_function_info info, duckdb_aggregate_state state) {
  (void)info;
  *(interval *)state = (interval){STOL_NO_TAXON, 0, 0};
}

static bool fail_for_other_pack(failure *failure) {
  return fail(failure, "another pack was attached while stol_lca ran: run the statement again");
}

/* Lets one interval reach over another one. */
static bool extend(interval *state, interval more, failure *failure) {
  if (more.first == STOL_NO_TAXON) return true;
  if (state->first == STOL_NO_TAXON) {
    *state = more;
    return true;
  }
  if (state->pack != more.pack) return fail_for_other_pack(failure);
  if (more.first < state->first) state->first = more.first;
  if (more.last > state->last) state->last = more.last;
  return true;
}

static bool update_all(session *session, int id_kind, duckdb_data_chunk input, duckdb_aggregate_state *states) {
  idx_t count = duckdb_data_chunk_get_size(input);
  stol_taxon *taxa = take_room(session, TAXA, count, sizeof *taxa);
  if (!taxa || !read_taxa(session, duckdb_data_chunk_get_vector(input, 0), count, id_kind, taxa)) return false;
  uint32_t number = session->pack->number;
  for (idx_t row = 0; row < count; row++)
    if (!extend((interval *)states[row], (interval){taxa[row], taxa[row], number}, &session->failure)) return false;
  return true;
}

/* Whether a session with the pack of now begins. */
static bool enter(const aggregate *aggregate, session *session) {
  session->pack = take_pack(aggregate->database, &session->failure);
  return session->pack != NULL;
}

static void leave(session *session) {
  free_rooms(session);
  release_pack(session->pack);
}

static void update(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state *states) {
  const aggregate *aggregate = duckdb_aggregate_function_get_extra_info(info);
  session session = {0};
  if (!enter(aggregate, &session) || !update_all(&session, aggregate->id_kind, input, states))
    duckdb_aggregate_function_set_error(info, session.failure.message);
  leave(&session);
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *from, duckdb_aggregate_state *into, idx_t count) {
  failure failure;
  for (idx_t row = 0; row < count; row++)
    if (!extend((interval *)into[row], *(const interval *)from[row], &failure)) {
      duckdb_aggregate_function_set_error(info, failure.message);
      return;
    }
}

static bool end_all(session *session, int id_kind, duckdb_aggregate_state *states, duckdb_vector output, idx_t count, idx_t offset) {
  stol_taxon *first = take_room(session, TAXA, count, sizeof *first);
  stol_taxon *last = take_room(session, MORE_TAXA, count, sizeof *last);
  stol_taxon *found = take_room(session, FOUND, count, sizeof *found);
  if (!first || !last || !found) return false;
  for (idx_t row = 0; row < count; row++) {
    const interval *state = (const interval *)states[row];
    bool has_taxa = state->first != STOL_NO_TAXON;
    if (has_taxa && state->pack != session->pack->number) return fail_for_other_pack(&session->failure);
    first[row] = state->first;
    last[row] = has_taxa ? state->last : STOL_NO_TAXON;
  }
  stol_error error = STOL_ERROR_INIT;
  return went_well(stol_lca_pairs(session->pack->handle, first, last, count, found, &error), &error, &session->failure)
    && write_ids(session, found, count, id_kind, output, offset);
}

static void end(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector output, idx_t count, idx_t offset) {
  const aggregate *aggregate = duckdb_aggregate_function_get_extra_info(info);
  session session = {0};
  if (!enter(aggregate, &session) || !end_all(&session, aggregate->id_kind, states, output, count, offset))
    duckdb_aggregate_function_set_error(info, session.failure.message);
  leave(&session);
}

static void forget(void *used) {
  aggregate *aggregate = used;
  release_database(aggregate->database);
  free(aggregate);
}

/* Adds the function for ids of a kind. */
static duckdb_state add(duckdb_aggregate_function_set set, database *database, int id_kind) {
  aggregate *aggregate = malloc(sizeof *aggregate);
  if (!aggregate) return DuckDBError;
  aggregate->database = retain_database(database);
  aggregate->id_kind = id_kind;
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  duckdb_logical_type type = id_type(id_kind);
  duckdb_aggregate_function_set_name(function, "stol_lca");
  duckdb_aggregate_function_add_parameter(function, type);
  duckdb_aggregate_function_set_return_type(function, type);
  duckdb_aggregate_function_set_extra_info(function, aggregate, forget);
  duckdb_aggregate_function_set_functions(function, state_size, begin, update, combine, end);
  duckdb_state state = duckdb_add_aggregate_function_to_set(set, function);
  duckdb_destroy_logical_type(&type);
  duckdb_destroy_aggregate_function(&function);
  return state;
}

duckdb_state register_lca(duckdb_connection connection, database *database) {
  duckdb_aggregate_function_set set = duckdb_create_aggregate_function_set("stol_lca");
  duckdb_state state = add(set, database, NUMBER_IDS);
  if (state == DuckDBSuccess) state = add(set, database, TEXTS);
  if (state == DuckDBSuccess) state = duckdb_register_aggregate_function_set(connection, set);
  duckdb_destroy_aggregate_function_set(&set);
  return state;
}
