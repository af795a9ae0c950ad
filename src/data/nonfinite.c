/* SPDX-License-Identifier: Apache-2.0 */
#include "data/nonfinite.h"
#include "base/str.h"

/* Length of the word at the beginning of `text`, 0: none. */
static size_t word_length(rdv_str text)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (rdv_starts(text, rdv_str_of(words[i])))
            return strlen(words[i]);
    return 0;
}

static bool holds(rdv_str text, char first, const char *word)
{
    for (size_t i = 0; (i = rdv_find_char(text, first, i)) != RDV_NOT_FOUND; i++)
        if (rdv_starts(rdv_slice(text, i, text.len), rdv_str_of(word)))
            return true;
    return false;
}

/* Most records hold neither letters "NaN" nor "Infinity" and are only searched. */
static bool may_hold(rdv_str text)
{
    return holds(text, 'N', "NaN") || holds(text, 'I', "Infinity");
}

size_t rdv_nonfinite_to_null(rdv_str text, rdv_buf *room, rdv_str *out)
{
    size_t n = 0, kept = 0;
    bool in_string = false;
    *out = text;
    if (!may_hold(text))
        return 0;
    rdv_buf_clear(room);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (c == '"')
            in_string = !in_string;
        else if (in_string)
            i += c == '\\';
        else if (c == 'N' || c == 'I' || c == '-') {
            size_t len = word_length(rdv_slice(text, i, text.len));
            if (!len)
                continue;
            rdv_buf_add(room, rdv_slice(text, kept, i));
            rdv_buf_lit(room, "null");
            kept = i + len;
            i = kept - 1;
            n++;
        }
    }
    if (!n)
        return 0;
    rdv_buf_add(room, rdv_slice(text, kept, text.len));
    *out = rdv_buf_str(room);
    return n;
}
