/* SPDX-License-Identifier: Apache-2.0 */
#include "math/relative.h"

#include "math/beside.h"
#include "math/connective.h"
#include "math/units.h"
#include "math/words.h"

static bool is_unit(const tokens *t, size_t i)
{
    unit_meaning m;
    return tok_kind_at(t, i) == TOK_WORD && unit_find(tok_text(t, i), &m);
}

bool relative_states_amount(const tokens *t, size_t i)
{
    static const char *const verbs[] = {"is", "are"};
    return i >= 2 && t->at[i - 2].kind == TOK_NUMBER && tok_kind_at(t, i + 1) == TOK_NUMBER &&
           tok_is_one_of(t, i, verbs, 2) && is_unit(t, i - 1) && is_unit(t, i + 2);
}

/* Does a number with a word, "100 minutes", end at byte `end`? */
static bool ends_counted(rdv_str text, size_t end)
{
    size_t i = end;
    while (i > 0 && rdv_is_alpha(text.p[i - 1]))
        i--;
    bool word = i < end;
    i -= i > 0 && text.p[i - 1] == ' ';
    return word && i > 0 && rdv_is_digit(text.p[i - 1]);
}

bool relative_may_state_amount(rdv_str text)
{
    static const char *const verbs[] = {" is ", " are "};
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++) {
        rdv_str verb = rdv_str_of(verbs[k]);
        for (size_t i = 0; (i = rdv_find(text, verb, i)) != RDV_NOT_FOUND; i += verb.len - 1)
            if (i + verb.len < text.len && rdv_is_digit(text.p[i + verb.len]) &&
                ends_counted(text, i))
                return true;
    }
    return false;
}

bool relative_clause_begins(const tokens *t, size_t i)
{
    static const char *const words[] = {"so",   "since", "because",  "that",
                                        "thus", "hence", "therefore"};
    if (i == 0)
        return true;
    tok_kind k = t->at[i - 1].kind;
    return k == TOK_NEWLINE || k == TOK_PUNCT || k == TOK_COMMA ||
           tok_is_one_of(t, i - 1, words, sizeof words / sizeof *words);
}

bool relative_ends(const tokens *t, size_t i)
{
    static const char *const comparing[] = {
        "more",     "less",    "fewer",   "greater", "larger", "higher",  "lower",
        "smaller",  "times",   "short",   "away",    "above",  "below",   "over",
        "under",    "off",     "too",     "percent", "of",     "than",    "half",
        "twice",    "dozen",   "hundred", "longer",  "older",  "younger", "million",
        "thousand", "billion", "or",      "to",      "and"};
    for (size_t words = 0; words < 3; words++, i++) {
        tok_kind k = tok_kind_at(t, i);
        if (k == TOK_END || k == TOK_NEWLINE || k == TOK_CLOSE)
            return true;
        if (k == TOK_COMMA || k == TOK_PUNCT)
            return t->text.p[t->at[i].begin] != '?' && !beside_takes_part_after(t, i);
        if (k != TOK_WORD || tok_is_one_of(t, i, comparing, sizeof comparing / sizeof *comparing))
            return false;
    }
    return false;
}

static bool number_begins(const tokens *t, size_t i)
{
    i += tok_kind_at(t, i) == TOK_MINUS;
    i += tok_kind_at(t, i) == TOK_CURRENCY;
    return tok_kind_at(t, i) == TOK_NUMBER || tok_kind_at(t, i) == TOK_FRAC;
}

bool relative_sign_at(const tokens *t, size_t i, size_t *len)
{
    size_t k = i + (t->at[i].kind == TOK_COMMA);
    if (!tok_is_word(t, k, "which"))
        return false;
    bool difference = false; /* what is left may be left of something that was said before */
    size_t words = tok_kind_at(t, k + 1) == TOK_WORD ? connective_equality_words(t, k + 1) : 0;
    words = words ? words : connective_verb(t, k + 1, &difference);
    *len = k + 1 + words - i;
    return words && !difference && number_begins(t, i + *len);
}
