/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/clause.h"

#include "base/str.h"
#include "language/phrase.h"
#include "notation/units.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_unit(const tokens *t, size_t i)
{
    unit_meaning m;
    return tok_kind_at(t, i) == TOK_WORD && unit_find(tok_text(t, i), &m);
}

/* "100 minutes", "20 cm^3": does a number with a unit end before token `i`? */
static bool counted_before(const tokens *t, size_t i)
{
    i -= i >= 2 && t->at[i - 1].kind == TOK_NUMBER && t->at[i - 2].kind == TOK_POWER ? 2 : 0;
    return i >= 2 && t->at[i - 2].kind == TOK_NUMBER && is_unit(t, i - 1);
}

bool clause_states_amount(const tokens *t, size_t i)
{
    static const char *const verbs[] = {"is", "are"};
    return tok_kind_at(t, i + 1) == TOK_NUMBER && tok_is_one_of(t, i, verbs, 2) &&
           is_unit(t, i + 2) && counted_before(t, i);
}

/* Does a number with a word, "100 minutes", "20 cm^3", end at byte `end`? */
static bool ends_counted(rdv_str text, size_t end)
{
    size_t i = end;
    rdv_str before = rdv_slice(text, 0, end);
    bool power = rdv_ends(before, RDV_STR("\xc2\xb2")) || rdv_ends(before, RDV_STR("\xc2\xb3")) ||
                 (end >= 2 && text.p[end - 2] == '^' && rdv_is_digit(text.p[end - 1]));
    i -= power ? 2 : 0;
    while (i > 0 && rdv_is_alpha(text.p[i - 1]))
        i--;
    bool word = i < end;
    i -= i > 0 && text.p[i - 1] == ' ';
    return word && i > 0 && rdv_is_digit(text.p[i - 1]);
}

bool clause_may_state_amount(rdv_str text)
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

bool clause_begins(const tokens *t, size_t i)
{
    static phrase_list words = {"@concluding;@of-a-reason;@opens-a-clause"};
    if (i == 0)
        return true;
    tok_kind k = t->at[i - 1].kind;
    return k == TOK_NEWLINE || k == TOK_PUNCT || k == TOK_COMMA || tok_is_in(t, i - 1, &words);
}

bool clause_begins_equality(const tokens *t, size_t i)
{
    static const char *const prepositions[] = {"since", "but"};
    bool may_be_one = i > 0 && tok_is_one_of(t, i - 1, prepositions, COUNT(prepositions));
    rdv_str number = tok_text(t, i);
    bool year = number.len == 4 && (number.p[0] == '1' || number.p[0] == '2');
    return clause_begins(t, i) &&
           !(may_be_one && (year || (i > 1 && tok_kind_at(t, i - 2) == TOK_WORD)));
}
