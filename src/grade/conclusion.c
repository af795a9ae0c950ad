/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/conclusion.h"

#include "answer/announcement.h"
#include "answer/date.h"
#include "answer/digits.h"
#include "answer/hedge.h"
#include "answer/lone_number.h"
#include "answer/measure.h"
#include "answer/money.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "answer/option.h"
#include "answer/span.h"
#include "answer/statement.h"
#include "base/str.h"
#include "grade/compare.h"
#include "grade/form_with_question.h"
#include "grade/formal.h"
#include "grade/formula_span.h"
#include "grade/text/order.h"
#include "grade/text/stated.h"
#include "grade/text/restated.h"
#include "grade/text/withdrawn.h"
#include "grade/turn.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/number_words.h"
#include "language/ordinal.h"
#include "language/phrase.h"
#include "language/rule.h"
#include "language/word_class.h"
#include "notation/units.h"

#define SENTENCES_LAST 2
#define LABEL_MAX 24   /* bytes: what is longer is a sentence */
#define VALUES_MOST 12 /* in these sentences */

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_number(const conclusion *c)
{
    return c->form->kind == RDV_KIND_NUMBER;
}

/* ---- other parts of the reply ---------------------------------------------------------------- */

/* Does a sentence deny or suppose what it says, in whatever place? */
static bool is_doubtful(rdv_str s)
{
    return restated_doubts(s) || formal_holds(s, RDV_STR("were"));
}

bool conclusion_is_plain(const conclusion *c, rdv_str part)
{
    size_t begin = (size_t)(part.p - c->text.p), end = begin + part.len;
    rdv_str bare;
    number_changed is = number_change(c->text, begin, end);
    if (formal_is_relation(part) && is_doubtful(c->last))
        return false; /* "It fails for x < 4." */
    return (is == NUMBER_PLAIN || is == NUMBER_SCALED) && !number_is_denied(c->text, begin) &&
           hedge_of(hedge_with(c->text, part), &bare) != HEDGE_DOUBT &&
           !assertion_not_of_number(c->text, begin, end, false);
}

/* Compare another part of the reply, with the words beside it that count. */
static int compare_part(const conclusion *c, rdv_str part, rdv_arena *arena, rdv_comparison *out,
                        rdv_error *err)
{
    *out = (rdv_comparison){.is = RDV_CANNOT_TELL, .why = "unread"};
    int code = turn_with_words(c->text, part, c->gold, c->question, arena, &part, err);
    if (code == RDV_OK)
        code = compare_answers(part, c->gold, c->form, c->how, arena, out, err);
    return code < 0 ? code : RDV_OK;
}

bool conclusion_is_proved(const rdv_comparison *c)
{
    return strcmp(c->why, "exact") == 0 || strcmp(c->why, "algebra") == 0 ||
           strcmp(c->why, "bounds") == 0 || strcmp(c->why, "unit") == 0;
}

/* Take the comparison of another reading where it says more: *same*, or a difference that is proved
 * where nothing was read. */
static int try_part(const conclusion *c, rdv_str part, rdv_arena *arena, rdv_str *answer,
                    rdv_comparison *out, rdv_error *err)
{
    rdv_comparison one;
    if (out->is == RDV_SAME || !part.len || !conclusion_is_plain(c, part))
        return RDV_OK;
    int code = compare_part(c, part, arena, &one, err);
    bool unread = out->is == RDV_CANNOT_TELL && strcmp(out->why, "unread") == 0;
    bool more =
        one.is == RDV_SAME || (unread && one.is == RDV_DIFFERENT && conclusion_is_proved(&one));
    if (code == RDV_OK && more) {
        *out = one;
        *answer = part;
    }
    return code;
}

/* The last number that was read. */
static bool last_read(const conclusion *c, size_t *begin, size_t *end)
{
    rdv_str number, last = {0};
    bool within = c->read.p >= c->text.p && c->read.p < c->text.p + c->text.len;
    for (size_t at = 0; within && answer_next_number(c->read, &at, &number);)
        last = number;
    *begin = last.p ? (size_t)(last.p - c->text.p) : 0;
    *end = *begin + last.len;
    return last.p != NULL;
}

/* "78k": the number with the letter glued to it that multiplies it; else empty. */
static rdv_str with_factor(rdv_str s, size_t begin, size_t end)
{
    char c = rdv_char_at(s, end);
    bool factor = c && strchr("kKM", c) && !rdv_is_alnum(rdv_char_at(s, end + 1));
    return factor ? rdv_slice(s, begin, end + 1) : (rdv_str){0};
}

/* "45 300": the number with the groups of three digits before and behind it, over blanks; else
 * empty.
 */
static rdv_str with_groups(rdv_str s, size_t begin, size_t end)
{
    size_t from = begin, to = end;
    while (rdv_char_at(s, to) == ' ' && rdv_skip_digits(s, to + 1) == to + 4)
        to += 4;
    while (from > 1 && s.p[from - 1] == ' ' && rdv_is_digit(s.p[from - 2]) &&
           rdv_skip_digits(s, from) == from + 3)
        for (from--; from > 0 && rdv_is_digit(s.p[from - 1]);)
            from--;
    bool first = rdv_skip_digits(s, from) - from < 4;
    return first && (from < begin || to > end) ? rdv_slice(s, from, to) : (rdv_str){0};
}

/* "negative 5": the number with the word before it; else empty. */
static rdv_str with_sign_word(rdv_str s, size_t begin, size_t end)
{
    static const char *const words[] = {"negative ", "minus "};
    rdv_str before = rdv_slice(s, 0, begin);
    for (size_t k = 0; k < 2; k++)
        if (rdv_ends(before, rdv_str_of(words[k])))
            return rdv_slice(s, begin - strlen(words[k]), end);
    return (rdv_str){0};
}

