/* How the tables are read: taxa by any number of threads, a part at a time, and hits in their order. */
#include <stdlib.h>
#include <string.h>

#include "tables.h"

/* What runs: taxa from `next` up to `end`, or hits. */
typedef struct scan {
  session session;
  bool has_text_ids;
  atomic_uint_fast64_t next;
  uint64_t end;
  idx_t column_count;
  idx_t *columns;
  /* Hits, in arrays of the session. */
  stol_hits hits;
} scan;

static void free_scan(void *used) {
  scan *scan = used;
  free_rooms(&scan->session);
  release_pack(scan->session.pack);
  free(scan->columns);
  free(scan);
}

/* A session of a thread that scans; the pack is that of the scan. */
static void free_session(void *used) {
  free_rooms(used);
  free(used);
}

/* One text as a column. */
static stol_texts one_text(const char *text, int32_t offsets[2]) {
  stol_texts texts = STOL_TEXTS_INIT;
  offsets[0] = 0;
  offsets[1] = (int32_t)strnlen(text, INT32_MAX);
  texts.layout = STOL_OFFSETS_32;
  texts.count = 1;
  texts.offsets = offsets;
  texts.bytes = text;
  texts.byte_count = (size_t)offsets[1];
  return texts;
}

/* The taxon that a call names, or none where it names none. */
static bool find_taxon(session *session, const call *call, stol_taxon *taxon) {
  stol_error error = STOL_ERROR_INIT;
  const stol_pack *handle = session->pack->handle;
  uint8_t status = STOL_NOT_FOUND;
  *taxon = STOL_NO_TAXON;
  if (!call->has_number && !call->taxon) return true;
  if (call->has_number) {
    if (session->pack->facts.has_text_ids) return fail(&session->failure, "ids of this pack are texts: '%lld'", (long long)call->number);
    if (!went_well(stol_taxa_of_ids(handle, &call->number, 1, taxon, &status, &error), &error, &session->failure)) return false;
    return *taxon != STOL_NO_TAXON || fail(&session->failure, "there is no taxon with id %lld in the attached pack", (long long)call->number);
  }
  int32_t offsets[2];
  stol_texts texts = one_text(call->taxon, offsets);
  if (!went_well(stol_resolve(handle, &texts, NULL, taxon, NULL, &status, &error), &error, &session->failure)) return false;
  if (status == STOL_AMBIGUOUS)
    return fail(&session->failure, "'%.80s' names several taxa: SELECT * FROM stol_search('%.80s', mode := 'exact') lists their ids",
                call->taxon, call->taxon);
  return *taxon != STOL_NO_TAXON || fail(&session->failure, "there is no taxon '%.80s' in the attached pack", call->taxon);
}

static bool find_hits(scan *scan, const call *call, stol_taxon within) {
  session *session = &scan->session;
  stol_search_options options = call->options;
  options.within = within;
  int32_t text_offsets[2];
  int64_t offsets[2];
  stol_texts texts = one_text(call->text, text_offsets);
  size_t needed = options.limit < 1000 ? options.limit : 1000;
  scan->hits = (stol_hits)STOL_HITS_INIT;
  int32_t code;
  stol_error error = STOL_ERROR_INIT;
  do {
    size_t room = needed;
    scan->hits.room = room;
    scan->hits.taxa = take_room(session, TAXA, room, sizeof *scan->hits.taxa);
    scan->hits.names = take_room(session, NAMES, room, sizeof *scan->hits.names);
    uint8_t *bytes = take_room(session, STATUSES, room, 3);
    if (!scan->hits.taxa || !scan->hits.names || !bytes) return false;
    scan->hits.kinds = bytes;
    scan->hits.classes = bytes + room;
    scan->hits.distances = bytes + 2 * room;
    code = stol_search(session->pack->handle, &texts, &options, offsets, &scan->hits, &needed, &error);
  } while (code == STOL_MORE_ROOM);
  scan->end = needed;
  return went_well(code, &error, &session->failure);
}

