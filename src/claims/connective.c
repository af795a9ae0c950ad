/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/connective.h"

#include "base/str.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

typedef struct verb {
    const char *words;
    bool us;         /* "gives us" */
    bool difference; /* it says what is left: "leaves", "leaves us with" */
} verb;

/* What says as much as a sign; of verbs that begin with the same words the longest first. */
static const verb equalities[] = {{.words = "equals"}, {.words = "is equal to"}};

static const verb verbs[] = {{.words = "is equivalent to"},
                             {.words = "is the same as"},
                             {.words = "is therefore"},
                             {.words = "is thus"},
                             {.words = "is then"},
                             {.words = "is exactly"},
                             {.words = "is simply"},
                             {.words = "is"},
                             {.words = "gives", .us = true},
                             {.words = "makes"},
                             {.words = "yields", .us = true},
                             {.words = "leaves", .us = true, .difference = true},
                             {.words = "results in"},
                             {.words = "amounts to"},
                             {.words = "comes to"},
                             {.words = "comes out to be"},
                             {.words = "comes out to"},
                             {.words = "comes out as"},
                             {.words = "comes up to"},
                             {.words = "turns out to be"},
                             {.words = "works out to be"},
                             {.words = "works out to"},
                             {.words = "works out as"},
                             {.words = "adds to"},
                             {.words = "adds up to"},
                             {.words = "totals"},
                             /* German */
                             {.words = "ist gleich"},
                             {.words = "ist"},
                             {.words = "sind"},
                             {.words = "ergibt"},
                             {.words = "gleich"},
                             {.words = "macht"}};

static void add_first_word(rdv_buf *b, const verb *v)
{
    rdv_str words = rdv_str_of(v->words);
    rdv_buf_add_char(b, ';');
    rdv_buf_add(b, rdv_slice(words, 0, rdv_find_char(words, ' ', 0)));
}

void connective_add_words(rdv_buf *b)
{
    for (size_t k = 0; k < COUNT(equalities); k++)
        add_first_word(b, &equalities[k]);
    for (size_t k = 0; k < COUNT(verbs); k++)
        add_first_word(b, &verbs[k]);
}

size_t connective_hedge(const tokens *t, size_t i)
{
    if (tok_kind_at(t, i) != TOK_WORD || !(t->at[i].word & WORD_ABOUT))
        return 0;
    const token *point = &t->at[i + 1];
    bool short_form = tok_is_word(t, i, "approx") && point->kind == TOK_PUNCT &&
                      t->text.p[point->begin] == '.' && !point->space_before;
    return 1 + short_form;
}

/* The token after the verb's words at `i`, between which a hedge may stand: "is about equal to"; 0:
 * others stand there. */
static size_t after_words(const tokens *t, size_t i, const char *words)
{
    rdv_str all = rdv_str_of(words);
    for (size_t at = 0, end; at < all.len; at = end + 1) {
        end = rdv_find_char(all, ' ', at);
        end = end == RDV_NOT_FOUND ? all.len : end;
        i += at ? connective_hedge(t, i) : 0;
        if (tok_kind_at(t, i) != TOK_WORD || !rdv_str_ieq(tok_text(t, i), rdv_slice(all, at, end)))
            return 0;
        i++;
    }
    return i;
}

/* The verb of the list at token `i`: how many tokens it has with all that belongs to it, or 0. */
static size_t verb_at(const tokens *t, size_t i, const verb *list, size_t n, const verb **out)
{
    size_t begin = i + connective_hedge(t, i); /* "approximately equals" */
    char first = rdv_lower(rdv_char_at(t->text, t->at[begin].begin));
    for (size_t k = 0; k < n; k++) {
        size_t end = list[k].words[0] == first ? after_words(t, begin, list[k].words) : 0;
        if (!end)
            continue;
        bool us = list[k].us && tok_is_word(t, end, "us");
        end += us;
        end += list[k].difference && tok_is_word(t, end, "with");
        *out = &list[k];
        return end + connective_hedge(t, end) - i;
    }
    return 0;
}

size_t connective_equality_words(const tokens *t, size_t i)
{
    const verb *which;
    tok_kind k = t->at[i].kind;
    if (k == TOK_EQUAL || k == TOK_APPROX)
        return 1 + connective_hedge(t, i + 1);
    return k == TOK_WORD ? verb_at(t, i, equalities, COUNT(equalities), &which) : 0;
}

size_t connective_verb(const tokens *t, size_t i, bool *difference)
{
    const verb *which = NULL;
    size_t n = tok_kind_at(t, i) == TOK_WORD ? verb_at(t, i, verbs, COUNT(verbs), &which) : 0;
    *difference = n && which->difference;
    return n;
}

bool connective_is_about(const tokens *t, size_t i, size_t n)
{
    for (size_t k = i; k < i + n; k++)
        if (t->at[k].kind == TOK_APPROX ||
            (t->at[k].kind == TOK_WORD && (t->at[k].word & WORD_ABOUT)))
            return true;
    return false;
}
