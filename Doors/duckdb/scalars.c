/* How scalar functions are declared, and what is kept from one chunk of a statement to the next. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalars.h"

/* The scalar functions. Those of one name stand together, and differ in their parameters. */
static const scalar scalars[] = {
  {"stol_taxon", taxa_of_names, 'i', "t"},
  {"stol_taxon_text", taxa_of_names, 't', "t"},
  {"stol_match", matches_of_names, 'm', "t*"},
  {"stol_match_text", matches_of_names, 'M', "t*"},
  {"stol_name", names_of_taxa, 't', "i"},
  {"stol_name", names_of_taxa, 't', "t"},
  {"stol_rank", ranks_of_taxa, 't', "i"},
  {"stol_rank", ranks_of_taxa, 't', "t"},
  {"stol_rank", ancestors_of_rank, 't', "it"},
  {"stol_rank", ancestors_of_rank, 't', "tt"},
  {"stol_lineage", lineages_of_taxa, 'l', "i"},
  {"stol_lineage", lineages_of_taxa, 'L', "t"},
  {"stol_lca_pair", ancestors_of_pairs, 'i', "ii"},
  {"stol_lca_pair", ancestors_of_pairs, 't', "tt"},
};

/* What a function of the catalog refers to. */
typedef struct registered {
  database *database;
  const scalar *scalar;
} registered;

/* One call in a statement; copies of its plan share it. */
typedef struct call {
  atomic_size_t uses;
  database *database;
  /* How many sessions run, and what pack they have; both under the lock of the database. */
  size_t running;
  pack *pack;
  /* Constant texts among the arguments. */
  idx_t word_count;
  char **words;
} call;

static void release_call(void *used) {
  call *call = used;
  if (atomic_fetch_sub(&call->uses, 1) != 1) return;
  for (idx_t word = 0; word < call->word_count; word++) duckdb_free(call->words[word]);
  free(call->words);
  release_database(call->database);
  free(call);
}

static void *retain_call(void *used) {
  atomic_fetch_add(&((call *)used)->uses, 1);
  return used;
}

/* The text of a constant argument that says what the one behind it is; NULL where it is none, as `failure` says. */
static char *constant(duckdb_bind_info info, idx_t argument, failure *failure) {
  char *text = NULL, what[32];
  snprintf(what, sizeof what, "argument %d", (int)(argument + 1));
  fail(failure, "%s says what the one behind it is, and must be a constant as 'kingdom' or 'authorship'", what);
  duckdb_value value = NULL;
  duckdb_client_context context = NULL;
  duckdb_expression expression = duckdb_scalar_function_bind_get_argument(info, argument);
  duckdb_scalar_function_get_client_context(info, &context);
  if (expression && duckdb_expression_is_foldable(expression)) {
    duckdb_error_data error = duckdb_expression_fold(context, expression, &value);
    if (!duckdb_error_data_has_error(error) && value && !duckdb_is_null_value(value)) text = take_text(value, what, failure);
    duckdb_destroy_error_data(&error);
  }
  duckdb_destroy_value(&value);
  duckdb_destroy_expression(&expression);
  duckdb_destroy_client_context(&context);
  return text;
}

/* Of arguments behind the first, every second one says what the one behind it is. */
static bool read_words(duckdb_bind_info info, call *call, failure *failure) {
  idx_t count = duckdb_scalar_function_bind_get_argument_count(info);
  if (count % 2 == 0)
    return fail(failure, "what is known beside a name comes in pairs, as in stol_match(name, 'kingdom', 'Animalia')");
  if (count / 2 > GREATEST_BESIDE) return fail(failure, "more than %d things are known beside a name", (int)GREATEST_BESIDE);
  call->words = calloc(count / 2 + 1, sizeof *call->words);
  if (!call->words) return fail_for_memory(failure);
  for (; call->word_count < count / 2; call->word_count++) {
    char *word = constant(info, 2 * call->word_count + 1, failure);
    if (!word) return false;
    call->words[call->word_count] = word;
  }
  return true;
}

static void bind(duckdb_bind_info info) {
  const registered *function = duckdb_scalar_function_bind_get_extra_info(info);
  failure failure;
  call *made = calloc(1, sizeof *made);
  if (!made) {
    fail_for_memory(&failure);
    duckdb_scalar_function_bind_set_error(info, failure.message);
    return;
  }
  atomic_init(&made->uses, 1);
  made->database = retain_database(function->database);
  duckdb_scalar_function_set_bind_data(info, made, release_call);
  duckdb_scalar_function_set_bind_data_copy(info, retain_call);
  if (strchr(function->scalar->parameters, '*') && !read_words(info, made, &failure))
    duckdb_scalar_function_bind_set_error(info, failure.message);
}

