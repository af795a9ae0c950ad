/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A scanner for JSON (RFC 8259), one byte at a time and without recursion. It finds the end of a
 * value and checks that it is well formed. Strings are not decoded, UTF-8 is not checked. */
#include <rederive/data.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef enum rdv_scan_at {
    RDV_AT_VALUE,        /* a value must come */
    RDV_AT_VALUE_OR_END, /* after '[' */
    RDV_AT_KEY,          /* after ',' in an object */
    RDV_AT_KEY_OR_END,   /* after '{' */
    RDV_AT_COLON,
    RDV_AT_AFTER, /* after a value: ',' or the end of what holds it */
    RDV_AT_STRING,
    RDV_AT_ESCAPE, /* after a backslash */
    RDV_AT_HEX,    /* in \uXXXX */
    RDV_AT_MINUS,
    RDV_AT_ZERO,
    RDV_AT_DIGITS,
    RDV_AT_POINT,
    RDV_AT_FRACTION,
    RDV_AT_E,
    RDV_AT_E_SIGN,
    RDV_AT_EXPONENT,
    RDV_AT_WORD, /* in true, false, null; NaN and Infinity */
    RDV_AT_END   /* the value is complete */
} rdv_scan_at;

typedef struct rdv_scan {
    rdv_scan_at at;
    bool nonfinite;   /* NaN, Infinity and -Infinity are taken as values; false unless set */
    bool key;         /* the string is a member's name */
    int hex;          /* digits of \uXXXX still to come */
    const char *word; /* letters still to come */
    size_t depth, max_depth;
    unsigned char object[RDV_MAX_DEPTH / 8]; /* a bit a level: object or list */
    const char *wrong;                       /* why the byte cannot stand here; a static string */
} rdv_scan;

/* Start before a list or object; anything else is wrong. max_depth: at most RDV_MAX_DEPTH. */
void rdv_scan_init(rdv_scan *s, size_t max_depth);
/* Take the next byte. RDV_OK; RDV_NONE: the list or object is complete with this byte; RDV_E_INPUT
 * or RDV_E_LIMIT: it cannot stand here, s->wrong says why. */
int rdv_scan_byte(rdv_scan *s, char c);
/* Is the scan inside a number? It ends with the first byte that does not belong to it. */
bool rdv_scan_in_number(const rdv_scan *s);
/* A bit for each of the sixteen bytes at `p`, the first the lowest: may it not stand for itself in
 * a string? */
#ifdef __SSE2__
static inline uint32_t rdv_not_plain_(const char *p)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control));
}
#else
static inline uint32_t rdv_not_plain_(const char *p)
{
    uint32_t found = 0;
    for (unsigned k = 0; k < 16; k++)
        found |= (uint32_t)(p[k] == '"' || p[k] == '\\' || (unsigned char)p[k] < 0x20) << k;
    return found;
}
#endif

/* The first byte from `i` on that is a quote, a backslash or a control character, or the end: what
 * stands before it stands for itself in a string. */
static inline size_t rdv_scan_plain(rdv_str s, size_t i)
{
    for (; i + 16 <= s.len; i += 16) {
        uint32_t found = rdv_not_plain_(s.p + i);
        if (found)
            return i + (size_t)__builtin_ctz(found);
    }
    while (i < s.len && s.p[i] != '"' && s.p[i] != '\\' && (unsigned char)s.p[i] >= 0x20)
        i++;
    return i;
}
/* The byte after the value (the string) at byte `i`, with at most `depth` lists and objects in each
 * other; RDV_NOT_FOUND: it is not well formed, or nested more deeply. rdv_scan_byte() takes ten
 * times as long, and says what is wrong. NaN and Infinity are not well formed. */
size_t rdv_scan_value(rdv_str s, size_t i, size_t depth);
size_t rdv_scan_escaped(rdv_str s, size_t i); /* the string's, from an escape or its end on */
static inline size_t rdv_scan_text(rdv_str s, size_t i)
{
    size_t end = rdv_scan_plain(s, i + 1);
    return end < s.len && s.p[end] == '"' ? end + 1 : rdv_scan_escaped(s, end);
}
/* The first byte from `i` on that is not white space of JSON, or the end. */
static inline size_t rdv_skip_blanks(rdv_str s, size_t i)
{
    while (i < s.len && s.p[i] <= ' ' &&
           (s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\t' || s.p[i] == '\r'))
        i++;
    return i;
}
