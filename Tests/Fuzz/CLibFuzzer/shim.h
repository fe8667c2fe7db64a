#pragma once
#include <stddef.h>
#include <stdint.h>

// https://llvm.org/docs/LibFuzzer.html; the compiler links it, without a header.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*target)(const uint8_t *bytes, size_t count));
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t limit);
