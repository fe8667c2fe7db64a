// A door for C to what is needed of libjpeg: an image of a few hundred pixels, out of a JPEG file and into one.
//
// Errors of libjpeg end by a jump, which stays within this target. Whatever the bytes are, nothing outside the given
// buffers is read or written, and beside them less than 56 MB of memory are used.
//
// Pixels are red, green and blue, a byte each, row by row from the top.
#ifndef CJPEG_H
#define CJPEG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The longest edge of an image that comes out.
#define STOL_JPEG_LONGEST_EDGE 1024

typedef struct {
  int width, height;
  // What libjpeg found wrong and went on from: none where the image is whole.
  long warning_count;
} stol_jpeg_image;

// Decodes the image in `bytes`, as it lies there, so that its longer edge has at most `edge` pixels: each pixel is the
// mean of the area that it covers; nothing is enlarged. `pixels` has room for `edge` by `edge` of them. False where
// the bytes are no image of 8 bits in colours or greys, or where it would take too much memory or too long; then
// `pixels` may hold anything.
bool stol_jpeg_decode(
  const uint8_t *bytes, size_t byte_count, int edge, uint8_t *pixels, stol_jpeg_image *image);

// Makes an image smaller in the same way. Both sizes are positive, and the new one is nowhere the larger one, and at
// most STOL_JPEG_LONGEST_EDGE wide.
void stol_pixels_reduce(
  const uint8_t *pixels, int width, int height, uint8_t *reduced, int reduced_width, int reduced_height);

// Encodes an image as a baseline JPEG file that says nothing beside it but its colour profile: the content of an APP2
// segment; NULL for none. Returns the length of the file; 0 where `bytes` has no room for it.
size_t stol_jpeg_encode(
  const uint8_t *pixels, int width, int height, int quality, const uint8_t *profile, size_t profile_byte_count,
  uint8_t *bytes, size_t capacity);
#endif
