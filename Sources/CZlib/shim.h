#pragma once
#include <zlib.h>

/// `inflateInit2` for exactly one gzip member; the original is a macro, which Swift cannot call.
static inline int stol_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
