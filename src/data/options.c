/* SPDX-License-Identifier: Apache-2.0 */
/* Answer options as data sets write them: with a letter before each, in several fashions. */
#include "base/arena.h"
#include "base/str.h"
#include "data/chain_builder.h"

#define MAX_OPTIONS 26

/* Length of the mark of option `k` at byte `i`: "A)", "a ) ", "(A) ", "A: ", "A. "; 0: none.
 * Without brackets the letter must stand at the beginning of a word. */
static size_t mark_at(rdv_str s, size_t i, size_t k)
{
    size_t at = i;
    bool bracket = s.p[at] == '(';
    at += bracket;
    if (at >= s.len || rdv_lower(s.p[at]) != (char)('a' + k))
        return 0;
    if (i > 0 && rdv_is_alnum(s.p[i - 1]))
        return 0;
    at++;
    while (at < s.len && s.p[at] == ' ')
        at++;
    if (at >= s.len || !(s.p[at] == ')' || (!bracket && (s.p[at] == ':' || s.p[at] == '.'))))
        return 0;
    return at + 1 - i;
}

static rdv_str without_mark(rdv_str text, size_t k)
{
    text = rdv_trim(text);
    size_t mark = text.len ? mark_at(text, 0, k) : 0;
    return rdv_trim(rdv_slice(text, mark, text.len));
}

/* The values of {"A": "red", "B": "green"}, whose names are the letters in their order; to be
 * released. NULL: *m has the fault. */
static json_t *values_of(rdv_chain_builder *m, const json_t *object, const char *name)
{
    json_t *values = json_array();
    const char *letter;
    json_t *value;
    size_t k = 0;
    bool whole = values != NULL;
    json_object_foreach((json_t *)object, letter, value)
    {
        bool next = rdv_lower(letter[0]) == (char)('a' + k) && letter[1] == '\0' && k < MAX_OPTIONS;
        if (whole && !next)
            rdv_members_fail(
                m->in, RDV_E_INPUT,
                "member \"%s\": options in an object are named \"A\", \"B\", ... in this "
                "order, or give a list",
                name);
        whole = whole && next && json_array_append(values, value) == 0;
        k++;
    }
    if (whole)
        return values;
    if (m->in->fault == RDV_OK)
        rdv_build_nomem(m);
    json_decref(values);
    return NULL;
}

void rdv_build_options(rdv_chain_builder *m, const json_t *list, const char *name)
{
    size_t n;
    json_t *values = json_is_object(list) ? values_of(m, list, name) : NULL;
    if (json_is_object(list) && !values)
        return;
    rdv_str *options = rdv_build_texts(m, values ? values : list, name, &n);
    json_decref(values);
    for (size_t k = 0; options && k < n && k < MAX_OPTIONS; k++)
        options[k] = without_mark(options[k], k);
    m->chain->question.options = options;
    m->chain->question.n_options = options ? n : 0;
}

/* Where the mark of option `k` is, at or after `from`, its length in *mark. */
static size_t find_mark(rdv_str text, size_t from, size_t k, size_t *mark)
{
    for (size_t i = from; i < text.len; i++) {
        *mark = mark_at(text, i, k);
        if (*mark)
            return i;
    }
    return RDV_NOT_FOUND;
}

/* Without what separates it from the next option. */
static rdv_str without_comma(rdv_str option)
{
    option = rdv_trim(option);
    return rdv_ends(option, RDV_STR(",")) ? rdv_trim(rdv_slice(option, 0, option.len - 1)) : option;
}

void rdv_build_options_in(rdv_chain_builder *m, rdv_str text)
{
    rdv_str options[MAX_OPTIONS];
    size_t n = 0, mark, next_mark;
    size_t at = find_mark(text, 0, 0, &mark);
    while (at != RDV_NOT_FOUND && n < MAX_OPTIONS) {
        size_t next =
            n + 1 < MAX_OPTIONS ? find_mark(text, at + mark, n + 1, &next_mark) : RDV_NOT_FOUND;
        options[n++] = without_comma(rdv_slice(text, at + mark, next));
        at = next;
        mark = next_mark;
    }
    if (n < 2)
        return;
    m->chain->question.options = RDV_NEW_ARRAY(m->arena, rdv_str, n);
    if (!m->chain->question.options) {
        rdv_build_nomem(m);
        return;
    }
    memcpy(m->chain->question.options, options, n * sizeof *options);
    m->chain->question.n_options = n;
}

rdv_str rdv_build_letter(rdv_chain_builder *m, rdv_str text)
{
    rdv_str s = rdv_trim(text);
    if (rdv_starts(s, RDV_STR("(")))
        s = rdv_slice(s, 1, s.len);
    bool letter = (s.len == 1 || (s.len == 2 && s.p[1] == ')')) && rdv_is_alpha(s.p[0]);
    if (!letter)
        return text;
    char upper = (char)(rdv_lower(s.p[0]) - 'a' + 'A');
    rdv_str copy = rdv_str_copy(m->arena, (rdv_str){&upper, 1});
    if (!copy.p)
        rdv_build_nomem(m);
    return copy;
}

void rdv_build_options_of_question(rdv_chain_builder *m)
{
    rdv_question *q = &m->chain->question;
    size_t at = rdv_find(q->text, RDV_STR("\nOptions:"), 0);
    if (at == RDV_NOT_FOUND)
        return;
    rdv_build_options_in(m, rdv_slice(q->text, at + 9, q->text.len));
    if (q->n_options)
        q->text = rdv_trim_end(rdv_slice(q->text, 0, at));
}
