/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/order.h"

#include "answer/announcement.h"
#include "answer/number.h"
#include "base/str.h"
#include "grade/formal.h"
#include "grade/text/spelling.h"
#include "language/phrase.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ITEMS_MOST 16

/* Is it a word that ends a scale: "least", "tallest", "first"? */
static bool is_end(rdv_str word)
{
    static phrase_list others = {"@low-end;most;first;last;worst"};
    return phrase_is(word, &others) || (word.len > 3 && rdv_ends(word, RDV_STR("est")));
}

static rdv_str word_behind(rdv_str s, size_t i)
{
    return rdv_slice(s, i, rdv_skip_letters(s, i));
}

/* The words of "least to greatest", "first to the last". False: it stands nowhere. */
static bool find_scale(rdv_str s, rdv_str *from, rdv_str *until)
{
    rdv_str to = RDV_STR(" to ");
    for (size_t at = 0; (at = rdv_ifind(s, to, at)) != RDV_NOT_FOUND; at += to.len) {
        size_t begin = at, behind = at + to.len;
        while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
            begin--;
        behind += rdv_istarts(rdv_slice(s, behind, s.len), RDV_STR("the ")) ? 4 : 0;
        *from = rdv_slice(s, begin, at);
        *until = word_behind(s, behind);
        if (is_end(*from) && is_end(*until))
            return true;
    }
    return false;
}

order_asked order_is_asked(rdv_str question)
{
    static phrase_list words = {"@asks-for-an-order"};
    static const char *const places[] = {"first ", "next ", "last "};
    static const char *const things[] = {" terms", " numbers", " digits", " values"};
    rdv_str from, until;
    bool order = false;
    if (find_scale(question, &from, &until) || rdv_istarts(question, RDV_STR("rank ")) ||
        rdv_istarts(question, RDV_STR("sort ")))
        return ORDER_ASKED;
    for (size_t i = 0, end; (i = phrase_find(question, i, &words, &end)) < question.len; i = end) {
        rdv_str behind = rdv_slice(question, i, question.len);
        order = order || !rdv_istarts(behind, RDV_STR("in order to "));
    }
    for (size_t k = 0; k < COUNT(places); k++) {
        size_t at = rdv_ifind(question, rdv_str_of(places[k]), 0);
        rdv_str few = rdv_slice(question, at, at == RDV_NOT_FOUND ? at : at + 30);
        order = order || rdv_holds_any(few, things, COUNT(things)); /* "the first four terms" */
    }
    return order ? ORDER_PERHAPS : ORDER_NOT;
}

typedef struct names {
    rdv_str at[ITEMS_MOST];
    size_t n;
    char sign; /* between them; 0: none */
} names;

/* "and finally C" as "C". */
static rdv_str without_place(rdv_str name)
{
    size_t end;
    while ((end = rdv_skip_letters(name, 0)) < name.len &&
           (rdv_str_ieq(rdv_slice(name, 0, end), RDV_STR("and")) ||
            answer_class_has(CLASS_PLACE, rdv_slice(name, 0, end))))
        name = rdv_trim(rdv_slice(name, end, name.len));
    return name;
}

/* "1. cat" as "cat", where it is at that place of a list. */
static rdv_str without_number(rdv_str name, size_t place)
{
    size_t end = rdv_skip_digits(name, 0);
    bool numbered = end == 1 && (size_t)(name.p[0] - '0') == place &&
                    (rdv_char_at(name, 1) == '.' || rdv_char_at(name, 1) == ')') &&
                    rdv_char_at(name, 2) == ' ';
    return numbered ? rdv_trim(rdv_slice(name, 3, name.len)) : name;
}

/* The names between commas, signs of order, "and" and "then", behind a colon. */
static bool names_of(rdv_str s, names *out)
{
    size_t colon = rdv_find_char(s, ':', 0), begin = 0;
    bool lines = rdv_find_char(s, '\n', 0) != RDV_NOT_FOUND; /* "1. cat", "2. dog" */
    *out = (names){0};
    s = rdv_trim(rdv_slice(s, colon == RDV_NOT_FOUND ? 0 : colon + 1, s.len));
    s = rdv_slice(s, 0, s.len - rdv_ends(s, RDV_STR(".")));
    for (size_t i = 0; i <= s.len; i++) {
        bool and = rdv_starts(rdv_slice(s, i, s.len), RDV_STR(" and "));
        char c = i < s.len && !and && !(lines && s.p[i] == '\n') ? s.p[i] : ',';
        if (!strchr(",<>", c ? c : '=') || (and && i <= begin + 1)) /* ", and" */
            continue;
        rdv_str name = rdv_trim(rdv_slice(s, begin, i));
        size_t is = out->n ? RDV_NOT_FOUND : rdv_ifind(name, RDV_STR(" is "), 0);
        name = is == RDV_NOT_FOUND ? name : rdv_slice(name, is + 4, name.len); /* "The order is" */
        name = without_place(without_number(name, out->n + 1));
        if (!name.len || out->n == ITEMS_MOST || (c != ',' && out->sign && out->sign != c))
            return false;
        out->at[out->n++] = name;
        out->sign = c == ',' ? out->sign : c;
        begin = i + (and ? 5 : 1);
    }
    return out->n > 1;
}

