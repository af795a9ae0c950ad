/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Functions on rdv_str. Those that return a slice borrow from their argument. Case is ASCII's. */
#include <rederive/base.h>
#include <string.h>

#define RDV_NOT_FOUND ((size_t)-1)

static inline rdv_str rdv_str_of(const char *cstring)
{
    return (rdv_str){cstring, cstring ? strlen(cstring) : 0};
}

static inline bool rdv_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool rdv_is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool rdv_is_alnum(char c)
{
    return rdv_is_alpha(c) || rdv_is_digit(c);
}
static inline bool rdv_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline char rdv_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* The byte at `i`; '\0' behind the end. */
static inline char rdv_char_at(rdv_str s, size_t i)
{
    return i < s.len ? s.p[i] : '\0';
}
/* The first byte from `i` on that is no digit, or the end. */
static inline size_t rdv_skip_digits(rdv_str s, size_t i)
{
    while (i < s.len && rdv_is_digit(s.p[i]))
        i++;
    return i;
}

/* Is the byte one of the characters of a literal, at most 16 and all ASCII? NUL is none. What would
 * be a call of strchr() is a test of one bit. */
#define RDV_IS_IN(c, set) rdv_has_bit(RDV_BITS("" set, 0), RDV_BITS("" set, 1), c)
/* The first byte from `i` on that is none of the characters of such a literal. */
#define rdv_skip_any(s, i, set) rdv_skip_bits(s, i, RDV_BITS("" set, 0), RDV_BITS("" set, 1))
/* The bits of its characters from 64 * `half` on. */
#define RDV_BITS(set, half)                                                                        \
    (RDV_BITS_4(set, half, 0) | RDV_BITS_4(set, half, 4) | RDV_BITS_4(set, half, 8) |              \
     RDV_BITS_4(set, half, 12) | 0 * sizeof(char[sizeof(set) <= 17 ? 1 : -1]))
#define RDV_BITS_4(set, half, k)                                                                   \
    (RDV_BIT(set, half, k) | RDV_BIT(set, half, k + 1) | RDV_BIT(set, half, k + 2) |               \
     RDV_BIT(set, half, k + 3))
#define RDV_BIT(set, half, k)                                                                      \
    (k < sizeof(set) - 1 && (set)[k < sizeof(set) ? k : 0] >> 6 == half                            \
         ? UINT64_C(1) << ((set)[k < sizeof(set) ? k : 0] & 63)                                    \
         : 0)
static inline bool rdv_has_bit(uint64_t low, uint64_t high, char c)
{
    return c >= 0 && ((c < 64 ? low : high) >> (c & 63) & 1);
}
static inline size_t rdv_skip_bits(rdv_str s, size_t i, uint64_t low, uint64_t high)
{
    while (i < s.len && rdv_has_bit(low, high, s.p[i]))
        i++;
    return i;
}

/* Texts are passed eight bytes at a time, as they lie in memory: the first byte is the lowest. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "else the first byte is the highest");
#define RDV_EACH_BYTE UINT64_C(0x0101010101010101)
#define RDV_HIGH_BITS (0x80 * RDV_EACH_BYTE)
static inline uint64_t rdv_load_8(const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}
/* The highest bit of each byte from `first` to `last`, two ASCII characters. */
static inline uint64_t rdv_bytes_in(uint64_t bytes, char first, char last)
{
    uint64_t ascii = bytes & ~RDV_HIGH_BITS;
    uint64_t from = ascii + (uint64_t)(0x80 - first) * RDV_EACH_BYTE;
    uint64_t behind = ascii + (uint64_t)(0x7f - last) * RDV_EACH_BYTE;
    return from & ~behind & ~bytes & RDV_HIGH_BITS;
}
static inline size_t rdv_first_byte(uint64_t high_bits)
{
    return (size_t)__builtin_ctzll(high_bits) / 8;
}

/* The first byte from `i` on that is no ASCII letter. */
static inline size_t rdv_skip_letters(rdv_str s, size_t i)
{
    for (; i < s.len && s.len - i >= 8; i += 8) {
        uint64_t lower = rdv_load_8(s.p + i) | 0x20 * RDV_EACH_BYTE;
        uint64_t others = rdv_bytes_in(lower, 'a', 'z') ^ RDV_HIGH_BITS;
        if (others)
            return i + rdv_first_byte(others);
    }
    while (i < s.len && rdv_is_alpha(s.p[i]))
        i++;
    return i;
}

/* The first digit from byte `i` on, or the end. */
static inline size_t rdv_find_digit(rdv_str s, size_t i)
{
    for (; i < s.len && s.len - i >= 8; i += 8) {
        uint64_t digits = rdv_bytes_in(rdv_load_8(s.p + i), '0', '9');
        if (digits)
            return i + rdv_first_byte(digits);
    }
    while (i < s.len && !rdv_is_digit(s.p[i]))
        i++;
    return i;
}

