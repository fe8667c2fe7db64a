#include "CPictures.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "CJPEG.h"

// Beside what comes out, four bytes for each.
#define PIXEL_LIMIT ((size_t)8 << 20)
#define QUALITY 82

// Pixels in memory: three or four bytes each, row by row from the top.
typedef struct {
  uint8_t *samples;
  int width, height;
  bool has_alpha;
} pixels;

static int reduced(int length, int longer, int edge) {
  int made = (int)(((int64_t)length * edge + longer / 2) / longer);
  return made < 1 ? 1 : made;
}

// What a size becomes whose longer edge has at most `edge` pixels.
static void fit(int *width, int *height, int edge) {
  int longer = *width > *height ? *width : *height;
  if (longer <= edge) return;
  *width = reduced(*width, longer, edge);
  *height = reduced(*height, longer, edge);
}

static bool is_small(int64_t width, int64_t height) {
  return width > 0 && height > 0 && width <= 1 << 20 && height <= 1 << 20 && width * height <= (int64_t)PIXEL_LIMIT;
}

// MARK: Reading

static bool read_webp(const uint8_t *bytes, size_t byte_count, int edge, pixels *made) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return false;
  if (WebPGetFeatures(bytes, byte_count, &config.input) != VP8_STATUS_OK) return false;
  if (config.input.has_animation || !is_small(config.input.width, config.input.height)) return false;
  made->width = config.input.width;
  made->height = config.input.height;
  made->has_alpha = config.input.has_alpha;
  fit(&made->width, &made->height, edge);
  int count = made->has_alpha ? 4 : 3;
  size_t size = (size_t)made->width * (size_t)made->height * (size_t)count;
  made->samples = malloc(size);
  if (made->samples == NULL) return false;
  config.options.use_scaling = 1;
  config.options.scaled_width = made->width;
  config.options.scaled_height = made->height;
  config.output.colorspace = made->has_alpha ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = made->samples;
  config.output.u.RGBA.stride = made->width * count;
  config.output.u.RGBA.size = size;
  return WebPDecode(bytes, byte_count, &config) == VP8_STATUS_OK;
}

// Each pixel becomes the mean of those that it covers, weighed by how opaque they are.
static void reduce(const uint8_t *from, int width, int height, pixels *made) {
  for (int y = 0; y < made->height; y++) {
    int top = (int)((int64_t)y * height / made->height), bottom = (int)((int64_t)(y + 1) * height / made->height);
    for (int x = 0; x < made->width; x++) {
      int left = (int)((int64_t)x * width / made->width), right = (int)((int64_t)(x + 1) * width / made->width);
      uint64_t sums[3] = {0, 0, 0}, alpha = 0;
      for (int row = top; row < bottom; row++) {
        const uint8_t *pixel = from + ((size_t)row * (size_t)width + (size_t)left) * 4;
        for (int column = left; column < right; column++, pixel += 4) {
          for (int sample = 0; sample < 3; sample++) sums[sample] += (uint64_t)pixel[sample] * pixel[3];
          alpha += pixel[3];
        }
      }
      uint64_t count = (uint64_t)(bottom - top) * (uint64_t)(right - left);
      uint8_t *to = made->samples + ((size_t)y * (size_t)made->width + (size_t)x) * 4;
      for (int sample = 0; sample < 3; sample++) {
        to[sample] = alpha == 0 ? 0 : (uint8_t)((sums[sample] + alpha / 2) / alpha);
      }
      to[3] = count == 0 ? 0 : (uint8_t)((alpha + count / 2) / count);
    }
  }
}

static bool read_png(const uint8_t *bytes, size_t byte_count, int edge, pixels *made) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, byte_count)) return false;
  if (!is_small(image.width, image.height)) {
    png_image_free(&image);
    return false;
  }
  image.format = PNG_FORMAT_RGBA;
  uint8_t *all = malloc(PNG_IMAGE_SIZE(image));
  if (all == NULL || !png_image_finish_read(&image, NULL, all, 0, NULL)) {
    png_image_free(&image);
    free(all);
    return false;
  }
  made->width = (int)image.width;
  made->height = (int)image.height;
  made->has_alpha = true;
  fit(&made->width, &made->height, edge);
  made->samples = malloc((size_t)made->width * (size_t)made->height * 4);
  if (made->samples != NULL) reduce(all, (int)image.width, (int)image.height, made);
  free(all);
  return made->samples != NULL;
}

static unsigned number(const uint8_t *bytes, int count, bool is_little) {
  unsigned value = 0;
  for (int i = 0; i < count; i++) value = value << 8 | bytes[is_little ? count - 1 - i : i];
  return value;
}

