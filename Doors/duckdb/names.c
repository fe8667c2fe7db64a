/*
 * Scalar functions of names. Names repeat in most columns: each thread keeps those that it looked up last, each in
 * a place that its hash gives, and asks the library for all others of a chunk at once. Where few repeat, it keeps none
 * in most chunks.
 */
#include <stdlib.h>
#include <string.h>

#include "names.h"

enum { KNOWN_COUNT = 1 << 15, LINE = 64, GREATEST_KEY = 50, ANSWERED = -1, NOT_KEPT = -1, FEW = 8, REST = 15 };

static const answer no_answer = {STOL_NO_TAXON, STOL_NO_NAME, STOL_INVALID, UINT8_MAX, 0, 0};

/* A name and its answer, in one line of the processor's cache. */
typedef struct known_name {
  answer answer;
  uint8_t state;
  uint8_t length;
  char key[GREATEST_KEY];
} known_name;

/* While a name is asked, its answer holds in place of a taxon which one it is of those that are asked. */
enum { EMPTY, ASKED, KNOWN };

_Static_assert(sizeof(known_name) == LINE, "a known name is one line of the cache");

typedef struct text_column {
  const duckdb_string_t *rows;
  const uint64_t *validity;
} text_column;

/* A chunk of names. */
typedef struct question {
  scalar_session *session;
  idx_t count;
  /* The names, and what is said beside them. */
  text_column columns[GREATEST_BESIDE + 1];
  idx_t column_count;
  /* For each row its answer, or which one it is of those that are asked. */
  answer *answers;
  int32_t *index;
  /* For each that is asked its row, and where it is kept. */
  uint32_t *asked;
  int32_t *kept;
  uint32_t asked_count;
} question;

