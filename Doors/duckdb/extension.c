/* Where DuckDB begins: called once for each database that loads the extension. */
#include "door.h"

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info, struct duckdb_extension_access *access) {
  database *database = make_database();
  if (!database) {
    access->set_error(info, "there is not enough memory for stol");
    return false;
  }
  bool is_registered = register_attaching(connection, database) == DuckDBSuccess
    && register_scalars(connection, database) == DuckDBSuccess
    && register_lca(connection, database) == DuckDBSuccess
    && register_tables(connection, database) == DuckDBSuccess;
  /* From here on the functions alone refer to it. */
  release_database(database);
  if (!is_registered) access->set_error(info, "the functions of stol could not be added: are there others of their names?");
  return is_registered;
}
