#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stol.h>

/* Ends with what went wrong, if anything did. */
static void check(int32_t code, const stol_error *error) {
  if (code == STOL_OK) return;
  fprintf(stderr, "%d: %s\n", (int)code, error->message);
  exit(1);
}

int main(int argc, char **argv) {
  const char *asked[] = {"Panthera leo", "tiger", "felis catus", "Oenanthe", "no such name"};
  const char *words[] = {"exact", "synonym", "common", "merged", "deleted",
                         "fuzzy", "partial", "ambiguous", "not found", "invalid"};
  stol_error error = STOL_ERROR_INIT;
  stol_pack *pack = NULL;
  check(stol_open(argc > 1 ? argv[1] : "taxa.stolpack", &pack, &error), &error);

  /* Five rows of text, one behind the other. */
  char bytes[256] = "";
  int32_t offsets[6] = {0};
  stol_texts texts = STOL_TEXTS_INIT;
  for (int row = 0; row < 5; row++) {
    strcat(bytes, asked[row]);
    offsets[row + 1] = (int32_t)strlen(bytes);
  }
  texts.layout = STOL_OFFSETS_32;
  texts.count = 5;
  texts.offsets = offsets;
  texts.bytes = bytes;
  texts.byte_count = strlen(bytes);

  stol_taxon taxa[6];
  uint8_t statuses[5];
  check(stol_resolve(pack, &texts, NULL, taxa, NULL, statuses, &error), &error);

  /* What the first three have in common; rows that name no taxon are left out. */
  const int32_t lists[] = {0, 5};
  check(stol_lca_lists(pack, 32, lists, 1, taxa, 5, &taxa[5], &error), &error);

  /* First how many bytes the names take, then the names. */
  int64_t places[7];
  size_t needed = 0;
  int32_t code = stol_texts_of_taxa(
    pack, STOL_SCIENTIFIC_NAME, NULL, taxa, 6, places, NULL, 0, &needed, &error);
  char *names = (char *)malloc(needed + 1);
  if (code == STOL_MORE_ROOM)
    code = stol_texts_of_taxa(
      pack, STOL_SCIENTIFIC_NAME, NULL, taxa, 6, places, names, needed, &needed, &error);
  check(code, &error);

  for (int row = 0; row < 6; row++)
    printf("%-13s %-10s %.*s\n", row < 5 ? asked[row] : "all of these", row < 5 ? words[statuses[row]] : "",
           (int)(places[row + 1] - places[row]), names + places[row]);
  free(names);
  stol_close(pack);
  return 0;
}