/* "5!" of "There are 5! ways.", in which the sign ends no sentence; else empty. */
static rdv_str with_factorial(rdv_str s, size_t begin, size_t end)
{
    size_t next = rdv_skip_any(s, end + 1, " $");
    bool sign = rdv_char_at(s, end) == '!' && next < s.len && s.p[next] == rdv_lower(s.p[next]) &&
                s.p[next] != '!' && s.p[next] != '\n';
    return sign ? rdv_slice(s, begin, end + 1) : (rdv_str){0};
}

/* "1 in 6", "1 out of 6", "3 to 4", "1:50": two numbers that are one value; else empty. */
static rdv_str with_first(rdv_str s, size_t begin, size_t end)
{
    static const char *const joins[] = {" in ", " out of ", " to ", ":", " : "};
    rdv_str before = rdv_slice(s, 0, begin);
    for (size_t k = 0; k < COUNT(joins); k++) {
        size_t from = before.len - strlen(joins[k]);
        if (!rdv_ends(before, rdv_str_of(joins[k])))
            continue;
        while (from > 0 && rdv_is_digit(s.p[from - 1]))
            from--;
        bool number = from + strlen(joins[k]) < begin &&
                      !(from && strchr(".,", s.p[from - 1])); /* not "1,009:3" */
        return number ? rdv_slice(s, from, end) : (rdv_str){0};
    }
    return (rdv_str){0};
}

/* The formula that the number is in, or rounds. */
static int try_formulas(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                        rdv_error *err)
{
    size_t begin, end;
    rdv_str part;
    int code = RDV_OK;
    if (!last_read(c, &begin, &end))
        return RDV_OK;
    code = try_part(c, with_factor(c->text, begin, end), arena, answer, out, err);
    if (code == RDV_OK)
        code = try_part(c, with_groups(c->text, begin, end), arena, answer, out, err);
    if (code == RDV_OK)
        code = try_part(c, with_sign_word(c->text, begin, end), arena, answer, out, err);
    if (code == RDV_OK)
        code = try_part(c, with_factorial(c->text, begin, end), arena, answer, out, err);
    if (code == RDV_OK)
        code = try_part(c, with_first(c->text, begin, end), arena, answer, out, err);
    if (code == RDV_OK && formula_span_rounded(c->text, begin, &part))
        code = try_part(c, part, arena, answer, out, err);
    if (code < 0 || is_number(c) || !formula_span_with(c->text, begin, end, &part))
        return code;
    rdv_str result = formula_span_result(part);
    if (rdv_has_letter_or_beyond(result))
        code = try_part(c, result, arena, answer, out, err);
    bool piece =
        rdv_has_letter_or_beyond(result) && c->read.p >= result.p && c->read.len < result.len;
    if (code == RDV_OK && piece && out->is == RDV_DIFFERENT && !conclusion_is_plain(c, result)) {
        out->is = RDV_CANNOT_TELL; /* it is a piece of what is not asserted */
        out->why = "unread";
        out->reason = RDV_STR("what was read is a part of a formula");
    }
    bool equation = result.len < part.len && rdv_has_letter_or_beyond(part);
    return code == RDV_OK && equation ? try_part(c, part, arena, answer, out, err) : code;
}

/* ---- what stands beside it ------------------------------------------------------------------- */

/* What a number of the text states: a formula with letters that it is a part of, the result of a
 * calculation, itself. Empty: it is only a part of a calculation. */
static rdv_str stated(rdv_str s, rdv_str number)
{
    size_t begin = (size_t)(number.p - s.p);
    rdv_str formula;
    if (!formula_span_with(s, begin, begin + number.len, &formula))
        return number;
    rdv_str result = formula_span_result(formula);
    bool is_result = number.p >= result.p && result.len < formula.len;
    return rdv_has_letter_or_beyond(result) || is_result ? result : (rdv_str){0};
}

int conclusion_gold_beside(const conclusion *c, rdv_arena *arena, bool *is, rdv_error *err)
{
    rdv_str end = cue_last_sentences(c->text, SENTENCES_LAST), number, part;
    rdv_comparison one;
    int code = RDV_OK;
    size_t n = 0;
    *is = false;
    for (size_t at = 0;
         code == RDV_OK && !*is && n++ < VALUES_MOST && answer_next_number(end, &at, &number);) {
        bool read = number.p >= c->read.p && number.p < c->read.p + c->read.len;
        part = read ? (rdv_str){0} : stated(end, number);
        if (!part.len)
            continue;
        code = compare_part(c, part, arena, &one, err);
        *is = one.is == RDV_SAME && conclusion_is_plain(c, part);
    }
    return code < 0 ? code : RDV_OK;
}

/* Does the reply end in "none", or "no" before what the question counts? */
static bool ends_in_none(const conclusion *c)
{
    rdv_str s = rdv_trim(c->concluded);
    bool counted = rdv_ifind(c->question, RDV_STR("how many"), 0) != RDV_NOT_FOUND;
    bool none = false, all = rdv_istarts(s, RDV_STR("none of the ")) ||
                             rdv_istarts(s, RDV_STR("nobody ")) ||
                             rdv_istarts(s, RDV_STR("no one "));
    if (all && counted && !rdv_has_digit(s) && rdv_find_char(s, ',', 0) == RDV_NOT_FOUND)
        return true; /* "None of the students failed." */
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end),
                next = rdv_slice(s, end + 1, rdv_skip_letters(s, end + 1));
        none =
            none || rdv_str_ieq(word, RDV_STR("none")) ||
            (rdv_str_ieq(word, RDV_STR("no")) && next.len > 2 && formal_holds(c->question, next));
    }
    return none && !rdv_has_digit(s) && !announcement_of_none(s);
}

