// A door for C to what a row of a page needs of libjpeg, libwebp and libpng: a picture of a few hundred pixels, out of
// whatever a media pack has.
//
// Whatever the bytes are, nothing outside the given buffers is read or written, and beside them less than 64 MB of
// memory are used.
#ifndef CPICTURES_H
#define CPICTURES_H
#include <stddef.h>
#include <stdint.h>

// The longest edge of a picture that comes out.
#define STOL_PICTURE_LONGEST_EDGE 512

// As many bytes hold every picture that comes out.
#define STOL_PICTURE_CAPACITY ((size_t)1 << 20)

// Makes the picture in `bytes`, a JPEG, WebP or PNG file, smaller, so that its longer edge has at most `edge` pixels, and
// writes it as a WebP file, which says nothing beside its colours; nothing is enlarged. Returns the length of the file; 0
// where the bytes are no such picture, where it moves, or has more than eight million pixels and is no JPEG file, or
// where `file` has no room.
size_t stol_picture_reduce(
  const uint8_t *bytes, size_t byte_count, int edge, uint8_t *file, size_t capacity);
#endif
