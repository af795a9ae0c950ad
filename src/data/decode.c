/* SPDX-License-Identifier: Apache-2.0 */
#include "data/decode.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "data/scan.h"
#include "model/json_load.h"

#include <stdlib.h>

/* ---- texts ----------------------------------------------------------------------------------- */

/* The code unit of the four digits behind "\u" at byte `i`. */
static uint32_t unit_at(rdv_str s, size_t i)
{
    uint32_t unit = 0;
    for (size_t k = i + 2; k < i + 6; k++) {
        char c = rdv_lower(rdv_char_at(s, k));
        unit = unit << 4 | (uint32_t)(rdv_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return unit;
}

/* The character of the escape at byte *i, which becomes the byte after it; false: half a
 * character. */
static bool take_escape(rdv_str s, size_t *i, uint32_t *character)
{
    static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char c = rdv_char_at(s, *i + 1);
    for (const char *e = escapes; *e && c != 'u'; e += 2)
        if (*e == c)
            *character = (unsigned char)e[1];
    if (c == 'u')
        *character = unit_at(s, *i);
    *i += c == 'u' ? 6 : 2;
    if (*character < 0xd800 || *character > 0xdfff)
        return true;
    bool pair = *character < 0xdc00 && rdv_char_at(s, *i) == '\\' && rdv_char_at(s, *i + 1) == 'u';
    uint32_t low = pair ? unit_at(s, *i) : 0;
    *character = 0x10000 + ((*character - 0xd800) << 10) + (low - 0xdc00);
    *i += 6;
    return low >= 0xdc00 && low <= 0xdfff;
}

static size_t put_utf8(uint32_t c, char *out)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t k = n; k-- > 1; c >>= 6)
        out[k] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(first[n] | c);
    return n;
}

/* What `s`, of which `out` has the length, stands for; false: half a character. */
static bool unescape(rdv_str s, char *out, size_t *len)
{
    *len = 0;
    for (size_t i = 0; i < s.len;) {
        size_t plain = rdv_scan_plain(s, i);
        memcpy(out + *len, s.p + i, plain - i);
        *len += plain - i;
        i = plain;
        uint32_t character = 0;
        if (i < s.len && (s.p[i] != '\\' || !take_escape(s, &i, &character)))
            return false;
        if (i > plain)
            *len += put_utf8(character, out + *len);
    }
    return true;
}

/* As rdv_decode(), of a text in quotes; RDV_NONE: it is not valid Unicode. */
static int decode_text(rdv_str quoted, json_t **out)
{
    rdv_str s = rdv_slice(quoted, 1, quoted.len - 1);
    if (rdv_utf8_valid(s) < s.len)
        return RDV_NONE;
    if (rdv_find_char(s, '\\', 0) == RDV_NOT_FOUND) {
        *out = json_stringn_nocheck(s.p, s.len);
        return *out ? RDV_OK : RDV_E_NOMEM;
    }
    char *text = malloc(s.len); /* no escape is shorter than what it stands for */
    if (!text)
        return RDV_E_NOMEM;
    size_t len;
    bool valid = unescape(s, text, &len);
    *out = valid ? json_stringn_nocheck(text, len) : NULL;
    free(text);
    return !valid ? RDV_NONE : *out ? RDV_OK : RDV_E_NOMEM;
}

/* The byte after the text that begins with the quote at byte `i`. */
static size_t text_end(rdv_str s, size_t i)
{
    for (i = rdv_scan_plain(s, i + 1); rdv_char_at(s, i) == '\\';)
        i = rdv_scan_plain(s, i + 2);
    return i + 1;
}

/* As rdv_decode(), of a list; RDV_NONE: it holds something else than texts. */
static int decode_texts(rdv_str list, json_t **out)
{
    json_t *texts = json_array();
    int rc = texts ? RDV_OK : RDV_E_NOMEM;
    for (size_t i = 1; rc == RDV_OK;) {
        i = rdv_skip_any(list, i, " \t\r\n,");
        if (rdv_char_at(list, i) == ']')
            break;
        if (rdv_char_at(list, i) != '"') {
            rc = RDV_NONE;
            break;
        }
        size_t end = text_end(list, i);
        json_t *text;
        rc = decode_text(rdv_slice(list, i, end), &text);
        if (rc == RDV_OK && json_array_append_new(texts, text) != 0)
            rc = RDV_E_NOMEM;
        i = end;
    }
    if (rc != RDV_OK)
        json_decref(texts);
    else
        *out = texts;
    return rc;
}

/* ---- everything else ------------------------------------------------------------------------- */

/* jansson's reason, which may end in an excerpt of the text: only what stands before it. */
static int reason_len(const json_error_t *why)
{
    const char *near = strstr(why->text, " near ");
    return near ? (int)(near - why->text) : (int)strlen(why->text);
}

/* When it runs out of memory, jansson usually reports an error of grammar (or nothing), although
 * the grammar is known to be valid. A lone surrogate is the only real fault that it reports in the
 * same way. */
static bool is_out_of_memory(const json_error_t *why)
{
    enum json_error_code code = json_error_code(why);
    bool grammar = code == json_error_invalid_syntax || code == json_error_unknown;
    return code == json_error_out_of_memory ||
           (grammar && !rdv_starts(rdv_str_of(why->text), RDV_STR("invalid Unicode")));
}

int rdv_decode(rdv_str text, json_t **out, rdv_error *err)
{
    static const size_t flags =
        JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
    bool is_text = text.len > 1 && text.p[0] == '"', is_list = text.len > 1 && text.p[0] == '[';
    int rc = is_text ? decode_text(text, out) : is_list ? decode_texts(text, out) : RDV_NONE;
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (rc != RDV_NONE)
        return rc;
    json_error_t why = {0}; /* jansson does not always fill it in */
    bool no_memory;
    *out = json_load(text, flags, &why, &no_memory);
    if (*out)
        return RDV_OK;
    if (no_memory || is_out_of_memory(&why))
        return rdv_no_memory(err);
    return rdv_fail(err, RDV_E_INPUT, "%.*s", reason_len(&why), why.text);
}
