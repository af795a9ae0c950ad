/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/pair.h"

#include "answer/nothing.h"
#include "answer/statement.h"
#include "base/str.h"
#include "grade/formal.h"
#include "grade/split.h"
#include "grade/text/restated.h"
#include "language/phrase.h"
#include "language/word_class.h"

/* Is it read as a value that is not nought, unless that counts too? Of sets and relations nobody
 * sees whether they are empty.
 */
static int is_some_value(const pair *texts, rdv_str s, bool nought_too, bool *is)
{
    const answer_value *v = NULL;
    pair p = *texts;
    p.kind = RDV_KIND_LATEX;
    int rc = formal_may_be_value(s) ? pair_read(&p, s, false, &v) : RDV_NONE;
    bool some = rc == RDV_OK && !v->unread &&
                (v->is == VALUE_EXPRESSION || v->is == VALUE_NAMED || v->is == VALUE_LIST ||
                 v->is == VALUE_RECORD || v->is == VALUE_RATIO);
    bool nought = !nought_too && v && v->is == VALUE_EXPRESSION && rdv_str_eq(v->key, RDV_STR("0"));
    *is = some && !nought && !rdv_str_eq(v->key, RDV_STR("{}"));
    return rc < 0 ? rc : RDV_OK;
}

/* Does the answer deny only solutions of a kind, "no positive x", of which neither gold nor the
 * question speaks? */
static bool narrows(rdv_str answer, rdv_str gold, rdv_str question)
{
    static phrase_list kinds = {"@some-numbers"};
    for (size_t i = 0, end; (i = phrase_find(answer, i, &kinds, &end)) < answer.len; i = end) {
        rdv_str kind = rdv_slice(answer, i, end);
        if (rdv_ifind(gold, kind, 0) == RDV_NOT_FOUND &&
            rdv_ifind(question, kind, 0) == RDV_NOT_FOUND)
            return true;
    }
    return false;
}

/* Does a sentence state a value, or that there is one: "The only solution is x = 0." */
static bool states_value(rdv_str s)
{
    static phrase_list denials = {"or;except;absurd;contradiction"};
    static phrase_list one = {"only one;the only;a unique;one solution"};
    bool denied = word_stands_in(s, WORD_NONE) || restated_doubts(s) || phrase_in(s, &denials);
    bool is = phrase_in(s, &one);
    for (size_t i = 0; i + 2 < s.len; i++) {             /* "x = 0", "is 1" */
        rdv_str left = rdv_trim_end(rdv_slice(s, 0, i)); /* not "0 = 5" */
        bool equals = s.p[i] == '=' && left.len && rdv_is_alpha(left.p[left.len - 1]);
        rdv_str rest = rdv_slice(s, i, s.len);
        bool verb = rdv_starts(rest, RDV_STR(" equals "));
        bool said = equals || verb || rdv_starts(rest, RDV_STR(" is "));
        size_t next = rdv_skip_any(s, i + (equals ? 1 : verb ? 8 : 4), " $-");
        is = is || (said && rdv_is_digit(rdv_char_at(s, next)));
    }
    return is && !denied && statement_is_sentence(s);
}

bool pair_compare_nothing(const pair *p, rdv_comparison *out, int *rc)
{
    nothing_is a = nothing_of(p->answer), g = nothing_of(p->gold);
    bool read = false;
    if (!a && !g)
        return false;
    if (!(a && g))
        *rc = is_some_value(p, a ? p->gold : p->answer,
                            a == NOTHING_UNDEFINED || g == NOTHING_UNDEFINED, &read);
    if (*rc == RDV_OK && g && !a && !read && g != NOTHING_UNKNOWN)
        read = states_value(p->answer);
    if (*rc != RDV_OK || (!(a && g) && !read))
        return *rc != RDV_OK;
    bool kin = (a == NOTHING_EMPTY && g == NOTHING_UNDEFINED) ||
               (a == NOTHING_UNDEFINED && g == NOTHING_EMPTY) ||
               (a == NOTHING_UNKNOWN && g && word_stands_in(p->answer, WORD_NONE));
    if (a == g && a == NOTHING_EMPTY && narrows(p->answer, p->gold, p->how.question))
        kin = true;
    rdv_str value = split_inside(a ? p->gold : p->answer);
    if ((a == NOTHING_ENDLESS || g == NOTHING_ENDLESS) && !(a && g))
        kin = rdv_find(value, RDV_STR("infty"), 0) != RDV_NOT_FOUND ||
              rdv_find(value, RDV_STR("\xe2\x88\x9e"), 0) != RDV_NOT_FOUND ||
              rdv_ifind(value, RDV_STR("all "), 0) != RDV_NOT_FOUND ||
              rdv_find(value, RDV_STR("mathbb"), 0) != RDV_NOT_FOUND;
    *out = (rdv_comparison){.is = kin      ? RDV_CANNOT_TELL
                                  : a == g ? RDV_SAME
                                           : RDV_DIFFERENT,
                            .why = kin                                ? "assumption"
                                   : a != g && (a == NOTHING_UNKNOWN) ? "unread"
                                                                      : "form",
                            .answer_as = rdv_trim(p->answer),
                            .gold_as = rdv_trim(p->gold)};
    if (kin)
        out->reason = RDV_STR("whether both say that there is no one value cannot be told");
    else if (a != g)
        out->reason = RDV_STR("only one of both says that there is no value");
    return true;
}
