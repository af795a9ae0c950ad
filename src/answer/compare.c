/* SPDX-License-Identifier: Apache-2.0 */
/* An answer and the gold answer: same, different, or it cannot be told. */
#include "answer/key.h"
#include "answer/money.h"
#include "answer/time.h"
#include "answer/value.h"
#include "base/options.h"
#include "base/str.h"

const char *rdv_same_name(rdv_same is)
{
    static const char *const names[] = {"different", "same", "cannot-tell"};
    return names[is];
}

/* A gold answer may be a whole solution that ends in "#### 42". */
static rdv_str marked_part(rdv_str gold)
{
    size_t mark = rdv_find_last(gold, RDV_STR("####"));
    return mark == RDV_NOT_FOUND ? gold : rdv_slice(gold, mark + 4, gold.len);
}

static bool has_percent(rdv_str s)
{
    return rdv_find_char(s, '%', 0) != RDV_NOT_FOUND;
}

/* Is `percentage`, which has a percent sign, as a value the same as `plain`, which has none? */
static int same_share(rdv_str percentage, rdv_str plain, rdv_kind kind, rdv_arena *arena,
                      bool *same, rdv_error *err)
{
    int (*key_of)(rdv_str, bool, rdv_arena *, rdv_str *, rdv_error *) =
        kind == RDV_KIND_NUMBER ? answer_number_key : answer_value_key;
    rdv_str a, b;
    int rc = key_of(percentage, true, arena, &a, err);
    if (rc == RDV_OK)
        rc = key_of(plain, false, arena, &b, err);
    if (rc == RDV_OK)
        *same = rdv_str_eq(a, b);
    return rc;
}

/* What decides between two keys of this kind. */
static const char *decider(rdv_kind kind, rdv_str key)
{
    bool number = key.len > 0;
    for (size_t i = 0; i < key.len; i++)
        number = number && (rdv_is_digit(key.p[i]) || key.p[i] == '-' || key.p[i] == '/');
    switch (kind) {
    case RDV_KIND_OPTION:
        return "option";
    case RDV_KIND_YESNO:
        return "yesno";
    case RDV_KIND_YESNO_MAYBE:
        return "yesno";
    case RDV_KIND_TEXT:
    case RDV_KIND_PHRASE:
        return "text";
    case RDV_KIND_DATE:
    case RDV_KIND_DATE_DAY_FIRST:
        return "date";
    case RDV_KIND_TIME:
        return "time";
    case RDV_KIND_MONEY:
        return "money";
    default:
        return number ? "exact" : "text";
    }
}

static int compare_keys(rdv_str answer, rdv_str gold, rdv_kind kind, rdv_arena *arena,
                        rdv_comparison *c, rdv_error *err)
{
    bool same = rdv_str_eq(c->answer_as, c->gold_as);
    c->is = same ? RDV_SAME : RDV_DIFFERENT;
    c->why = rdv_str_eq(rdv_trim(answer), rdv_trim(gold)) ? "identical" : decider(kind, c->gold_as);
    if (!same && kind == RDV_KIND_TIME && answer_times_may_agree(c->answer_as, c->gold_as)) {
        bool asked = rdv_ends(c->answer_as, RDV_STR("?")); /* gold says which half of the day */
        c->is = asked ? RDV_CANNOT_TELL : RDV_SAME;
        c->why = asked ? "assumption" : "time";
        return RDV_OK;
    }
    if (!same && kind == RDV_KIND_MONEY && answer_money_may_agree(c->answer_as, c->gold_as)) {
        c->is = RDV_SAME;
        c->why = "money";
        return RDV_OK;
    }
    bool maths = kind == RDV_KIND_NUMBER || kind == RDV_KIND_LATEX;
    bool in_answer = has_percent(answer);
    if (same || !maths || in_answer == has_percent(gold))
        return RDV_OK;
    int rc =
        same_share(in_answer ? answer : gold, in_answer ? gold : answer, kind, arena, &same, err);
    if (same) {
        c->is = RDV_SAME;
        c->why = "percent";
    }
    return rc < 0 ? rc : RDV_OK;
}

int rdv_answer_compare(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                       const rdv_compare_options *how, rdv_arena *arena, rdv_comparison *out,
                       rdv_error *err)
{
    rdv_compare_options own = {.size = sizeof own};
    rdv_comparison c = {.is = RDV_DIFFERENT, .why = "unread"};
    int rc = rdv_options_take(&own, sizeof own, how, err);
    gold = marked_part(gold);
    if (rc == RDV_OK)
        rc = rdv_answer_key(gold, form, arena, &c.gold_as, err);
    if (rc != RDV_OK)
        return rc;
    rc = rdv_answer_key(answer, form, arena, &c.answer_as, err);
    if (rc == RDV_OK)
        rc = compare_keys(answer, gold, answer_kind(form), arena, &c, err);
    if (rc < 0)
        return rc;
    *out = c;
    return RDV_OK;
}

int rdv_answer_right(rdv_str answer, rdv_str gold, const rdv_answer_form *form, rdv_arena *arena,
                     bool *right, rdv_error *err)
{
    rdv_comparison c;
    int rc = rdv_answer_compare(answer, gold, form, NULL, arena, &c, err);
    if (rc == RDV_OK)
        *right = c.is == RDV_SAME;
    return rc;
}
