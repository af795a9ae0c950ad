/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/question_options.h"

#include "answer/span.h"
#include "base/str.h"

/* The forms that a letter of an option has. */
typedef enum mark { BRACKETS, ONE_BRACKET, POINT, COLON, N_MARKS } mark;

/* Is the letter at byte `at` that of an option, whose mark begins at byte `i`: "(A)", "A)", "A.",
 * "A:"? */
static bool is_mark(rdv_str s, size_t i, size_t at, mark form)
{
    static const char closers[] = {')', ')', '.', ':'};
    char before = i > 0 ? s.p[i - 1] : '\n';
    bool opened = form == BRACKETS ? s.p[i] == '(' : before != '(';
    return opened && !rdv_is_alnum(before) && rdv_char_at(s, at + 1) == closers[form];
}

/* The first mark of option `k` from byte `i` on, with its end. */
static bool next_mark(rdv_str s, size_t i, size_t k, mark form, size_t *begin, size_t *end)
{
    size_t opener = form == BRACKETS, at = i + opener;
    while ((at = rdv_find_char(s, (char)('A' + k), at)) != RDV_NOT_FOUND &&
           !is_mark(s, at - opener, at, form))
        at++;
    *begin = at - opener;
    *end = at + 2;
    return at != RDV_NOT_FOUND;
}

static rdv_str option_text(rdv_str s)
{
    rdv_str bare = answer_trim_marks(s);
    while (bare.len && strchr(",;", bare.p[bare.len - 1]))
        bare = rdv_trim_end(rdv_slice(bare, 0, bare.len - 1));
    return bare;
}

static size_t options_of(rdv_str s, mark form, rdv_str *options, size_t most)
{
    size_t begin, end, next_begin, next_end, n = 0;
    if (!next_mark(s, 0, 0, form, &begin, &end))
        return 0;
    while (n < most) {
        bool more = next_mark(s, end, n + 1, form, &next_begin, &next_end);
        options[n] = option_text(rdv_slice(s, end, more ? next_begin : s.len));
        if (options[n++].len == 0)
            return 0;
        if (!more)
            break;
        begin = next_begin;
        end = next_end;
    }
    return n > 1 ? n : 0;
}

size_t question_options(rdv_str question, rdv_str *options, size_t most)
{
    size_t n = 0;
    for (mark form = BRACKETS; form < N_MARKS && n == 0; form++)
        n = options_of(question, form, options, most);
    return n;
}
