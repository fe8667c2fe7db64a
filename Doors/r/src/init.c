/* What R may call. */
#include <R_ext/Rdynload.h>

#include "door.h"

#define ROUTINE(name, count) {"C_" #name, (DL_FUNC)&name, count}

static const R_CallMethodDef routines[] = {
  ROUTINE(open_pack, 1), ROUTINE(close_pack, 1), ROUTINE(is_open, 1), ROUTINE(facts_of_pack, 1),
  ROUTINE(dataset_text, 2), ROUTINE(id_kind, 1), ROUTINE(taxa_of_ids, 2), ROUTINE(ids_of_taxa, 3),
  ROUTINE(texts_of_taxa, 4), ROUTINE(texts_of_names, 2), ROUTINE(parents, 2), ROUTINE(subtree_ends, 2),
  ROUTINE(lca_pairs, 3), ROUTINE(lca_lists, 3), ROUTINE(lineages, 2), ROUTINE(rank_columns, 3),
  ROUTINE(resolve, 4), ROUTINE(search, 5), ROUTINE(match, 4), {NULL, NULL, 0}};

void R_init_stol(DllInfo *library) {
  R_registerRoutines(library, NULL, routines, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