// How Exif says that a picture lies: 1 as it is seen, 3 upside down, 6 and 8 on a side, the others mirrored. `tiff` has
// the structure of Exif.
static int orientation(const uint8_t *tiff, size_t count) {
  if (count < 8) return 1;
  bool is_little = tiff[0] == 'I';
  size_t start = number(tiff + 4, 4, is_little);
  if (start > count - 2 || count < 2) return 1;
  unsigned entries = number(tiff + start, 2, is_little);
  for (unsigned i = 0; i < entries; i++) {
    size_t entry = start + 2 + (size_t)i * 12;
    if (entry > count || count - entry < 12) return 1;
    if (number(tiff + entry, 2, is_little) != 0x0112) continue;
    unsigned value = number(tiff + entry + 8, 2, is_little);
    return value >= 1 && value <= 8 ? (int)value : 1;
  }
  return 1;
}

// The same of a JPEG file.
static int jpeg_orientation(const uint8_t *bytes, size_t byte_count) {
  size_t at = 2;
  while (at + 4 <= byte_count && bytes[at] == 0xFF && bytes[at + 1] != 0xDA) {
    size_t length = number(bytes + at + 2, 2, false);
    if (length < 2 || length > byte_count - at - 2) return 1;
    if (bytes[at + 1] == 0xE1 && length >= 16 && memcmp(bytes + at + 4, "Exif\0", 6) == 0) {
      return orientation(bytes + at + 10, length - 8);
    }
    at += 2 + length;
  }
  return 1;
}

// Turns a picture of three bytes a pixel so that it is seen the right way up.
static bool turn(pixels *made, int orientation) {
  if (orientation < 2) return true;
  int right = made->width - 1, bottom = made->height - 1;
  bool is_on_side = orientation >= 5;
  int width = is_on_side ? made->height : made->width, height = is_on_side ? made->width : made->height;
  uint8_t *turned = malloc((size_t)width * (size_t)height * 3);
  if (turned == NULL) return false;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      int column = x, row = y;
      switch (orientation) {
        case 2: column = right - x; break;
        case 3: column = right - x; row = bottom - y; break;
        case 4: row = bottom - y; break;
        case 5: column = y; row = x; break;
        case 6: column = y; row = bottom - x; break;
        case 7: column = right - y; row = bottom - x; break;
        default: column = right - y; row = x; break;
      }
      memcpy(
        turned + ((size_t)y * (size_t)width + (size_t)x) * 3,
        made->samples + ((size_t)row * (size_t)made->width + (size_t)column) * 3, 3);
    }
  }
  free(made->samples);
  made->samples = turned;
  made->width = width;
  made->height = height;
  return true;
}

static bool read_jpeg(const uint8_t *bytes, size_t byte_count, int edge, pixels *made) {
  stol_jpeg_image image;
  made->samples = malloc((size_t)edge * (size_t)edge * 3);
  if (made->samples == NULL || !stol_jpeg_decode(bytes, byte_count, edge, made->samples, &image)) return false;
  made->width = image.width;
  made->height = image.height;
  made->has_alpha = false;
  return turn(made, jpeg_orientation(bytes, byte_count));
}

// MARK: Writing

size_t stol_picture_reduce(
  const uint8_t *bytes, size_t byte_count, int edge, uint8_t *file, size_t capacity) {
  if (byte_count < 12 || edge < 1 || edge > STOL_PICTURE_LONGEST_EDGE) return 0;
  pixels made = {NULL, 0, 0, false};
  bool is_read = false;
  if (bytes[0] == 0xFF && bytes[1] == 0xD8) {
    is_read = read_jpeg(bytes, byte_count, edge, &made);
  } else if (memcmp(bytes, "RIFF", 4) == 0) {
    is_read = read_webp(bytes, byte_count, edge, &made);
  } else if (bytes[0] == 0x89) {
    is_read = read_png(bytes, byte_count, edge, &made);
  }
  size_t count = 0;
  if (is_read) {
    uint8_t *encoded = NULL;
    count = made.has_alpha
      ? WebPEncodeRGBA(made.samples, made.width, made.height, made.width * 4, QUALITY, &encoded)
      : WebPEncodeRGB(made.samples, made.width, made.height, made.width * 3, QUALITY, &encoded);
    if (count > capacity) count = 0;
    if (count > 0) memcpy(file, encoded, count);
    WebPFree(encoded);
  }
  free(made.samples);
  return count;
}
