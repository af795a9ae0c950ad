/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/span.h"

#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"
#include "text/block.h"

#define SENTENCE_LOOK 200 /* bytes in which a calculation has its "=" */

/* Does a sentence begin at byte `i`, behind a point and a blank: with a capital, behind marks that
 * set it apart or not, or with a number behind a word or a number, "12 apples. 7 remained"? Not
 * with one of a calculation that goes on: "200 tiles. 200 * 12 = 2400". */
static bool begins_sentence(rdv_str s, size_t i)
{
    char mark = rdv_char_at(s, i), c = rdv_char_at(s, i + (mark == '('));
    bool capital = rdv_is_alpha(c) && c != rdv_lower(c);
    bool number = i > 2 && rdv_is_digit(mark) && rdv_is_alnum(s.p[i - 3]) &&
                  rdv_find_char(rdv_slice(s, i, i + SENTENCE_LOOK), '=', 0) == RDV_NOT_FOUND;
    return capital || number || mark == '$' || rdv_starts(rdv_slice(s, i, i + 2), RDV_STR("**"));
}

/* Is the point at byte `i` that of an abbreviation: "approx. $5$"? */
static bool abbreviates(rdv_str s, size_t i)
{
    static phrase_list words = {"@abbreviation;@short-form"};
    size_t begin = i;
    while (begin > 0 && (rdv_is_alpha(s.p[begin - 1]) || s.p[begin - 1] == '.'))
        begin--;
    return phrase_is(rdv_slice(s, begin, i), &words);
}

rdv_str answer_first_sentence(rdv_str span)
{
    static const char *const stops[] = {"\xe3\x80\x82", "\xe0\xa5\xa4"}; /* U+3002, U+0964 */
    for (size_t i = 0; i + 2 < span.len; i++) {
        if (span.p[i] == '.' && rdv_is_space(span.p[i + 1]) && begins_sentence(span, i + 2) &&
            !abbreviates(span, i))
            return rdv_slice(span, 0, i);
        for (size_t k = 0; k < 2 && (span.p[i] & 0x80); k++)
            if (rdv_starts(rdv_slice(span, i, i + 3), rdv_str_of(stops[k])))
                return rdv_slice(span, 0, i);
    }
    return span;
}

bool answer_is_other(rdv_str sentence, size_t open)
{
    static phrase_list hedges = {"@doubting"};
    rdv_str aside = rdv_slice(sentence, open + 2, sentence.len);
    if (phrase_at(aside, rdv_istarts(aside, RDV_STR("or ")) ? 3 : 0, &hedges))
        return true;
    size_t before = open, end = rdv_skip_digits(aside, 3);
    while (before > 0 && rdv_is_digit(sentence.p[before - 1]))
        before--;
    bool whole = before < open && (before == 0 || sentence.p[before - 1] == ' ');
    return whole && rdv_istarts(aside, RDV_STR("or ")) && end > 3 &&
           (end == aside.len || aside.p[end] == ')');
}

rdv_str answer_before_aside(rdv_str sentence)
{
    size_t open = rdv_find(sentence, RDV_STR(" ("), 0);
    bool aside = open != RDV_NOT_FOUND && !answer_is_other(sentence, open);
    return aside ? rdv_slice(sentence, 0, open) : sentence;
}

rdv_str answer_before_reason(rdv_str sentence)
{
    static phrase_list words = {"because;, since;, not;@denies-another"};
    size_t equals = rdv_find_last(sentence, RDV_STR("="));
    size_t end =
        equals == RDV_NOT_FOUND ? rdv_find(sentence, RDV_STR(" of the "), 0) : RDV_NOT_FOUND;
    size_t behind, at = phrase_find(sentence, 0, &words, &behind);
    while (at > 0 && at < sentence.len && strchr(" ,", sentence.p[at - 1]))
        at--;
    end = at < end ? at : end;
    bool digit = false;
    for (size_t i = 0; i < sentence.len && i < end; i++)
        digit = digit || rdv_is_digit(sentence.p[i]);
    return digit ? rdv_slice(sentence, 0, end) : sentence;
}

