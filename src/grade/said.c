/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/said.h"

#include "answer/announcement.h"
#include "answer/digits.h"
#include "answer/number.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/conclusion.h"
#include "grade/formal.h"
#include "grade/text/restated.h"
#include "language/cue.h"
#include "language/ordinal.h"
#include "language/rule.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What stands behind a label or a list of steps, "Domain: (0, 4]"; empty: no blank is behind a
 * colon. */
static rdv_str behind_label(rdv_str s)
{
    size_t at = rdv_find_last(s, RDV_STR(": "));
    bool words = at != RDV_NOT_FOUND && at > 0 && s.p[at - 1] != ' ' &&
                 !rdv_is_digit(s.p[at - 1]) && !rdv_starts(rdv_slice(s, at + 2, s.len), RDV_STR("- "));
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

static int grade_part(const whole_reply *r, rdv_str part, rdv_arena *arena, rdv_text_grade *out,
                      rdv_error *err)
{
    whole_reply own;
    int code = grade_text_read(part, r->gold, &r->form, r->how, arena, &own, err);
    own.part = true;
    return code == RDV_OK ? grade_text_weigh(&own, arena, out, err) : code;
}

/* Take what a part of the text tells. */
static int try_part(const whole_reply *r, conclusion *c, rdv_str part, rdv_arena *arena,
                    rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade one;
    bool beside = false;
    if (!part.len || out->comparison.is != RDV_CANNOT_TELL ||
        is_turned(cue_last_sentences(c->text, 1)) || !conclusion_is_plain(c, part) ||
        conclusion_is_turned(c, part) || conclusion_is_another(c, part))
        return RDV_OK;
    int code = grade_part(r, part, arena, &one, err);
    if (code != RDV_OK || one.comparison.is == RDV_CANNOT_TELL ||
        (one.comparison.is == RDV_DIFFERENT && !grade_text_shows(&one)))
        return code;
    c->read = part;
    if (one.comparison.is == RDV_DIFFERENT)
        code = conclusion_gold_beside(c, arena, &beside, err);
    if (code == RDV_OK && !beside)
        *out = one;
    return code;
}

/* Does the reply conclude with numbers in words alone, and not with what was read? */
static bool concludes_in_words(const whole_reply *r, rdv_str digits, rdv_str answer)
{
    rdv_str said = r->first.said, clause = restated_conclusion(cue_last_sentences(said, 1));
    return !rdv_has_digit(clause) && !rdv_lies_in(answer, clause) &&
           rdv_has_digit(restated_conclusion(cue_last_sentences(digits, 1)));
}

/* The last sentence from its last number on. */
static rdv_str from_last_number(rdv_str text)
{
    rdv_str s = cue_last_sentences(text, 1), number, last = s;
    for (size_t at = 0; answer_next_number(s, &at, &number);)
        last = number;
    return rdv_slice(s, (size_t)(last.p - s.p), s.len);
}

/* Is the last number of the reply one in words? */
static bool ends_in_words(rdv_str said, rdv_str digits)
{
    return !rdv_str_eq(from_last_number(said), from_last_number(digits));
}

/* Read the reply with digits for its numbers in words: what differs was not read whole, and what it
 * concludes with must be gold too. */
static int weigh_digits(const whole_reply *r, const conclusion *c, rdv_arena *arena,
                        rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade one;
    rdv_str digits = c->text;
    bool same = out->comparison.is == RDV_SAME;
    if (digits.p == r->first.said.p || (same && !concludes_in_words(r, digits, out->answer)))
        return RDV_OK;
    int code = grade_part(r, digits, arena, &one, err);
    if (code == RDV_OK && conclusion_is_another(c, restated_conclusion(cue_last_sentences(digits, 1))))
        one.comparison = conclusion_several(&one.comparison);
    if (code != RDV_OK || (same && one.comparison.is == RDV_SAME))
        return code;
    bool shown = one.comparison.is != RDV_DIFFERENT || grade_text_shows(&one);
    bool read = one.comparison.is == RDV_CANNOT_TELL && !ends_in_words(r->first.said, digits);
    if (!same && shown && !read)
        *out = one;
    else if (same)
        out->comparison = conclusion_several(&out->comparison);
    return code;
}

int said_weigh(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    rdv_str text = digits_of_words(r->first.said, arena);
    conclusion c = {.text = text,
                    .by = RDV_ANSWER_BY_PLACE,
                    .gold = r->gold,
                    .form = &r->form,
                    .how = r->how};
    unsigned place;
    bool alone;
    if (!text.p)
        return rdv_no_memory(err);
    if (ordinal_of(r->gold, &place, &alone)) /* "one seventh" is not the seventh */
        return RDV_OK;
    rdv_str last = rdv_trim(cue_last_sentences(text, 1));
    int code = weigh_digits(r, &c, arena, out, err);
    if (code == RDV_OK && r->form.kind != RDV_KIND_TEXT)
        code = try_part(r, &c, behind_label(last), arena, out, err);
    if (code == RDV_OK)
        code = try_part(r, &c, concluding_clause(last), arena, out, err);
    return code;
}
