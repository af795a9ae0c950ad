/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"
#include "base/arena.h"

rdv_str rdv_str_head(rdv_str s, size_t max)
{
    if (s.len <= max)
        return s;
    size_t end = max;
    while (end > 0 && ((unsigned char)s.p[end] & 0xc0) == 0x80 && max - end < 3)
        end--;
    return rdv_slice(s, 0, end);
}

bool rdv_same_letters(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_lower(a[i]) != rdv_lower(b[i]))
            return false;
    return true;
}

int rdv_str_cmp(rdv_str a, rdv_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

int rdv_str_order(const void *a, const void *b)
{
    return rdv_str_cmp(*(const rdv_str *)a, *(const rdv_str *)b);
}

/* Above so many bytes memmem, which is linear, is worth its start. */
#define SHORT_TEXT 256

size_t rdv_find(rdv_str s, rdv_str needle, size_t from)
{
    if (from > s.len)
        return RDV_NOT_FOUND;
    if (needle.len == 0)
        return from;
    if (needle.len > s.len - from)
        return RDV_NOT_FOUND;
    if (s.len - from > SHORT_TEXT) {
        const char *at = memmem(s.p + from, s.len - from, needle.p, needle.len);
        return at ? (size_t)(at - s.p) : RDV_NOT_FOUND;
    }
    rdv_str starts = rdv_slice(s, 0, s.len - needle.len + 1);
    for (size_t i = from; (i = rdv_find_char(starts, needle.p[0], i)) != RDV_NOT_FOUND; i++)
        if (s.p[i + needle.len - 1] == needle.p[needle.len - 1] &&
            memcmp(s.p + i, needle.p, needle.len) == 0)
            return i;
    return RDV_NOT_FOUND;
}

size_t rdv_find_by(rdv_str s, rdv_str needle, size_t rare)
{
    for (size_t i = rare; (i = rdv_find_char(s, needle.p[rare], i)) != RDV_NOT_FOUND; i++) {
        size_t from = i - rare;
        if (s.len - from >= needle.len && memcmp(s.p + from, needle.p, needle.len) == 0)
            return from;
    }
    return RDV_NOT_FOUND;
}

/* The place of `c` from byte `from` on, or `none`. */
static size_t next_place(rdv_str s, char c, size_t from, size_t none)
{
    const char *at = from < none ? memchr(s.p + from, c, none - from) : NULL;
    return at ? (size_t)(at - s.p) : none;
}

size_t rdv_ifind(rdv_str s, rdv_str needle, size_t from)
{
    if (from > s.len || needle.len > s.len - from)
        return RDV_NOT_FOUND;
    if (!needle.len)
        return from;
    char lower = rdv_lower(needle.p[0]);
    char upper = lower >= 'a' && lower <= 'z' ? (char)(lower - 'a' + 'A') : lower;
    size_t end = s.len - needle.len + 1, i = next_place(s, lower, from, end);
    size_t other = upper == lower ? end : next_place(s, upper, from, end);
    while (i < end || other < end) {
        size_t *first = i < other ? &i : &other;
        if (rdv_same_letters(s.p + *first, needle.p, needle.len))
            return *first;
        *first = next_place(s, first == &i ? lower : upper, *first + 1, end);
    }
    return RDV_NOT_FOUND;
}

size_t rdv_find_last(rdv_str s, rdv_str needle)
{
    if (needle.len > s.len || !s.p)
        return RDV_NOT_FOUND;
    if (needle.len == 0)
        return s.len;
    size_t end = s.len - needle.len + 1;
    for (const char *at; (at = memrchr(s.p, needle.p[0], end)); end = (size_t)(at - s.p))
        if (at[needle.len - 1] == needle.p[needle.len - 1] && memcmp(at, needle.p, needle.len) == 0)
            return (size_t)(at - s.p);
    return RDV_NOT_FOUND;
}

size_t rdv_write_whole(char *to, uint64_t n)
{
    char digits[RDV_WHOLE_MOST];
    size_t begin = sizeof digits;
    do
        digits[--begin] = (char)('0' + n % 10);
    while (n /= 10);
    memcpy(to, digits + begin, sizeof digits - begin);
    return sizeof digits - begin;
}

bool rdv_has_letter(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_alpha(s.p[i]))
            return true;
    return false;
}

