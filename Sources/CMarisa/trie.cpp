#include "CMarisa.h"

#include <marisa.h>

#include <new>
#include <sstream>
#include <string>

struct stol_trie {
  marisa::Trie trie;
  marisa::Agent agent;
};

extern "C" {

stol_trie *stol_trie_open(const uint8_t *bytes, size_t byte_count) {
  stol_trie *result = nullptr;
  try {
    result = new stol_trie;
    std::istringstream stream(std::string(reinterpret_cast<const char *>(bytes), byte_count));
    marisa::read(stream, &result->trie);
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
