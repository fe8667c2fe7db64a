/* Scalar functions of taxa: names, ranks, lineages, common ancestors. */
#include <string.h>

#include "scalars.h"

static const char *const lineage_fields[] = {"id", "rank", "name"};

/* The taxa of the column of ids that a function takes; NULL where it fails. */
static stol_taxon *take_taxa(scalar_session *session, duckdb_data_chunk input, idx_t column, idx_t count, int room) {
  stol_taxon *taxa = take_room(&session->base, room, count, sizeof *taxa);
  duckdb_vector ids = duckdb_data_chunk_get_vector(input, column);
  return taxa && read_taxa(&session->base, ids, count, session->scalar->parameters[column], taxa) ? taxa : NULL;
}

bool names_of_taxa(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output) {
  const stol_taxon *taxa = take_taxa(session, input, 0, count, TAXA);
  return taxa && write_texts(&session->base, STOL_SCIENTIFIC_NAME, taxa, count, output, 0);
}

bool ranks_of_taxa(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output) {
  const stol_taxon *taxa = take_taxa(session, input, 0, count, TAXA);
  return taxa && write_texts(&session->base, STOL_RANK, taxa, count, output, 0);
}

static bool is_same(const duckdb_string_t *a, const duckdb_string_t *b) {
  uint32_t length = a->value.inlined.length;
  return length == b->value.inlined.length && memcmp(bytes_of(a), bytes_of(b), length) == 0;
}

/* A rank as a word of C, which ends at a NUL. */
static char *take_word(session *session, const duckdb_string_t *text) {
  uint32_t length = text->value.inlined.length;
  char *word = take_room(session, VALUES, (size_t)length + 1, 1);
  if (!word) return NULL;
  if (memchr(bytes_of(text), 0, length)) {
    fail(&session->failure, "a rank has a character NUL");
    return NULL;
  }
  memcpy(word, bytes_of(text), length);
  word[length] = 0;
  return word;
}

bool ancestors_of_rank(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output) {
  duckdb_vector ranks = duckdb_data_chunk_get_vector(input, 1);
  const duckdb_string_t *words = duckdb_vector_get_data(ranks);
  const uint64_t *validity = duckdb_vector_get_validity(ranks);
  stol_taxon *taxa = take_taxa(session, input, 0, count, TAXA);
  stol_taxon *some = take_room(&session->base, MORE_TAXA, count, sizeof *some);
  stol_taxon *found = take_room(&session->base, FOUND, count, sizeof *found);
  uint32_t *rows = take_room(&session->base, INDEX, count, sizeof *rows);
  bool *is_done = take_room(&session->base, STATUSES, count, sizeof *is_done);
  if (!taxa || !some || !found || !rows || !is_done) return false;
  for (idx_t row = 0; row < count; row++) {
    is_done[row] = !is_there(validity, row);
    if (is_done[row]) taxa[row] = STOL_NO_TAXON;
  }
  /* All rows that ask for one rank at once, which are nearly always all. */
  for (idx_t first = 0; first < count; first++) {
    if (is_done[first]) continue;
    size_t number = 0;
    for (idx_t row = first; row < count; row++) {
      if (is_done[row] || !is_same(&words[row], &words[first])) continue;
      rows[number] = (uint32_t)row;
      some[number++] = taxa[row];
      is_done[row] = true;
    }
    const char *word = take_word(&session->base, &words[first]);
    stol_error error = STOL_ERROR_INIT;
    if (!word || !went_well(stol_rank_columns(session->base.pack->handle, some, number, &word, 1, found, &error), &error,
                            &session->base.failure))
      return false;
    for (size_t place = 0; place < number; place++) taxa[rows[place]] = found[place];
  }
  return write_texts(&session->base, STOL_SCIENTIFIC_NAME, taxa, count, output, 0);
}

duckdb_logical_type lineage_type(int id_kind) {
  duckdb_logical_type types[] = {id_type(id_kind), id_type(TEXTS), id_type(TEXTS)};
  duckdb_logical_type entry = struct_type(3, lineage_fields, types);
  duckdb_logical_type list = duckdb_create_list_type(entry);
  duckdb_destroy_logical_type(&entry);
  return list;
}

bool lineages_of_taxa(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output) {
  const stol_taxon *taxa = take_taxa(session, input, 0, count, TAXA);
  int64_t *places = take_room(&session->base, PLACES, count + 1, sizeof *places);
  if (!taxa || !places) return false;
  stol_taxon *ancestors;
  size_t needed = 40 * count;
  int32_t code;
  stol_error error = STOL_ERROR_INIT;
  do {
    size_t room = needed;
    ancestors = take_room(&session->base, FOUND, room, sizeof *ancestors);
    if (!ancestors) return false;
    code = stol_lineages(session->base.pack->handle, taxa, count, places, ancestors, room, &needed, &error);
  } while (code == STOL_MORE_ROOM);
  if (!went_well(code, &error, &session->base.failure)) return false;

  idx_t total = (idx_t)places[count];
  if (duckdb_list_vector_reserve(output, total) != DuckDBSuccess || duckdb_list_vector_set_size(output, total) != DuckDBSuccess)
    return fail_for_memory(&session->base.failure);
  duckdb_list_entry *lists = duckdb_vector_get_data(output);
  for (idx_t row = 0; row < count; row++) {
    lists[row] = (duckdb_list_entry){(uint64_t)places[row], (uint64_t)(places[row + 1] - places[row])};
    if (taxa[row] == STOL_NO_TAXON) set_null(output, row);
  }
  duckdb_vector entries = duckdb_list_vector_get_child(output);
  int id_kind = session->scalar->result == 'l' ? NUMBER_IDS : TEXTS;
  return write_ids(&session->base, ancestors, total, id_kind, duckdb_struct_vector_get_child(entries, 0), 0)
    && write_texts(&session->base, STOL_RANK, ancestors, total, duckdb_struct_vector_get_child(entries, 1), 0)
    && write_texts(&session->base, STOL_SCIENTIFIC_NAME, ancestors, total, duckdb_struct_vector_get_child(entries, 2), 0);
}

bool ancestors_of_pairs(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output) {
  const stol_taxon *a = take_taxa(session, input, 0, count, TAXA);
  const stol_taxon *b = take_taxa(session, input, 1, count, MORE_TAXA);
  stol_taxon *found = take_room(&session->base, FOUND, count, sizeof *found);
  stol_error error = STOL_ERROR_INIT;
  return a && b && found
    && went_well(stol_lca_pairs(session->base.pack->handle, a, b, count, found, &error), &error, &session->base.failure)
    && write_ids(&session->base, found, count, session->scalar->result, output, 0);
}