/* What is scanned: hits of a search, the subtree of a taxon, or all taxa. */
static bool set_range(scan *scan, const call *call, enum table table) {
  session *session = &scan->session;
  scan->has_text_ids = session->pack->facts.has_text_ids;
  if (scan->has_text_ids != call->has_text_ids)
    return fail(&session->failure, "another pack was attached whose ids are of another type: prepare the statement again");
  stol_taxon taxon;
  if (!find_taxon(session, call, &taxon)) return false;
  if (table == SEARCH) return !call->text || find_hits(scan, call, taxon);
  scan->end = session->pack->facts.taxon_count;
  if (table == ALL) return true;
  stol_taxon end;
  stol_error error = STOL_ERROR_INIT;
  if (!went_well(stol_subtree_ends(session->pack->handle, &taxon, 1, &end, &error), &error, &session->failure)) return false;
  atomic_store(&scan->next, taxon);
  scan->end = end;
  return true;
}

static void begin(duckdb_init_info info, enum table table) {
  scan *scan = calloc(1, sizeof *scan);
  if (!scan) {
    duckdb_init_set_error(info, "there is not enough memory for stol");
    return;
  }
  duckdb_init_set_init_data(info, scan, free_scan);
  failure *failure = &scan->session.failure;
  scan->session.pack = take_pack(duckdb_init_get_extra_info(info), failure);
  scan->column_count = duckdb_init_get_column_count(info);
  scan->columns = calloc(scan->column_count + 1, sizeof *scan->columns);
  if (!scan->columns) fail_for_memory(failure);
  if (!scan->session.pack || !scan->columns || !set_range(scan, duckdb_init_get_bind_data(info), table)) {
    duckdb_init_set_error(info, failure->message);
    return;
  }
  for (idx_t column = 0; column < scan->column_count; column++) scan->columns[column] = duckdb_init_get_column_index(info, column);
  /* A thread for as many taxa as repay it; hits keep their order. */
  uint64_t count = scan->end - atomic_load(&scan->next);
  duckdb_init_set_max_threads(info, table == SEARCH ? 1 : 1 + count / 50000);
}

void begin_all(duckdb_init_info info) { begin(info, ALL); }
void begin_within(duckdb_init_info info) { begin(info, WITHIN); }
void begin_search(duckdb_init_info info) { begin(info, SEARCH); }

void begin_thread(duckdb_init_info info) {
  session *session = calloc(1, sizeof *session);
  if (session) duckdb_init_set_init_data(info, session, free_session);
  else duckdb_init_set_error(info, "there is not enough memory for stol");
}

/* Positions of taxa, or where their subtrees end. */
static bool write_positions(session *session, const stol_taxon *taxa, idx_t count, bool of_last, duckdb_vector vector) {
  uint32_t *positions = duckdb_vector_get_data(vector);
  if (!of_last) {
    memcpy(positions, taxa, count * sizeof *positions);
    return true;
  }
  stol_error error = STOL_ERROR_INIT;
  if (!went_well(stol_subtree_ends(session->pack->handle, taxa, count, positions, &error), &error, &session->failure)) return false;
  for (idx_t row = 0; row < count; row++) positions[row]--;
  return true;
}

static bool write_parents(session *session, const stol_taxon *taxa, idx_t count, int ids, duckdb_vector vector) {
  stol_taxon *parents = take_room(session, MORE_TAXA, count, sizeof *parents);
  stol_error error = STOL_ERROR_INIT;
  return parents && went_well(stol_parents(session->pack->handle, taxa, count, parents, &error), &error, &session->failure)
    && write_ids(session, parents, count, ids, vector, 0);
}

