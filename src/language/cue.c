/* SPDX-License-Identifier: Apache-2.0 */
#include "language/cue.h"

#include "base/str.h"
#include "base/utf8.h"

#include <string.h>

#define SENTENCE_MOST CUE_BEHIND_MOST /* before a claim too: the time stays linear */

/* ---- tokens ---------------------------------------------------------------------------------- */

/* What an ASCII sign is; SIGN_ALONE: whatever stands beside it. */
enum {
    SIGN_DROPPED = 1,
    SIGN_ENDS_CLAUSE = 2,
    SIGN_ALONE = 4,
    LAYOUT = SIGN_DROPPED | SIGN_ALONE,
    CLAUSE_END = SIGN_ENDS_CLAUSE | SIGN_ALONE
};

static const unsigned char signs[128] = {
    ['\0'] = CLAUSE_END,   [','] = CLAUSE_END, [';'] = CLAUSE_END,   [':'] = CLAUSE_END,
    ['.'] = CLAUSE_END,    ['!'] = CLAUSE_END, ['?'] = CLAUSE_END,   ['\t'] = LAYOUT,
    ['\n'] = LAYOUT,       ['\v'] = LAYOUT,    ['\f'] = LAYOUT,      ['\r'] = LAYOUT,
    [' '] = LAYOUT,        ['$'] = LAYOUT,     ['*'] = LAYOUT,       ['"'] = LAYOUT,
    ['\''] = SIGN_DROPPED, ['`'] = LAYOUT,     ['('] = SIGN_DROPPED, [')'] = LAYOUT,
    ['['] = SIGN_DROPPED,  [']'] = LAYOUT,     ['{'] = LAYOUT,       ['}'] = LAYOUT,
    ['_'] = LAYOUT,        ['='] = SIGN_ALONE, ['+'] = SIGN_ALONE,   ['-'] = SIGN_ALONE,
    ['/'] = SIGN_ALONE,    ['<'] = SIGN_ALONE, ['>'] = SIGN_ALONE,   ['%'] = SIGN_ALONE};

static unsigned sign_of(rdv_str c)
{
    return (unsigned char)c.p[0] < 128 ? signs[(unsigned char)c.p[0]] : 0;
}

/* Brackets, quotation marks and signs of layout. */
static bool is_dropped(rdv_str c)
{
    static const char *const quotes[] = {"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x98",
                                         "\xe2\x80\x99", "\xc2\xab",     "\xc2\xbb",
                                         "\xe2\x80\x9e", "\xc2\xa0",     "\xe2\x80\xaf"};
    if (c.len == 1)
        return sign_of(c) & SIGN_DROPPED;
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++)
        if (rdv_str_eq(c, rdv_str_of(quotes[i])))
            return true;
    return false;
}

/* "(" and "[" before a word: an aside. */
static bool opens_aside(rdv_str s, size_t i)
{
    return (s.p[i] == '(' || s.p[i] == '[') && i + 1 < s.len && rdv_is_alpha(s.p[i + 1]);
}

static inline bool is_word_char(rdv_str c)
{
    size_t len;
    uint32_t u = c.len > 1 ? rdv_utf8_at(c, 0, &len) : 0;
    /* letters of Latin, Greek and Cyrillic scripts */
    return c.len == 1 ? rdv_is_alpha(c.p[0]) : (u >= 0xc0 && u < 0x530 && u != 0xd7 && u != 0xf7);
}

static inline rdv_str char_at(rdv_str s, size_t i)
{
    if ((unsigned char)s.p[i] < 128)
        return (rdv_str){s.p + i, 1};
    size_t len = rdv_utf8_len(s, i);
    return rdv_slice(s, i, i + (len ? len : 1));
}

/* An apostrophe at byte `i`, straight or curly: its length; 0: none. */
static inline size_t apostrophe_at(rdv_str s, size_t i)
{
    char c = rdv_char_at(s, i);
    bool curly = c == '\xe2' && rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\x99"));
    return curly ? 3 : c == '\'';
}

static inline size_t letters_end(rdv_str s, size_t i)
{
    for (;;) {
        i = rdv_skip_letters(s, i);
        if (i == s.len || (unsigned char)s.p[i] < 128)
            return i;
        rdv_str c = char_at(s, i);
        if (!is_word_char(c))
            return i;
        i += c.len;
    }
}

