/* Packs that databases have attached. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "door.h"

bool fail(failure *failure, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure->message, sizeof failure->message, format, arguments);
  va_end(arguments);
  return false;
}

bool fail_for_memory(failure *failure) { return fail(failure, "there is not enough memory for stol"); }

bool went_well(int32_t code, const stol_error *error, failure *failure) {
  return code == STOL_OK || fail(failure, "%s", error->message);
}

void release_pack(pack *pack) {
  if (!pack || atomic_fetch_sub(&pack->uses, 1) != 1) return;
  stol_close(pack->handle);
  free(pack);
}

database *make_database(void) {
  database *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  if (pthread_mutex_init(&made->lock, NULL)) {
    free(made);
    return NULL;
  }
  atomic_init(&made->uses, 1);
  return made;
}

database *retain_database(database *database) {
  atomic_fetch_add(&database->uses, 1);
  return database;
}

void release_database(void *used) {
  database *database = used;
  if (atomic_fetch_sub(&database->uses, 1) != 1) return;
  release_pack(database->pack);
  pthread_mutex_destroy(&database->lock);
  free(database);
}

pack *take_pack(database *database, failure *failure) {
  pthread_mutex_lock(&database->lock);
  pack *taken = database->pack;
  if (taken) atomic_fetch_add(&taken->uses, 1);
  pthread_mutex_unlock(&database->lock);
  if (!taken) fail(failure, "no pack is attached to this database: CALL stol_attach('taxa.stolpack') attaches one");
  return taken;
}

/* Puts a pack, or none, in the place of the one that was attached, and returns that. */
static pack *exchange(database *database, pack *next) {
  pthread_mutex_lock(&database->lock);
  pack *before = database->pack;
  database->pack = next;
  if (next) next->number = ++database->attached_count;
  pthread_mutex_unlock(&database->lock);
  return before;
}

bool attach_pack(database *database, const char *path, failure *failure) {
  pack *opened = calloc(1, sizeof *opened);
  if (!opened) return fail_for_memory(failure);
  atomic_init(&opened->uses, 1);
  opened->facts = (stol_facts)STOL_FACTS_INIT;
  stol_error error = STOL_ERROR_INIT;
  if (!went_well(stol_open(path, &opened->handle, &error), &error, failure)
      || !went_well(stol_get_facts(opened->handle, &opened->facts, &error), &error, failure)) {
    stol_close(opened->handle);
    free(opened);
    return false;
  }
  release_pack(exchange(database, opened));
  return true;
}

bool detach_pack(database *database) {
  pack *before = exchange(database, NULL);
  release_pack(before);
  return before != NULL;
}
