/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/said.h"

#include "answer/announcement.h"
#include "answer/digits.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/conclusion.h"
#include "grade/formal.h"
#include "grade/text/restated.h"
#include "language/cue.h"
#include "language/rule.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What stands behind a label or a list of steps, "Domain: (0, 4]"; empty: no blank is behind a
 * colon. */
static rdv_str behind_label(rdv_str s)
{
    size_t at = rdv_find_last(s, RDV_STR(": "));
    bool words = at != RDV_NOT_FOUND && at > 0 && s.p[at - 1] != ' ' && !rdv_is_digit(s.p[at - 1]);
    return words ? rdv_trim(rdv_slice(s, at + 2, s.len)) : (rdv_str){0};
}

/* The clause that a sentence concludes with; empty: it has only one. */
static rdv_str concluding_clause(rdv_str s)
{
    static const char *const joins[] = {", which ", ", giving ",    ", making ", ", leaving ",
                                        "; ",       " and hence ", " and so ",  " and therefore "};
    rdv_str clause = restated_conclusion(s);
    size_t begin = (size_t)(clause.p - s.p);
    for (size_t k = 0; k < COUNT(joins); k++) {
        size_t at = rdv_find_last(s, rdv_str_of(joins[k]));
        if (at != RDV_NOT_FOUND && at + strlen(joins[k]) > begin)
            begin = at + strlen(joins[k]);
    }
    return begin ? rdv_trim(rdv_slice(s, begin, s.len)) : (rdv_str){0};
}

/* Does a word of the text that is left out say that what follows is no result? */
static bool is_turned(rdv_str dropped)
{
    return restated_doubts(dropped) || formal_holds(dropped, RDV_STR("were")) ||
           answer_holds_class(dropped, CLASS_TURNING_VALUE);
}

/* Grade the part of a text that a conclusion is about, and take what it tells. */
static int try_part(const whole_reply *r, const conclusion *c, rdv_str part, rdv_arena *arena,
                    rdv_text_grade *out, rdv_error *err)
{
    whole_reply own;
    rdv_text_grade one;
    rdv_str last = cue_last_sentences(c->text, 1);
    bool whole = part.p == c->text.p && part.len == c->text.len, beside = false;
    if (!part.len || out->comparison.is != RDV_CANNOT_TELL ||
        (!whole && (is_turned(last) || !conclusion_is_plain(c, part) ||
                    conclusion_is_another(c, part))))
        return RDV_OK;
    int code = grade_text_read(part, r->gold, &r->form, r->how, arena, &own, err);
    own.part = true;
    if (code == RDV_OK)
        code = grade_text_weigh(&own, arena, &one, err);
    if (code != RDV_OK || one.comparison.is == RDV_CANNOT_TELL ||
        (one.comparison.is == RDV_DIFFERENT && !grade_text_shows(&one)))
        return code;
    if (one.comparison.is == RDV_DIFFERENT && !whole) {
        conclusion of_part = *c;
        of_part.read = part;
        code = conclusion_gold_beside(&of_part, arena, &beside, err);
    }
    if (code == RDV_OK && !beside)
        *out = one;
    return code;
}

int said_weigh(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    rdv_str text = digits_of_words(r->first.said, arena);
    conclusion c = {.text = text,
                    .read = text,
                    .by = RDV_ANSWER_BY_PLACE,
                    .gold = r->gold,
                    .form = &r->form,
                    .how = r->how};
    if (!text.p)
        return rdv_no_memory(err);
    rdv_str last = rdv_trim(cue_last_sentences(text, 1)), clause = concluding_clause(last);
    int code = text.p == r->first.said.p ? RDV_OK : try_part(r, &c, text, arena, out, err);
    if (code == RDV_OK)
        code = try_part(r, &c, behind_label(last), arena, out, err);
    if (code == RDV_OK)
        code = try_part(r, &c, clause, arena, out, err);
    return code;
}