/* A list, set or interval of the last sentence, compared where gold is one. */
static int try_object(const conclusion *c, rdv_str part, rdv_arena *arena, rdv_str *answer,
                      rdv_comparison *out, rdv_error *err)
{
    rdv_comparison one;
    if (out->is == RDV_SAME || !part.len || part.p == c->read.p || !conclusion_is_plain(c, part))
        return RDV_OK;
    int code = compare_answers(part, c->gold, c->form, c->how, arena, &one, err);
    bool set = code == RDV_OK && one.is == RDV_DIFFERENT &&
               (strcmp(one.why, "set") == 0 || strcmp(one.why, "relation") == 0);
    bool units = rdv_has_letter(part) && !rdv_has_letter(c->gold); /* "10^{-3} M" */
    bool proved = one.is == RDV_DIFFERENT && !units && conclusion_is_proved(&one);
    if (code == RDV_OK && (one.is == RDV_SAME || set || proved)) {
        *out = one;
        *answer = part;
    }
    return code < 0 ? code : RDV_OK;
}

/* Where gold is a list, set, interval or relation, or nothing is read: what the last sentence says
 * something to be, or all its maths, if nothing but "and" and commas part it. */
static int try_objects(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                       rdv_error *err)
{
    static const char *const marks[] = {",", "\\{", "\\pm", "\xc2\xb1", " and ", " or ", "="};
    bool object =
        c->relation || (!rdv_is_whole(c->gold) && rdv_holds_any(c->gold, marks, COUNT(marks)));
    bool untold = out->is == RDV_CANNOT_TELL;
    rdv_str maths = {0}, said = object || untold ? predicate_of(c->text) : (rdv_str){0};
    bool unread =
        untold && (!rdv_has_digit(said) || rdv_has_letter(c->gold)) && !is_doubtful(c->last);
    int code = object || unread ? try_object(c, said, arena, answer, out, err) : RDV_OK;
    bool joined = object && answer_maths_of(c->last, &maths) && formal_has_no_words(maths);
    size_t begin, end; /* "for all x < 4" */
    if (c->relation && !joined && !is_doubtful(c->last) && last_read(c, &begin, &end))
        joined = formula_span_with(c->text, begin, end, &maths);
    return code == RDV_OK && joined ? try_object(c, maths, arena, answer, out, err) : code;
}

/* Does it break off: is its last word or sign one after which something must follow? */
bool conclusion_breaks_off(rdv_str text)
{
    rdv_str s = rdv_trim_end(text);
    size_t begin = s.len;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    char last = rdv_char_at(s, s.len - 1);
    return (last && strchr("=+-*/:,", last)) ||
           answer_class_has(CLASS_BREAKING, rdv_slice(s, begin, s.len));
}

/* Is what differs from gold by its form a number that stands in gold, "-2" of "x = 3, y = -2" for
 * (3, -2), or an object that gold's number stands in, "the line through (4, 0)" for x = 4? */
static bool is_part_of_gold(const conclusion *c, const rdv_comparison *out)
{
    rdv_str number;
    bool span = rdv_find(c->gold, RDV_STR("\xe2\x80\x93"), 0) != RDV_NOT_FOUND; /* 1939–1945 */
    bool form = strcmp(out->why, "form") == 0 || strcmp(out->why, "set") == 0 || span;
    bool part = false, holds = false, named = rdv_find_char(c->gold, '=', 0) != RDV_NOT_FOUND;
    for (size_t at = 0, n = 0; form && answer_next_number(c->gold, &at, &number); n++) {
        part = part || rdv_str_eq(number, rdv_trim(c->read));
        holds = (n == 0 || holds) && formal_holds(c->read, number);
    }
    return part || (holds && named);
}

/* A word of letters behind which a sentence says what it comes to. */
static bool is_result(rdv_str word)
{
    return answer_class_has(CLASS_RESULT, word);
}

/* Where the clause that holds byte `i` of a sentence begins, if it only gives a reason or a
 * contrast to what the sentence says before: ", since ...", ", the other one being ..."; 0: it does
 * not, or concludes, "because ..., so ...". */
static size_t aside_begin(rdv_str s, size_t i)
{
    static phrase_list words = {"since;because;while;whereas;being"};
    size_t begin = 0;
    bool being = false;
    for (size_t k = 0, end; k < i; k = end + 1) {
        end = rdv_skip_letters(s, k);
        rdv_str word = rdv_slice(s, k, end);
        if (!word.len)
            continue;
        if (begin && is_result(word))
            begin = 0;
        if (!phrase_at(word, 0, &words))
            continue;
        being = rdv_str_ieq(word, RDV_STR("being"));
        for (begin = k; begin > 0 && s.p[begin - 1] != ',' && being;)
            begin--;
    }
    return begin;
}

/* Has the sentence another number than the one that was read, which the question does not give, and
 * nothing that says that it comes to this one: no "=" before it, no word of result? */