/* "is" of "isn't"; "n't"; "that" of "that's"; "'s". */
static size_t word_end(rdv_str s, size_t i)
{
    size_t end = letters_end(s, i), mark = apostrophe_at(s, end);
    bool not = mark && end > i + 1 && rdv_lower(s.p[end - 1]) == 'n' &&
               rdv_lower(rdv_char_at(s, end + mark)) == 't' &&
               letters_end(s, end + mark) == end + mark + 1;
    return not ? end - 1 : end;
}

static rdv_str contraction(rdv_str written)
{
    static const char *const known[] = {"n't", "'s", "'re", "'ve", "'ll", "'d", "'m"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rdv_str k = rdv_str_of(known[i]);
        size_t mark = rdv_find_char(k, '\'', 0), skip = apostrophe_at(written, mark);
        if (skip && written.len == k.len - 1 + skip &&
            rdv_istarts(written, rdv_slice(k, 0, mark)) &&
            rdv_str_ieq(rdv_slice(written, mark + skip, written.len),
                        rdv_slice(k, mark + 1, k.len)))
            return k;
    }
    return (rdv_str){0};
}

/* "n't" or "'s" that goes on with a word which ends at byte `i`. */
static inline rdv_str contraction_at(rdv_str s, size_t i, size_t *end)
{
    bool n = rdv_lower(s.p[i]) == 'n';
    size_t mark = apostrophe_at(s, i + n);
    *end = mark ? letters_end(s, i + n + mark) : i;
    return mark ? contraction(rdv_slice(s, i, *end)) : (rdv_str){0};
}

static size_t number_end(rdv_str s, size_t i)
{
    i = rdv_skip_digits(s, i);
    while (i + 1 < s.len && (s.p[i] == '.' || s.p[i] == ',') && rdv_is_digit(s.p[i + 1]))
        i = rdv_skip_digits(s, i + 1);
    return i;
}

/* A LaTeX command "\land"; one of a mark, "\(", is layout. */
static size_t command_end(rdv_str s, size_t i)
{
    size_t end = letters_end(s, i + 1);
    return end == i + 1 ? i + 2 : end;
}

/* Behind the word at byte `i`, if it is of ASCII letters and no apostrophe follows, as most; else
 * `i`. */
static inline size_t plain_word_end(rdv_str s, size_t i)
{
    size_t end = rdv_skip_letters(s, i);
    unsigned char next = (unsigned char)rdv_char_at(s, end);
    return next < 128 && next != '\'' ? end : i;
}

/* Takes bytes `i` to *at; false: they are layout, and no token. */
static bool take(rdv_str s, size_t i, size_t *at, cue_token *out)
{
    rdv_str c = char_at(s, i);
    bool layout = false;
    out->number = rdv_is_digit(c.p[0]);
    if (is_word_char(c)) {
        *at = word_end(s, i);
    } else if (out->number) {
        *at = number_end(s, i);
    } else if (c.p[0] == '\\') {
        *at = command_end(s, i);
        layout = *at == i + 2;
    } else {
        *at = i + c.len;
        layout = is_dropped(c) && !opens_aside(s, i);
        while (!layout && c.p[0] == '~' && rdv_char_at(s, *at) == '~')
            ++*at;
        out->ends_clause = sign_of(c) & SIGN_ENDS_CLAUSE;
    }
    out->text = out->written = rdv_slice(s, i, *at);
    return !layout;
}

bool cue_next_token(rdv_str s, size_t *at, cue_token *out)
{
    for (size_t i = *at; i < s.len; i = *at) {
        unsigned sign = (unsigned char)s.p[i] < 128 ? signs[(unsigned char)s.p[i]] : 0;
        if (sign & SIGN_ALONE) {
            ++*at;
            if (sign & SIGN_DROPPED)
                continue;
            out->text = out->written = (rdv_str){s.p + i, 1};
            out->number = false;
            out->ends_clause = sign & SIGN_ENDS_CLAUSE;
            return true;
        }
        bool after_word = i > 0 && rdv_is_alpha(s.p[i - 1]);
        size_t plain = after_word ? i : plain_word_end(s, i);
        out->number = out->ends_clause = false;
        if (plain > i) {
            *at = plain;
            out->text = out->written = (rdv_str){s.p + i, plain - i};
            return true;
        }
        rdv_str rest = after_word ? contraction_at(s, i, at) : (rdv_str){0};
        if (rest.len) {
            out->text = rest;
            out->written = rdv_slice(s, i, *at);
            return true;
        }
        if (take(s, i, at, out))
            return true;
    }
    return false;
}

