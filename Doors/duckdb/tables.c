/* The tables stol_taxa(), stol_within(taxon) and stol_search(text). */
#include <stdlib.h>
#include <string.h>

#include "tables.h"

static const char *const kinds[KIND_COUNT] = {"scientific", "common", "synonym"};
static const char *const matches[MATCH_COUNT] = {
    "exact_name", "exact_form", "head_word", "whole_words", "name_prefix", "all_words", "across_names", "fuzzy_name",
    "fuzzy_prefix", "fuzzy_words"};
static const char *const modes[] = {"auto", "exact", "prefix", "fuzzy", "contains"};
enum { MODE_COUNT = sizeof modes / sizeof *modes };

static void free_call(void *used) {
  call *call = used;
  if (call->taxon) duckdb_free(call->taxon);
  if (call->text) duckdb_free(call->text);
  if (call->rank) duckdb_free(call->rank);
  free(call);
}

static void add_column(duckdb_bind_info info, const char *name, duckdb_logical_type type) {
  duckdb_bind_add_result_column(info, name, type);
  duckdb_destroy_logical_type(&type);
}

/* The taxon of an argument, which is an id, or a name too where it is a text. */
static bool read_taxon(duckdb_value value, call *call, failure *failure) {
  if (!value || duckdb_is_null_value(value)) return fail(failure, "the taxon is NULL: give an id or a name");
  switch (duckdb_get_type_id(duckdb_get_value_type(value))) {
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
      call->has_number = true;
      call->number = duckdb_get_int64(value);
      return true;
    default:
      call->taxon = take_text(value, "the taxon", failure);
      return call->taxon != NULL;
  }
}

/* An argument as a text, NULL where it is missing or null; destroys the value. */
static bool read_text(duckdb_value value, const char *name, char **text, failure *failure) {
  bool is_given = value && !duckdb_is_null_value(value);
  *text = is_given ? take_text(value, name, failure) : NULL;
  duckdb_destroy_value(&value);
  return !is_given || *text;
}

/* A named number that is at least `least`. */
static bool named_number(duckdb_bind_info info, const char *name, int64_t least, int64_t greatest, int64_t *number, failure *failure) {
  duckdb_value value = duckdb_bind_get_named_parameter(info, name);
  if (value && !duckdb_is_null_value(value)) *number = duckdb_get_int64(value);
  duckdb_destroy_value(&value);
  return (*number >= least && *number <= greatest)
    || fail(failure, "%s is %lld: %lld to %lld", name, (long long)*number, (long long)least, (long long)greatest);
}

static bool read_mode(duckdb_bind_info info, int32_t *mode, failure *failure) {
  char *word;
  if (!read_text(duckdb_bind_get_named_parameter(info, "mode"), "mode", &word, failure)) return false;
  if (!word) return true;
  bool is_found = false;
  for (int32_t number = 0; number < MODE_COUNT; number++)
    if (strcmp(word, modes[number]) == 0) {
      *mode = number;
      is_found = true;
    }
  if (!is_found) fail(failure, "no mode '%.40s': auto, exact, prefix, fuzzy, contains", word);
  duckdb_free(word);
  return is_found;
}

static bool read_search(duckdb_bind_info info, call *call, failure *failure) {
  int64_t edits = -1, limit = 20;
  call->options = (stol_search_options)STOL_SEARCH_OPTIONS_INIT;
  if (!read_text(duckdb_bind_get_parameter(info, 0), "the text", &call->text, failure)
      || !read_text(duckdb_bind_get_named_parameter(info, "rank"), "rank", &call->rank, failure)
      || !read_mode(info, &call->options.mode, failure) || !named_number(info, "edits", -1, 3, &edits, failure)
      || !named_number(info, "hits", 1, 1000000, &limit, failure))
    return false;
  call->options.edits = (int32_t)edits;
  call->options.limit = (size_t)limit;
  call->options.rank = call->rank;
  duckdb_value value = duckdb_bind_get_named_parameter(info, "within");
  bool is_read = !value || duckdb_is_null_value(value) || read_taxon(value, call, failure);
  duckdb_destroy_value(&value);
  return is_read;
}

