/* CALL stol_attach(path) and CALL stol_detach(). */
#include <stdlib.h>
#include <string.h>

#include "door.h"

/* What is said of a pack that was attached; the last three are numbers and a truth value. */
static const char *const facts[] = {"id", "name", "release", "id_space", "licence"};
enum { FACT_COUNT = sizeof facts / sizeof *facts, TAXA_COLUMN = FACT_COUNT, NAMES_COLUMN, TEXT_IDS_COLUMN };

static void add_column(duckdb_bind_info info, const char *name, duckdb_type type) {
  duckdb_logical_type logical = duckdb_create_logical_type(type);
  duckdb_bind_add_result_column(info, name, logical);
  duckdb_destroy_logical_type(&logical);
}

/* Whether settings of the database let files be opened. */
static bool may_open(duckdb_bind_info info, failure *failure) {
  duckdb_client_context context = NULL;
  duckdb_table_function_get_client_context(info, &context);
  duckdb_value value = duckdb_client_context_get_config_option(context, "enable_external_access", NULL);
  bool may = value && duckdb_get_bool(value);
  duckdb_destroy_value(&value);
  duckdb_destroy_client_context(&context);
  return may || fail(failure, "enable_external_access is off, so that no file is opened: attach the pack before it is set");
}

static void bind_attach(duckdb_bind_info info) {
  failure failure;
  char *path = NULL;
  duckdb_value value = duckdb_bind_get_parameter(info, 0);
  if (!value || duckdb_is_null_value(value)) {
    duckdb_bind_set_error(info, "stol_attach takes the path of a pack, and not NULL");
  } else if (!may_open(info, &failure) || !(path = take_text(value, "the path of a pack", &failure))) {
    duckdb_bind_set_error(info, failure.message);
  } else {
    for (idx_t fact = 0; fact < FACT_COUNT; fact++) add_column(info, facts[fact], DUCKDB_TYPE_VARCHAR);
    add_column(info, "taxa", DUCKDB_TYPE_BIGINT);
    add_column(info, "names", DUCKDB_TYPE_BIGINT);
    add_column(info, "has_text_ids", DUCKDB_TYPE_BOOLEAN);
    duckdb_bind_set_bind_data(info, path, duckdb_free);
    duckdb_bind_set_cardinality(info, 1, true);
  }
  duckdb_destroy_value(&value);
}

static void bind_detach(duckdb_bind_info info) {
  add_column(info, "detached", DUCKDB_TYPE_BOOLEAN);
  duckdb_bind_set_cardinality(info, 1, true);
}

/* Whether the row was given. */
static void begin(duckdb_init_info info) {
  bool *is_done = calloc(1, sizeof *is_done);
  if (is_done) duckdb_init_set_init_data(info, is_done, free);
  else duckdb_init_set_error(info, "there is not enough memory for stol");
}

/* Writes a fact of the dataset, null where it states none. */
static bool write_fact(pack *pack, const char *key, duckdb_vector vector, failure *failure) {
  stol_error error = STOL_ERROR_INIT;
  size_t needed = 0, room;
  char *text = NULL;
  int32_t code;
  do {
    room = needed;
    free(text);
    text = malloc(room + 1);
    if (!text) return fail_for_memory(failure);
    code = stol_dataset_text(pack->handle, key, text, room, &needed, &error);
  } while (code == STOL_MORE_ROOM);
  if (code == STOL_OK) {
    if (needed > 0) duckdb_vector_assign_string_element_len(vector, 0, text, needed - 1);
    else set_null(vector, 0);
  }
  free(text);
  return went_well(code, &error, failure);
}

static bool attach(database *database, const char *path, duckdb_data_chunk output, failure *failure) {
  if (!attach_pack(database, path, failure)) return false;
  pack *pack = take_pack(database, failure);
  if (!pack) return false;
  bool went = true;
  for (idx_t fact = 0; fact < FACT_COUNT && went; fact++)
    went = write_fact(pack, facts[fact], duckdb_data_chunk_get_vector(output, fact), failure);
  *(int64_t *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(output, TAXA_COLUMN)) = (int64_t)pack->facts.taxon_count;
  *(int64_t *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(output, NAMES_COLUMN)) = (int64_t)pack->facts.name_count;
  *(bool *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(output, TEXT_IDS_COLUMN)) = pack->facts.has_text_ids;
  release_pack(pack);
  return went;
}

static void run_attach(duckdb_function_info info, duckdb_data_chunk output) {
  bool *is_done = duckdb_function_get_init_data(info);
  failure failure;
  duckdb_data_chunk_set_size(output, *is_done ? 0 : 1);
  if (*is_done) return;
  *is_done = true;
  if (!attach(duckdb_function_get_extra_info(info), duckdb_function_get_bind_data(info), output, &failure))
    duckdb_function_set_error(info, failure.message);
}

static void run_detach(duckdb_function_info info, duckdb_data_chunk output) {
  bool *is_done = duckdb_function_get_init_data(info);
  duckdb_data_chunk_set_size(output, *is_done ? 0 : 1);
  if (*is_done) return;
  *is_done = true;
  *(bool *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(output, 0)) = detach_pack(duckdb_function_get_extra_info(info));
}

duckdb_state register_attaching(duckdb_connection connection, database *database) {
  duckdb_state state = DuckDBSuccess;
  for (int number = 0; number < 2 && state == DuckDBSuccess; number++) {
    bool attaches = number == 0;
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_table_function_set_name(function, attaches ? "stol_attach" : "stol_detach");
    if (attaches) {
      duckdb_logical_type path = id_type(TEXTS);
      duckdb_table_function_add_parameter(function, path);
      duckdb_destroy_logical_type(&path);
    }
    duckdb_table_function_set_extra_info(function, retain_database(database), release_database);
    duckdb_table_function_set_bind(function, attaches ? bind_attach : bind_detach);
    duckdb_table_function_set_init(function, begin);
    duckdb_table_function_set_function(function, attaches ? run_attach : run_detach);
    state = duckdb_register_table_function(connection, function);
    duckdb_destroy_table_function(&function);
  }
  return state;
}