static bool is_unconcluded(const conclusion *c, rdv_str s, rdv_str read)
{
    rdv_str number;
    size_t begin = (size_t)(read.p - s.p), i = begin;
    while (i > 0 && s.p[i - 1] && strchr(" $(\\{\"", s.p[i - 1]))
        i--;
    static phrase_list signs = {"\":;=;\u2248;\\approx;i.e.;i.e.,;, or;same as;@comes-to"};
    bool other = false;
    if (phrase_before(rdv_slice(s, 0, i), &signs) < i ||
        announcement_concludes(s, begin, begin + read.len))
        return false;
    for (size_t k = 0, end; k < begin + read.len; k = end + 1) {
        end = rdv_skip_letters(s, k);
        if (is_result(rdv_slice(s, k, end)))
            return false;
    }
    size_t begins = (size_t)(s.p - c->text.p);
    for (size_t at = 0; at < begins && answer_next_number(c->text, &at, &number);) {
        rdv_str before = rdv_slice(c->text, 0, (size_t)(number.p - c->text.p));
        while (before.len && before.p[before.len - 1] && strchr(" $", before.p[before.len - 1]))
            before.len--;
        if (at < begins && rdv_str_eq(number, read) && rdv_ends(before, RDV_STR("=")))
            return false; /* it was computed before */
    }
    s = rdv_slice(s, 0, rdv_find(s, RDV_STR(" ("), begin));
    for (size_t at = 0; !other && answer_next_number(s, &at, &number);) {
        size_t next = at + rdv_starts(rdv_slice(s, at, s.len), RDV_STR(" "));
        bool day = answer_calendar_name(rdv_slice(s, next, rdv_skip_letters(s, next))) > 7;
        bool within = number.p < read.p + read.len && number.p + number.len > read.p;
        size_t from = (size_t)(number.p - s.p);
        bool label = rdv_starts(rdv_slice(s, at, s.len), RDV_STR(": ")); /* "Step 3: 4" */
        bool given = formal_holds(c->question, number) && !formal_holds(c->question, read);
        other = !within && !day && !label && !given && !rdv_str_eq(number, read) &&
                conclusion_is_plain(c, number) &&
                !announcement_refers(s, from, from + number.len); /* "$2\\sin x$" is no amount */
    }
    return other;
}

static bool ends_clause(char c)
{
    return c == ',' || c == ';' || !c;
}

/* The words that say what the number at byte `i` of a sentence is the value of, "the second" of
 * "The first is 4 and the second is 9."; empty: no verb stands before it. */
static rdv_str subject_of(rdv_str s, size_t i)
{
    static phrase_list verbs = {"@being;equals"};
    static const char marks[] = " $(\\{";
    while (i > 0 && s.p[i - 1] && strchr(marks, s.p[i - 1]))
        i--;
    size_t end = i;
    while (i > 0 && rdv_is_alpha(s.p[i - 1]))
        i--;
    if (end && s.p[end - 1] == '=')
        i = end - 1;
    else if (!phrase_is(rdv_slice(s, i, end), &verbs))
        return (rdv_str){0};
    size_t begin = i;
    while (begin > 0 && !ends_clause(s.p[begin - 1]) && s.p[begin - 1] != ':' &&
           s.p[begin - 1] != '.' && s.p[begin - 1] != '\n' &&
           !rdv_ends(rdv_slice(s, 0, begin), RDV_STR(" and ")))
        if (rdv_is_digit(s.p[--begin])) /* "2 + 1 = 3" */
            return (rdv_str){0};
    return rdv_slice(s, begin, i);
}

/* Words of a subject: *known in the question, *new not. Single letters are names. */
static void count_words(rdv_str subject, rdv_str question, size_t *known, size_t *new)
{
    *known = *new = 0;
    for (size_t i = 0, end, stop; i < subject.len; i = end + 1) {
        end = rdv_skip_letters(subject, i);
        rdv_str word = rdv_slice(subject, i, end);
        bool article = word.len == 1 && (*word.p == 'a' || *word.p == 'A');
        if (!word.len || article || is_result(word) || rdv_str_ieq(word, RDV_STR("text")) ||
            announcement_row_at(subject, i, 1u << EFFECT_PLAIN, &stop))
            continue;
        bool asked = formal_holds(question, word);
        *known += asked;
        *new += !asked;
    }
}

/* The clause that the number at byte `i` of a sentence stands in, without the number; empty: it has
 * another number too. */
static rdv_str clause_around(rdv_str s, rdv_str number)
{
    size_t begin = (size_t)(number.p - s.p), end = begin + number.len;
    while (begin > 0 && !ends_clause(s.p[begin - 1]))
        begin--;
    while (end < s.len && !ends_clause(s.p[end]))
        end++;
    rdv_str clause = rdv_slice(s, begin, end), one;
    size_t at = 0, n = 0;
    while (n < 2 && answer_next_number(clause, &at, &one))
        n++;
    return n == 1 ? clause : (rdv_str){0};
}

/* Is the number that was read the value of something else than the question asks for, whose value
 * the sentence says too: "x is 3, so y is 5." where x is asked for? */
static bool is_of_another(const conclusion *c, rdv_str s, rdv_str read)
{
    rdv_str question = c->question, number;
    if (!question.len)
        return false;
    rdv_str own = clause_around(s, read);
    size_t known, new;
    count_words(own, question, &known, &new);
    bool foreign = own.len && new && !known;
    for (size_t at = 0; foreign && answer_next_number(s, &at, &number);) {
        count_words(clause_around(s, number), question, &known, &new);
        if (number.p < own.p && known > 1 && !new) /* "marked down 60%, so that 40% is paid" */
            return true;
    }
    count_words(subject_of(s, (size_t)(read.p - s.p)), question, &known, &new);
    if (!new)
        return false;
    for (size_t at = 0; answer_next_number(s, &at, &number);) {
        if (number.p < read.p + read.len && number.p + number.len > read.p)
            continue;
        count_words(subject_of(s, (size_t)(number.p - s.p)), question, &known, &new);
        if (known && !new)
            return true;
    }
    return false;
}

/* Is the subject of a clause, its first word or one behind an adverb, a pronoun: "so you pay 3",
 * but not "so that 70% are paid"? */
