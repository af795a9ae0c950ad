/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/solutions.h"

#include "base/str.h"

/* How far before a value the one before it may begin. */
#define BETWEEN_MOST 60

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The byte behind the last one before `end` that is no blank and no sign of layout. */
static size_t skip_back(rdv_str s, size_t end)
{
    while (end > 0 && RDV_IS_IN(s.p[end - 1], " $*\t"))
        end--;
    if (end > 1 && s.p[end - 2] == '\\' && strchr("()[],;!", s.p[end - 1]))
        return skip_back(s, end - 2);
    return end;
}

static bool is_part_of_name(char c)
{
    return rdv_is_alnum(c) || c == '_' || c == '\\';
}

/* The name before the '=' that ends at byte `end`: "x" of "x ="; empty: there is none. */
static rdv_str name_before(rdv_str s, size_t end)
{
    size_t stop = skip_back(s, end), begin;
    if (!stop || s.p[stop - 1] != '=')
        return (rdv_str){0};
    stop = begin = skip_back(s, stop - 1);
    while (begin > 0 && is_part_of_name(s.p[begin - 1]))
        begin--;
    bool name = begin < stop && (rdv_is_alpha(s.p[begin]) || s.p[begin] == '\\');
    return name ? rdv_slice(s, begin, stop) : (rdv_str){0};
}

/* Where what joins a value to the one before it begins; `end`: there is none before byte `end`.
 * *word: it is "and" or "or", and no comma alone. */
static size_t join_before(rdv_str s, size_t end, bool *word)
{
    static const char *const joins[] = {"and", "or", "\\text{and}", "\\text{or}", "\\text{ and }",
                                        "\\text{ or }"};
    size_t at = skip_back(s, end), begin = at;
    rdv_str head = rdv_slice(s, 0, at);
    *word = false;
    bool may = at && (s.p[at - 1] == 'd' || s.p[at - 1] == 'r' || s.p[at - 1] == '}');
    for (size_t k = 0; may && k < COUNT(joins) && !*word; k++) {
        rdv_str join = rdv_str_of(joins[k]);
        *word = rdv_ends(head, join) && join.len < at &&
                !rdv_is_alpha(s.p[at - join.len - (joins[k][0] != '\\')]);
        begin = *word ? at - join.len : begin;
    }
    size_t comma = skip_back(s, begin);
    if (comma > 0 && s.p[comma - 1] == ',')
        return comma - 1;
    return *word ? begin : end;
}

/* Do the bytes hold a formula and nothing else: no word, no sentence's end, no relation? */
static bool is_formula_alone(rdv_str s)
{
    bool value = false;
    for (size_t i = 0; i < s.len; i++) {
        size_t begin = i;
        while (i < s.len && rdv_is_alpha(s.p[i]))
            i++;
        if (i > begin + 1 && !(begin > 0 && s.p[begin - 1] == '\\'))
            return false;
        value = value || i > begin || rdv_is_digit(rdv_char_at(s, i));
        if (i < s.len && (!s.p[i] || strchr("=<>;:?!\n", s.p[i]) ||
                          (s.p[i] == '.' && !rdv_is_digit(rdv_char_at(s, i + 1)))))
            return false;
    }
    return value;
}

/* "x = 2 or x = 3": where the list begins of which the value of `name` at byte `at` is the last;
 * `at`: it is none. */
static size_t named_begin(rdv_str s, rdv_str name, size_t at)
{
    bool word, first = true;
    for (size_t end; (end = join_before(s, at, &word)) < at && (word || !first); first = false) {
        size_t equals = end, least = end > BETWEEN_MOST ? end - BETWEEN_MOST : 0;
        while (equals > least && s.p[equals - 1] != '=')
            equals--;
        rdv_str before = equals > least ? name_before(s, equals) : (rdv_str){0};
        if (!before.len || !rdv_str_eq(before, name) ||
            !is_formula_alone(rdv_slice(s, equals, end)))
            break;
        at = (size_t)(before.p - s.p);
    }
    return at;
}

/* Where the number that ends at byte `end` begins, with its sign; `end`: there is none. */
static size_t number_begin(rdv_str s, size_t end)
{
    size_t begin = end;
    while (begin > 0 && (rdv_is_digit(s.p[begin - 1]) ||
                         (begin < end && strchr("./", s.p[begin - 1]) && s.p[begin - 1])))
        begin--;
    if (begin < end && !rdv_is_digit(s.p[begin]))
        return end;
    if (begin < end && begin > 0 && s.p[begin - 1] == '-')
        begin--;
    return begin > 0 && is_part_of_name(s.p[begin - 1]) ? end : begin;
}

/* "are 2, 3 and 5": where the list begins of which the number at byte `at` is the last; `at`: it is
 * none. */
static size_t listed_begin(rdv_str s, size_t at)
{
    size_t begin = at;
    bool word, first = true;
    for (size_t end; (end = join_before(s, begin, &word)) < begin && (word || !first);
         first = false) {
        size_t stop = skip_back(s, end), number = number_begin(s, stop);
        if (number == stop)
            break;
        begin = number;
    }
    size_t verb = skip_back(s, begin);
    rdv_str head = rdv_slice(s, 0, verb);
    bool are = rdv_ends(head, RDV_STR(" are")) && !rdv_ends(head, RDV_STR("here are"));
    return begin < at && are ? begin : at;
}

/* "3 : 4", "3:4:5": where the ratio begins of which the number at byte `at` is the last; `at`: it
 * is none. "Step 3: 4" has a blank on one side alone. */
static size_t ratio_begin(rdv_str s, size_t at)
{
    for (;;) {
        bool blank = at > 0 && s.p[at - 1] == ' ';
        size_t colon = at - blank;
        if (colon < 2 || s.p[colon - 1] != ':' || blank != (s.p[colon - 2] == ' '))
            return at;
        size_t stop = colon - 1 - blank, begin = number_begin(s, stop);
        if (begin == stop)
            return at;
        at = begin;
    }
}

bool solutions_with(rdv_str text, rdv_str value, rdv_str *out)
{
    size_t begin = (size_t)(value.p - text.p), end = begin + value.len;
    size_t equals = rdv_find_char(value, '=', 0);
    rdv_str name = name_before(text, equals == RDV_NOT_FOUND ? begin : begin + equals + 1);
    size_t from = begin;
    if (name.len && name.p >= text.p)
        from = named_begin(text, name, (size_t)(name.p - text.p));
    bool named = name.len && from < (size_t)(name.p - text.p);
    if (!named && equals == RDV_NOT_FOUND) {
        from = ratio_begin(text, begin);
        from = from < begin ? from : listed_begin(text, begin);
    }
    bool is = named || (equals == RDV_NOT_FOUND && from < begin);
    if (is)
        *out = rdv_slice(text, from, end);
    return is;
}