static bool write_taxon_column(session *session, idx_t column, int ids, const stol_taxon *taxa, idx_t count, duckdb_vector vector) {
  switch (column) {
    case ID: return write_ids(session, taxa, count, ids, vector, 0);
    case NAME: return write_texts(session, STOL_SCIENTIFIC_NAME, taxa, count, vector, 0);
    case RANK: return write_texts(session, STOL_RANK, taxa, count, vector, 0);
    case AUTHORSHIP: return write_texts(session, STOL_AUTHORSHIP, taxa, count, vector, 0);
    case COMMON_NAME: return write_texts(session, STOL_COMMON_NAME, taxa, count, vector, 0);
    case PARENT: return write_parents(session, taxa, count, ids, vector);
    case POSITION: return write_positions(session, taxa, count, false, vector);
    case LAST_POSITION: return write_positions(session, taxa, count, true, vector);
    /* No column of the table: where rows are counted only. */
    default: return true;
  }
}

/* The next rows of a scan, from the first; none at its end. */
static idx_t take_rows(scan *scan, uint64_t *first) {
  idx_t count = duckdb_vector_size();
  *first = atomic_fetch_add(&scan->next, count);
  if (*first >= scan->end) return 0;
  return scan->end - *first < count ? scan->end - *first : count;
}

void run_taxa(duckdb_function_info info, duckdb_data_chunk output) {
  scan *scan = duckdb_function_get_init_data(info);
  session *session = duckdb_function_get_local_init_data(info);
  uint64_t first;
  idx_t count = take_rows(scan, &first);
  session->pack = scan->session.pack;
  stol_taxon *taxa = take_room(session, TAXA, count, sizeof *taxa);
  bool went = taxa != NULL;
  duckdb_data_chunk_set_size(output, count);
  for (idx_t row = 0; went && row < count; row++) taxa[row] = (stol_taxon)(first + row);
  for (idx_t column = 0; went && count > 0 && column < scan->column_count; column++)
    went = write_taxon_column(session, scan->columns[column], scan->has_text_ids ? TEXTS : NUMBER_IDS, taxa, count,
                              duckdb_data_chunk_get_vector(output, column));
  if (!went) duckdb_function_set_error(info, session->failure.message);
}

/* Codes that are words of an enumeration; null where a later library has more of them. */
static bool write_words(const uint8_t *codes, idx_t count, idx_t word_count, duckdb_vector vector) {
  uint8_t *words = duckdb_vector_get_data(vector);
  for (idx_t row = 0; row < count; row++) {
    words[row] = codes[row] < word_count ? codes[row] : 0;
    if (codes[row] >= word_count) set_null(vector, row);
  }
  return true;
}

static bool write_hit_column(session *session, idx_t column, int ids, const stol_hits *hits, uint64_t first, idx_t count,
                             duckdb_vector vector) {
  switch (column) {
    case MATCHED_NAME: return write_names(session, hits->names + first, count, vector);
    case KIND: return write_words(hits->kinds + first, count, KIND_COUNT, vector);
    case MATCH: return write_words(hits->classes + first, count, MATCH_COUNT, vector);
    case DISTANCE: return write_words(hits->distances + first, count, UINT8_MAX + 1, vector);
    default: return column >= HIT_COLUMN_COUNT || write_taxon_column(session, column, ids, hits->taxa + first, count, vector);
  }
}

void run_search(duckdb_function_info info, duckdb_data_chunk output) {
  scan *scan = duckdb_function_get_init_data(info);
  session *session = duckdb_function_get_local_init_data(info);
  uint64_t first;
  idx_t count = take_rows(scan, &first);
  session->pack = scan->session.pack;
  duckdb_data_chunk_set_size(output, count);
  for (idx_t column = 0; count > 0 && column < scan->column_count; column++)
    if (!write_hit_column(session, scan->columns[column], scan->has_text_ids ? TEXTS : NUMBER_IDS, &scan->hits, first, count,
                          duckdb_data_chunk_get_vector(output, column))) {
      duckdb_function_set_error(info, session->failure.message);
      return;
    }
}
