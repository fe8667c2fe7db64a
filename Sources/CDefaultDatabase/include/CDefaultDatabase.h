#pragma once
#include <stddef.h>

/// The embedded default taxonomy: a gzip-compressed SQLite database, made by Tools/make-default.
const unsigned char *stol_default_database_bytes(void);

/// The number of bytes at `stol_default_database_bytes`.
extern const size_t stol_default_database_byte_count;

/// The pack compiled from it, on a boundary of 64 bytes, made by Tools/make-default-pack.
const unsigned char *stol_default_pack_bytes(void);

/// The number of bytes at `stol_default_pack_bytes`.
extern const size_t stol_default_pack_byte_count;
