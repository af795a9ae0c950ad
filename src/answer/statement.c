/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/statement.h"

#include "answer/announcement.h"
#include "answer/lone_number.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "answer/object.h"
#include "answer/result.h"
#include "answer/solutions.h"
#include "answer/span.h"
#include "base/str.h"
#include "language/number_words.h"
#include "language/phrase.h"
#include "language/rule.h"
#include "language/word_class.h"

/* The first number of a list of values, "a = 5, b = 6", is followed by a comma and an '='. */
static bool lists_values(rdv_str span, size_t equals)
{
    size_t first = rdv_find_char(span, '=', 0);
    for (size_t i = first; i < equals; i++) {
        bool comma = span.p[i] == ',' || span.p[i] == ';';
        if (comma && !rdv_is_digit(span.p[i + 1]))
            return true;
    }
    return false;
}

/* The last '=' that no braces hold: "\\sum_{i=1}^{3} i" is one value. */
static size_t last_equals(rdv_str span)
{
    size_t depth = 0;
    for (size_t i = span.len; i-- > 0;) {
        depth += span.p[i] == '}';
        depth -= span.p[i] == '{' && depth;
        if (span.p[i] == '=' && !depth)
            return i;
    }
    return RDV_NOT_FOUND;
}

/* What follows the last '=': a calculation gives its right side. */
static rdv_str right_side(rdv_str span)
{
    size_t equals = last_equals(span);
    if (equals == RDV_NOT_FOUND || (equals > 0 && strchr("<>!:", span.p[equals - 1])) ||
        lists_values(span, equals)) /* "x <= 2" */
        return rdv_trim(span);
    rdv_str side = rdv_trim(rdv_slice(span, equals + 1, span.len));
    return side.len ? side : rdv_trim(span);
}

/* A calculation without its result, "3 + 4": a sign between blanks, and no word. */
static bool is_calculation(rdv_str s)
{
    bool sign = false;
    for (size_t i = 0; i < s.len; i++) {
        bool word = i > 0 && rdv_is_alpha(s.p[i]) && rdv_is_alpha(s.p[i - 1]);
        if (word || s.p[i] == ',' || s.p[i] == ':')
            return false;
        bool between = i > 0 && i + 1 < s.len && s.p[i - 1] == ' ' && s.p[i + 1] == ' ';
        sign = sign || (between && RDV_IS_IN(s.p[i], "+-*/"));
    }
    return sign;
}

/* "1 234 567" at the beginning: blanks between groups of three digits. */
static bool is_grouped(rdv_str s, rdv_str *out)
{
    size_t end = s.len && s.p[0] == '-', digits = 0, groups = 0;
    while (end < s.len && rdv_is_digit(s.p[end])) {
        for (digits = 0; end < s.len && rdv_is_digit(s.p[end]); end++)
            digits++;
        if (groups ? digits != 3 : digits > 3)
            return false;
        groups++;
        bool more = end + 1 < s.len && s.p[end] == ' ' && rdv_is_digit(s.p[end + 1]);
        end += more;
        if (!more)
            break;
    }
    *out = rdv_slice(s, 0, end);
    return groups > 1;
}

