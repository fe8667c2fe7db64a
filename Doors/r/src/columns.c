/* Columns of R as columns of stol.h and back, with rows that repeat once. */
#include <string.h>

#include "door.h"

dictionary new_dictionary(size_t count) {
  dictionary known = {0, 0, NULL, NULL, 0};
  known.room = 16;
  while (known.room < 2 * count) known.room *= 2;
  known.keys = (uint64_t *)R_alloc(known.room, sizeof(uint64_t));
  known.numbers = (int32_t *)R_alloc(known.room, sizeof(int32_t));
  forget(&known, count);
  return known;
}

void forget(dictionary *known, size_t count) {
  size_t size = 16;
  while (size < 2 * count) size *= 2;
  known->mask = size - 1;
  known->count = 0;
  memset(known->keys, 0, size * sizeof(uint64_t));
}

int32_t number_of(dictionary *known, uint64_t key) {
  /* Knuth's multiplicative hash; keys are addresses or small numbers, whose low bits say little. */
  size_t place = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & known->mask;
  while (known->keys[place] != key) {
    if (known->keys[place] == 0) {
      known->keys[place] = key;
      known->numbers[place] = known->count++;
      break;
    }
    place = (place + 1) & known->mask;
  }
  return known->numbers[place];
}

size_t distinct_rows(const SEXP *columns, size_t column_count, R_xlen_t start, size_t rows, int32_t *numbers, R_xlen_t *firsts) {
  const void *top = vmaxget();
  dictionary texts = new_dictionary(rows), together = new_dictionary(rows);
  for (size_t column = 0; column < column_count; column++) {
    forget(&texts, rows);
    forget(&together, rows);
    for (size_t row = 0; row < rows; row++) {
      /* R has each text once, so that texts are equal where their addresses are. */
      const uint64_t address = (uint64_t)(uintptr_t)STRING_ELT(columns[column], start + (R_xlen_t)row);
      const int32_t text = number_of(&texts, address);
      numbers[row] = column == 0 ? text : number_of(&together, ((uint64_t)numbers[row] << 32 | (uint32_t)text) + 1);
    }
  }
  size_t count = 0;
  for (size_t row = 0; row < rows; row++)
    if ((size_t)numbers[row] == count) firsts[count++] = start + (R_xlen_t)row;
  vmaxset(top);
  return count;
}

/* A text of up to 12 bytes, or where a longer one is. */
typedef struct {
  int32_t length;
  union {
    char bytes[12];
    struct {
      char prefix[4];
      int32_t buffer;
      int32_t offset;
    } at;
  } text;
} view;

static int is_ascii(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text >= 0x80) return 0;
  return 1;
}

const char *utf8(SEXP text) {
  const char *bytes = CHAR(text);
  switch (Rf_getCharCE(text)) {
    case CE_UTF8:
    case CE_BYTES: return bytes;
    case CE_NATIVE: {
      if (is_ascii(bytes)) return bytes;
      const char *translated = Rf_translateCharUTF8(text);
      /* In a locale that has no such letters R would give their numbers, as "<e9>". */
      return is_ascii(translated) ? bytes : translated;
    }
    default: return Rf_translateCharUTF8(text);
  }
}

stol_texts texts_of_rows(SEXP column, const R_xlen_t *rows, size_t count) {
  stol_texts texts = STOL_TEXTS_INIT;
  view *views = (view *)R_alloc(count + 1, sizeof(view));
  const void **buffers = (const void **)R_alloc(count + 1, sizeof(void *));
  int64_t *lengths = (int64_t *)R_alloc(count + 1, sizeof(int64_t));
  uint8_t *validity = (uint8_t *)R_alloc(count / 8 + 1, 1);
  int32_t long_count = 0;
  memset(views, 0, (count + 1) * sizeof(view));
  memset(validity, 0, count / 8 + 1);
  for (size_t row = 0; row < count; row++) {
    SEXP text = STRING_ELT(column, rows == NULL ? (R_xlen_t)row : rows[row]);
    if (text == NA_STRING) continue;
    validity[row / 8] |= (uint8_t)(1u << (row % 8));
    const char *bytes = utf8(text);
    size_t length = bytes == CHAR(text) ? (size_t)LENGTH(text) : strlen(bytes);
    views[row].length = (int32_t)length;
    if (length <= 12) {
      memcpy(views[row].text.bytes, bytes, length);
    } else {
      memcpy(views[row].text.at.prefix, bytes, 4);
      views[row].text.at.buffer = long_count;
      buffers[long_count] = bytes;
      lengths[long_count++] = (int64_t)length;
    }
  }
  texts.layout = STOL_VIEWS;
  texts.buffer_count = long_count;
  texts.count = count;
  texts.offsets = views;
  texts.buffers = buffers;
  texts.buffer_byte_counts = lengths;
  texts.validity = validity;
  return texts;
}

