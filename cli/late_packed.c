/* SPDX-License-Identifier: Apache-2.0 */
/* zlib and zstd, opened for the first packed file and the first HTML report. */
#include "late.h"

#include <zlib.h>
#include <zstd.h>

static const late_library zlib = {.files = (const char *const[]){"libz.so.1", NULL},
                                  .needed_for = "packed files"};
static const late_library zstd = {.files = LATE_FILES("zstd", "libzstd.so.1"),
                                  .needed_for = "packed files"};

LATE_FUNCTION(zlib, uLong, crc32, (uLong crc, const Bytef *p, uInt n), (crc, p, n))
LATE_FUNCTION(zlib, int, inflateInit2_, (z_stream * z, int bits, const char *version, int size),
              (z, bits, version, size))
LATE_FUNCTION(zlib, int, inflate, (z_stream * z, int flush), (z, flush))
LATE_FUNCTION(zlib, int, inflateEnd, (z_stream * z), (z))
LATE_FUNCTION(zlib, int, deflateInit2_,
              (z_stream * z, int level, int method, int bits, int memory, int strategy,
               const char *version, int size),
              (z, level, method, bits, memory, strategy, version, size))
LATE_FUNCTION(zlib, uLong, deflateBound, (z_stream * z, uLong n), (z, n))
LATE_FUNCTION(zlib, int, deflate, (z_stream * z, int flush), (z, flush))
LATE_FUNCTION(zlib, int, deflateEnd, (z_stream * z), (z))

LATE_FUNCTION(zstd, ZSTD_DStream *, ZSTD_createDStream, (void), ())
LATE_FUNCTION(zstd, size_t, ZSTD_freeDStream, (ZSTD_DStream * z), (z))
LATE_FUNCTION(zstd, size_t, ZSTD_DCtx_setParameter,
              (ZSTD_DCtx * z, ZSTD_dParameter parameter, int value), (z, parameter, value))
LATE_FUNCTION(zstd, size_t, ZSTD_decompressStream,
              (ZSTD_DStream * z, ZSTD_outBuffer *out, ZSTD_inBuffer *in), (z, out, in))
LATE_FUNCTION(zstd, unsigned, ZSTD_isError, (size_t code), (code))