/* The pack of sessions that run already, else the one that is attached now. */
static pack *enter(call *call, failure *failure) {
  pack *attached = take_pack(call->database, failure);
  pthread_mutex_lock(&call->database->lock);
  if (call->running > 0) {
    release_pack(attached);
    attached = call->pack;
    atomic_fetch_add(&attached->uses, 1);
  }
  if (attached) {
    call->pack = attached;
    call->running++;
  }
  pthread_mutex_unlock(&call->database->lock);
  return attached;
}

static void end_session(void *used) {
  scalar_session *session = used;
  pthread_mutex_lock(&session->call->database->lock);
  session->call->running--;
  pthread_mutex_unlock(&session->call->database->lock);
  release_pack(session->base.pack);
  release_call(session->call);
  free_rooms(&session->base);
  free(session->known_memory);
  free(session);
}

static void begin_session(duckdb_init_info info) {
  const registered *function = duckdb_scalar_function_init_get_extra_info(info);
  call *call = duckdb_scalar_function_init_get_bind_data(info);
  failure failure;
  scalar_session *session = calloc(1, sizeof *session);
  if (!session) {
    fail_for_memory(&failure);
  } else if ((session->base.pack = enter(call, &failure))) {
    session->scalar = function->scalar;
    session->call = retain_call(call);
    session->words = call->words;
    session->word_count = call->word_count;
    duckdb_scalar_function_init_set_state(info, session, end_session);
    return;
  }
  free(session);
  duckdb_scalar_function_init_set_error(info, failure.message);
}

/* Whether ids are of the kind that the function gives for names. */
static bool has_such_ids(scalar_session *session) {
  const scalar *scalar = session->scalar;
  if (!session->base.pack->facts.has_text_ids || strchr(scalar->parameters, NUMBER_IDS)) return true;
  if (scalar->result == NUMBER_IDS || scalar->result == 'm')
    return fail(&session->base.failure, "ids of this pack are texts, as %s_text gives them", scalar->name);
  return true;
}

static void run(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  scalar_session *session = duckdb_scalar_function_get_state(info);
  idx_t count = duckdb_data_chunk_get_size(input);
  if (!has_such_ids(session) || !session->scalar->body(session, input, count, output))
    duckdb_scalar_function_set_error(info, session->base.failure.message);
}

static duckdb_logical_type result_type(int result) {
  switch (result) {
    case 'm': return match_type(NUMBER_IDS);
    case 'M': return match_type(TEXTS);
    case 'l': return lineage_type(NUMBER_IDS);
    case 'L': return lineage_type(TEXTS);
    default: return id_type(result);
  }
}

static void forget(void *used) {
  registered *function = used;
  release_database(function->database);
  free(function);
}

/* A function of DuckDB; NULL where there is no memory. */
static duckdb_scalar_function declare(const scalar *scalar, database *database) {
  registered *function = malloc(sizeof *function);
  if (!function) return NULL;
  *function = (registered){retain_database(database), scalar};
  duckdb_scalar_function declared = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(declared, scalar->name);
  for (const char *parameter = scalar->parameters; *parameter; parameter++) {
    duckdb_logical_type type = id_type(*parameter);
    if (*parameter == '*') duckdb_scalar_function_set_varargs(declared, type);
    else duckdb_scalar_function_add_parameter(declared, type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_logical_type result = result_type(scalar->result);
  duckdb_scalar_function_set_return_type(declared, result);
  duckdb_destroy_logical_type(&result);
  /* A null beside a name says nothing, and does not make the answer null. */
  duckdb_scalar_function_set_special_handling(declared);
  duckdb_scalar_function_set_extra_info(declared, function, forget);
  duckdb_scalar_function_set_bind(declared, bind);
  duckdb_scalar_function_set_init(declared, begin_session);
  duckdb_scalar_function_set_function(declared, run);
  return declared;
}

duckdb_state register_scalars(duckdb_connection connection, database *database) {
  duckdb_state state = DuckDBSuccess;
  size_t count = sizeof scalars / sizeof *scalars;
  for (size_t first = 0, end; first < count && state == DuckDBSuccess; first = end) {
    duckdb_scalar_function_set set = duckdb_create_scalar_function_set(scalars[first].name);
    for (end = first; end < count && strcmp(scalars[end].name, scalars[first].name) == 0; end++) {
      duckdb_scalar_function function = declare(&scalars[end], database);
      if (!function || duckdb_add_scalar_function_to_set(set, function) != DuckDBSuccess) state = DuckDBError;
      if (function) duckdb_destroy_scalar_function(&function);
    }
    if (state == DuckDBSuccess) state = duckdb_register_scalar_function_set(connection, set);
    duckdb_destroy_scalar_function_set(&set);
  }
  return state;
}
