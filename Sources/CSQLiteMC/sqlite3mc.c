#ifdef STOL_ENCRYPTION
#if !__has_include("../../.build-sqlite3mc/sqlite3.c")
#error "the trait Encryption needs SQLite3 Multiple Ciphers: run Tools/fetch-sqlite3mc"
#else
// What stol and GRDB ask of SQLite, and the defaults of Debian's.
#define SQLITE_THREADSAFE 1
#define SQLITE_ENABLE_COLUMN_METADATA 1
#define SQLITE_ENABLE_DBSTAT_VTAB 1
#define SQLITE_ENABLE_FTS5 1
#define SQLITE_ENABLE_MATH_FUNCTIONS 1
#define SQLITE_ENABLE_RTREE 1
#define SQLITE_LIKE_DOESNT_MATCH_BLOBS 1
#define SQLITE_MAX_SCHEMA_RETRY 25
#define SQLITE_MAX_VARIABLE_NUMBER 250000
#define SQLITE_OMIT_LOAD_EXTENSION 1
#define SQLITE_SECURE_DELETE 1
#define SQLITE_USE_URI 1
// One cipher, so that no file chooses another: AEGIS-256, as with the instructions for AES of a processor a page takes
// a tenth of the time that ChaCha20-Poly1305 takes.
#define CODEC_TYPE CODEC_TYPE_AEGIS
#define HAVE_CIPHER_AES_128_CBC 0
#define HAVE_CIPHER_AES_256_CBC 0
#define HAVE_CIPHER_ASCON128 0
#define HAVE_CIPHER_CHACHA20 0
#define HAVE_CIPHER_RC4 0
#define HAVE_CIPHER_SQLCIPHER 0
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include "../../.build-sqlite3mc/sqlite3.c"
#pragma clang diagnostic pop
#include "CSQLiteMC.h"

enum { KEY_LENGTH = 32, TEXT_LENGTH = 4 + 2 * KEY_LENGTH, RESERVED_LENGTH = 64 };

// Overwrites a secret, which no optimiser leaves out.
static void wipe(void *secret, size_t length) {
  volatile uint8_t *byte = secret;
  while (length-- > 0) *byte++ = 0;
}

// The words for a key that no key is derived from, without a NUL.
static void write_key(char *text, const uint8_t *key) {
  static const char digits[] = "0123456789abcdef";
  memcpy(text, "raw:", 4);
  for (int i = 0; i < KEY_LENGTH; i++) {
    text[4 + 2 * i] = digits[key[i] >> 4];
    text[5 + 2 * i] = digits[key[i] & 15];
  }
}

int stol_sqlite3_set_key(sqlite3 *connection, const uint8_t *key) {
  char text[TEXT_LENGTH];
  write_key(text, key);
  int code = sqlite3_key_v2(connection, "main", text, TEXT_LENGTH);
  wipe(text, sizeof text);
  if (code != SQLITE_OK) return code;
  // How much of each page is not SQLite's stands in the first bytes, which are not sealed.
  code = sqlite3_exec(connection, "PRAGMA schema_version", NULL, NULL, NULL);
  if (code != SQLITE_OK) return code;
  sqlite3_mutex_enter(connection->mutex);
  Btree *tree = connection->aDb[0].pBt;
  sqlite3BtreeEnter(tree);
  int reserved = sqlite3BtreeGetReserveNoMutex(tree);
  sqlite3BtreeLeave(tree);
  sqlite3_mutex_leave(connection->mutex);
  return reserved == RESERVED_LENGTH ? SQLITE_OK : SQLITE_CORRUPT;
}

int stol_sqlite3_copy(sqlite3 *connection, const char *uri, const uint8_t *key) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(connection, "VACUUM INTO ?1", -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  size_t start = strlen(uri), length = start + 5 + (key ? TEXT_LENGTH : 0);
  char *target = malloc(length + 1);
  if (target) {
    memcpy(target, uri, start);
    memcpy(target + start, strchr(uri, '?') ? "&key=" : "?key=", 5);
    if (key) write_key(target + start + 5, key);
    target[length] = 0;
    code = sqlite3_bind_text(statement, 1, target, (int)length, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
  } else {
    code = SQLITE_NOMEM;
  }
  int end = sqlite3_finalize(statement);
  if (target) wipe(target, length);
  free(target);
  return code == SQLITE_DONE ? end : code;
}
#endif
#endif