static bool is_mark(char c)
{
    return rdv_is_space(c) || RDV_IS_IN(c, "*_\"'`$.");
}

rdv_str answer_trim_marks(rdv_str span)
{
    while (span.len && is_mark(span.p[0]) &&
           !(span.p[0] == '.' && span.len > 1 && rdv_is_digit(span.p[1])))
        span = rdv_slice(span, 1, span.len);
    while (span.len && is_mark(span.p[span.len - 1]))
        span = rdv_slice(span, 0, span.len - 1);
    return span;
}

/* The end of the maths that opens at byte `i`, or `i`; what it holds in *inner. */
static size_t maths_end(rdv_blocks *blocks, size_t i, rdv_str *inner)
{
    size_t end = text_block_end(blocks, i), mark = 2;
    if (end == i) {
        end = text_inline_end(blocks->text, i, NULL);
        mark = blocks->text.p[i] == '$' ? 1 : 2;
    }
    char opener = blocks->text.p[i];
    bool named = end > i && opener == '\\' && blocks->text.p[i + 1] == 'b'; /* \begin{X} */
    if (end == i || (opener != '$' && opener != '\\'))
        return i;
    *inner = named ? rdv_slice(blocks->text, i, end)
                   : rdv_trim(rdv_slice(blocks->text, i + mark, end - mark));
    return end;
}

bool answer_may_hold_maths(rdv_str text)
{
    return rdv_find_char(text, '$', 0) != RDV_NOT_FOUND ||
           rdv_find_char(text, '\\', 0) != RDV_NOT_FOUND;
}

bool answer_next_maths(rdv_blocks *blocks, size_t *at, rdv_str *out)
{
    if (*at == 0 && !answer_may_hold_maths(blocks->text))
        return false;
    for (size_t end; *at < blocks->text.len; ++*at)
        if (text_may_open(blocks->text.p[*at]) && (end = maths_end(blocks, *at, out)) > *at) {
            *at = end;
            return true;
        }
    return false;
}

bool answer_maths_of(rdv_str span, rdv_str *out)
{
    rdv_blocks blocks = {.text = span};
    rdv_str inner, first = {0};
    for (size_t at = 0; answer_next_maths(&blocks, &at, &inner);) {
        first = first.p ? first : inner;
        *out = (rdv_str){first.p, (size_t)(inner.p + inner.len - first.p)};
    }
    return first.p && out->len > 0;
}

bool answer_last_maths(rdv_str text, rdv_str *out)
{
    rdv_blocks blocks = {.text = text};
    rdv_str inner;
    bool found = false;
    for (size_t at = 0; answer_next_maths(&blocks, &at, &inner);)
        if (inner.len > 0) {
            *out = inner;
            found = true;
        }
    if (!found)
        return false;
    size_t equals = rdv_find_last(*out, RDV_STR("="));
    bool part = equals != RDV_NOT_FOUND && equals > 0 && strchr("<>!", out->p[equals - 1]);
    if (equals != RDV_NOT_FOUND && !part && equals + 1 < out->len)
        *out = rdv_trim(rdv_slice(*out, equals + 1, out->len));
    *out = answer_trim_marks(*out);
    return out->len > 0;
}

/* How far before a word what denies it may stand. */
#define DENIAL_MAX 200

/* The word of letters and apostrophes, U+2019 too, that ends at or before byte *end of a sentence,
 * which is moved before it. */
static rdv_str word_before(rdv_str s, size_t *end)
{
    size_t i = *end;
    while (i > 0 && s.p[i - 1] && !rdv_is_alpha(s.p[i - 1]) && !RDV_IS_IN(s.p[i - 1], ".:;!?\n"))
        i--;
    size_t stop = i;
    while (i > 0 && (rdv_is_alpha(s.p[i - 1]) || s.p[i - 1] == '\'' || (s.p[i - 1] & 0x80)))
        i--;
    *end = i;
    return rdv_slice(s, i, stop);
}

/* Is a word what "but" takes away from: "anything but B"? */
static bool is_any(rdv_str word)
{
    static phrase_list words = {"@any-of-them"};
    return phrase_is(word, &words);
}

/* May a word stand between "not" and what it denies directly: "isn't the option (B)", "not A or B"?
 */
