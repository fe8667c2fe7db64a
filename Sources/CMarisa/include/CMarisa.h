// A door for C to what is needed of libmarisa: reading every key of a trie that lies in memory.
#ifndef CMARISA_H
#define CMARISA_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stol_trie stol_trie;

// A copy of the trie in `bytes`, or NULL if it is none or is damaged.
stol_trie *stol_trie_open(const uint8_t *bytes, size_t byte_count);
// The number of keys.
size_t stol_trie_count(const stol_trie *trie);
// Steps to the next key, in an order that only the trie knows. Returns 1 and sets key and length, valid until the
// next call; 0 after the last key; -1 if the trie is damaged.
int stol_trie_next(stol_trie *trie, const uint8_t **key, size_t *length);
void stol_trie_close(stol_trie *trie);

#ifdef __cplusplus
}
#endif
#endif
