/* Vectors of DuckDB as columns of the library, and back. */
#include <stdlib.h>
#include <string.h>

#include "door.h"

void *take_room(session *session, int number, size_t count, size_t stride) {
  room *room = &session->rooms[number];
  /* Never of no bytes, so that NULL says one thing; and once more than what is needed. */
  if (count > SIZE_MAX / 4 / stride) {
    fail_for_memory(&session->failure);
    return NULL;
  }
  size_t size = count * stride + 1;
  if (size <= room->size) return room->bytes;
  size += size / 2;
  free(room->bytes);
  room->size = 0;
  room->bytes = malloc(size);
  if (room->bytes) room->size = size;
  else fail_for_memory(&session->failure);
  return room->bytes;
}

void free_rooms(session *session) {
  for (int number = 0; number < ROOM_COUNT; number++) free(session->rooms[number].bytes);
}

void set_null(duckdb_vector vector, idx_t row) {
  duckdb_vector_ensure_validity_writable(vector);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
}

/* DuckDB gives the texts of values without their lengths, but for those in vectors. */
static bool has_nul(duckdb_value value) {
  duckdb_logical_type type = duckdb_get_value_type(value);
  if (duckdb_get_type_id(type) != DUCKDB_TYPE_VARCHAR) return false;
  duckdb_vector vector = duckdb_create_vector(type, 1);
  duckdb_vector_reference_value(vector, value);
  const duckdb_string_t *text = duckdb_vector_get_data(vector);
  bool is_found = memchr(bytes_of(text), 0, text->value.inlined.length) != NULL;
  duckdb_destroy_vector(&vector);
  return is_found;
}

char *take_text(duckdb_value value, const char *what, failure *failure) {
  if (has_nul(value)) {
    fail(failure, "%s has a character NUL", what);
    return NULL;
  }
  char *text = duckdb_get_varchar(value);
  if (!text) fail_for_memory(failure);
  return text;
}

bool read_texts(session *session, duckdb_vector vector, idx_t count, stol_texts *texts) {
  const duckdb_string_t *rows = duckdb_vector_get_data(vector);
  const uint64_t *validity = duckdb_vector_get_validity(vector);
  int64_t *offsets = take_room(session, TEXT_OFFSETS, count + 1, sizeof *offsets);
  if (!offsets) return false;
  offsets[0] = 0;
  for (idx_t row = 0; row < count; row++)
    offsets[row + 1] = offsets[row] + (is_there(validity, row) ? rows[row].value.inlined.length : 0);
  char *bytes = take_room(session, TEXT_BYTES, (size_t)offsets[count], 1);
  if (!bytes) return false;
  for (idx_t row = 0; row < count; row++)
    if (offsets[row + 1] > offsets[row]) memcpy(bytes + offsets[row], bytes_of(&rows[row]), rows[row].value.inlined.length);
  *texts = (stol_texts)STOL_TEXTS_INIT;
  texts->layout = STOL_OFFSETS_64;
  texts->count = count;
  texts->offsets = offsets;
  texts->bytes = bytes;
  texts->byte_count = (size_t)offsets[count];
  /* The same bits as Arrow's where bytes are ordered as here. */
  texts->validity = (const uint8_t *)validity;
  return true;
}

/* The taxa of numbers. An id that repeats is nearly always asked once, for an id costs more than to look for it here. */
static bool read_numbers(session *session, const int64_t *ids, idx_t count, stol_taxon *taxa) {
  enum { BUCKET_COUNT = 4096 };
  uint32_t *buckets = take_room(session, BUCKETS, BUCKET_COUNT, sizeof *buckets);
  uint32_t *index = take_room(session, INDEX, count, sizeof *index);
  int64_t *asked = take_room(session, VALUES, count, sizeof *asked);
  stol_taxon *found = take_room(session, NAMES, count, sizeof *found);
  if (!buckets || !index || !asked || !found) return false;
  memset(buckets, 0, BUCKET_COUNT * sizeof *buckets);
  uint32_t asked_count = 0;
  for (idx_t row = 0; row < count; row++) {
    uint32_t *bucket = &buckets[(uint64_t)ids[row] * UINT64_C(0x9E3779B97F4A7C15) >> 52];
    if (*bucket == 0 || asked[*bucket - 1] != ids[row]) {
      asked[asked_count] = ids[row];
      *bucket = ++asked_count;
    }
    index[row] = *bucket - 1;
  }
  stol_error error = STOL_ERROR_INIT;
  int32_t code = stol_taxa_of_ids(session->pack->handle, asked, asked_count, found, NULL, &error);
  if (!went_well(code, &error, &session->failure)) return false;
  for (idx_t row = 0; row < count; row++) taxa[row] = found[index[row]];
  return true;
}

bool read_taxa(session *session, duckdb_vector vector, idx_t count, int kind, stol_taxon *taxa) {
  if (kind == TEXTS) {
    stol_texts texts;
    stol_error error = STOL_ERROR_INIT;
    return read_texts(session, vector, count, &texts)
      && went_well(stol_taxa_of_id_texts(session->pack->handle, &texts, taxa, NULL, &error), &error, &session->failure);
  }
  const uint64_t *validity = duckdb_vector_get_validity(vector);
  if (session->pack->facts.has_text_ids) {
    /* A null of no type is read as a number. */
    for (idx_t row = 0; row < count; row++) {
      if (is_there(validity, row)) return fail(&session->failure, "ids of this pack are texts: give texts, as by id::VARCHAR");
      taxa[row] = STOL_NO_TAXON;
    }
    return true;
  }
  if (!read_numbers(session, duckdb_vector_get_data(vector), count, taxa)) return false;
  if (validity)
    for (idx_t row = 0; row < count; row++)
      if (!is_there(validity, row)) taxa[row] = STOL_NO_TAXON;
  return true;
}

