// All that the engine asks of a C library, for a module that runs alone.
typedef __SIZE_TYPE__ size_t;
typedef unsigned char byte;
typedef unsigned long long uint64;

// Blocks are powers of two; those given back wait in a list for each size. Before the bytes of a block
// stand its beginning and its size.
typedef struct {
  byte *start;
  size_t order;
} head;

extern byte __heap_base;
static byte *top = &__heap_base;
static void *waiting[32];

static void *block(size_t alignment, size_t size) {
  size_t order = 5;
  while (((size_t)1 << order) < size + sizeof(head) + alignment) order++;
  byte *start = waiting[order];
  if (start) {
    waiting[order] = *(void **)start;
  } else {
    start = top;
    top += (size_t)1 << order;
    size_t have = __builtin_wasm_memory_size(0) << 16;
    if ((size_t)top > have &&
        __builtin_wasm_memory_grow(0, ((size_t)top - have + 0xFFFF) >> 16) == (size_t)-1)
      __builtin_trap();
  }
  byte *result = (byte *)(((size_t)start + sizeof(head) + alignment - 1) & ~(alignment - 1));
  ((head *)result)[-1] = (head){start, order};
  return result;
}

void *malloc(size_t size) { return block(16, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = block(alignment < 16 ? 16 : alignment, size);
  return 0;
}

void free(void *bytes) {
  if (!bytes) return;
  head at = ((head *)bytes)[-1];
  *(void **)at.start = waiting[at.order];
  waiting[at.order] = at.start;
}

int memcmp(const void *a, const void *b, size_t size) {
  const byte *x = a, *y = b;
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

// Hashes differ from run to run, so that no answer may depend on them; here a counter does.
void arc4random_buf(void *bytes, size_t size) {
  static byte next = 1;
  for (size_t i = 0; i < size; i++) ((byte *)bytes)[i] = next++;
}

// The low 128 bits of a product.
void __multi3(uint64 *result, uint64 aLow, uint64 aHigh, uint64 bLow, uint64 bHigh) {
  uint64 a0 = aLow & 0xFFFFFFFF, a1 = aLow >> 32, b0 = bLow & 0xFFFFFFFF, b1 = bLow >> 32;
  uint64 middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xFFFFFFFF);
  result[0] = aLow * bLow;
  result[1] = a1 * b1 + (middle >> 32) + (other >> 32) + aLow * bHigh + aHigh * bLow;
}

// A written-over stack ends the program.
size_t __stack_chk_guard = 0x5A17C0DE;
void __stack_chk_fail(void) { __builtin_trap(); }