static void bind(duckdb_bind_info info, enum table table) {
  failure failure;
  call *made = calloc(1, sizeof *made);
  if (!made) {
    duckdb_bind_set_error(info, "there is not enough memory for stol");
    return;
  }
  duckdb_bind_set_bind_data(info, made, free_call);
  bool is_read = true;
  if (table == WITHIN) {
    duckdb_value value = duckdb_bind_get_parameter(info, 0);
    is_read = read_taxon(value, made, &failure);
    duckdb_destroy_value(&value);
  } else if (table == SEARCH) {
    is_read = read_search(info, made, &failure);
  }
  pack *pack = is_read ? take_pack(duckdb_bind_get_extra_info(info), &failure) : NULL;
  if (!pack) {
    duckdb_bind_set_error(info, failure.message);
    return;
  }
  made->has_text_ids = pack->facts.has_text_ids;
  if (table == ALL) duckdb_bind_set_cardinality(info, pack->facts.taxon_count, false);
  release_pack(pack);

  int ids = made->has_text_ids ? TEXTS : NUMBER_IDS;
  add_column(info, "id", id_type(ids));
  add_column(info, "name", id_type(TEXTS));
  add_column(info, "rank", id_type(TEXTS));
  if (table == SEARCH) {
    add_column(info, "matched_name", id_type(TEXTS));
    add_column(info, "kind", word_type(kinds, KIND_COUNT));
    add_column(info, "match", word_type(matches, MATCH_COUNT));
    add_column(info, "distance", duckdb_create_logical_type(DUCKDB_TYPE_UTINYINT));
  } else {
    add_column(info, "authorship", id_type(TEXTS));
    add_column(info, "common_name", id_type(TEXTS));
    add_column(info, "parent", id_type(ids));
    add_column(info, "position", duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER));
    add_column(info, "last_position", duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER));
  }
}

static void bind_all(duckdb_bind_info info) { bind(info, ALL); }
static void bind_within(duckdb_bind_info info) { bind(info, WITHIN); }
static void bind_search(duckdb_bind_info info) { bind(info, SEARCH); }

/* How the tables are declared. */
static const struct {
  const char *name;
  duckdb_table_function_bind_t bind;
  duckdb_table_function_init_t begin;
  duckdb_table_function_t run;
  /* The type of the one argument, if there is one. */
  duckdb_type argument;
} tables[] = {
  {"stol_taxa", bind_all, begin_all, run_taxa, DUCKDB_TYPE_INVALID},
  {"stol_within", bind_within, begin_within, run_taxa, DUCKDB_TYPE_ANY},
  {"stol_search", bind_search, begin_search, run_search, DUCKDB_TYPE_VARCHAR},
};

static void add_named(duckdb_table_function function, const char *name, duckdb_type kind) {
  duckdb_logical_type type = duckdb_create_logical_type(kind);
  duckdb_table_function_add_named_parameter(function, name, type);
  duckdb_destroy_logical_type(&type);
}

duckdb_state register_tables(duckdb_connection connection, database *database) {
  duckdb_state state = DuckDBSuccess;
  for (size_t number = 0; number < sizeof tables / sizeof *tables && state == DuckDBSuccess; number++) {
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_table_function_set_name(function, tables[number].name);
    if (tables[number].argument != DUCKDB_TYPE_INVALID) {
      duckdb_logical_type type = duckdb_create_logical_type(tables[number].argument);
      duckdb_table_function_add_parameter(function, type);
      duckdb_destroy_logical_type(&type);
    }
    if (tables[number].bind == bind_search) {
      add_named(function, "mode", DUCKDB_TYPE_VARCHAR);
      add_named(function, "edits", DUCKDB_TYPE_BIGINT);
      add_named(function, "hits", DUCKDB_TYPE_BIGINT);
      add_named(function, "rank", DUCKDB_TYPE_VARCHAR);
      add_named(function, "within", DUCKDB_TYPE_ANY);
    }
    duckdb_table_function_set_extra_info(function, retain_database(database), release_database);
    duckdb_table_function_set_bind(function, tables[number].bind);
    duckdb_table_function_set_init(function, tables[number].begin);
    duckdb_table_function_set_local_init(function, begin_thread);
    duckdb_table_function_set_function(function, tables[number].run);
    duckdb_table_function_supports_projection_pushdown(function, true);
    state = duckdb_register_table_function(connection, function);
    duckdb_destroy_table_function(&function);
  }
  return state;
}