bool write_ids(session *session, const stol_taxon *taxa, idx_t count, int kind, duckdb_vector vector, idx_t base) {
  if (kind == TEXTS) return write_texts(session, STOL_SOURCE_ID, taxa, count, vector, base);
  if (session->pack->facts.has_text_ids) {
    for (idx_t row = 0; row < count; row++) {
      if (taxa[row] != STOL_NO_TAXON) return fail(&session->failure, "ids of this pack are texts, and no numbers");
      set_null(vector, base + row);
    }
    return true;
  }
  stol_error error = STOL_ERROR_INIT;
  int64_t *ids = (int64_t *)duckdb_vector_get_data(vector) + base;
  if (!went_well(stol_ids_of_taxa(session->pack->handle, taxa, count, ids, &error), &error, &session->failure)) return false;
  for (idx_t row = 0; row < count; row++)
    if (ids[row] == STOL_NO_ID) set_null(vector, base + row);
  return true;
}

/* Each value once, in DISTINCT; in INDEX for each row which of them it is. Returns how many, or -1. */
static int64_t find_distinct(session *session, const uint32_t *values, idx_t count) {
  size_t bucket_count = 64;
  while (bucket_count < 2 * count) bucket_count *= 2;
  uint32_t *buckets = take_room(session, BUCKETS, bucket_count, sizeof *buckets);
  uint32_t *distinct = take_room(session, DISTINCT, count, sizeof *distinct);
  uint32_t *index = take_room(session, INDEX, count, sizeof *index);
  if (!buckets || !distinct || !index) return -1;
  memset(buckets, 0, bucket_count * sizeof *buckets);
  uint32_t found = 0;
  for (idx_t row = 0; row < count; row++) {
    size_t bucket = (values[row] * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (bucket_count - 1);
    while (buckets[bucket] && distinct[buckets[bucket] - 1] != values[row]) bucket = (bucket + 1) & (bucket_count - 1);
    if (!buckets[bucket]) {
      distinct[found] = values[row];
      buckets[bucket] = ++found;
    }
    index[row] = buckets[bucket] - 1;
  }
  return found;
}

/* Texts of taxa, or of names where the field is -1, into PLACES and VALUES. */
static bool take_texts(session *session, int32_t field, const uint32_t *rows, size_t count) {
  stol_error error = STOL_ERROR_INIT;
  int64_t *places = take_room(session, PLACES, count + 1, sizeof *places);
  if (!places) return false;
  size_t needed = 32 * count;
  for (;;) {
    char *values = take_room(session, VALUES, needed, 1);
    if (!values) return false;
    size_t size = session->rooms[VALUES].size;
    int32_t code = field < 0
      ? stol_texts_of_names(session->pack->handle, rows, count, places, values, size, &needed, &error)
      : stol_texts_of_taxa(session->pack->handle, field, NULL, rows, count, places, values, size, &needed, &error);
    if (code != STOL_MORE_ROOM) return went_well(code, &error, &session->failure);
  }
}

/* Writes a text that repeats once, and refers to it from then on. */
static bool write(session *session, int32_t field, const uint32_t *rows, idx_t count, duckdb_vector vector, idx_t base) {
  int64_t found = find_distinct(session, rows, count);
  if (found < 0 || !take_texts(session, field, session->rooms[DISTINCT].bytes, (size_t)found)) return false;
  const uint32_t *index = session->rooms[INDEX].bytes;
  const int64_t *places = session->rooms[PLACES].bytes;
  const char *values = session->rooms[VALUES].bytes;
  /* Where each of them was written, from 1; the buckets are not needed any more, and are twice as many. */
  uint32_t *written = session->rooms[BUCKETS].bytes;
  memset(written, 0, (size_t)found * sizeof *written);
  duckdb_string_t *texts = duckdb_vector_get_data(vector);
  for (idx_t row = 0; row < count; row++) {
    uint32_t which = index[row];
    int64_t length = places[which + 1] - places[which];
    if (length == 0) {
      set_null(vector, base + row);
    } else if (written[which]) {
      texts[base + row] = texts[base + written[which] - 1];
    } else {
      duckdb_vector_assign_string_element_len(vector, base + row, values + places[which], (idx_t)length);
      /* What is not UTF-8, as in a damaged pack, is null then, and is tried anew in the next row. */
      if (is_there(duckdb_vector_get_validity(vector), base + row)) written[which] = (uint32_t)row + 1;
    }
  }
  return true;
}

bool write_texts(session *session, int32_t field, const stol_taxon *taxa, idx_t count, duckdb_vector vector, idx_t base) {
  return write(session, field, taxa, count, vector, base);
}

bool write_names(session *session, const stol_name *names, idx_t count, duckdb_vector vector) {
  return write(session, -1, names, count, vector, 0);
}

duckdb_logical_type id_type(int kind) {
  return duckdb_create_logical_type(kind == NUMBER_IDS ? DUCKDB_TYPE_BIGINT : DUCKDB_TYPE_VARCHAR);
}

duckdb_logical_type word_type(const char *const *words, idx_t count) {
  return duckdb_create_enum_type((const char **)(uintptr_t)words, count);
}

duckdb_logical_type struct_type(idx_t count, const char *const *names, duckdb_logical_type *types) {
  duckdb_logical_type type = duckdb_create_struct_type(types, (const char **)(uintptr_t)names, count);
  for (idx_t field = 0; field < count; field++) duckdb_destroy_logical_type(&types[field]);
  return type;
}