/* The words of letters between two bytes: how many bytes of the last one begin at *begin. */
static rdv_str last_word(rdv_str s)
{
    size_t end = s.len;
    while (end > 0 && !rdv_is_alpha(s.p[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    return rdv_slice(s, begin, end);
}

/* Do the words between two numbers make the second one describe the first: "in 2021", "of the 20",
 * "for 3", with no word that gives a result? */
static bool describes(rdv_str between)
{
    static phrase_list fillers = {"@before-a-noun"};
    rdv_str rest = between, word = last_word(rest);
    for (size_t i = 0; i < between.len; i++)
        if (!rdv_is_alpha(between.p[i]) && !strchr(" $-'\\", between.p[i]))
            return false;
    if (phrase_is(word, &fillers)) {
        rest = rdv_slice(rest, 0, (size_t)(word.p - rest.p));
        word = last_word(rest);
    }
    return answer_class_has(CLASS_PREPOSITION, word);
}

/* The number at the beginning of a sentence whose last one, *out, describes it. */
static void prefer_described(rdv_str sentence, rdv_str *out)
{
    rdv_str bare = answer_trim_marks(sentence), first = {0};
    size_t at = 0;
    (void)answer_next_number(bare, &at, &first);
    if (first.p != bare.p || first.p == out->p)
        return;
    rdv_str second;
    size_t end = at;
    if (answer_next_number(bare, &at, &second) && second.p == out->p &&
        describes(rdv_slice(bare, end, (size_t)(second.p - bare.p))))
        *out = first;
}

/* Is it one quantity, "150 minutes", or a sum of them, "2 h 30 min"? *of: its first unit. */
static bool is_quantity(rdv_str s, measure *of)
{
    rdv_str number, more;
    size_t at = 0, behind;
    if (!answer_next_number(s, &at, &number) || number.p != s.p)
        return false;
    behind = at;
    bool several = answer_next_number(s, &at, &more);
    *of = measure_read(rdv_slice(s, behind, several ? (size_t)(more.p - s.p) : s.len));
    return of->n && (!several || measure_is_sum(s));
}

bool statement_two_units(rdv_str s, rdv_str *first, rdv_str *second)
{
    static phrase_list joins = {"@says-again;=;("};
    bool bracket = rdv_ends(rdv_trim(s), RDV_STR(")"));
    rdv_str bare = answer_trim_marks(s);
    bare.len -= bracket && rdv_ends(bare, RDV_STR(")"));
    for (size_t at = 0, end; (at = phrase_find(bare, at, &joins, &end)) < bare.len; at = end) {
        measure a, b;
        size_t begin = at;
        while (begin > 0 && strchr(" ,", bare.p[begin - 1]))
            begin--;
        *first = rdv_slice(bare, 0, begin);
        *second = rdv_trim(rdv_slice(bare, end, bare.len));
        if (begin == at || (bare.p[at] == '(') != bracket || !is_quantity(*first, &a) ||
            !is_quantity(*second, &b))
            continue;
        measures are = measure_compare(&a, &b);
        return are == MEASURES_SAME || are == MEASURES_CONVERT;
    }
    return false;
}

/* Is byte `i` within braces: the 2 of "\\frac{1}{2^3}"? */
static bool is_in_braces(rdv_str s, size_t i)
{
    size_t open = 0;
    for (size_t k = 0; k < i; k++)
        open = s.p[k] == '{' ? open + 1 : s.p[k] == '}' && open ? open - 1 : open;
    return open;
}

/* Do the words at the number change it? Then all up to its end, or all with what is after it, is
 * what the sentence states. */
static void keep_changes(rdv_str sentence, rdv_str *out)
{
    size_t begin = (size_t)(out->p - sentence.p), end = begin + out->len;
    if (rdv_str_eq(rdv_trim(rdv_slice(sentence, 0, begin)), RDV_STR("-"))) { /* "- 5" */
        *out = rdv_trim(rdv_slice(sentence, 0, end));
        return;
    }
    switch (number_change(sentence, begin, end)) {
    case NUMBER_BEFORE:
        *out = number_is_part(sentence, begin, end) || announcement_parts(sentence, begin, end)
                   ? answer_trim_marks(sentence)
                   : rdv_trim(rdv_slice(sentence, 0, end));
        break;
    case NUMBER_AFTER:
        *out = answer_trim_marks(
            is_in_braces(sentence, begin) ? sentence : rdv_slice(sentence, begin, sentence.len));
        if (sentence.p[begin] == '$') /* "$1.5M" is an amount */
            *out = rdv_slice(sentence, begin, (size_t)(out->p - sentence.p) + out->len);
        break;
    case NUMBER_SCALED:
        *out = rdv_slice(sentence, begin, number_scale_end(sentence, end));
        break;
    case NUMBER_PLAIN:
        break;
    }
}

/* Is it nothing but "and", and marks that part numbers or set them as mathematics? */
static bool parts_numbers(rdv_str s)
{
    static const char *const joins[] = {"and ", "\\text{ and }", "\\(", "\\)"};
    for (size_t i = 0, len; i < s.len; i += len) {
        len = strchr(" ,;&$*", s.p[i]) && s.p[i];
        for (size_t k = 0; k < sizeof joins / sizeof *joins && !len; k++)
            if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(joins[k])))
                len = strlen(joins[k]);
        if (!len)
            return false;
    }
    return true;
}

/* "3, 4", "(3,4)", "3 and 4": several numbers and nothing else. "3,4" may be a decimal. */
static bool is_list(rdv_str s)
{
    bool brackets = s.len > 1 && strchr("([", s.p[0]) && strchr(")]", s.p[s.len - 1]);
    bool parted = brackets;
    if (brackets)
        s = rdv_slice(s, 1, s.len - 1);
    size_t n = 0, end = 0;
    rdv_str number;
    for (size_t at = 0; answer_next_number(s, &at, &number); n++, end = at) {
        rdv_str between = rdv_slice(s, end, (size_t)(number.p - s.p));
        parted = parted || (n > 0 && between.len > 1);
        if (!parts_numbers(between) || (n > 0 && !rdv_trim(between).len))
            return false;
    }
    return n > 1 && parted && parts_numbers(rdv_slice(s, end, s.len));
}

/* "five", "two thirds", "twelve apples": a number without digits, and one thing that is counted. */
static bool in_words(rdv_str sentence, rdv_str *out)
{
    uint64_t number, of;
    unsigned value;
    *out = answer_trim_marks(sentence);
    size_t end = rdv_skip_letters(*out, 0);
    if (number_words_read(*out, &number) || fraction_words_read(*out, &number, &of) ||
        (number_words_read(rdv_slice(*out, 0, end), &number) &&
         number_is_calculated_with(*out, 0, end))) /* "two cubed" */
        return true;
    size_t blank = rdv_find_last(*out, RDV_STR(" "));
    rdv_str noun = rdv_slice(*out, blank == RDV_NOT_FOUND ? out->len : blank + 1, out->len);
    *out = rdv_slice(*out, 0, blank);
    return noun.len && !word_class(noun) && !number_word(noun, &value) &&
           !fraction_word(noun, &value) && number_words_read(*out, &number);
}

bool statement_number(rdv_str span, rdv_answer_by by, rdv_str *out)
{
    if (by == RDV_ANSWER_BY_BOX) { /* all of it: a root is no number, but is not its radicand */
        *out = right_side(span);
        return out->len > 0;
    }
    rdv_str sentence = answer_before_reason(answer_first_sentence(span));
    rdv_str side = right_side(sentence), bare = answer_trim_marks(side);
    *out = bare;
    bool money = out->p > side.p && out->p[-1] == '$'; /* read with its currency */
    if (is_calculation(*out) || (!money && is_grouped(*out, out)))
        return true;
    rdv_str first, second;
    if (statement_two_units(sentence, &first, &second)) {
        *out = answer_trim_marks(sentence);
        return true;
    }
    if (is_list(bare)) {
        *out = bare;
        return true;
    }
    if (answer_last_value(answer_before_aside(sentence), out) &&
        solutions_with(sentence, *out, out))
        return true;
    rdv_str whole = side;
    side = answer_before_aside(whole);
    if (!answer_last_value(side, out)) {
        side = whole;
        if (!answer_last_value(side, out))
            return in_words(sentence, out);
    }
    if (object_with(side, *out, out))
        return true;
    prefer_described(side, out);
    keep_changes(side, out);
    return true;
}

bool statement_has_word(rdv_str s)
{
    size_t letters = 0;
    for (size_t i = 0; i < s.len && letters < 3; i++)
        letters = rdv_is_alpha(s.p[i]) ? letters + 1 : 0;
    return letters == 3;
}

/* A sentence that is no formula and holds one number is that number: "there are 256 such sets". */
static bool number_in_words(rdv_str sentence, rdv_str *out)
{
    size_t at = 0;
    rdv_str second;
    rdv_str bare = answer_trim_marks(sentence);
    if (rdv_find_char(sentence, '\\', 0) != RDV_NOT_FOUND || !statement_has_word(sentence) ||
        !answer_next_number(sentence, &at, out))
        return false;
    if (object_with(sentence, *out, out))
        return true;
    rdv_str last_value;
    if (answer_last_value(sentence, &last_value) && solutions_with(sentence, last_value, out))
        return true;
    bool two = answer_next_number(sentence, &at, &second);
    if (two && !is_grouped(bare, out)) {
        rdv_str last = second;
        if (answer_next_number(sentence, &at, &second))
            return false;
        prefer_described(sentence, &last);
        if (last.p != out->p)
            return false;
        *out = last;
    }
    keep_changes(sentence, out);
    return true;
}

/* Does another number follow byte `end` of a sentence as "or 6", "to 6" or "-6" do: is the one
 * before no more than a choice, or the beginning of a range? */
static bool goes_on(rdv_str sentence, size_t end)
{
    static const char *const joins[] = {"or ", "to ", "-", "\xe2\x80\x93"};
    static const char marks[] = " $\\()";
    while (end < sentence.len && sentence.p[end] && strchr(marks, sentence.p[end]))
        end++;
    for (size_t k = 0; k < sizeof joins / sizeof *joins; k++) {
        size_t next = end + strlen(joins[k]);
        if (!rdv_starts(rdv_slice(sentence, end, sentence.len), rdv_str_of(joins[k])))
            continue;
        while (next < sentence.len && sentence.p[next] && strchr(marks, sentence.p[next]))
            next++;
        return next < sentence.len && rdv_is_digit(sentence.p[next]);
    }
    return false;
}

bool statement_subject_value(rdv_str s, rdv_str formula, rdv_str *out)
{
    static const char *const verbs[] = {"is", "are", "was", "equals"};
    size_t begin = (size_t)(formula.p - s.p), i = begin + formula.len, at = 0;
    while (begin > 0 && s.p[begin - 1] == ' ')
        begin--;
    bool name = begin == 0 || s.p[begin - 1] != '='; /* "x = 5 is 2 more than y" */
    for (size_t k = 0; k < formula.len && name; k++)
        name = !rdv_is_digit(formula.p[k]);
    while (i < s.len && RDV_IS_IN(s.p[i], " $\\)]*"))
        i++;
    rdv_str rest = rdv_slice(s, i, s.len), number;
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs && name; k++) {
        rdv_str verb = rdv_str_of(verbs[k]);
        if (!rdv_starts(rest, verb) || verb.len >= rest.len || rest.p[verb.len] != ' ')
            continue;
        rest = rdv_trim(rdv_slice(rest, verb.len, rest.len));
        if (!answer_next_number(rest, &at, &number) || number.p != rest.p)
            return false;
        rdv_str sentence = answer_first_sentence(rest);
        *out = number;
        if (goes_on(sentence, number.len))
            *out = answer_trim_marks(sentence);
        else
            keep_changes(sentence, out);
        return true;
    }
    return false;
}