/* Multiplies, and folds the product. */
static uint64_t mixed(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static int32_t place_of(const char *key, size_t length) {
  uint64_t hash = length, word = 0;
  for (; length > 8; key += 8, length -= 8) {
    memcpy(&word, key, 8);
    hash = mixed(hash ^ word, UINT64_C(0x9E3779B97F4A7C15));
  }
  word = 0;
  memcpy(&word, key, length);
  return (int32_t)(mixed(hash ^ word, UINT64_C(0xD6E8FEB86659FD93)) & (KNOWN_COUNT - 1));
}

static uint32_t length_of(const text_column *column, idx_t row) {
  return is_there(column->validity, row) ? column->rows[row].value.inlined.length : 0;
}

/* What a row asks, in memory that is given where it is of several texts: each behind its length. */
static const char *key_of(const question *question, idx_t row, char *memory, size_t *length) {
  *length = length_of(&question->columns[0], row);
  if (question->column_count == 1) return bytes_of(&question->columns[0].rows[row]);
  *length = 0;
  for (idx_t column = 0; column < question->column_count; column++) {
    size_t bytes = length_of(&question->columns[column], row);
    if (*length + 1 + bytes > GREATEST_KEY) {
      *length = GREATEST_KEY + 1;
      break;
    }
    memory[(*length)++] = (char)bytes;
    if (bytes) memcpy(memory + *length, bytes_of(&question->columns[column].rows[row]), bytes);
    *length += bytes;
  }
  return memory;
}

static void ask(question *question, idx_t row, int32_t place) {
  question->index[row] = (int32_t)question->asked_count;
  question->kept[question->asked_count] = place;
  question->asked[question->asked_count++] = (uint32_t)row;
}

/* Answers a row by what is known, or asks it. */
static void look_up(question *question, idx_t row) {
  char memory[GREATEST_KEY];
  size_t length;
  const char *key = key_of(question, row, memory, &length);
  if (length > GREATEST_KEY) {
    ask(question, row, NOT_KEPT);
    return;
  }
  int32_t place = place_of(key, length);
  known_name *known = &question->session->known[place];
  if (known->state != EMPTY && known->length == length && memcmp(known->key, key, length) == 0) {
    question->index[row] = known->state == ASKED ? (int32_t)known->answer.taxon : ANSWERED;
    question->answers[row] = known->answer;
    return;
  }
  memcpy(known->key, key, length);
  known->length = (uint8_t)length;
  known->state = ASKED;
  known->answer.taxon = question->asked_count;
  ask(question, row, place);
}

/* The columns of what is asked, as the library reads them. */
static bool take_asked(const question *question, stol_texts *texts) {
  session *session = &question->session->base;
  size_t asked_count = question->asked_count;
  int64_t *offsets = take_room(session, TEXT_OFFSETS, question->column_count * (asked_count + 1), sizeof *offsets);
  if (!offsets) return false;
  size_t total = 0;
  for (idx_t column = 0; column < question->column_count; column++)
    for (size_t number = 0; number < asked_count; number++) total += length_of(&question->columns[column], question->asked[number]);
  char *bytes = take_room(session, TEXT_BYTES, total, 1);
  if (!bytes) return false;
  for (idx_t column = 0; column < question->column_count; column++, offsets += asked_count + 1) {
    const text_column *from = &question->columns[column];
    texts[column] = (stol_texts)STOL_TEXTS_INIT;
    texts[column].layout = STOL_OFFSETS_64;
    texts[column].count = asked_count;
    texts[column].offsets = offsets;
    texts[column].bytes = bytes;
    offsets[0] = 0;
    for (size_t number = 0; number < asked_count; number++) {
      idx_t row = question->asked[number];
      uint32_t length = length_of(from, row);
      if (length) memcpy(bytes + offsets[number], bytes_of(&from->rows[row]), length);
      offsets[number + 1] = offsets[number] + length;
    }
    texts[column].byte_count = (size_t)offsets[asked_count];
    bytes += offsets[asked_count];
  }
  return true;
}

static bool ask_library(const question *question, asking *asking) {
  stol_texts texts[GREATEST_BESIDE + 1];
  answer *fresh = take_room(&question->session->base, VALUES, question->asked_count, sizeof *fresh);
  if (!fresh || !take_asked(question, texts) || !asking(question->session, texts, fresh)) return false;
  for (uint32_t number = 0; number < question->asked_count; number++) {
    if (question->kept[number] == NOT_KEPT) continue;
    known_name *known = &question->session->known[question->kept[number]];
    /* Another name may have taken the place meanwhile. */
    if (known->state != ASKED || known->answer.taxon != number) continue;
    known->answer = fresh[number];
    known->state = KNOWN;
  }
  for (idx_t row = 0; row < question->count; row++)
    if (question->index[row] != ANSWERED) question->answers[row] = fresh[question->index[row]];
  return true;
}

/* Memory for names that are known, in lines. */
static bool has_known_names(scalar_session *session) {
  if (session->known) return true;
  session->known_memory = calloc(KNOWN_COUNT + 1, sizeof(known_name));
  if (!session->known_memory) return fail_for_memory(&session->base.failure);
  uintptr_t start = (uintptr_t)session->known_memory;
  session->known = (known_name *)((char *)session->known_memory + (LINE - start % LINE) % LINE);
  return true;
}

const answer *take_answers(scalar_session *session, duckdb_data_chunk input, idx_t count, asking *asking) {
  question question = {.session = session, .count = count, .column_count = 1 + session->word_count};
  question.answers = take_room(&session->base, ANSWERS, count, sizeof *question.answers);
  question.index = take_room(&session->base, INDEX, count, sizeof *question.index);
  question.asked = take_room(&session->base, DISTINCT, count, sizeof *question.asked);
  question.kept = take_room(&session->base, BUCKETS, count, sizeof *question.kept);
  if (!question.answers || !question.index || !question.asked || !question.kept || !has_known_names(session)) return NULL;
  for (idx_t column = 0; column < question.column_count; column++) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(input, 2 * column);
    question.columns[column] = (text_column){duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
  }
  bool rests = session->rest > 0;
  for (idx_t row = 0; row < count; row++) {
    if (!is_there(question.columns[0].validity, row)) {
      question.answers[row] = no_answer;
      question.index[row] = ANSWERED;
    } else if (rests) {
      ask(&question, row, NOT_KEPT);
    } else {
      look_up(&question, row);
    }
  }
  if (rests) session->rest--;
  else if (question.asked_count > count - count / FEW) session->rest = REST;
  if (question.asked_count == 0 || ask_library(&question, asking)) return question.answers;
  /* Nothing may be taken for asked in a chunk to come. */
  memset(session->known, 0, KNOWN_COUNT * sizeof(known_name));
  return NULL;
}

static bool resolve(scalar_session *session, const stol_texts *texts, answer *answers) {
  size_t count = texts->count;
  stol_error error = STOL_ERROR_INIT;
  stol_taxon *taxa = take_room(&session->base, FOUND, count, sizeof *taxa);
  if (!taxa || !went_well(stol_resolve(session->base.pack->handle, texts, NULL, taxa, NULL, NULL, &error), &error,
                          &session->base.failure))
    return false;
  for (size_t number = 0; number < count; number++) {
    answers[number] = no_answer;
    answers[number].taxon = taxa[number];
  }
  return true;
}

bool taxa_of_names(scalar_session *session, duckdb_data_chunk input, idx_t count, duckdb_vector output) {
  const answer *answers = take_answers(session, input, count, resolve);
  stol_taxon *taxa = take_room(&session->base, TAXA, count, sizeof *taxa);
  if (!answers || !taxa) return false;
  for (idx_t row = 0; row < count; row++) taxa[row] = answers[row].taxon;
  return write_ids(&session->base, taxa, count, session->scalar->result, output, 0);
}
