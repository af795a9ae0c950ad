/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/said.h"

#include "answer/announcement.h"
#include "answer/lone_number.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/span.h"
#include "base/str.h"
#include "grade/text/restated.h"
#include "language/phrase.h"
#include "language/rule.h"
#include "notation/formula_names.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What stands behind a label or a list of steps, "Domain: (0, 4]"; empty: no blank is behind a
 * colon. */
static rdv_str behind_label(rdv_str s)
{
    size_t at = rdv_find_last(s, RDV_STR(": ")), dash = rdv_find_last(s, RDV_STR("\xe2\x80\x94 "));
    if (dash != RDV_NOT_FOUND && (at == RDV_NOT_FOUND || dash > at))
        return rdv_trim(rdv_slice(s, dash + 4, s.len));
    rdv_str said = rdv_slice(s, at + 2, s.len);
    bool words = at != RDV_NOT_FOUND && at > 0 && s.p[at - 1] != ' ' &&
                 !rdv_is_digit(s.p[at - 1]) && !rdv_starts(said, RDV_STR("- "));
    return words ? rdv_trim(said) : (rdv_str){0};
}

/* The clause that a sentence concludes with; empty: it has only one. */
static rdv_str concluding_clause(rdv_str s)
{
    static phrase_list behind_comma = {"@begins-a-result"};
    static phrase_list joined = {"and hence;and so;and therefore"};
    rdv_str clause = restated_conclusion(s);
    size_t mark = rdv_find_last(clause, RDV_STR("; "));
    if (mark != RDV_NOT_FOUND)
        clause = rdv_slice(clause, mark + 2, clause.len);
    clause = restated_behind(restated_behind(clause, &behind_comma, ","), &joined, "");
    return clause.len < s.len ? rdv_trim(clause) : (rdv_str){0};
}

/* Where the name before the sign of equality at byte `i` begins, a letter with its index or none:
 * "x", "\xce\xbb\xe2\x82\x81", "a_{1}"; `i`: none does. */
static size_t name_begin(rdv_str s, size_t i)
{
    size_t end = rdv_trim_end(rdv_slice(s, 0, i)).len, begin = end;
    while (begin > 0 && !rdv_is_space(s.p[begin - 1]) && !strchr(",;:($", s.p[begin - 1]))
        begin--;
    size_t letters = 0, beyond = begin < end && (unsigned char)s.p[begin] >= 0x80;
    for (size_t k = begin; k < end; k++)
        letters += rdv_is_alpha(s.p[k]);
    bool command = rdv_char_at(s, begin) == '\\';
    bool name = rdv_is_alpha(rdv_char_at(s, begin)) ? letters == 1 : command || beyond;
    bool call = end > begin && s.p[end - 1] == ')';
    return name && !call && end - begin < 12 ? begin : i;
}

/* From the first of the equations with a name on the left that end a sentence, "x = 4, y = 3";
 * empty: it ends with something else. *n: how many they are. */
static rdv_str closing_equations(rdv_str s, size_t *n)
{
    rdv_str maths = {0};
    *n = 0;
    for (size_t at = 0; (at = rdv_find(s, RDV_STR("="), at)) != RDV_NOT_FOUND; at++) {
        size_t begin = name_begin(s, at);
        maths = *n == 0 && begin < at ? rdv_slice(s, begin, s.len) : maths;
        *n = begin < at ? *n + 1 : 0;
    }
    for (size_t i = 0, end; i < maths.len && *n; i = end + 1) {
        end = rdv_skip_letters(maths, i);
        rdv_str word = rdv_slice(maths, i, end);
        bool command = i > 0 && maths.p[i - 1] == '\\';
        if (word.len > 1 && !command && !rdv_str_ieq(word, RDV_STR("or")) &&
            !answer_class_has(CLASS_NAME_LEAD, word))
            *n = 0;
    }
    return *n ? answer_trim_marks(maths) : (rdv_str){0};
}

/* Has a token of a sentence no word but of functions and commands: "\\cos(2x)," but not "get"? */
static bool is_formula_token(rdv_str s)
{
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        bool command = i > 0 && s.p[i - 1] == '\\';
        if (end - i > 1 && !command && formula_function(rdv_slice(s, i, end)) == FN_NONE)
            return false;
    }
    return true;
}

/* The word of a text that ends at byte `end`, from blank to blank. */
static rdv_str token_before(rdv_str s, size_t end)
{
    size_t begin = end;
    while (begin > 0 && s.p[begin - 1] != ' ')
        begin--;
    return rdv_slice(s, begin, end);
}

/* The formula that a sentence ends with, behind a verb that says that it comes to this, "x/y" of
 * "It simplifies to x/y."; empty: it ends with none. */
static rdv_str closing_formula(rdv_str s)
{
    s = answer_trim_marks(s);
    size_t begin = s.len + 1;
    rdv_str token = {0};
    while (begin > 1 && is_formula_token(token = token_before(s, begin - 1)))
        begin -= token.len + 1;
    if (begin <= 1 || begin > s.len)
        return (rdv_str){0};
    rdv_str before = token_before(s, begin - 1 > token.len ? begin - 2 - token.len : 0);
    rdv_str formula = rdv_slice(s, begin, s.len);
    bool sign = rdv_skip_letters(formula, 0) < formula.len;              /* no lone letter */
    rdv_str both = {before.p, (size_t)(token.p + token.len - before.p)}; /* "simplifies to" */
    bool leads =
        answer_class_has(CLASS_FORMULA_LEAD, token) || answer_class_has(CLASS_FORMULA_LEAD, both);
    return sign && leads && rdv_has_letter_or_beyond(formula) ? formula : (rdv_str){0};
}

/* The sum of quantities that has all the numbers of a sentence, "7 hours and 50 minutes"; empty: it
 * has none. */
static rdv_str sum_of(rdv_str s)
{
    rdv_str number, first = {0};
    size_t end = 0;
    for (size_t at = 0; answer_next_number(s, &at, &number); end = at)
        first = first.p ? first : number;
    if (!first.p)
        return first;
    rdv_str behind = rdv_trim(rdv_slice(s, end, s.len));
    end = (size_t)(behind.p - s.p) + measure_len(behind);
    size_t begin = (size_t)(first.p - s.p), next = rdv_skip_any(s, end, " ");
    rdv_str sum = rdv_slice(s, begin, end), word = rdv_slice(s, next, rdv_skip_letters(s, next));
    bool is = measure_is_sum(sum) && !answer_class_has(CLASS_SHIFTED, word) &&
              number_change(s, begin, begin + first.len) != NUMBER_BEFORE;
    return is ? sum : (rdv_str){0};
}

said_parts said_of(rdv_str sentence)
{
    said_parts said = {.label = behind_label(sentence),
                       .clause = concluding_clause(sentence),
                       .sum = sum_of(sentence),
                       .formula = closing_formula(sentence)};
    said.equations = closing_equations(sentence, &said.n_equations);
    return said;
}