static bool has_pronoun(rdv_str clause)
{
    size_t end = rdv_skip_letters(clause, 0), stop = rdv_skip_letters(clause, end + 1);
    rdv_str first = rdv_slice(clause, 0, end), next = rdv_slice(clause, end + 1, stop);
    if (rdv_str_ieq(first, RDV_STR("that")))
        return is_result(next) || answer_class_has(CLASS_BEING, next);
    return rdv_istarts(clause, RDV_STR("there")) || answer_class_has(CLASS_PRONOUN, first) ||
           answer_class_has(CLASS_PRONOUN, next);
}

bool conclusion_is_another(const conclusion *c, rdv_str clause)
{
    rdv_str s = cue_last_sentences(c->text, SENTENCES_LAST);
    size_t known, new, before, other;
    if (has_pronoun(clause)) /* of what is asked */
        return false;
    count_words(clause, c->question, &known, &new);
    count_words(rdv_slice(s, 0, (size_t)(clause.p - s.p)), c->question, &before, &other);
    return !known && new && before;
}

/* Without the sentence in brackets that ends a text, a remark to what it says before: "So he
 * needs 4. (With 3 there are only 24.)"; all of it where the remark concludes, or says a word
 * alone. */
static rdv_str without_remark(rdv_str text)
{
    rdv_str s = rdv_trim_end(text);
    s.len -= rdv_ends(s, RDV_STR(").")) ? 2 : rdv_ends(s, RDV_STR(")"));
    size_t open = s.len, depth = 1;
    for (; s.len < text.len && open > 0 && depth; open--)
        depth += (s.p[open - 1] == ')') - (s.p[open - 1] == '(');
    rdv_str before = rdv_trim_end(rdv_slice(s, 0, open)), said = rdv_slice(s, open + 1, s.len);
    rdv_str first = rdv_slice(said, 0, rdv_skip_letters(said, 0));
    bool remark = s.len < text.len && !depth && before.len &&
                  strchr(".!?", before.p[before.len - 1]) &&
                  rdv_find_char(said, ' ', 0) != RDV_NOT_FOUND && !is_result(first);
    return remark ? before : text;
}

/* Does the last sentence state another value than the one that was read, which stands in an aside?
 */
static bool is_aside(const conclusion *c, rdv_str read)
{
    rdv_str s = c->last, number;
    if (rdv_lies_in(read, c->text) && read.p >= c->text.p + without_remark(c->text).len)
        return true;
    rdv_str before = rdv_trim_end(rdv_slice(c->text, 0, (size_t)(s.p - c->text.p)));
    if (rdv_ends(before, RDV_STR(";")))
        s = cue_last_sentences(c->text, 2);
    if (!read.len || !rdv_lies_in(read, s))
        return false;
    size_t begin = (size_t)(read.p - s.p), aside = aside_begin(s, begin), at = 0;
    rdv_str main = conclusion_main_clause(s, (rdv_str){0});
    main = rdv_slice(s, 0, main.len <= begin ? main.len : aside);
    bool reason = aside && rdv_has_letter(main) && !rdv_has_digit(main);
    return reason || (answer_next_number(main, &at, &number) && !formal_holds(main, read)) ||
           is_unconcluded(c, s, read) || is_of_another(c, s, read);
}

/* Has gold an imaginary part: "2 - 5i"? */
static bool is_complex(rdv_str gold)
{
    for (size_t i = 0; i < gold.len; i++)
        if (gold.p[i] == 'i' && rdv_has_digit(gold) && !rdv_is_alpha(rdv_char_at(gold, i + 1)) &&
            (i == 0 || (!rdv_is_alpha(gold.p[i - 1]) && gold.p[i - 1] != '\\')))
            return true;
    return false;
}

/* Is what differs one of several values of the last sentence, of which gold may be all, by its form
 * or as a complex number? */
static bool is_one_of_several(const conclusion *c, const rdv_comparison *out)
{
    rdv_str number;
    bool form = strcmp(out->why, "form") == 0 || strcmp(out->why, "set") == 0 ||
                (is_complex(c->gold) && !rdv_has_letter(c->read));
    for (size_t at = 0; form && answer_next_number(c->last, &at, &number);)
        if (!rdv_lies_in(number, c->read))
            return true;
    return false;
}

/* The letter of "x = " that ends before byte `i`, over marks of formulas; 0: there is none. */
static char name_before(rdv_str s, size_t i)
{
    while (i > 0 && s.p[i - 1] && strchr(" $(\\{", s.p[i - 1]))
        i--;
    if (i == 0 || s.p[i - 1] != '=')
        return 0;
    rdv_str left = rdv_trim_end(rdv_slice(s, 0, i - 1));
    bool alone = left.len && rdv_is_alpha(left.p[left.len - 1]) &&
                 (left.len == 1 || strchr(" $(,\n", left.p[left.len - 2]));
    return alone ? left.p[left.len - 1] : 0;
}

/* Is it the value of another letter than gold is: "y = 4" for "x = 4"? */
static bool is_of_other_letter(const conclusion *c, rdv_str read)
{
    rdv_str gold = rdv_trim(rdv_slice(c->gold, rdv_starts(c->gold, RDV_STR("$")), c->gold.len));
    bool named =
        rdv_is_alpha(rdv_char_at(gold, 0)) && rdv_char_at(gold, rdv_skip_any(gold, 1, " ")) == '=';
    char letter = named ? name_before(c->text, (size_t)(read.p - c->text.p)) : 0;
    return letter && letter != gold.p[0];
}

/* Does what stands behind the number make another one of it, which the question does not ask for:
 * "5! of them", "8 (mod 3)"? */