uint64_t cue_begin_behind(rdv_str s, size_t i)
{
    cue_token token;
    return cue_next_token(s, &i, &token) ? cue_begin(token.text) : CUE_BESIDE_NONE;
}

bool cue_begins_at(rdv_str s, size_t i)
{
    size_t before = i;
    while (before > 0 && s.p[before - 1] == '\\')
        before--;
    if (before < i)
        return (i - before) % 2 == 0; /* of two, neither begins a command */
    while (before > 0 && ((unsigned char)s.p[--before] & 0xc0) == 0x80)
        ;
    return i == 0 || !is_word_char(char_at(s, before));
}

/* ---- the sentence of a claim ----------------------------------------------------------------- */

/* Most bytes end none, which their value tells. */
static inline bool may_end_sentence(char c)
{
    static const bool ends[256] = {
        ['.'] = true, ['\n'] = true, [';'] = true, ['?'] = true, ['!'] = true};
    return ends[(unsigned char)c];
}

static bool mark_ends_sentence(rdv_str s, size_t i)
{
    char c = s.p[i];
    if (c == '\n' || c == ';')
        return true;
    if (c == '.' && i > 2 &&
        (rdv_istarts(rdv_slice(s, i - 3, s.len), RDV_STR("i.e.")) ||
         rdv_istarts(rdv_slice(s, i - 3, s.len), RDV_STR("e.g."))))
        return false;
    return i + 1 == s.len || rdv_is_space(s.p[i + 1]) || strchr("\")'", s.p[i + 1]);
}

static inline bool ends_sentence(rdv_str s, size_t i)
{
    return may_end_sentence(s.p[i]) && mark_ends_sentence(s, i);
}

/* Does the line that ends before byte `i` go on in the next one: "approximately:"? */
static bool goes_on(rdv_str s, size_t i)
{
    rdv_str line = rdv_trim_end(rdv_slice(s, 0, i));
    return line.len && (line.p[line.len - 1] == ':' || line.p[line.len - 1] == ',');
}

size_t cue_sentence_begin(rdv_str s, size_t at)
{
    size_t least = at > SENTENCE_MOST ? at - SENTENCE_MOST : 0, i = at;
    while (i > least && (!ends_sentence(s, i - 1) || (s.p[i - 1] == '\n' && goes_on(s, i - 1))))
        i--;
    return i;
}

rdv_str cue_last_sentences(rdv_str text, size_t n)
{
    size_t begin = rdv_trim_end(text).len;
    for (; n > 0 && begin > 0; n--) {
        size_t end = rdv_trim_end(rdv_slice(text, 0, begin)).len;
        begin = cue_sentence_begin(text, end ? end - 1 : 0);
    }
    return rdv_slice(text, begin, text.len);
}

size_t cue_sentence_end(rdv_str s, size_t at)
{
    while (at < s.len && (s.p[at] == ';' || !ends_sentence(s, at)))
        at++;
    return at < s.len ? at + 1 : at;
}

/* Adds the tokens before the claim. Of too many, the first half goes: the time stays linear. */
static void add_before(cue_text *out, rdv_str s)
{
    for (size_t at = 0; cue_next_token(s, &at, &out->at[out->n]);) {
        if (++out->n > CUE_TOKENS_MOST) {
            out->n -= CUE_TOKENS_MOST / 2;
            memmove(out->at, out->at + CUE_TOKENS_MOST / 2, out->n * sizeof *out->at);
        }
    }
}

/* Adds tokens behind the claim, as long as there is room. */
static void add_behind(cue_text *out, rdv_str s)
{
    size_t most = out->claim + 1 + CUE_TOKENS_MOST;
    for (size_t at = 0; out->n < most && cue_next_token(s, &at, &out->at[out->n]);)
        out->n++;
}

