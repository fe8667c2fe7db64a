#include "CMarisa.h"

#include <errno.h>
#include <fcntl.h>
#include <marisa.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Of the reading process: seconds of processor time, and bytes of memory beyond any honest trie.
static const rlim_t cpu_limit = 300;
static const rlim_t memory_limit = rlim_t(4) << 30;
static const uint32_t key_limit = 4096;
static const uint32_t end_mark = UINT32_MAX;
static const size_t capacity = 1 << 16;

struct stol_trie {
  int file;
  pid_t process;
  uint8_t bytes[capacity];
  size_t start, end;
};

static void write_all(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);  // Whoever reads has gone.
    bytes += written;
    count -= size_t(written);
  }
}

// All of the other process: numbers and keys, the number first, then the mark of the end.
static void hand_over(int file, const uint8_t *bytes, size_t byte_count) {
  for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGPIPE, SIGINT, SIGTERM, SIGHUP}) {
    signal(number, SIG_DFL);
  }
  rlimit limit = {cpu_limit, cpu_limit};
  setrlimit(RLIMIT_CPU, &limit);
  limit = {memory_limit, memory_limit};
  setrlimit(RLIMIT_AS, &limit);
  limit = {0, 0};
  setrlimit(RLIMIT_CORE, &limit);
  static uint8_t buffer[capacity];
  size_t filled = 0;
  auto put = [&](const void *from, size_t count) {
    if (filled + count > capacity) {
      write_all(file, buffer, filled);
      filled = 0;
    }
    memcpy(buffer + filled, from, count);
    filled += count;
  };
  try {
    marisa::Trie trie;
    trie.map(bytes, byte_count);
    marisa::Agent agent;
    agent.set_query("", 0);
    while (trie.predictive_search(agent)) {
      if (agent.key().length() > key_limit) _exit(1);
      uint32_t length = uint32_t(agent.key().length());
      put(&length, sizeof length);
      put(agent.key().ptr(), length);
    }
    put(&end_mark, sizeof end_mark);
    write_all(file, buffer, filled);
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

// Makes `count` bytes lie in the buffer; false if the pipe ends before.
static bool fill(stol_trie *trie, size_t count) {
  if (trie->end - trie->start >= count) return true;
  memmove(trie->bytes, trie->bytes + trie->start, trie->end - trie->start);
  trie->end -= trie->start;
  trie->start = 0;
  while (trie->end < count) {
    ssize_t got = read(trie->file, trie->bytes + trie->end, capacity - trie->end);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    trie->end += size_t(got);
  }
  return true;
}

extern "C" {

stol_trie *stol_trie_open(const uint8_t *bytes, size_t byte_count) {
  // As whole words, for the library reads them so.
  size_t aligned_count = (byte_count + 7) / 8 * 8;
  void *aligned = nullptr;
  if (posix_memalign(&aligned, 64, aligned_count > 0 ? aligned_count : 8) != 0) return nullptr;
  memcpy(aligned, bytes, byte_count);
  int ends[2];
  stol_trie *trie = static_cast<stol_trie *>(calloc(1, sizeof(stol_trie)));
  if (trie == nullptr || pipe(ends) != 0) {
    free(trie);
    free(aligned);
    return nullptr;
  }
  for (int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    hand_over(ends[1], static_cast<const uint8_t *>(aligned), byte_count);
  }
  free(aligned);
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    free(trie);
    return nullptr;
  }
  trie->file = ends[0];
  trie->process = process;
  return trie;
}

int stol_trie_next(stol_trie *trie, const uint8_t **key, size_t *length) {
  uint32_t count = 0;
  if (!fill(trie, sizeof count)) return -1;
  memcpy(&count, trie->bytes + trie->start, sizeof count);
  if (count == end_mark) return 0;
  if (count > key_limit || !fill(trie, sizeof count + count)) return -1;
  *key = trie->bytes + trie->start + sizeof count;
  *length = count;
  trie->start += sizeof count + count;
  return 1;
}

void stol_trie_close(stol_trie *trie) {
  close(trie->file);
  kill(trie->process, SIGKILL);
  while (waitpid(trie->process, nullptr, 0) < 0 && errno == EINTR) {
  }
  free(trie);
}

}
