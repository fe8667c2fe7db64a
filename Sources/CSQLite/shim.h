#include <sqlite3.h>

// sqlite3_db_config takes a variable number of arguments, which Swift cannot pass.
static inline int stol_sqlite3_distrust(sqlite3 *database) {
  const struct { int option, value; } settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_ENABLE_FKEY, 0},    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
  };
  for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
    int code = sqlite3_db_config(database, settings[i].option, settings[i].value, (int *)0);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}