/* "cat dog": words alone. */
static bool words_of(rdv_str s, names *out)
{
    *out = (names){0};
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        if (end == i || (end < s.len && s.p[end] != ' ') || out->n == ITEMS_MOST)
            return false;
        out->at[out->n++] = rdv_slice(s, i, end);
    }
    return out->n > 1;
}

/* Where the name at place `i` of a list stands in the other one, once; n: not there. */
static size_t place_of(const names *list, rdv_str name)
{
    size_t place = list->n;
    for (size_t i = 0; i < list->n; i++)
        if (rdv_str_ieq(list->at[i], name))
            place = place == list->n ? i : list->n;
    return place;
}

/* Which sign the order that is asked for has: '<' where it begins with the least; 0: not known. */
static char sign_asked(rdv_str question)
{
    rdv_str from, until;
    if (!find_scale(question, &from, &until))
        return 0;
    return answer_class_has(CLASS_LOW, from) ? '<' : answer_class_has(CLASS_LOW, until) ? '>' : 0;
}

/* Two lists of names without a sign, where nothing asks for an order. False: one name is only in
 * the first, and one only in the second, or it cannot be told. */
static bool compare_unordered(const names *a, const names *g, bool in_order, bool any_order,
                              rdv_same *is)
{
    const names *few = a->n < g->n ? a : g, *all = few == a ? g : a;
    bool other = false; /* "red, yellow and blue" for "red, green, blue" */
    for (size_t i = 0; i < few->n; i++) {
        bool in = place_of(all, few->at[i]) < all->n;
        for (size_t k = 0; k < all->n && !in; k++)
            if (!spelling_are_apart(few->at[i], all->at[k]))
                return false;
        other = other || !in;
    }
    *is = RDV_DIFFERENT;
    if (other)
        return true;
    *is = a->n != g->n ? RDV_DIFFERENT : in_order || any_order ? RDV_SAME : RDV_CANNOT_TELL;
    return true;
}

/* Does no word of a question or of a list speak of an order? */
static bool speaks_of_no_order(rdv_str question, rdv_str answer, rdv_str gold)
{
    return !answer_holds_class(question, CLASS_ORDER) &&
           !answer_holds_class(question, CLASS_PLACE) && !answer_holds_class(answer, CLASS_PLACE) &&
           !answer_holds_class(gold, CLASS_PLACE);
}

bool order_compare(rdv_str answer, rdv_str gold, rdv_str question, rdv_same *is)
{
    names a, g;
    rdv_str from, until;
    order_asked by_question = order_is_asked(question);
    bool sure = by_question == ORDER_ASKED || find_scale(answer, &from, &until);
    bool asked = sure || by_question == ORDER_PERHAPS;
    if (!names_of(answer, &a) || !(names_of(gold, &g) || (asked && words_of(gold, &g))))
        return false;
    bool pairs = a.n == 2 && rdv_find_char(answer, ',', 0) == RDV_NOT_FOUND; /* "Ann and Bob" */
    bool free = !asked && !a.sign && !g.sign && speaks_of_no_order(question, answer, gold);
    bool in_order = a.n == g.n;
    for (size_t i = 0; i < a.n && in_order; i++)
        in_order = rdv_str_ieq(a.at[i], g.at[i]);
    if (free)
        return compare_unordered(&a, &g, in_order, question.len || pairs, is);
    if (a.n != g.n || !(asked || a.sign || g.sign))
        return false;
    bool alike = true, reversed = true;
    for (size_t i = 0, at; i < a.n; i++) {
        at = place_of(&g, a.at[i]);
        if (at == g.n)
            return false;
        alike = alike && at == i;
        reversed = reversed && at == g.n - 1 - i;
    }
    char direct = sign_asked(question);
    a.sign = a.sign ? a.sign : g.sign ? direct : 0;
    g.sign = g.sign ? g.sign : a.sign ? direct : 0;
    bool same = a.sign == g.sign ? alike : reversed;
    bool known = (a.sign != 0) == (g.sign != 0) && (same || sure || a.sign);
    *is = !known ? RDV_CANNOT_TELL : same ? RDV_SAME : RDV_DIFFERENT;
    return true;
}

/* Are they the same numbers, as they are written, in another order? */
static bool are_reordered(rdv_str a, rdv_str b)
{
    rdv_str x, y;
    size_t i = 0, k = 0;
    bool other = false;
    while (answer_next_number(a, &i, &x)) {
        if (!answer_next_number(b, &k, &y) || !formal_holds(b, x) || !formal_holds(a, y))
            return false;
        other = other || !rdv_str_eq(x, y);
    }
    return other && !answer_next_number(b, &k, &y);
}

bool order_is_other(rdv_str sentence, rdv_str value, rdv_str gold)
{
    static phrase_list words = {"@asks-for-an-order;order;ranking;ranked"};
    rdv_str before = rdv_slice(sentence, 0, (size_t)(value.p - sentence.p));
    return phrase_in(before, &words) && are_reordered(value, gold);
}