static bool is_changed_behind(const conclusion *c, rdv_str read)
{
    static const char *const congruent[] = {"\xe2\x89\xa1", "\\equiv", "congruent"};
    static const char *const asked[] = {"mod", "remainder", "congruen", "divided"};
    size_t end = (size_t)(read.p - c->text.p) + read.len, behind = rdv_skip_any(c->text, end, " (");
    size_t stop = rdv_skip_letters(c->text, behind + (rdv_char_at(c->text, behind) == '\\'));
    bool modulus = formal_holds(read, RDV_STR("mod")) && !formal_holds(c->gold, RDV_STR("mod"));
    modulus = modulus || answer_class_has(CLASS_MODULUS, rdv_slice(c->text, behind, stop));
    modulus = modulus && !rdv_holds_any(c->question, asked, COUNT(asked)) &&
              !rdv_holds_any(c->text, congruent, COUNT(congruent));
    return modulus || with_factorial(c->text, end - read.len, end).len;
}

/* Is what was read stated by nobody: denied, "Nobody has 8.", supposed, a mere reason, "because 5
 * is odd", or said where the reply breaks off? */
static bool is_unstated(const conclusion *c, rdv_str read)
{
    rdv_str s = c->last;
    size_t begin = (size_t)(read.p - c->text.p);
    if (!read.len || !rdv_lies_in(read, c->text))
        return false;
    bool reason = rdv_istarts(s, RDV_STR("because ")) && rdv_lies_in(read, s) &&
                  rdv_find_char(s, ',', 0) == RDV_NOT_FOUND;
    bool clause = rdv_istarts(rdv_trim(c->text), RDV_STR("which ")); /* of a sentence that is cut */
    char last = rdv_char_at(rdv_trim_end(c->text), rdv_trim_end(c->text).len - 1);
    bool cut = last == ':' || last == '=' || last == '+'; /* "Step 2:" */
    bool denied =
        announcement_denies(c->text, begin, begin + read.len) ||
        (c->relation && rdv_lies_in(read, s) && is_doubtful(s)); /* "It fails for x < 4." */
    rdv_str number, only = read; /* of a sentence that was read whole */
    size_t at = 0;
    static phrase_list says = {"@chooses"};
    if (phrase_in(read, &says) && statement_is_sentence(read) &&
        answer_next_number(read, &at, &number))
        only = number;
    size_t from = (size_t)(only.p - c->text.p);
    return reason || clause || cut || denied || is_of_other_letter(c, read) ||
           is_changed_behind(c, read) ||
           assertion_not_of_number(c->text, from, from + only.len, true);
}

/* The only amount of the last sentence that names a currency; empty: none, or several. */
static rdv_str only_amount(rdv_str s)
{
    money_amount a, only = {0};
    size_t n = 0;
    for (size_t at = 0; money_next(s, &at, &a);)
        if (a.unit && n++ == 0)
            only = a;
    return n == 1 ? rdv_slice(s, only.begin, only.end) : (rdv_str){0};
}

rdv_comparison conclusion_several(const rdv_comparison *c)
{
    rdv_comparison out = *c;
    out.is = RDV_CANNOT_TELL;
    out.why = "assumption";
    out.reason = RDV_STR("nothing says which value at the end of the reply is its answer");
    return out;
}

/* Where gold is money: a number that the question gives is not the answer of a sentence whose only
 * amount is gold, "64 dollars for the 16 glasses", unless the question gives the amount too. */
static int try_amount(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                      rdv_error *err)
{
    if (!money_currency(c->gold).p)
        return RDV_OK;
    rdv_str s = c->last, question = c->question, amount = only_amount(s), given, number;
    size_t at = 0, begin = 0;
    rdv_comparison one;
    if (!amount.len || amount.p > c->read.p || !answer_next_number(c->read, &at, &given) ||
        !formal_holds(question, given) || !answer_next_number(amount, &begin, &number))
        return RDV_OK;
    int code = compare_answers(amount, c->gold, c->form, c->how, arena, &one, err);
    if (code != RDV_OK || one.is != RDV_SAME)
        return code < 0 ? code : RDV_OK;
    size_t end = (size_t)(amount.p - s.p) + amount.len;
    rdv_str behind = rdv_slice(s, end, s.len);
    bool stated = !formal_holds(question, number) && conclusion_is_plain(c, number) &&
                  !is_doubtful(s) && !announcement_of_none(s) && !money_changes(behind) &&
                  !money_rate(behind).p && rdv_istarts(behind, RDV_STR(" for the "));
    *out = stated ? one : conclusion_several(out);
    *answer = amount;
    return RDV_OK;
}

/* A comparison of a value that the reply does not state. */
static rdv_comparison unstated_of(const rdv_comparison *c)
{
    return (rdv_comparison){.is = RDV_CANNOT_TELL,
                            .why = "assumption",
                            .answer_as = c->answer_as,
                            .gold_as = c->gold_as,
                            .reason = RDV_STR("the reply does not state the value")};
}

