// A door for C to what is needed of libmarisa: every key of a trie that lies in memory.
//
// libmarisa believes what a file says, so a damaged trie makes it read and write anywhere. It works in a
// process of its own, therefore, which hands the keys over through a pipe and may crash as it likes.
#ifndef CMARISA_H
#define CMARISA_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stol_trie stol_trie;

// Begins to read the trie in `bytes`, which must stay until it returns. NULL if there is no memory or no process.
stol_trie *stol_trie_open(const uint8_t *bytes, size_t byte_count);
// Steps to the next key, in an order that only the trie knows. Returns 1 and sets key and length, valid until the
// next call; 0 after the last key; -1 if the trie is damaged or none.
int stol_trie_next(stol_trie *trie, const uint8_t **key, size_t *length);
void stol_trie_close(stol_trie *trie);

#ifdef __cplusplus
}
#endif
#endif