bool statement_concluded_number(rdv_str text, rdv_str *out)
{
    static const char *const words[] = {"Therefore", "Thus", "Hence", "So", "Consequently"};
    size_t begin = RDV_NOT_FOUND;
    text = answer_without_wish(rdv_trim(text));
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        rdv_str word = rdv_str_of(words[k]);
        size_t at = rdv_find_last(text, word), end = at + word.len;
        bool whole = at != RDV_NOT_FOUND && (at == 0 || rdv_is_space(text.p[at - 1])) &&
                     end < text.len && (text.p[end] == ' ' || text.p[end] == ',');
        if (whole && (begin == RDV_NOT_FOUND || at > begin))
            begin = at;
    }
    if (begin == RDV_NOT_FOUND)
        return false;
    rdv_str sentence = rdv_slice(text, begin, text.len);
    bool one = answer_first_sentence(sentence).len == sentence.len &&
               rdv_find_char(sentence, '\n', 0) == RDV_NOT_FOUND;
    bool formula = rdv_find_char(sentence, '$', 0) != RDV_NOT_FOUND ||
                   rdv_find_char(sentence, '=', 0) != RDV_NOT_FOUND;
    return one && !formula && number_in_words(sentence, out);
}

bool statement_maths(rdv_str span, rdv_answer_by by, rdv_str *out)
{
    if (by == RDV_ANSWER_BY_PHRASE) {
        span = answer_before_reason(answer_first_sentence(span));
        if (answer_maths_of(span, out)) {
            if (statement_subject_value(span, *out, out))
                return true;
            size_t begin = (size_t)(out->p - span.p);
            if (number_change(span, begin, begin + out->len) == NUMBER_BEFORE)
                *out = rdv_trim(rdv_slice(span, 0, begin + out->len));
            return true;
        }
        if (number_in_words(span, out))
            return true;
    }
    *out = answer_trim_marks(span);
    return out->len > 0;
}