static int weigh(conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                 rdv_error *err)
{
    bool maths = is_number(c) || c->form->kind == RDV_KIND_LATEX, beside;
    bool last = rdv_answer_found_of(c->by) == RDV_FOUND_LAST;
    if (c->form->kind == RDV_KIND_TEXT && c->form->any_case && out->is != RDV_SAME)
        return stated_weigh(c, arena, answer, out, err);
    rdv_str value = rdv_lies_in(*answer, c->text) ? *answer : c->read;
    if (c->form->kind == RDV_KIND_OPTION && last && value.len == 1 && rdv_lies_in(value, c->text) &&
        answer_option_supposed(c->text, (size_t)(value.p - c->text.p))) {
        *out = unstated_of(out);
        c->unstated = true;
        return RDV_OK;
    }
    bool same = maths && last && out->is == RDV_SAME, aside = same && is_aside(c, value);
    bool unstated = same && !aside && is_unstated(c, value);
    if (aside)
        *out = conclusion_several(out);
    c->unstated = unstated;
    if (unstated)
        *out = unstated_of(out);
    if (!maths || aside || unstated || out->is == RDV_SAME || c->by == RDV_ANSWER_BY_BOX)
        return RDV_OK;
    int code = try_formulas(c, arena, answer, out, err);
    rdv_str read = *answer;
    if (code == RDV_OK && last && out->is != RDV_SAME)
        code = try_objects(c, arena, answer, out, err);
    if (code == RDV_OK && last && out->is == RDV_DIFFERENT)
        code = try_amount(c, arena, answer, out, err);
    bool decided = !rdv_str_eq(read, *answer);
    if (last && out->is != RDV_SAME && rdv_str_eq(rdv_trim(c->gold), RDV_STR("0")) &&
        ends_in_none(c))
        *out = (rdv_comparison){
            .is = RDV_SAME, .why = "exact", .answer_as = c->gold, .gold_as = c->gold};
    if (code != RDV_OK || !last || decided || out->is != RDV_DIFFERENT)
        return code;
    size_t begin = (size_t)(value.p - c->text.p);
    beside = is_part_of_gold(c, out) || is_one_of_several(c, out) ||
             (rdv_lies_in(value, c->text) && /* "18 an hour, up from 15" */
              assertion_not_of_number(c->text, begin, begin + value.len, true));
    if (!beside)
        code = conclusion_gold_beside(c, arena, &beside, err);
    if (code != RDV_OK || !beside)
        return code;
    *out = conclusion_several(out);
    return RDV_OK;
}

/* Do the words before a value make it one of a part of the result, or of more than it: "The root of
 * the result is 8.", "The result plus 2 is 8."? */
static bool is_part_of_result(rdv_str before, rdv_str question)
{
    rdv_str last[3] = {{0}}; /* words: "root", "of", "the" before "result" */
    for (size_t i = 0, end; i < before.len; i = end + 1) {
        end = rdv_skip_letters(before, i);
        if (end == i && before.p[i] != ' ') {
            memset(last, 0, sizeof last);
            continue;
        }
        rdv_str word = rdv_slice(before, i, end);
        bool any = word.len && last[2].len; /* else no word is before it */
        bool with_last = any && answer_pair_follows(PAIR_OF_RESULT, last[2], word);
        bool turned = with_last || (word.len && answer_pair_follows(PAIR_OF_RESULT, last[1], word));
        rdv_str head = with_last ? last[1] : last[0];
        if (turned && !formal_holds(question, head) && !rdv_str_ieq(head, RDV_STR("value")))
            return true;
        last[0] = last[1];
        last[1] = last[2];
        last[2] = word;
        if (rdv_char_at(before, end) != ' ')
            memset(last, 0, sizeof last);
    }
    return false;
}

/* Does the reply say that the value was not right, or give its numbers in another order than gold
 * has them? */
static bool is_taken_back(const conclusion *c, rdv_str value)
{
    if (!value.len || !rdv_lies_in(value, c->text))
        return false;
    if (rdv_lies_in(value, c->last))
        return withdrawn_in(c->last, value, c->question, c->gold) ||
               order_is_other(c->last, value, c->gold);
    size_t end = (size_t)(value.p - c->text.p) + value.len;
    return withdrawn_by(rdv_slice(c->text, end, c->text.len), c->question, c->gold);
}

/* Is gold the whole part alone of a number of the value: 17 of "17 and a fifth"? */
static bool is_whole_of_mixed(const conclusion *c, rdv_str value)
{
    static const char *const fractions[] = {"/", "\\frac", " and "};
    rdv_str number, gold;
    size_t at = 0;
    if (!rdv_lies_in(value, c->text) || rdv_holds_any(c->gold, fractions, COUNT(fractions)) ||
        !answer_next_number(c->gold, &at, &gold))
        return false;
    for (at = 0; answer_next_number(value, &at, &number);)
        if (rdv_str_eq(number, gold) &&
            number_adds_fraction(c->text, (size_t)(number.p + number.len - c->text.p)))
            return true;
    return false;
}

bool conclusion_is_turned(const conclusion *c, rdv_str value)
{
    rdv_str s = c->concluded, first = {0}, word = {0}, number;
    if (is_taken_back(c, value) || is_whole_of_mixed(c, value))
        return true;
    if (!value.len || !rdv_lies_in(value, s))
        return false;
    rdv_str before = rdv_slice(s, 0, (size_t)(value.p - s.p));
    rdv_str label = rdv_slice(s, 0, rdv_find(s, RDV_STR(": "), 0));
    label.len = label.len < LABEL_MAX && label.len < s.len ? label.len : 0;
    before.len = before.len < label.len ? label.len : before.len;
    bool whole = rdv_has_letter_or_beyond(value) &&
                 (statement_is_sentence(value) || answer_holds_class(value, CLASS_AUXILIARY));
    if (whole)
        for (size_t at = before.len; answer_next_number(s, &at, &number);)
            before = rdv_slice(s, 0, (size_t)(number.p - s.p)); /* "A mistake gives 8" */
    for (size_t i = 0, end; i < before.len; i = end + 1) {
        end = rdv_skip_letters(before, i);
        if (end == i)
            continue;
        word = rdv_slice(before, i, end);
        first = first.len ? first : word;
        size_t stop = rdv_skip_letters(before, end + 1);
        rdv_str next = rdv_slice(before, end + 1, stop);
        bool of_number = rdv_is_digit(rdv_char_at(before, stop + 1)); /* "Half of 40 is 20." */
        bool difference = rdv_str_ieq(word, RDV_STR("minus")) && i > 1 &&
                          rdv_is_digit(before.p[i - 2]) &&
                          rdv_is_digit(rdv_char_at(before, end + 1)); /* "81 minus 32 leaves 49" */
        if (!difference &&
            (answer_class_has(CLASS_TURNING_VALUE, word) ||
             (rdv_lies_in(word, label) && answer_class_has(CLASS_OTHER_LABEL, word)) ||
             (!of_number && answer_pair_follows(PAIR_OF_VALUE, word, next)) ||
             answer_pair_follows(PAIR_SUPPOSING, first, word)) &&
            !formal_holds(c->question, word) && !formal_holds(c->gold, word))
            return true;
    }
    if (is_part_of_result(before, c->question))
        return true;
    bool bound =
        !whole && !rdv_is_digit(rdv_char_at(value, 0)) && answer_class_has(CLASS_LIMIT, word);
    return bound && !formal_holds(c->question, word) && !formal_holds(c->gold, word);
}

