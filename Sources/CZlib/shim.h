#pragma once
#include <zlib.h>

/// `inflateInit2` for exactly one gzip member; the original is a macro, which Swift cannot call.
static inline int stol_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/// `deflateInit2` for one gzip member; the original is a macro too.
static inline int stol_deflate_init_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
