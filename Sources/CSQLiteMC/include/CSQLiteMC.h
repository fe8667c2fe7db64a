// SQLite that can encrypt: SQLite3 Multiple Ciphers, with all of SQLite's own functions under their own names.
//
// Whatever is linked with this target calls these instead of those of the system. Each page of an encrypted file is
// sealed by AEGIS-256. Without the trait Encryption the target is empty.
#ifndef CSQLITEMC_H
#define CSQLITEMC_H
#include <stdint.h>

typedef struct sqlite3 sqlite3;

// Sets the key of a connection, 32 bytes, before anything is read by it, and reads the first page.
//
// Returns a code of SQLite: SQLITE_NOTADB where the file has another key, or none.
int stol_sqlite3_set_key(sqlite3 *connection, const uint8_t *key);

// Writes what a connection reads to a file that is empty or not there, with this key, or as it is where there is none.
//
// `uri` is that of the file, which may have parameters. Returns a code of SQLite.
int stol_sqlite3_copy(sqlite3 *connection, const char *uri, const uint8_t *key);
#endif