/* Is what a phrase announces a part of the answer: "A third of the answer is 8."? */
static bool is_announced_part(const conclusion *c, rdv_str value)
{
    if (c->by != RDV_ANSWER_BY_PHRASE || !value.len || !rdv_lies_in(value, c->text))
        return false;
    size_t at = (size_t)(value.p - c->text.p);
    size_t begin = cue_sentence_begin(c->text, at);
    return is_part_of_result(rdv_slice(c->text, begin, at), c->question) ||
           withdrawn_in(rdv_slice(c->text, begin, c->text.len), value, c->question, c->gold);
}

/* Is the text of an answer what others say, a mistake or denied: "Some say it is Paris."? */
static bool is_of_others(const conclusion *c, rdv_str said)
{
    if (!said.len || !rdv_lies_in(said, c->text))
        return false;
    size_t begin = (size_t)(said.p - c->text.p);
    bool named = rdv_ends(rdv_trim_end(rdv_slice(c->text, 0, begin)), RDV_STR(" called"));
    return conclusion_is_turned(c, said) ||
           (!named && assertion_not_of_number(c->text, begin, begin + said.len, true));
}

void conclusion_look(conclusion *c)
{
    c->question = question_of_options(c->how);
    c->last = cue_last_sentences(c->text, 1);
    c->concluded = restated_conclusion(c->last);
    c->relation = formal_is_relation(c->gold);
}

int conclusion_weigh(conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                     rdv_error *err)
{
    int code = weigh(c, arena, answer, out, err);
    bool last = rdv_answer_found_of(c->by) == RDV_FOUND_LAST;
    bool value = c->form->kind == RDV_KIND_NUMBER || c->form->kind == RDV_KIND_LATEX ||
                 rdv_has_digit(c->gold);
    rdv_str said = rdv_lies_in(*answer, c->text) ? *answer : c->read;
    rdv_kind kind = c->form->kind;
    bool maths = kind == RDV_KIND_NUMBER || kind == RDV_KIND_LATEX; /* weigh() looks at these */
    bool text = !maths && kind != RDV_KIND_OPTION && last && is_of_others(c, said);
    if (code != RDV_OK || out->is != RDV_SAME ||
        !(text || (value && (last ? conclusion_is_turned(c, said) : is_announced_part(c, said)))))
        return code;
    out->is = RDV_CANNOT_TELL;
    out->why = "assumption";
    out->reason = RDV_STR("a word before the value turns it");
    c->unstated = true;
    return code;
}

/* Does no word say what the sentence comes to? */
static bool comes_to_nothing(rdv_str s)
{
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        if (is_result(rdv_slice(s, i, end)))
            return false;
    }
    return true;
}

/* "of the 20 apples": a number, then words alone. */
static bool is_whole_of_part(rdv_str s)
{
    size_t end = rdv_skip_digits(s, 0);
    for (size_t i = end; i < s.len; i++)
        if (!rdv_is_alpha(s.p[i]) && !strchr(" .", s.p[i] ? s.p[i] : ','))
            return false;
    return end > 0;
}

rdv_str conclusion_main_clause(rdv_str text, rdv_str question)
{
    static phrase_list joins = {"@ends-the-main-clause"};
    static phrase_list after_comma = {"not;since;as;by"}, whole = {"of the"};
    text = without_remark(text);
    rdv_str s = cue_last_sentences(text, 1);
    size_t cut = s.len;
    for (size_t i = 0, end; (i = phrase_find(s, i, &joins, &end)) < cut; i++) {
        rdv_str join = rdv_slice(s, i, end), behind = rdv_slice(s, end + 1, s.len);
        size_t begin = i;
        while (begin > 0 && strchr(" ,", s.p[begin - 1]))
            begin--;
        bool parted = begin < i && rdv_char_at(s, end) == ' ';
        bool comma = memchr(s.p + begin, ',', i - begin);
        if (parted && (comma || !phrase_is(join, &after_comma)) && comes_to_nothing(behind) &&
            (!phrase_is(join, &whole) || is_whole_of_part(behind)))
            cut = begin;
    }
    if (!cut || cut == s.len)
        return text;
    size_t known = 0, new, asked = 0; /* "The median is 5, as the mean is 7." */
    count_words(rdv_slice(s, cut, s.len), question, &asked, &new);
    count_words(rdv_slice(s, 0, cut), question, &known, &new);
    bool other = asked && !known && rdv_has_digit(rdv_slice(s, cut, s.len));
    return other ? text : rdv_slice(text, 0, (size_t)(s.p - text.p) + cut);
}
