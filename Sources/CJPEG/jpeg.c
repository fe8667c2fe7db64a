#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

// Coefficients that are in memory at once: those of a progressive image of 16 million pixels with halved colours.
#define COEFFICIENT_BYTE_LIMIT ((size_t)48 << 20)
// Real images have a dozen scans; each takes as long as the image is large, however few bytes it has.
#define SCAN_LIMIT 100

// MARK: Errors

// What libjpeg calls, with where it jumps to.
typedef struct {
  struct jpeg_error_mgr calls;
  jmp_buf end;
} errors;

static void give_up(j_common_ptr image) { longjmp(((errors *)image->err)->end, 1); }

// Counts what can be gone on from, and writes nothing.
static void count_warning(j_common_ptr image, int level) {
  if (level < 0) image->err->num_warnings++;
}

static void write_nothing(j_common_ptr image) { (void)image; }

static struct jpeg_error_mgr *prepare(errors *errors) {
  jpeg_std_error(&errors->calls);
  errors->calls.error_exit = give_up;
  errors->calls.emit_message = count_warning;
  errors->calls.output_message = write_nothing;
  return &errors->calls;
}

// MARK: Reducing

// Rows of a large image go in, those of a small one come out.
//
// A pixel of the large image has the length `to_width`, one of the small image `from_width`, so that both rows are
// equally long and all is whole numbers; from top to bottom alike.
typedef struct {
  int from_width, from_height, to_width, to_height;
  // What is still missing of the row that comes out next.
  int missing;
  uint8_t *next;
  uint32_t line[3 * STOL_JPEG_LONGEST_EDGE];
  uint64_t sums[3 * STOL_JPEG_LONGEST_EDGE];
} reducer;

static void reducer_begin(
  reducer *reducer, int from_width, int from_height, int to_width, int to_height, uint8_t *pixels) {
  reducer->from_width = from_width;
  reducer->from_height = from_height;
  reducer->to_width = to_width;
  reducer->to_height = to_height;
  reducer->missing = from_height;
  reducer->next = pixels;
  memset(reducer->sums, 0, sizeof reducer->sums);
}

// The means of a row, times `from_width`.
static void reducer_sum_row(reducer *reducer, const uint8_t *row) {
  uint32_t *to = reducer->line;
  int missing = reducer->from_width;
  memset(to, 0, 3 * sizeof *to * (size_t)reducer->to_width);
  for (int x = 0; x < reducer->from_width; x++, row += 3) {
    int rest = reducer->to_width;
    if (rest >= missing) {
      for (int i = 0; i < 3; i++) to[i] += (uint32_t)missing * row[i];
      rest -= missing;
      missing = reducer->from_width;
      to += 3;
    }
    if (rest == 0) continue;
    for (int i = 0; i < 3; i++) to[i] += (uint32_t)rest * row[i];
    missing -= rest;
  }
}

static void reducer_add(reducer *reducer, const uint8_t *row) {
  const int count = 3 * reducer->to_width;
  int rest = reducer->to_height;
  reducer_sum_row(reducer, row);
  if (rest >= reducer->missing) {
    const uint64_t area = (uint64_t)reducer->from_width * (uint64_t)reducer->from_height;
    for (int i = 0; i < count; i++) {
      const uint64_t sum = reducer->sums[i] + (uint64_t)reducer->missing * reducer->line[i];
      *reducer->next++ = (uint8_t)((sum + area / 2) / area);
      reducer->sums[i] = 0;
    }
    rest -= reducer->missing;
    reducer->missing = reducer->from_height;
  }
  if (rest == 0) return;
  for (int i = 0; i < count; i++) reducer->sums[i] += (uint64_t)rest * reducer->line[i];
  reducer->missing -= rest;
}

void stol_pixels_reduce(
  const uint8_t *pixels, int width, int height, uint8_t *reduced, int reduced_width, int reduced_height) {
  reducer reducer;
  reducer_begin(&reducer, width, height, reduced_width, reduced_height, reduced);
  for (int y = 0; y < height; y++) reducer_add(&reducer, pixels + (size_t)3 * width * y);
}

// MARK: Decoding

typedef struct {
  struct jpeg_decompress_struct image;
  errors errors;
  struct jpeg_progress_mgr progress;
  reducer reducer;
} decoder;

static void end_after_scans(j_common_ptr image) {
  if (((j_decompress_ptr)image)->input_scan_number > SCAN_LIMIT) give_up(image);
}

// Whether an image can be decoded within the limits, by what its header says.
static bool is_within_limits(const struct jpeg_decompress_struct *image, bool is_buffered, size_t byte_count) {
  size_t block_count = 0;
  for (int i = 0; i < image->num_components; i++) {
    const jpeg_component_info *part = &image->comp_info[i];
    const size_t width = part->width_in_blocks + (size_t)part->h_samp_factor;
    const size_t height = part->height_in_blocks + (size_t)part->v_samp_factor;
    block_count += width * height;
  }
  // A block takes a bit at least, so that most of an image with more of them would be missing.
  if (block_count / 8 > byte_count) return false;
  return !is_buffered || block_count <= COEFFICIENT_BYTE_LIMIT / sizeof(JBLOCK);
}

// The size of an image whose longer edge has at most `edge` pixels.
static void fit(int width, int height, int edge, stol_jpeg_image *image) {
  const int64_t longer = width > height ? width : height;
  const bool fits = longer <= edge;
  image->width = fits ? width : (int)((width * (int64_t)edge + longer / 2) / longer);
  image->height = fits ? height : (int)((height * (int64_t)edge + longer / 2) / longer);
  if (image->width < 1) image->width = 1;
  if (image->height < 1) image->height = 1;
}