bool statement_is_prose(rdv_str s)
{
    size_t sentence = 0;
    bool maths = false;
    for (size_t i = 0; i < s.len; i++) {
        size_t begin = i;
        while (i < s.len && rdv_is_alpha(s.p[i]))
            i++;
        bool command = begin > 0 && s.p[begin - 1] == '\\';
        bool word = i > begin + 1 && i < begin + 8 && !command;
        sentence += word && answer_class_has(CLASS_PROSE, rdv_slice(s, begin, i));
        char c = rdv_char_at(s, i);
        maths = maths || rdv_is_digit(c) || RDV_IS_IN(c, "=<>+*/^\\");
    }
    return sentence > 1 && maths;
}

bool statement_is_sentence(rdv_str s)
{
    static const char *const stops[] = {".", "!", "\xe3\x80\x82"};
    static const char *const first[] = {"so", "thus", "hence", "therefore"};
    size_t words = 0;
    bool prose = false;
    s = rdv_trim(s);
    if (rdv_is_one_of(rdv_slice(s, 0, rdv_skip_letters(s, 0)), first, 4)) /* "So $x < 4$" */
        words++;
    for (size_t i = 0, begin; i < s.len; i++) {
        for (begin = i; i < s.len && (rdv_is_alpha(s.p[i]) || (s.p[i] & 0x80));)
            i++;
        bool word = i > begin + 1 && !(begin > 0 && s.p[begin - 1] == '\\');
        words += word;
        prose = prose || (word && answer_class_has(CLASS_OF_SENTENCE, rdv_slice(s, begin, i)));
    }
    bool stop = prose;
    for (size_t k = 0; words > 1 && !stop && k < sizeof stops / sizeof *stops; k++)
        stop = rdv_ends(s, rdv_str_of(stops[k]));
    return words > 1 && (stop || rdv_find(s, RDV_STR(". "), 0) != RDV_NOT_FOUND ||
                         rdv_find(s, RDV_STR(".\n"), 0) != RDV_NOT_FOUND);
}
