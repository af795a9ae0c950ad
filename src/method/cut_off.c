/* SPDX-License-Identifier: Apache-2.0 */
#include "method/cut_off.h"

#include "base/str.h"

/* How often `opens` stands in the text more than `closes`; 0: not more often. */
static size_t left_open(rdv_str text, const char *opens, const char *closes)
{
    rdv_str o = rdv_str_of(opens), c = rdv_str_of(closes);
    size_t open = 0;
    for (size_t i = 0; i < text.len; i++) {
        rdv_str rest = rdv_slice(text, i, text.len);
        if (rdv_starts(rest, o))
            open++;
        else if (open && rdv_starts(rest, c))
            open--;
        else if (*rest.p == '\\') /* "\\(" after a line break opens nothing */
            i++;
    }
    return open;
}

/* Does mathematics begin with a dollar in the paragraph that ends the text, and not end? A dollar
 * before a digit may be that of a price. */
static bool leaves_dollar_open(rdv_str text)
{
    size_t paragraph = rdv_find_last(text, RDV_STR("\n\n"));
    bool open = false;
    for (size_t i = paragraph == RDV_NOT_FOUND ? 0 : paragraph; i < text.len; i++) {
        if (text.p[i] == '\\') {
            i++;
        } else if (text.p[i] == '$' && open) {
            open = false;
        } else if (text.p[i] == '$') {
            char next = i + 1 < text.len ? text.p[i + 1] : ' ';
            open = !rdv_is_space(next) && !rdv_is_digit(next) && next != '$' && next != '.';
            if (next == '$') /* "$$" */
                i++;
        }
    }
    return open;
}

static bool ends_within_mathematics(rdv_str text)
{
    size_t line = rdv_find_last(text, RDV_STR("\n"));
    rdv_str last = rdv_slice(text, line == RDV_NOT_FOUND ? 0 : line + 1, text.len);
    return leaves_dollar_open(text) || left_open(text, "\\(", "\\)") ||
           left_open(text, "\\[", "\\]") || left_open(text, "\\begin{", "\\end{") ||
           left_open(last, "(", ")") || left_open(last, "{", "}");
}

/* Is it nothing, or a sign after which a formula goes on? */
static bool is_open_end(rdv_str rest, bool *sign)
{
    static const char *const signs[] = {"+",        "-",       "*",      "/",     "\xc3\x97",
                                        "\xc3\xb7", "\\times", "\\cdot", "\\div", "="};
    *sign = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        *sign |= rdv_str_eq(rest, rdv_str_of(signs[i]));
    return rest.len == 0 || *sign;
}

void cut_off_withhold(const rdv_chain *chain, rdv_str step, calc_list *calcs)
{
    rdv_calc *last = calcs->n ? calc_list_at(calcs, calcs->n - 1) : NULL;
    bool sign, said = rdv_find(chain->unfinished, RDV_STR("cut off"), 0) != RDV_NOT_FOUND;
    if (!last || last->marked || (last->kind == RDV_CALC_UNDECIDED && !last->excused) ||
        !is_open_end(rdv_trim(rdv_slice(step, last->end, step.len)), &sign))
        return;
    bool wrong = last->kind == RDV_CALC_WRONG || last->excused;
    if (!said && !(wrong && (sign || ends_within_mathematics(step))))
        return;
    last->kind = RDV_CALC_UNDECIDED;
    last->note = RDV_STR("the text may be cut off there");
    last->rule = (rdv_str){0};
    last->excused = false;
}
