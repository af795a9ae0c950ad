/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the words of a list, orders of words and letters of words. */
#include "task/follow_sorting.h"

/* Words as they stand in lists: "o's", "it&t". A letter at least, and no mark of a sentence. */
static bool is_word(rdv_str w)
{
    bool letters = false;
    for (size_t i = 0; i < w.len; i++) {
        if ((unsigned char)w.p[i] < ' ' || strchr("\"()[]{}<>?:;=.!", w.p[i]))
            return false;
        letters |= rdv_is_alpha(w.p[i]) || (unsigned char)w.p[i] >= 0x80;
    }
    return letters;
}

/* The next word between spaces and commas. */
static bool next_word(rdv_str *rest, rdv_str *word)
{
    size_t at = 0, end;
    while (at < rest->len && (rdv_is_space(rest->p[at]) || rest->p[at] == ','))
        at++;
    for (end = at; end < rest->len && !rdv_is_space(rest->p[end]) && rest->p[end] != ',';)
        end++;
    *word = rdv_slice(*rest, at, end);
    *rest = rdv_slice(*rest, end, rest->len);
    return word->len > 0;
}

bool follow_sort_read_question(rdv_str text, sorting *s)
{
    size_t at = rdv_find_last(text, RDV_STR(":"));
    rdv_str rest = rdv_trim(rdv_slice(text, at == RDV_NOT_FOUND ? 0 : at + 1, text.len)), word;
    if (at != RDV_NOT_FOUND && rest.len && rest.p[rest.len - 1] == '.')
        rest.len--;
    while (next_word(&rest, &word)) {
        if (s->n_words == SORT_MAX_WORDS || !is_word(word))
            return false;
        s->words[s->n_words++] = word;
    }
    return s->n_words > 1;
}

/* The number of a word that `order` does not hold yet, so that a word that stands twice in the
 * question is found twice. */
static size_t number_of(const sorting *s, rdv_str word, const sort_order *order)
{
    size_t found = SORT_NO_WORD;
    for (size_t i = 0; i < s->n_words; i++) {
        if (!follow_scan_same(s->words[i], word))
            continue;
        found = i;
        bool taken = false;
        for (size_t k = 0; k < order->n_words && !taken; k++)
            taken = order->words[k] == i;
        if (!taken)
            return i;
    }
    return found;
}

static bool add_word(const sorting *s, rdv_str word, sort_order *out)
{
    if (out->n_words == sizeof out->words / sizeof *out->words)
        return false;
    size_t i = number_of(s, word, out);
    if (i == SORT_NO_WORD && !out->stranger.p)
        out->stranger = word;
    out->words[out->n_words++] = i;
    return true;
}

static bool add_group(sort_order *out, size_t begin, size_t number)
{
    if (out->n_groups == sizeof out->groups / sizeof *out->groups)
        return false;
    out->groups[out->n_groups++] =
        (sort_group){.begin = begin, .n = out->n_words - begin, .number = number};
    return true;
}

bool follow_sort_read_words(const sorting *s, rdv_str text, sort_order *out)
{
    rdv_str word;
    *out = (sort_order){0};
    while (next_word(&text, &word)) {
        size_t begin = out->n_words;
        if (word.len > 1 && word.p[word.len - 1] == '.')
            word.len--;
        if (!add_word(s, word, out) || !add_group(out, begin, 0))
            return false;
    }
    return out->n_words > 0;
}

static bool quoted(scan *c, rdv_str *word)
{
    if (!follow_scan_char(c, '"'))
        return false;
    size_t end = rdv_find_char(c->s, '"', c->at);
    if (end == RDV_NOT_FOUND)
        return false;
    *word = rdv_slice(c->s, c->at, end);
    c->at = end + 1;
    return true;
}

/* "(12)" */
static bool numbered(scan *c, size_t *number)
{
    size_t begin = c->at;
    if (follow_scan_char(c, '(') && follow_scan_count(c, number) && follow_scan_char(c, ')'))
        return true;
    c->at = begin;
    *number = 0;
    return false;
}

/* A word, or words in brackets with "?" between; brackets within brackets say no more. */
static bool read_group(const sorting *s, scan *c, sort_order *out)
{
    size_t begin = out->n_words, number, depth = 0;
    rdv_str word;
    numbered(c, &number);
    do {
        while (follow_scan_char(c, '['))
            depth++;
        if ((!quoted(c, &word) && !follow_scan_word(c, &word)) || !add_word(s, word, out))
            return false;
        while (depth && follow_scan_char(c, ']'))
            depth--;
    } while (depth && (follow_scan_char(c, '?') || follow_scan_char(c, ',')));
    return depth == 0 && add_group(out, begin, number);
}

bool follow_sort_read_order(const sorting *s, rdv_str text, sort_order *out)
{
    scan c = {.s = text};
    *out = (sort_order){0};
    bool ordered = rdv_find_char(text, '<', 0) != RDV_NOT_FOUND;
    bool marked = ordered || rdv_find_char(text, '"', 0) != RDV_NOT_FOUND;
    if (!marked)
        return follow_sort_read_words(s, text, out);
    do {
        if (!read_group(s, &c, out))
            return false;
    } while (follow_scan_char(&c, '<'));
    follow_scan_char(&c, '.');
    return follow_scan_end(&c);
}

bool follow_sort_read_letter(const sorting *s, scan *c, sort_letter *out, const sort_order *seen)
{
    follow_scan_char(c, '.');
    follow_scan_char(c, ',');
    if (!quoted(c, &out->said) || !follow_scan_char(c, ':') ||
        (!quoted(c, &out->letter) && !follow_scan_word(c, &out->letter)))
        return false;
    numbered(c, &out->number);
    out->word = number_of(s, out->said, seen);
    return true;
}

char follow_sort_letter_at(rdv_str word, size_t i)
{
    for (size_t k = 0; k < word.len; k++)
        if ((rdv_is_alnum(word.p[k]) || (unsigned char)word.p[k] >= 0x80) && i-- == 0)
            return rdv_lower(word.p[k]);
    return '\0';
}
