#include "CMarisa.h"

#include <marisa.h>

#include <cstring>
#include <new>
#include <vector>

struct stol_trie {
  std::vector<uint64_t> bytes;  // What the trie looks at; words, so that it is aligned.
  marisa::Trie trie;
  marisa::Agent agent;
};

extern "C" {

stol_trie *stol_trie_open(const uint8_t *bytes, size_t byte_count) {
  stol_trie *result = nullptr;
  try {
    result = new stol_trie;
    result->bytes.resize(byte_count / 8 + 1);
    std::memcpy(result->bytes.data(), bytes, byte_count);
    result->trie.map(result->bytes.data(), byte_count);
    result->agent.set_query("", 0);
    return result;
  } catch (...) {  // No exception may leave for C.
    delete result;
    return nullptr;
  }
}

size_t stol_trie_count(const stol_trie *trie) { return trie->trie.size(); }

int stol_trie_next(stol_trie *trie, const uint8_t **key, size_t *length) {
  try {
    if (!trie->trie.predictive_search(trie->agent)) return 0;
    *key = reinterpret_cast<const uint8_t *>(trie->agent.key().ptr());
    *length = trie->agent.key().length();
    return 1;
  } catch (...) {
    return -1;
  }
}

void stol_trie_close(stol_trie *trie) { delete trie; }

}
