/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/money_key.h"

#include <rederive/math.h>

#include "answer/lone_number.h"
#include "answer/money.h"
#include "answer/number.h"
#include "answer/span.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/value.h"

/* An exact expression of the amount in its currency. p == NULL in *out: it is no number. */
static int expression(const money_amount *a, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_str written = answer_without_separators(a->number, arena), number;
    size_t comma = rdv_find_char(written, ',', 0);
    if (written.p && comma != RDV_NOT_FOUND && written.len - comma < 4) /* "19,99" */
        written = rdv_str_printf(arena, "%.*s.%.*s", RDV_FMT(rdv_slice(written, 0, comma)),
                                 RDV_FMT(rdv_slice(written, comma + 1, written.len)));
    if (!written.p)
        return rdv_no_memory(err);
    int rc = value_number_key(written, (answer_reading){0}, arena, &number, err);
    if (rc != RDV_OK)
        return rc;
    if (!rdv_is_digit(number.p[number.len - 1])) /* "{56, 617/500}" */
        return RDV_NONE;
    *out = rdv_str_printf(arena, "(%.*s)*10^%u/%u", RDV_FMT(number), a->power,
                          a->unit ? a->unit->parts : 1);
    return out->p ? RDV_OK : rdv_no_memory(err);
}

int money_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    money_amount whole, part, other;
    size_t from = 0;
    rdv_str sum, cents;
    if (answer.len > RDV_VALUE_MAX || !money_next(answer, &from, &whole))
        return RDV_NONE;
    rdv_str bare = rdv_trim(answer);
    bool account = rdv_starts(bare, RDV_STR("(")) && rdv_ends(bare, RDV_STR(")")); /* -$5, or $5 */
    if (answer_is_denied(answer, whole.begin) || account || rdv_ends(whole.number, RDV_STR("%")) ||
        number_change(answer, whole.begin, whole.end) == NUMBER_BEFORE)
        return RDV_NONE;
    bool two = money_next_part(answer, &from, &whole, &part);
    rdv_str per = money_rate(rdv_slice(answer, from, answer.len));
    if (!per.p && money_changes(rdv_slice(answer, from, answer.len)))
        return RDV_NONE;
    if (money_next(answer, &from, &other))
        return RDV_NONE;
    int rc = expression(&whole, arena, &sum, err);
    if (rc == RDV_OK && two) {
        rc = expression(&part, arena, &cents, err);
        if (rc == RDV_OK)
            sum = rdv_str_printf(arena, "%.*s+%.*s", RDV_FMT(sum), RDV_FMT(cents));
        if (rc == RDV_OK && !sum.p)
            return rdv_no_memory(err);
    }
    rdv_str number;
    if (rc == RDV_OK)
        rc = rdv_math_key(sum, arena, &number, err);
    if (rc != RDV_OK)
        return rc;
    *key = rdv_str_printf(arena, "%s %.*s%s%.*s", whole.unit ? whole.unit->currency : "?",
                          RDV_FMT(number), per.len ? " per " : "", RDV_FMT(per));
    return key->p ? RDV_OK : rdv_no_memory(err);
}

bool money_may_agree(rdv_str answer, rdv_str gold)
{
    size_t rate = rdv_find(answer, RDV_STR(" per "), 0),
           rate_b = rdv_find(gold, RDV_STR(" per "), 0);
    if (rate == RDV_NOT_FOUND && rate_b != RDV_NOT_FOUND) { /* gold says of what time it is asked */
        gold = rdv_slice(gold, 0, rate_b);
        if (rdv_str_eq(answer, gold))
            return true;
    }
    bool open_a = rdv_starts(answer, RDV_STR("? ")), open_b = rdv_starts(gold, RDV_STR("? "));
    size_t skip_a = open_a ? 2 : 4, skip_b = open_b ? 2 : 4;
    return open_a != open_b &&
           rdv_str_eq(rdv_slice(answer, skip_a, answer.len), rdv_slice(gold, skip_b, gold.len));
}