/* From byte `from`, before the claim, on. */
static void cut(rdv_str text, size_t from, size_t begin, size_t end, bool holds_claim,
                cue_text *out)
{
    rdv_str near = rdv_slice(text, 0, end + SENTENCE_MOST);
    size_t own = cue_sentence_end(near, end), next = cue_sentence_end(near, own);
    while (next < near.len && next - own < 3) /* "...", an empty line */
        next = cue_sentence_end(near, next);
    out->n = 0;
    add_before(out, rdv_slice(text, from, begin));
    out->claim = out->n;
    if (holds_claim)
        out->at[out->n++] = (cue_token){.text = rdv_slice(text, begin, end)};
    add_behind(out, rdv_slice(text, end, own));
    out->end = out->n;
    add_behind(out, rdv_slice(text, own, next));
    out->next = out->n;
    add_behind(out, rdv_slice(near, next, near.len));
    if (!holds_claim)
        out->claim = SIZE_MAX;
}

void cue_text_around(rdv_str text, size_t begin, size_t end, cue_text *out)
{
    cut(text, cue_sentence_begin(text, begin), begin, end, true, out);
}

void cue_text_beside(rdv_str text, size_t begin, size_t end, cue_text *out)
{
    size_t own = cue_sentence_begin(text, begin),
           from = cue_sentence_begin(text, own ? own - 1 : 0);
    while (from && own - from < 3)
        from = cue_sentence_begin(text, from - 1);
    cut(text, from, begin, end, end > begin, out);
}

void cue_text_of(rdv_str text, cue_text *out)
{
    const size_t most = sizeof out->at / sizeof *out->at;
    out->n = 0;
    for (size_t at = 0; out->n < most && cue_next_token(text, &at, &out->at[out->n]);)
        out->n++;
    out->end = out->next = out->n;
    out->claim = SIZE_MAX;
}

/* ---- matching -------------------------------------------------------------------------------- */

/* Most words that share two letters differ in the third. */
static bool third_differs(rdv_str token, rdv_str word)
{
    return word.len > 2 && word.p[2] != '*' && word.p[0] != '*' &&
           rdv_lower(rdv_char_at(token, 2)) != rdv_lower(word.p[2]);
}

bool cue_is_word(rdv_str token, rdv_str word)
{
    if (third_differs(token, word))
        return false;
    if (word.len > 1 && word.p[word.len - 1] == '*')
        return rdv_istarts(token, rdv_slice(word, 0, word.len - 1));
    if (word.len > 1 && word.p[0] == '*')
        return token.len > word.len + 1 && rdv_ends(token, rdv_slice(word, 1, word.len));
    return rdv_str_ieq(token, word);
}

bool cue_is_one_of(const cue_token *token, const cue_words *words)
{
    bool is = false;
    if (!(words->begins & cue_begin(token->text))) /* lists are long */
        return false;
    char first = token->text.len ? rdv_lower(token->text.p[0]) : 0;
    for (size_t i = 0; i < words->n; i++) {
        rdv_str word = words->words[i];
        if (rdv_lower(word.p[0]) != first && word.p[0] != '*' && word.p[0] != '-')
            continue;
        bool except = word.len > 1 && word.p[0] == '-';
        if (cue_is_word(token->text, rdv_slice(word, except, word.len))) {
            if (except)
                return false;
            is = true;
        }
    }
    return is;
}

/* Is token `i` what the element asks for? The claim is no word. */
static bool is_at(const cue_element *e, const cue_text *text, size_t i)
{
    const cue_token *t = &text->at[i];
    if (i == text->claim)
        return e->kind == CUE_CLAIM;
    switch (e->kind) {
    case CUE_WORDS:
        return cue_is_one_of(t, e->of) != e->negated;
    case CUE_NUMBER:
        return t->number != e->negated;
    case CUE_END:
        return t->ends_clause;
    case CUE_NAME:
        return t->text.p[0] >= 'A' && t->text.p[0] <= 'Z';
    case CUE_ANY:
        return !t->ends_clause;
    default:
        return false;
    }
}