/* The bytes from `begin` up to, not including, `end`, both clipped to the string. */
static inline rdv_str rdv_slice(rdv_str s, size_t begin, size_t end)
{
    if (end > s.len)
        end = s.len;
    if (begin > end)
        begin = end;
    return (rdv_str){s.p ? s.p + begin : NULL, end - begin};
}
/* Do the bytes of `part` lie in `whole`, in memory? An absent text, NULL, lies in none. */
static inline bool rdv_lies_in(rdv_str part, rdv_str whole)
{
    return part.p && whole.p && part.p >= whole.p && part.p + part.len <= whole.p + whole.len;
}
/* The first `max` bytes of a text, or up to three fewer: cut between characters. */
rdv_str rdv_str_head(rdv_str s, size_t max);
static inline bool rdv_str_eq(rdv_str a, rdv_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}
/* Are the `n` bytes the same but for the case of letters? */
bool rdv_same_letters(const char *a, const char *b, size_t n);
/* Most words differ in their length or first letter, which is found out without a call. */
static inline bool rdv_str_ieq(rdv_str a, rdv_str b)
{
    return a.len == b.len && (a.len == 0 || (rdv_lower(a.p[0]) == rdv_lower(b.p[0]) &&
                                             rdv_same_letters(a.p, b.p, a.len)));
}
int rdv_str_cmp(rdv_str a, rdv_str b);
int rdv_str_order(const void *a, const void *b); /* the same of two rdv_str, for qsort */
/* These three, too, find out most by one byte. */
static inline bool rdv_starts(rdv_str s, rdv_str prefix)
{
    return s.len >= prefix.len &&
           (prefix.len == 0 || (s.p[0] == prefix.p[0] && memcmp(s.p, prefix.p, prefix.len) == 0));
}
static inline bool rdv_istarts(rdv_str s, rdv_str prefix)
{
    return s.len >= prefix.len &&
           (prefix.len == 0 || (rdv_lower(s.p[0]) == rdv_lower(prefix.p[0]) &&
                                rdv_same_letters(s.p, prefix.p, prefix.len)));
}
static inline bool rdv_ends(rdv_str s, rdv_str suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 || (s.p[s.len - 1] == suffix.p[suffix.len - 1] &&
                                memcmp(s.p + s.len - suffix.len, suffix.p, suffix.len) == 0));
}
/* Byte offset of the first (last) `needle` at or after `from` (anywhere), or RDV_NOT_FOUND. */
size_t rdv_find(rdv_str s, rdv_str needle, size_t from);
/* The first place of the needle. Its byte number `rare`, which should seldom stand in `s`, is
 * looked for, at a fraction of the cost. */
size_t rdv_find_by(rdv_str s, rdv_str needle, size_t rare);
size_t rdv_ifind(rdv_str s, rdv_str needle, size_t from);
size_t rdv_find_last(rdv_str s, rdv_str needle);
static inline size_t rdv_find_char(rdv_str s, char c, size_t from)
{
    const char *at = from < s.len ? (const char *)memchr(s.p + from, c, s.len - from) : NULL;
    return at ? (size_t)(at - s.p) : RDV_NOT_FOUND;
}
/* Is it a whole number of at most 18 digits, and no zero before them? */
static inline bool rdv_is_whole(rdv_str s)
{
    return s.len > 0 && s.len < 19 && rdv_skip_digits(s, 0) == s.len &&
           (s.p[0] != '0' || s.len == 1);
}
#define RDV_WHOLE_MOST 20 /* digits of a whole number */
/* Write the digits of `n`, at most RDV_WHOLE_MOST, and no terminator; how many. printf() takes ten
 * times as long. */
size_t rdv_write_whole(char *to, uint64_t n);
/* Does an ASCII letter stand in it? */
bool rdv_has_letter(rdv_str s);
/* An ASCII letter, or a byte of a character beyond ASCII? */
bool rdv_has_letter_or_beyond(rdv_str s);
/* Is there a digit? */
bool rdv_has_digit(rdv_str s);
static inline bool rdv_is_ascii(rdv_str s)
{
    size_t i = 0;
    while (i < s.len && (unsigned char)s.p[i] < 0x80)
        i++;
    return i == s.len;
}
/* The file name of a path, without folders and endings: "b" of "a/b.jsonl.gz". */
rdv_str rdv_stem(rdv_str path);
/* Which of the `n` names it is; -1: none. */
int rdv_named(rdv_str name, const char *const *names, size_t n);
/* The same in upper or lower case. */
int rdv_inamed(rdv_str name, const char *const *names, size_t n);
/* Is it one of the `n` words, in upper or lower case? */
bool rdv_is_one_of(rdv_str word, const char *const *words, size_t n);
/* Without white space (space, tab to carriage return) at both ends. */
/* Does one of `n` texts stand in it, in any case of letters? */
bool rdv_holds_any(rdv_str s, const char *const *parts, size_t n);
rdv_str rdv_trim(rdv_str s);
rdv_str rdv_trim_end(rdv_str s);
/* Cut the next line off *rest, without its "\n" or "\r\n". False when *rest was exhausted; an empty
 * string has one line, a text that ends in a newline has no further empty one. */
bool rdv_next_line(rdv_str *rest, rdv_str *line);

/* A copy in the arena, NUL-terminated after its bytes; p == NULL when out of memory. The copy of an
 * absent string is empty. */
rdv_str rdv_str_copy(rdv_arena *arena, rdv_str s);
/* The same as a C string, cut at the first NUL byte; NULL when out of memory. */
char *rdv_cstring(rdv_arena *arena, rdv_str s);
/* Formatted text in the arena; p == NULL when out of memory. */
rdv_str rdv_str_printf(rdv_arena *arena, const char *fmt, ...) RDV_PRINTF(2, 3);

/* The text in double quotes at byte *at, which is moved behind it, into *out; \n, \" and \\ stand
 * for a newline, a quote and a backslash. RDV_NONE: there is none, or it is empty; RDV_E_NOMEM. */
int rdv_read_quoted(rdv_str s, size_t *at, rdv_arena *arena, rdv_str *out);
