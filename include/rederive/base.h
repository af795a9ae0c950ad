/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/base.h - strings, errors and arenas, which every other header uses.
 *
 * Thread rule for the whole library: there is no hidden global state; an object (an arena and what
 * was made in it) is used by one thread at a time, different objects by different threads freely.
 * The library never prints, exits, or aborts on input.
 *
 * Parameters come in one order: the object that is acted on, what is given, options, the arena,
 * results, the rdv_error. Options begin with `size`, the size of their struct in the header that
 * the program was compiled with, so that a library with more options serves older programs: set it,
 * or call the _default() function where there is one. NULL for options is all defaults, where a
 * function says so. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RDV_API __attribute__((visibility("default")))
#define RDV_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define RDV_API
#define RDV_PRINTF(fmt, args)
#endif

/* A piece of text: `len` bytes at `p`, not terminated, usually UTF-8, possibly holding NUL bytes.
 * p == NULL means "absent" (which differs from empty: p != NULL, len == 0). It never owns. */
typedef struct rdv_str {
    const char *p;
    size_t len; /* bytes */
} rdv_str;

/* An rdv_str of a string literal, and the arguments of printf's "%.*s" (at most 2^31-1 bytes). */
#ifdef __cplusplus
#define RDV_STR(literal) (rdv_str{("" literal), sizeof(literal) - 1})
#else
#define RDV_STR(literal) ((rdv_str){("" literal), sizeof(literal) - 1})
#endif
#define RDV_FMT(s) ((int)((s).len > 0x7fffffff ? 0x7fffffff : (s).len)), ((s).p ? (s).p : "")

/* Return values of functions. 0 is success. Positive: a documented outcome of that one function,
 * for its caller to handle. Negative: a fault, forwarded unchanged, described in the rdv_error. */
enum {
    RDV_OK = 0,
    RDV_NONE = 1,        /* there is nothing (no answer in the text, end of the input) */
    RDV_E_NOMEM = -1,    /* out of memory, or an arena's limit reached */
    RDV_E_INPUT = -2,    /* the input is invalid; the message says where and why */
    RDV_E_LIMIT = -3,    /* the input is larger than a stated limit */
    RDV_E_IO = -4,       /* reading or writing failed */
    RDV_E_ARGUMENT = -5, /* the caller passed something unusable */
    RDV_E_INTERNAL = -6, /* a defect of the library */
    RDV_E_FORMAT = -7    /* the file as a whole is of no kind that is read; the message says what */
};

#define RDV_ERROR_MAX 512

/* Caller-owned description of a fault; every function that takes one accepts NULL. Zero-initialise.
 * `msg` is one line, without a final full stop or newline, NUL-terminated. */
typedef struct rdv_error {
    int code;
    char msg[RDV_ERROR_MAX];
} rdv_error;

/* Set `err` and return `code`, for `return rdv_fail(err, RDV_E_INPUT, "...")`. */
RDV_API int rdv_fail(rdv_error *err, int code, const char *fmt, ...) RDV_PRINTF(3, 4);
/* Put "context: " before the message already in `err` and return `code` unchanged. */
RDV_API int rdv_wrap(rdv_error *err, int code, const char *fmt, ...) RDV_PRINTF(3, 4);

/* An arena: memory that is allocated piece by piece and released all at once. Results of the
 * library live in the arena they were made in, until rdv_arena_reset() or rdv_arena_free(). */
typedef struct rdv_arena rdv_arena;

/* A new arena that refuses (RDV_E_NOMEM) to hold more than `max_bytes` (0 = no limit).
 * Owned by the caller, released with rdv_arena_free(). NULL when out of memory. */
RDV_API rdv_arena *rdv_arena_new(size_t max_bytes);
/* Release everything in the arena, keeping one block for what comes next. NULL is accepted. */
RDV_API void rdv_arena_reset(rdv_arena *arena);
/* Release the arena and everything in it, and set *arena to NULL. NULL and *NULL are accepted. */
RDV_API void rdv_arena_free(rdv_arena **arena);

#ifdef __cplusplus
}
#endif
