/* Packs: open, close, what they are; and what goes wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "door.h"

void refuse(const char *kind, const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  SEXP text = PROTECT(Rf_ScalarString(Rf_mkCharCE(message, CE_UTF8)));
  SEXP call = PROTECT(Rf_lang3(Rf_install("refuse"), PROTECT(Rf_mkString(kind)), text));
  Rf_eval(call, PROTECT(R_FindNamespace(PROTECT(Rf_mkString("stol")))));
  Rf_error("%s", message);
}

int had_room(int32_t code, const stol_error *error) {
  switch (code) {
    case STOL_OK: return 1;
    case STOL_MORE_ROOM: return 0;
    case STOL_UNREADABLE: refuse("unreadable", "%s", error->message); break;
    case STOL_NO_PACK: refuse("no_pack", "%s", error->message); break;
    case STOL_CHANGED: refuse("changed", "%s", error->message); break;
    case STOL_TEXT_IDS: refuse("wrong_argument", "ids of this pack are texts: give texts, not numbers"); break;
    default: refuse("wrong_argument", "%s", error->message);
  }
  return 0;
}

const stol_pack *pack_of(SEXP pointer) {
  const stol_pack *pack = TYPEOF(pointer) == EXTPTRSXP ? (const stol_pack *)R_ExternalPtrAddr(pointer) : NULL;
  if (pack == NULL) refuse("closed", "the pack is closed: open it again by stol_open");
  return pack;
}

static void finalize(SEXP pointer) {
  stol_close((stol_pack *)R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

SEXP open_pack(SEXP path) {
  stol_error error = STOL_ERROR_INIT;
  stol_pack *pack = NULL;
  /* Before there is a pack that would stay open if memory were to run out. */
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizer(pointer, finalize);
  had_room(stol_open(utf8(STRING_ELT(path, 0)), &pack, &error), &error);
  R_SetExternalPtrAddr(pointer, pack);
  UNPROTECT(1);
  return pointer;
}

SEXP close_pack(SEXP pointer) {
  if (TYPEOF(pointer) == EXTPTRSXP) finalize(pointer);
  return R_NilValue;
}

SEXP is_open(SEXP pointer) {
  return Rf_ScalarLogical(TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer) != NULL);
}

SEXP facts_of_pack(SEXP pointer) {
  static const char *names[] = {"taxa", "names", "bytes", "format", "schema", "text_ids", "implied_root", "source", ""};
  stol_error error = STOL_ERROR_INIT;
  stol_facts facts = STOL_FACTS_INIT;
  had_room(stol_get_facts(pack_of(pointer), &facts, &error), &error);
  char digest[65] = "";
  for (int place = 0; place < 32; place++) snprintf(digest + 2 * place, 3, "%02x", facts.source_sha256[place]);
  SEXP all = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(all, 0, Rf_ScalarReal((double)facts.taxon_count));
  SET_VECTOR_ELT(all, 1, Rf_ScalarReal((double)facts.name_count));
  SET_VECTOR_ELT(all, 2, Rf_ScalarReal((double)facts.byte_count));
  SET_VECTOR_ELT(all, 3, Rf_ScalarInteger(facts.format_version));
  SET_VECTOR_ELT(all, 4, Rf_ScalarInteger(facts.schema_version));
  SET_VECTOR_ELT(all, 5, Rf_ScalarLogical(facts.has_text_ids));
  SET_VECTOR_ELT(all, 6, Rf_ScalarLogical(facts.has_implied_root));
  SET_VECTOR_ELT(all, 7, Rf_mkString(digest));
  UNPROTECT(1);
  return all;
}

SEXP dataset_text(SEXP pointer, SEXP key) {
  const stol_pack *pack = pack_of(pointer);
  const char *word = Rf_translateCharUTF8(STRING_ELT(key, 0));
  stol_error error = STOL_ERROR_INIT;
  size_t needed = 0;
  had_room(stol_dataset_text(pack, word, NULL, 0, &needed, &error), &error);
  if (needed == 0) return Rf_ScalarString(NA_STRING);
  char *text = R_alloc(needed, 1);
  had_room(stol_dataset_text(pack, word, text, needed, &needed, &error), &error);
  return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}
