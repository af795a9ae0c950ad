/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/measure.h"

#include "base/str.h"

/* Commands of LaTeX that say how a unit is set, not which it is. */
static bool is_style(rdv_str word)
{
    static const char *const styles[] = {"text", "textrm", "mathrm", "rm", "mbox", "operatorname"};
    return rdv_is_one_of(word, styles, sizeof styles / sizeof *styles);
}

static unsigned power_named(rdv_str word)
{
    static const char *const two[] = {"square", "sq", "squared"};
    static const char *const three[] = {"cubic", "cu", "cubed"};
    return rdv_is_one_of(word, two, 3) ? 2 : rdv_is_one_of(word, three, 3) ? 3 : 1;
}

/* The next word from byte *i on, or one character that is no decoration; empty at the end. */
static rdv_str next_part(rdv_str s, size_t *i)
{
    for (;;) {
        while (*i < s.len && (rdv_is_space(s.p[*i]) || (s.p[*i] && strchr("\\{}$,.~!;:", s.p[*i]))))
            (*i)++;
        size_t begin = *i;
        while (*i < s.len && rdv_is_alpha(s.p[*i]))
            (*i)++;
        if (*i == begin && *i < s.len)
            (*i)++;
        rdv_str part = rdv_slice(s, begin, *i);
        if (!is_style(part))
            return part;
    }
}

/* "^2" and "squared" after a unit; `part` is what follows it. */
static unsigned power_after(rdv_str s, size_t *i, rdv_str *part)
{
    unsigned power = power_named(*part);
    if (rdv_str_eq(*part, RDV_STR("^"))) {
        *part = next_part(s, i);
        if (part->len != 1 || part->p[0] < '1' || part->p[0] > '3')
            return 0;
        power = (unsigned)(part->p[0] - '0');
        *part = next_part(s, i);
    } else if (power > 1) {
        *part = next_part(s, i);
    }
    return power;
}

measure measure_read(rdv_str after)
{
    size_t i = 0;
    rdv_str part = next_part(after, &i);
    unsigned before = power_named(part);
    if (before > 1)
        part = next_part(after, &i);
    measure m = {unit_named(part), before};
    if (!m.of)
        return m;
    part = next_part(after, &i);
    unsigned behind = power_after(after, &i, &part);
    if (behind == 0 || (before > 1 && behind > 1) || part.len)
        return (measure){NULL, 1};
    m.power = before * behind;
    return m;
}
