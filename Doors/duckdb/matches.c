/* Matching of names as people write them. */
#include <strings.h>

#include "names.h"

static const char *const match_fields[] = {"id", "name", "matched_name", "status", "score", "difference", "edits"};
enum { ID, NAME, MATCHED_NAME, STATUS, SCORE, DIFFERENCE, EDITS, FIELD_COUNT };

/* By what STOL_EXACT and so on are. */
static const char *const statuses[] = {"exact", "synonym", "common", "merged", "deleted",
                                       "fuzzy", "partial", "ambiguous", "not_found", "invalid"};
enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

/* By what STOL_DIFFERENCE_NONE and so on are, in the words of `stol match`; what is none of them is null. */
static const char *const differences[] = {
  "none", "ending", "scanned letters", "epithet", "epithet, two letters", "genus", "genus and epithet", "genus, two letters",
  "uninomial", "uninomial, two letters", "more than two letters", "fewer epithets", "genus only", "hint"};
enum { DIFFERENCE_COUNT = sizeof differences / sizeof *differences };

duckdb_logical_type match_type(int id_kind) {
  duckdb_logical_type types[FIELD_COUNT] = {
    id_type(id_kind), id_type(TEXTS), id_type(TEXTS), word_type(statuses, STATUS_COUNT),
    duckdb_create_logical_type(DUCKDB_TYPE_UTINYINT), word_type(differences, DIFFERENCE_COUNT),
    duckdb_create_logical_type(DUCKDB_TYPE_UTINYINT)};
  return struct_type(FIELD_COUNT, match_fields, types);
}

/* What the words of a call, in any case as ranks are, say that the texts beside the names are. */
static void sort_columns(const scalar_session *session, const stol_texts *texts, stol_match_columns *columns,
                         const char **ranks, const stol_texts **hints) {
  *columns = (stol_match_columns)STOL_MATCH_COLUMNS_INIT;
  columns->names = &texts[0];
  columns->hint_ranks = ranks;
  columns->hints = hints;
  for (idx_t word = 0; word < session->word_count; word++) {
    const char *said = session->words[word];
    const stol_texts *column = &texts[word + 1];
    if (strcasecmp(said, "authorship") == 0) {
      columns->authorships = column;
    } else if (strcasecmp(said, "rank") == 0) {
      columns->ranks = column;
    } else if (strcasecmp(said, "code") == 0) {
      columns->codes = column;
    } else {
      ranks[columns->hint_count] = said;
      hints[columns->hint_count++] = column;
    }
  }
}

static bool match(scalar_session *session, const stol_texts *texts, answer *answers) {
  const char *ranks[GREATEST_BESIDE];
  const stol_texts *hints[GREATEST_BESIDE];
  stol_match_columns columns;
  sort_columns(session, texts, &columns, ranks, hints);
  size_t count = texts->count;
  stol_taxon *taxa = take_room(&session->base, FOUND, count, sizeof *taxa);
  stol_name *names = take_room(&session->base, NAMES, count, sizeof *names);
  uint8_t *bytes = take_room(&session->base, STATUSES, count, 4);
  if (!taxa || !names || !bytes) return false;
  stol_matches matches = STOL_MATCHES_INIT;
  matches.taxa = taxa;
  matches.names = names;
  matches.statuses = bytes;
  matches.differences = bytes + count;
  matches.edits = bytes + 2 * count;
  matches.scores = bytes + 3 * count;
  stol_error error = STOL_ERROR_INIT;
  if (!went_well(stol_match(session->base.pack->handle, &columns, NULL, &matches, &error), &error, &session->base.failure))
    return false;
  for (size_t number = 0; number < count; number++)
    answers[number] = (answer){taxa[number], names[number], matches.statuses[number], matches.differences[number],
                               matches.edits[number], matches.scores[number]};
  return true;
}

bool matches_of_names(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output) {
  const answer *answers = take_answers(session, input, count, match);
  stol_taxon *taxa = take_room(&session->base, TAXA, count, sizeof *taxa);
  stol_name *names = take_room(&session->base, NAMES, count, sizeof *names);
  if (!answers || !taxa || !names) return false;
  duckdb_vector fields[FIELD_COUNT];
  for (idx_t field = 0; field < FIELD_COUNT; field++) fields[field] = duckdb_struct_vector_get_child(output, field);
  uint8_t *status = duckdb_vector_get_data(fields[STATUS]), *score = duckdb_vector_get_data(fields[SCORE]);
  uint8_t *difference = duckdb_vector_get_data(fields[DIFFERENCE]), *edits = duckdb_vector_get_data(fields[EDITS]);
  const uint64_t *validity = duckdb_vector_get_validity(duckdb_data_chunk_get_vector(input, 0));
  for (idx_t row = 0; row < count; row++) {
    const answer *found = &answers[row];
    taxa[row] = found->taxon;
    names[row] = found->name;
    status[row] = found->status < STATUS_COUNT ? found->status : STOL_INVALID;
    score[row] = found->score;
    difference[row] = found->difference;
    edits[row] = found->edits;
    if (found->difference >= DIFFERENCE_COUNT) {
      difference[row] = 0;
      set_null(fields[DIFFERENCE], row);
      set_null(fields[EDITS], row);
    }
    if (found->taxon == STOL_NO_TAXON) set_null(fields[SCORE], row);
    if (is_there(validity, row)) continue;
    set_null(output, row);
    set_null(fields[STATUS], row);
  }
  return write_ids(&session->base, taxa, count, session->scalar->result == 'm' ? NUMBER_IDS : TEXTS, fields[ID], 0)
    && write_texts(&session->base, STOL_SCIENTIFIC_NAME, taxa, count, fields[NAME], 0)
    && write_names(&session->base, names, count, fields[MATCHED_NAME]);
}