/* A line ends without a mark, and before the claim stands no further word. */
static bool needs_no_word(const cue_element *e, const cue_text *text, size_t i)
{
    bool at_end = i == text->n || i == text->end;
    return e->optional || (at_end && (e->kind == CUE_END || e->negated)) ||
           (i == text->claim && e->negated);
}

/* A cue that is tried where its anchor is token `at`. */
typedef struct attempt {
    const cue *c;
    const cue_text *text;
    size_t at;
    /* For each element, a bit for each distance from the anchor at which the elements from there on
     * do not stand: each is tried once, so time is bounded whatever may be left out. */
    uint64_t failed[CUE_ELEMENTS_MOST + 1];
} attempt;

_Static_assert(CUE_ELEMENTS_MOST + CUE_GAPS_MOST * CUE_GAP_MOST < 64, "a bit for each distance");

static size_t match_on(attempt *a, size_t e, size_t i);
static size_t match_back(attempt *a, size_t e, size_t i);

/* The token behind elements `e` to the last, the first of which begins at token `i`; 0: they do not
 * stand there. */
static size_t try_on(attempt *a, size_t e, size_t i)
{
    const cue_text *text = a->text;
    const cue_element *el = &a->c->elements[e];
    if (el->kind == CUE_GAP) {
        for (size_t k = 0; k <= CUE_GAP_MOST; k++) {
            size_t end = match_on(a, e + 1, i + k);
            if (end || i + k >= text->n || text->at[i + k].ends_clause)
                return end;
        }
        return 0;
    }
    size_t end = i < text->n && is_at(el, text, i) ? match_on(a, e + 1, i + 1) : 0;
    if (!end && needs_no_word(el, text, i))
        end = match_on(a, e + 1, i);
    return end;
}

static size_t match_on(attempt *a, size_t e, size_t i)
{
    uint64_t bit = (uint64_t)1 << (i - a->at);
    if (e == a->c->n)
        return i;
    size_t end = a->failed[e] & bit ? 0 : try_on(a, e, i);
    a->failed[e] |= end ? 0 : bit;
    return end;
}

/* The first token of elements 0 to `e` - 1, which end before token `i`; text->n + 1: they do not
 * stand there. */
static size_t try_back(attempt *a, size_t e, size_t i)
{
    const cue_text *text = a->text;
    const cue_element *el = &a->c->elements[e - 1];
    size_t none = text->n + 1;
    if (el->kind == CUE_START)
        return i == 0 ? match_back(a, e - 1, i) : none;
    if (el->kind == CUE_GAP) {
        for (size_t k = 0; k <= CUE_GAP_MOST; k++) {
            size_t begin = match_back(a, e - 1, i - k);
            if (begin != none || i == k || text->at[i - k - 1].ends_clause)
                return begin;
        }
        return none;
    }
    size_t begin = i > 0 && is_at(el, text, i - 1) ? match_back(a, e - 1, i - 1) : none;
    return begin == none && el->optional ? match_back(a, e - 1, i) : begin;
}

static size_t match_back(attempt *a, size_t e, size_t i)
{
    uint64_t bit = (uint64_t)1 << (a->at - i);
    size_t none = a->text->n + 1;
    if (e == 0)
        return i;
    size_t begin = a->failed[e - 1] & bit ? none : try_back(a, e, i);
    a->failed[e - 1] |= begin == none ? bit : 0;
    return begin;
}

bool cue_matches(const cue *c, const cue_text *text, size_t at, size_t *begin, size_t *end)
{
    return is_at(&c->elements[c->anchor], text, at) && cue_matches_word(c, text, at, begin, end);
}

bool cue_matches_word(const cue *c, const cue_text *text, size_t at, size_t *begin, size_t *end)
{
    const cue_element *anchor = &c->elements[c->anchor];
    size_t apart = at > text->claim ? at - text->claim : text->claim - at;
    if ((c->reach && apart > c->reach) || (anchor->of->excepts && !is_at(anchor, text, at)))
        return false;
    attempt a = {.c = c, .text = text, .at = at};
    *end = match_on(&a, c->anchor + 1, at + 1);
    if (!*end)
        return false;
    *begin = match_back(&a, c->anchor, at);
    return *begin <= text->n;
}