static bool says_nothing(rdv_str word)
{
    static phrase_list words = {"@beside-a-denial"};
    return word.len == 1 || phrase_is(word, &words);
}

/* direct: only by a word that nothing but words which say nothing part from it. */
static bool is_denied(rdv_str s, size_t begin, bool direct)
{
    static phrase_list others = {"@denies-otherwise"};
    static const char *const behind_no[] = {"es", "son", "longer"};
    static phrase_list turns = {"@turns-a-denial"};
    size_t first = begin > DENIAL_MAX ? begin - DENIAL_MAX : 0;
    bool near = true, listed = true; /* is it the first word; do only letters stand between? */
    s = rdv_slice(s, first, s.len);
    begin -= first;
    for (rdv_str word; (word = word_before(s, &begin)).len > 0; near = false) {
        size_t behind = begin;
        if ((word_denies(word) && !(word_find(word) & WORD_NONE)) || phrase_is(word, &others))
            return true;
        if (near && rdv_str_ieq(word, RDV_STR("than"))) /* "rather than B" */
            return true;
        if (rdv_is_one_of(word, behind_no, 3) &&
            rdv_str_ieq(word_before(s, &behind), RDV_STR("no"))) /* "no es B", "no longer B" */
            return true;
        behind = begin;
        if (listed && rdv_str_ieq(word, RDV_STR("none"))) /* "none of A, B" */
            return true;
        if (rdv_str_ieq(word, RDV_STR("but")) && is_any(word_before(s, &behind)))
            return true;
        if (phrase_is(word, &turns) || (direct && !says_nothing(word)))
            return false;
        listed = listed && (word.len == 1 || rdv_str_ieq(word, RDV_STR("of")) ||
                            rdv_str_ieq(word, RDV_STR("or")) || rdv_str_ieq(word, RDV_STR("and")));
    }
    return false;
}

bool answer_is_denied(rdv_str s, size_t begin)
{
    return is_denied(s, begin, false);
}

bool answer_is_not(rdv_str s, size_t begin)
{
    return is_denied(s, begin, true);
}

bool answer_is_bound(rdv_str s, size_t begin)
{
    static phrase_list words = {"@bounds-a-time"};
    static phrase_list fillers = {"@before-a-time"};
    bool dash = begin > 1 && (s.p[begin - 1] == '-' ||
                              rdv_ends(rdv_slice(s, 0, begin), RDV_STR("\xe2\x80\x93")));
    size_t before = begin > 3 && s.p[begin - 1] != '-' ? begin - 4 : begin - 2;
    if (dash && rdv_is_digit(s.p[before]))
        return true;
    rdv_str word = word_before(s, &begin);
    if (phrase_is(word, &fillers))
        word = word_before(s, &begin);
    if (phrase_is(word, &words))
        return true;
    bool to = rdv_str_ieq(word, RDV_STR("to")) || rdv_str_ieq(word, RDV_STR("or"));
    size_t end = begin, from = begin;
    while (end > 0 && RDV_IS_IN(s.p[end - 1], " ,"))
        end--;
    if (to) /* "5 pm to 6 pm" */
        return end > 0 && (rdv_is_digit(s.p[end - 1]) || rdv_lower(s.p[end - 1]) == 'm');
    while (from > 0 && begin - from < DENIAL_MAX && !strchr(".;!?\n", s.p[from - 1]))
        from--;
    return rdv_str_ieq(word, RDV_STR("and")) &&
           rdv_ifind(rdv_slice(s, from, begin), RDV_STR("between "), 0) != RDV_NOT_FOUND;
}

size_t answer_bound_end(rdv_str s, size_t end)
{
    static phrase_list words = {"@bounds-behind"};
    size_t len = rdv_char_at(s, end) == ' ' ? phrase_at(s, end + 1, &words) : 0;
    return len ? end + 1 + len : end;
}

bool answer_is_shifted(rdv_str s, size_t begin)
{
    static const char *const words[] = {"from", "to", "or"};
    size_t end = begin;
    return answer_is_bound(s, begin) ||
           rdv_is_one_of(word_before(s, &end), words, sizeof words / sizeof *words);
}