const char *option_text(SEXP text) {
  return text == R_NilValue ? NULL : utf8(STRING_ELT(text, 0));
}

/* Whether bytes are UTF-8 without NUL: what R takes for a text. The Unicode Standard, table 3-7. */
static int is_utf8(const unsigned char *bytes, size_t length) {
  for (size_t at = 0; at < length;) {
    const unsigned char first = bytes[at++];
    if (first - 1u < 0x7F) continue;
    const size_t further = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (first < 0xC2 || first > 0xF4 || length - at < further) return 0;
    const unsigned char second = bytes[at];
    if (second < (first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80)) return 0;
    if (second > (first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF)) return 0;
    for (size_t place = 1; place < further; place++)
      if ((bytes[at + place] & 0xC0) != 0x80) return 0;
    at += further;
  }
  return 1;
}

SEXP text_of(const char *bytes, size_t length) {
  if (length == 0) return NA_STRING;
  if (!is_utf8((const unsigned char *)bytes, length))
    refuse("no_pack", "the pack is damaged: a text of it is not UTF-8; stol verify says where");
  return Rf_mkCharLenCE(bytes, (int)length, CE_UTF8);
}

/* Asks for texts of distinct taxa or names. */
typedef int32_t (*asked)(
  const stol_pack *pack, int32_t field, const char *language, const uint32_t *values, size_t count, int64_t *offsets,
  char *bytes, size_t room, size_t *needed, stol_error *error);

static int32_t ask_names(
  const stol_pack *pack, int32_t field, const char *language, const uint32_t *values, size_t count, int64_t *offsets,
  char *bytes, size_t room, size_t *needed, stol_error *error) {
  (void)field;
  (void)language;
  return stol_texts_of_names(pack, values, count, offsets, bytes, room, needed, error);
}

static SEXP texts_of(const stol_pack *pack, asked ask, int32_t field, const char *language, SEXP values) {
  const R_xlen_t count = XLENGTH(values);
  const int *all = INTEGER(values);
  const size_t most = count < CHUNK ? (size_t)count : CHUNK;
  SEXP answer = PROTECT(Rf_allocVector(STRSXP, count));
  SEXP words = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)most));
  dictionary known = new_dictionary(most);
  uint32_t *distinct = (uint32_t *)R_alloc(most + 1, sizeof(uint32_t));
  int32_t *numbers = (int32_t *)R_alloc(most + 1, sizeof(int32_t));
  int64_t *offsets = (int64_t *)R_alloc(most + 1, sizeof(int64_t));
  size_t room = 64 * most;
  char *bytes = R_alloc(room + 1, 1);
  EACH_CHUNK(start, count, rows) {
    forget(&known, (size_t)rows);
    for (R_xlen_t row = 0; row < rows; row++) {
      const uint32_t value = (uint32_t)all[start + row];
      numbers[row] = number_of(&known, (uint64_t)value + 1);
      distinct[numbers[row]] = value;
    }
    stol_error error = STOL_ERROR_INIT;
    size_t needed = 0;
    while (!had_room(ask(pack, field, language, distinct, (size_t)known.count, offsets, bytes, room, &needed, &error), &error)) {
      room = needed;
      bytes = R_alloc(room + 1, 1);
    }
    for (int32_t number = 0; number < known.count; number++)
      SET_STRING_ELT(words, number, text_of(bytes + offsets[number], (size_t)(offsets[number + 1] - offsets[number])));
    for (R_xlen_t row = 0; row < rows; row++) SET_STRING_ELT(answer, start + row, STRING_ELT(words, numbers[row]));
  }
  UNPROTECT(2);
  return answer;
}

SEXP texts_of_taxa(SEXP pointer, SEXP field, SEXP language, SEXP taxa) {
  return texts_of(pack_of(pointer), stol_texts_of_taxa, Rf_asInteger(field), option_text(language), taxa);
}

SEXP texts_of_names(SEXP pointer, SEXP names) { return texts_of(pack_of(pointer), ask_names, 0, NULL, names); }