bool rdv_has_letter_or_beyond(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_alpha(s.p[i]) || (s.p[i] & 0x80))
            return true;
    return false;
}

bool rdv_has_digit(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_digit(s.p[i]))
            return true;
    return false;
}

rdv_str rdv_stem(rdv_str path)
{
    size_t slash = rdv_find_last(path, RDV_STR("/"));
    rdv_str name = slash == RDV_NOT_FOUND ? path : rdv_slice(path, slash + 1, path.len);
    return rdv_slice(name, 0, rdv_find_char(name, '.', 1));
}

rdv_str rdv_trim_end(rdv_str s)
{
    while (s.len && rdv_is_space(s.p[s.len - 1]))
        s.len--;
    return s;
}

/* Lists of words are long, and most differ in their first byte. */
int rdv_named(rdv_str name, const char *const *names, size_t n)
{
    char first = name.len ? *name.p : '\0';
    for (size_t i = 0; i < n; i++)
        if (*names[i] == first && rdv_str_eq(name, rdv_str_of(names[i])))
            return (int)i;
    return -1;
}

/* Is it `name`, but for the case of letters? */
static bool is_word(rdv_str word, const char *name)
{
    for (size_t i = 0; i < word.len; i++)
        if (!name[i] || rdv_lower(word.p[i]) != rdv_lower(name[i]))
            return false;
    return !name[word.len];
}

int rdv_inamed(rdv_str word, const char *const *names, size_t n)
{
    char first = word.len ? *word.p : '\0';
    for (size_t i = 0; i < n; i++) /* the cases of a letter differ in one bit */
        if (((*names[i] ^ first) & ~0x20) == 0 && is_word(word, names[i]))
            return (int)i;
    return -1;
}

bool rdv_is_one_of(rdv_str word, const char *const *words, size_t n)
{
    return word.len && rdv_inamed(word, words, n) >= 0;
}

bool rdv_holds_any(rdv_str s, const char *const *parts, size_t n)
{
    size_t k = 0;
    while (k < n && rdv_ifind(s, rdv_str_of(parts[k]), 0) == RDV_NOT_FOUND)
        k++;
    return k < n;
}

rdv_str rdv_trim(rdv_str s)
{
    while (s.len && rdv_is_space(*s.p)) {
        s.p++;
        s.len--;
    }
    return rdv_trim_end(s);
}

bool rdv_next_line(rdv_str *rest, rdv_str *line)
{
    if (!rest->p)
        return false;
    const char *end = rest->len ? memchr(rest->p, '\n', rest->len) : NULL;
    *line = (rdv_str){rest->p, end ? (size_t)(end - rest->p) : rest->len};
    size_t left = end ? rest->len - line->len - 1 : 0;
    *rest = (rdv_str){left ? end + 1 : NULL, left};
    if (line->len && line->p[line->len - 1] == '\r')
        line->len--;
    return true;
}

rdv_str rdv_str_copy(rdv_arena *arena, rdv_str s)
{
    char *p = rdv_cstring(arena, s);
    return (rdv_str){p, p ? s.len : 0};
}

char *rdv_cstring(rdv_arena *arena, rdv_str s)
{
    if (s.len == SIZE_MAX)
        return NULL;
    char *p = rdv_alloc(arena, s.len + 1);
    if (!p)
        return NULL;
    if (s.len) {
        memcpy(p, s.p, s.len);
        rdv_arena_copied(arena, p, s.len, s.p, s.len);
    }
    p[s.len] = '\0';
    return p;
}

int rdv_read_quoted(rdv_str s, size_t *at, rdv_arena *arena, rdv_str *out)
{
    char *text = rdv_alloc(arena, s.len);
    size_t n = 0, i = *at;
    if (!text)
        return RDV_E_NOMEM;
    if (i >= s.len || s.p[i++] != '"')
        return RDV_NONE;
    for (; i < s.len && s.p[i] != '"'; i++) {
        char c = s.p[i];
        if (c == '\\') {
            c = ++i < s.len ? s.p[i] : '-';
            if (c != 'n' && c != '"' && c != '\\')
                return RDV_NONE;
            c = c == 'n' ? '\n' : c;
        }
        text[n++] = c;
    }
    if (i >= s.len || n == 0)
        return RDV_NONE;
    *at = i + 1;
    *out = (rdv_str){text, n};
    return RDV_OK;
}