// Cyan, magenta, yellow and black become red, green and blue, in place. As in browsers they are taken for inverted,
// which is how Adobe's programs write them.
static void convert_cmyk(uint8_t *row, JDIMENSION width) {
  const uint8_t *from = row;
  for (JDIMENSION x = 0; x < width; x++, row += 3, from += 4) {
    const unsigned white = from[3];
    for (int i = 0; i < 3; i++) row[i] = (uint8_t)((from[i] * white + 127) / 255);
  }
}

// What may jump: all of it is in `decoder`, so that no variable of its own changes before.
static bool decode(
  decoder *decoder, const uint8_t *bytes, size_t byte_count, int edge, uint8_t *pixels, stol_jpeg_image *result) {
  struct jpeg_decompress_struct *image = &decoder->image;
  if (setjmp(decoder->errors.end)) return false;
  jpeg_create_decompress(image);
  decoder->progress.progress_monitor = end_after_scans;
  image->progress = &decoder->progress;
  jpeg_mem_src(image, bytes, byte_count);
  jpeg_read_header(image, TRUE);
  if (!is_within_limits(image, jpeg_has_multiple_scans(image), byte_count)) return false;
  switch (image->jpeg_color_space) {
  case JCS_GRAYSCALE:
  case JCS_RGB:
  case JCS_YCbCr: image->out_color_space = JCS_RGB; break;
  case JCS_CMYK:
  case JCS_YCCK: image->out_color_space = JCS_CMYK; break;
  default: return false;
  }
  fit((int)image->image_width, (int)image->image_height, edge, result);
  // An eighth, a quarter or a half is decoded with less work, and is still no smaller than what is wanted.
  image->scale_denom = 8;
  for (image->scale_num = 1; image->scale_num < 8; image->scale_num *= 2) {
    jpeg_calc_output_dimensions(image);
    if (image->output_width >= (JDIMENSION)result->width && image->output_height >= (JDIMENSION)result->height) break;
  }
  // Guesses at coefficients that a cut image lacks.
  image->do_block_smoothing = FALSE;
  jpeg_start_decompress(image);
  const bool is_cmyk = image->out_color_space == JCS_CMYK;
  if (image->output_components != (is_cmyk ? 4 : 3)) return false;
  reducer_begin(
    &decoder->reducer, (int)image->output_width, (int)image->output_height, result->width, result->height, pixels);
  JSAMPARRAY row = (*image->mem->alloc_sarray)(
    (j_common_ptr)image, JPOOL_IMAGE, image->output_width * (JDIMENSION)image->output_components, 1);
  while (image->output_scanline < image->output_height) {
    if (jpeg_read_scanlines(image, row, 1) != 1) return false;
    if (is_cmyk) convert_cmyk(row[0], image->output_width);
    reducer_add(&decoder->reducer, row[0]);
  }
  result->warning_count = image->err->num_warnings;
  return true;
}

bool stol_jpeg_decode(
  const uint8_t *bytes, size_t byte_count, int edge, uint8_t *pixels, stol_jpeg_image *image) {
  if (byte_count == 0 || edge < 1 || edge > STOL_JPEG_LONGEST_EDGE) return false;
  decoder decoder;
  memset(&decoder, 0, sizeof decoder);
  decoder.image.err = prepare(&decoder.errors);
  const bool is_decoded = decode(&decoder, bytes, byte_count, edge, pixels, image);
  jpeg_destroy_decompress(&decoder.image);
  return is_decoded;
}

// MARK: Encoding

typedef struct {
  struct jpeg_compress_struct image;
  errors errors;
  struct jpeg_destination_mgr target;
} encoder;

static void begin_nothing(j_compress_ptr image) { (void)image; }

static boolean end_without_room(j_compress_ptr image) {
  give_up((j_common_ptr)image);
  return FALSE;
}

// What may jump, as above.
static bool encode(
  encoder *encoder, const uint8_t *pixels, int width, int height, int quality, const uint8_t *profile,
  size_t profile_byte_count) {
  struct jpeg_compress_struct *image = &encoder->image;
  if (setjmp(encoder->errors.end)) return false;
  jpeg_create_compress(image);
  image->dest = &encoder->target;
  image->image_width = (JDIMENSION)width;
  image->image_height = (JDIMENSION)height;
  image->input_components = 3;
  image->in_color_space = JCS_RGB;
  jpeg_set_defaults(image);
  jpeg_set_quality(image, quality, TRUE);
  jpeg_start_compress(image, TRUE);
  if (profile) jpeg_write_marker(image, JPEG_APP0 + 2, profile, (unsigned)profile_byte_count);
  while (image->next_scanline < image->image_height) {
    // libjpeg takes rows that it might change, and leaves them.
    JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + (size_t)3 * width * image->next_scanline);
    jpeg_write_scanlines(image, &row, 1);
  }
  jpeg_finish_compress(image);
  return true;
}

size_t stol_jpeg_encode(
  const uint8_t *pixels, int width, int height, int quality, const uint8_t *profile, size_t profile_byte_count,
  uint8_t *bytes, size_t capacity) {
  encoder encoder;
  memset(&encoder, 0, sizeof encoder);
  encoder.image.err = prepare(&encoder.errors);
  encoder.target.next_output_byte = bytes;
  encoder.target.free_in_buffer = capacity;
  encoder.target.init_destination = begin_nothing;
  encoder.target.empty_output_buffer = end_without_room;
  encoder.target.term_destination = begin_nothing;
  const bool is_encoded = encode(&encoder, pixels, width, height, quality, profile, profile_byte_count);
  const size_t rest = encoder.target.free_in_buffer;
  jpeg_destroy_compress(&encoder.image);
  return is_encoded ? capacity - rest : 0;
}
