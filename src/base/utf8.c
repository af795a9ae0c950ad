/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <string.h>

size_t rdv_utf8_len(rdv_str s, size_t i)
{
    const unsigned char *p = (const unsigned char *)s.p + i;
    size_t left = s.len - i, n;
    unsigned char lo = 0x80, hi = 0xbf; /* range of the second byte */
    if (p[0] < 0x80)
        return 1;
    if (p[0] >= 0xc2 && p[0] <= 0xdf) {
        n = 2;
    } else if (p[0] >= 0xe0 && p[0] <= 0xef) {
        n = 3;
        if (p[0] == 0xe0)
            lo = 0xa0;
        if (p[0] == 0xed)
            hi = 0x9f;
    } else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        n = 4;
        if (p[0] == 0xf0)
            lo = 0x90;
        if (p[0] == 0xf4)
            hi = 0x8f;
    } else {
        return 0;
    }
    if (left < n || p[1] < lo || p[1] > hi)
        return 0;
    for (size_t k = 2; k < n; k++)
        if ((p[k] & 0xc0) != 0x80)
            return 0;
    return n;
}

uint32_t rdv_utf8_at(rdv_str s, size_t i, size_t *len)
{
    size_t n = rdv_utf8_len(s, i);
    const unsigned char *p = (const unsigned char *)s.p + i;
    *len = n ? n : 1;
    switch (n) {
    case 1:
        return p[0];
    case 2:
        return (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3f);
    case 3:
        return (uint32_t)(p[0] & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
    case 4:
        return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 |
               (uint32_t)(p[2] & 0x3f) << 6 | (p[3] & 0x3f);
    default:
        return 0xfffd;
    }
}

/* The first byte from `i` on that may be no ASCII, or the end. */
static size_t skip_ascii(rdv_str s, size_t i)
{
    uint64_t eight;
    for (; i + sizeof eight <= s.len; i += sizeof eight) {
        memcpy(&eight, s.p + i, sizeof eight);
        if (eight & 0x8080808080808080)
            break;
    }
    return i;
}

size_t rdv_utf8_valid(rdv_str s)
{
    size_t i = 0;
    while ((i = skip_ascii(s, i)) < s.len) {
        size_t n = (unsigned char)s.p[i] < 0x80 ? 1 : rdv_utf8_len(s, i);
        if (n == 0)
            break;
        i += n;
    }
    return i;
}

size_t rdv_utf8_put(uint32_t c, char out[4])
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t k = n; k-- > 1; c >>= 6)
        out[k] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(first[n] | c);
    return n;
}

size_t rdv_utf8_count(rdv_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return n;
}

char rdv_superscript_at(rdv_str s, size_t i, size_t *len)
{
    uint32_t c = i < s.len && (unsigned char)s.p[i] >= 0xc2 ? rdv_utf8_at(s, i, len) : 0;
    if (c == 0xb9 || c == 0xb2 || c == 0xb3)
        return c == 0xb9 ? '1' : c == 0xb2 ? '2' : '3';
    if (c == 0x207a || c == 0x207b)
        return c == 0x207a ? '+' : '-';
    return c == 0x2070 || (c >= 0x2074 && c <= 0x2079) ? (char)('0' + (c & 15)) : '\0';
}
