/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/option.h"

#include "answer/announcement.h"
#include "answer/span.h"
#include "base/str.h"
#include "base/utf8.h"
#include "language/cue.h"
#include "language/ordinal.h"
#include "language/phrase.h"

/* Of so many options that are denied, from the last on, another is looked for before them. */
#define DENIED_MAX 32

/* The index of the option that the letter at byte `i` would name, or RDV_NOT_FOUND. */
static size_t letter_at(rdv_str s, size_t i, size_t n_options)
{
    char c = rdv_lower(rdv_char_at(s, i));
    size_t n = n_options ? n_options : RDV_OPTIONS_UNKNOWN;
    n = n < RDV_OPTIONS_MAX ? n : RDV_OPTIONS_MAX;
    return c >= 'a' && (size_t)(c - 'a') < n ? (size_t)(c - 'a') : RDV_NOT_FOUND;
}

/* Is the character at byte `i`, or the one that ends before it, part of a word? Chinese and
 * Japanese signs, U+2E80 and beyond, are words of their own. */
static bool is_word_at(rdv_str s, size_t i)
{
    char c = rdv_char_at(s, i);
    size_t len;
    return c & 0x80 ? rdv_utf8_at(s, i, &len) < 0x2e80
                    : rdv_is_alnum(c) || c == '_' || c == '\'' || c == '\\';
}

static bool is_word_before(rdv_str s, size_t i)
{
    size_t begin = i - (i > 0);
    while (begin > 0 && (s.p[begin] & 0xc0) == 0x80)
        begin--;
    return i > 0 && is_word_at(s, begin);
}

static bool is_upper(char c)
{
    return c != rdv_lower(c);
}

/* Is the word before byte `i` (over one space) one that introduces a letter? */
static bool introduced(rdv_str s, size_t i)
{
    static const char *const nouns[] = {"option", "choice", "answer"};
    if (i == 0 || s.p[i - 1] != ' ')
        return false;
    for (size_t k = 0; k < sizeof nouns / sizeof *nouns; k++) {
        rdv_str noun = rdv_str_of(nouns[k]);
        if (i > noun.len && rdv_str_ieq(rdv_slice(s, i - 1 - noun.len, i - 1), noun))
            return true;
    }
    return false;
}

/* Do words follow the letter at byte `i` that only an option has: "A because ..."? The first four
 * anywhere, the others after a letter that begins an answer. */
static bool has_reason(rdv_str s, size_t i, bool begins)
{
    static phrase_list anywhere = {"@of-a-reason;rather;is"};
    static phrase_list reasons = {"@of-a-reason;rather;is;@behind-an-option"};
    size_t begin = i + 2, end = begin;
    while (rdv_is_alpha(rdv_char_at(s, end)))
        end++;
    return is_upper(s.p[i]) && rdv_char_at(s, i + 1) == ' ' &&
           phrase_is(rdv_slice(s, begin, end), begins ? &reasons : &anywhere);
}

/* Does the single letter at byte `i` name an option by what is around it? A capital may stand
 * alone, except for "A" and "I", which are words; brackets or a noun before make any letter a name.
 */
static bool names(rdv_str s, size_t i)
{
    bool opened = i > 0 && s.p[i - 1] == '(';
    if (opened && is_word_before(s, i - 1)) /* f(a) */
        return false;
    if (!opened && is_word_before(s, i))
        return false;
    size_t after = i + 1 + (rdv_char_at(s, i + 1) == ' ' && rdv_char_at(s, i + 2) == ')');
    if (is_word_at(s, i + 1))
        return false;
    bool chinese = i > 2 && (s.p[i - 1] & 0x80) && is_upper(s.p[i]); /* not "A" as an article */
    if (rdv_char_at(s, after) == ')' || introduced(s, i) || chinese)
        return true;
    if (opened || !is_upper(s.p[i]))
        return false;
    bool stopped = rdv_char_at(s, i + 1) == '.' || rdv_char_at(s, i + 1) == ':' || i + 1 == s.len;
    return stopped || (s.p[i] != 'A' && s.p[i] != 'I') || has_reason(s, i, false);
}

bool answer_option_refuted(rdv_str s, size_t i)
{
    static phrase_list denials = {"isn't;can't;cannot"}, verbs = {"is;can be"};
    static phrase_list words = {"@rules-out"};
    size_t begin = rdv_skip_any(s, i + 1, ")*]}"), end;
    if (rdv_char_at(s, begin) != ' ' || phrase_at(s, begin + 1, &denials))
        return rdv_char_at(s, begin) == ' ';
    begin += 1 + phrase_at(s, begin + 1, &verbs);
    end = rdv_skip_letters(s, begin + 1);
    return s.p[begin - 1] != ' ' && rdv_char_at(s, begin) == ' ' &&
           phrase_is(rdv_slice(s, begin + 1, end), &words);
}

/* Does every option have the same count? With the number of options not known, every letter up to
 * the highest one named, three at least. */
static bool is_list(const size_t *count, size_t n_options)
{
    size_t n = n_options;
    for (size_t k = 0; n_options == 0 && k < RDV_OPTIONS_MAX; k++)
        n = count[k] ? k + 1 : n;
    if (n > RDV_OPTIONS_MAX || n < (n_options ? 2 : 3))
        return false;
    for (size_t k = 1; k < n; k++)
        if (count[k] != count[0])
            return false;
    return true;
}

/* The last letter before byte `i` that names an option, or RDV_NOT_FOUND. */
static size_t named_before(rdv_str s, size_t i, size_t n_options)
{
    while (i-- > 0)
        if (letter_at(s, i, n_options) != RDV_NOT_FOUND && names(s, i))
            return i;
    return RDV_NOT_FOUND;
}

/* The byte behind the last one before `end` that is none of the marks. */
static size_t back_over(rdv_str s, size_t end, const char *marks)
{
    while (end > 0 && s.p[end - 1] && strchr(marks, s.p[end - 1]))
        end--;
    return end;
}

/* Is the letter at byte `i` joined to another option before it: "A and C", "(A) or (C)", "A, B, C"?
 */
static bool is_listed(rdv_str s, size_t i, size_t n_options)
{
    static const char *const joins[] = {" and", " or", " nor", " and/or", "&", "/"};
    size_t end = back_over(s, i, " ([{*_\"'$\\"), before = end;
    for (size_t k = 0; k < sizeof joins / sizeof *joins && end == before; k++)
        if (rdv_ends(rdv_slice(s, 0, end), rdv_str_of(joins[k])))
            end -= strlen(joins[k]);
    end = back_over(s, end, " ");
    bool comma = end > 0 && s.p[end - 1] == ',';
    if (end == before && !comma)
        return false;
    end = back_over(s, end - comma, " )]}*_\"'$\\");
    return end > 0 && is_upper(s.p[end - 1]) && letter_at(s, end - 1, n_options) != RDV_NOT_FOUND &&
           end - 1 != i;
}

/* The word of letters before byte *i of its clause, over blanks, marks and what introduces an
 * option; *i is moved before it. */
static rdv_str word_back(rdv_str s, size_t *i)
{
    static phrase_list nouns = {"@names-an-option"};
    rdv_str word;
    do {
        size_t end = back_over(s, *i, " ([{*_\"$\\");
        for (*i = end; *i > 0 && (rdv_is_alpha(s.p[*i - 1]) || s.p[*i - 1] == '\'');)
            --*i;
        word = rdv_slice(s, *i, end);
    } while (phrase_is(word, &nouns));
    return word;
}

/* Do others choose what stands before byte `i`, "many students choose A", and not the author: "I
 * choose A", "so choose A"? */
static bool is_of_others(rdv_str s, size_t i)
{
    static phrase_list verbs = {"@chooses"};
    static phrase_list owners = {"@chooser"};
    if (!phrase_is(word_back(s, &i), &verbs))
        return false;
    rdv_str who = word_back(s, &i);
    return who.len && !phrase_is(who, &owners);
}

/* Is the option whose letter stands at byte `i` only compared with the chosen one, left out, what
 * others choose or what would be: "B over A", "instead of A", "this rules out A"? */
static bool is_set_aside(rdv_str s, size_t i)
{
    static phrase_list before = {"@beside-the-chosen"};
    static const char *const of[] = {"instead", "ahead", "place", "lieu"};
    static phrase_list to = {"@opposed-to"};
    rdv_str rest = rdv_slice(s, rdv_skip_any(s, i + 1, ")*_]"), s.len);
    size_t at = i, verb;
    rdv_str word = word_back(s, &at);
    rdv_str second = word_back(s, &at);
    verb = at;
    if (phrase_is(word, &before) || is_of_others(s, i) || rdv_istarts(rest, RDV_STR(" would be")) ||
        rdv_istarts(rest, RDV_STR(" would have")))
        return true;
    if (rdv_str_ieq(word, RDV_STR("out")))
        return rdv_istarts(second, RDV_STR("rul")) || rdv_istarts(second, RDV_STR("leav")) ||
               rdv_istarts(second, RDV_STR("cross"));
    if (rdv_str_ieq(word, RDV_STR("of")))
        return rdv_is_one_of(second, of, sizeof of / sizeof *of);
    bool prefers = second.len == 1 && rdv_istarts(word_back(s, &verb), RDV_STR("prefer"));
    return rdv_str_ieq(word, RDV_STR("to")) && (prefers || phrase_is(second, &to));
}

/* Does nothing say that the letter at byte `i` is chosen, and not another one of its sentence: "C
 * trumps D"? */
static bool is_undecided(rdv_str s, size_t i, size_t n_options)
{
    size_t begin = i, at = i;
    while (begin > 0 && !strchr(".;!?\n:", s.p[begin - 1]))
        begin--;
    rdv_str clause = rdv_slice(s, begin, i), word = word_back(s, &at);
    size_t other = named_before(clause, clause.len, n_options);
    return at > begin && other != RDV_NOT_FOUND && word.len > 1 &&
           rdv_lower(clause.p[other]) != rdv_lower(s.p[i]) && !rdv_str_ieq(word, RDV_STR("it's")) &&
           !answer_class_has(CLASS_CHOOSING, word);
}

bool answer_option_supposed(rdv_str s, size_t i)
{
    static phrase_list others = {"@choosing-otherwise"}, none = {"@no-option-holds"};
    static phrase_list concluding = {"@concluding"};
    static phrase_list conditions = {"if;had;were;unless"}, own = {"i;we;i'd;we'd"};
    static const char *const would[] = {" would be", " would have", " could be", " might be"};
    rdv_str sentence = rdv_slice(s, cue_sentence_begin(s, i), i), clause = sentence;
    rdv_str behind = rdv_slice(s, rdv_skip_any(s, i + 1, ")*_]"), s.len);
    for (size_t k = sentence.len; k > 0 && clause.len == sentence.len; k--)
        if (strchr(",;:", sentence.p[k - 1]) && sentence.p[k - 1])
            clause = rdv_slice(sentence, k, sentence.len);
    bool would_be = rdv_ifind(clause, RDV_STR(" would "), 0) < clause.len ||
                    rdv_holds_any(rdv_slice(behind, 0, 12), would, 4);
    return is_of_others(s, i) || phrase_in(clause, &others) ||
           (phrase_in(sentence, &none) && !phrase_in(clause, &concluding)) ||
           (would_be && phrase_in(sentence, &conditions) && !phrase_in(clause, &own));
}

bool answer_names_several(rdv_str s, size_t n_options)
{
    size_t last = named_before(s, s.len, n_options), i = last;
    while (i != RDV_NOT_FOUND && rdv_lower(s.p[i]) == rdv_lower(s.p[last]))
        i = named_before(s, i, n_options);
    return i != RDV_NOT_FOUND;
}

bool answer_last_option(rdv_str text, size_t n_options, rdv_str *out)
{
    size_t count[RDV_OPTIONS_MAX] = {0}, last = RDV_NOT_FOUND;
    for (size_t i = 0; i < text.len; i++) {
        size_t option = letter_at(text, i, n_options);
        if (option == RDV_NOT_FOUND || !names(text, i))
            continue;
        count[option]++;
        last = i;
    }
    size_t denied = 0;
    while (last != RDV_NOT_FOUND &&
           (answer_is_not(text, last) || answer_option_refuted(text, last) ||
            (is_set_aside(text, last) && named_before(text, last, n_options) != RDV_NOT_FOUND)) &&
           denied++ < DENIED_MAX)
        last = named_before(text, last, n_options);
    if (denied > DENIED_MAX)
        return false;
    if (last == RDV_NOT_FOUND || is_list(count, n_options) || is_listed(text, last, n_options) ||
        is_undecided(text, last, n_options) ||
        answer_joins_options(rdv_slice(text, last, text.len), n_options))
        return false;
    *out = rdv_slice(text, last, last + 1);
    return true;
}

bool answer_first_option(rdv_str span, size_t n_options, rdv_str *out)
{
    size_t i = 0;
    while (i < span.len && span.p[i] && strchr(" \t([{*_\"'$", span.p[i]))
        i++;
    if (rdv_starts(rdv_slice(span, i, span.len), RDV_STR("\\text{")))
        i += 6;
    i += rdv_char_at(span, i) == '(';
    if (letter_at(span, i, n_options) == RDV_NOT_FOUND || is_word_at(span, i + 1))
        return false;
    bool word = rdv_lower(span.p[i]) == 'a' || span.p[i] == 'I';
    bool article = word && rdv_char_at(span, i + 1) == ' ' && rdv_char_at(span, i + 2) != ')' &&
                   rdv_is_alpha(rdv_char_at(span, i + 2)) && !has_reason(span, i, true);
    bool product = rdv_char_at(span, i + 1) == '(' || rdv_char_at(span, i + 1) == '^' ||
                   rdv_char_at(span, i + 1) == '=' ||
                   (rdv_char_at(span, i + 1) == ' ' && rdv_char_at(span, i + 2) == '=');
    if (article || product)
        return false;
    *out = rdv_slice(span, i, i + 1);
    return true;
}

/* The byte after brackets, marks and LaTeX that opens or closes them. */
static size_t skip_marks(rdv_str s, size_t i)
{
    static const char *const opens[] = {"\\boxed{",  "\\fbox{",   "\\text{", "\\textbf{",
                                        "\\mathrm{", "\\mathbf{", "\\(",     "\\)"};
    for (size_t k = 0; k < sizeof opens / sizeof *opens; k++) {
        while (rdv_char_at(s, i) && strchr("()[]{}*_\"'$.", rdv_char_at(s, i)))
            i++;
        rdv_str open = rdv_str_of(opens[k]);
        if (rdv_starts(rdv_slice(s, i, s.len), open)) {
            i += open.len;
            k = (size_t)-1;
        }
    }
    return i;
}

/* The byte after what joins two options at byte `i`; 0: nothing does. *weak: a comma or a blank,
 * after which only a letter alone is an option. */
static size_t join_end(rdv_str s, size_t i, bool *weak)
{
    static const char *const joins[] = {" and/or ", ", and ", ", or ", " and ", " or ", " & ",
                                        " / ",      " + ",    "/",     "+",     "&",    ", ",
                                        ",",        "; ",     " ",     "\n",    ""};
    size_t k = 0;
    while (!rdv_istarts(rdv_slice(s, i, s.len), rdv_str_of(joins[k])))
        k++;
    *weak = k >= 11;
    return i + strlen(joins[k]);
}

bool answer_joins_options(rdv_str span, size_t n_options)
{
    static const char *const starts[] = {"both ", "options ", "either "};
    size_t i = 0;
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (rdv_istarts(rdv_slice(span, i, span.len), rdv_str_of(starts[k])))
            i += strlen(starts[k]);
    while (rdv_char_at(span, i) == ' ')
        i++;
    i = skip_marks(span, i);
    size_t first = letter_at(span, i, n_options), begin = i + 1;
    if (first == RDV_NOT_FOUND || !is_upper(span.p[i]))
        return false;
    i = skip_marks(span, begin);
    bool weak, marked = i > begin;
    size_t join = join_end(span, i, &weak), next = skip_marks(span, join);
    size_t second = letter_at(span, next, n_options);
    if (second == RDV_NOT_FOUND || second == first || !is_upper(span.p[next]) ||
        is_word_at(span, next + 1))
        return false;
    if (!weak)
        return true;
    bool more;
    size_t third = skip_marks(span, join_end(span, next + 1, &more));
    bool goes_on =
        !more && letter_at(span, third, n_options) != RDV_NOT_FOUND && !is_word_at(span, third + 1);
    return (join > i || marked) && (rdv_char_at(span, next + 1) != ' ' || goes_on);
}

bool answer_counted_option(rdv_str span, size_t n_options, rdv_str *out, size_t *index)
{
    static const char *const nouns[] = {" option", " choice", " answer"};
    size_t known = n_options ? n_options : RDV_OPTIONS_UNKNOWN;
    for (size_t i = 0; i < span.len; i++) {
        unsigned place = 0; /* from 1 on: "second", "2nd" */
        size_t end = is_word_before(span, i) ? i : ordinal_end(span, i, &place);
        for (size_t n = 0; place && place <= known && n < sizeof nouns / sizeof *nouns; n++)
            if (rdv_istarts(rdv_slice(span, end, span.len), rdv_str_of(nouns[n]))) {
                *out = rdv_slice(span, i, end + strlen(nouns[n]));
                *index = place - 1;
                return true;
            }
    }
    return false;
}

bool answer_names_option(rdv_str s, size_t n_options)
{
    rdv_str named;
    size_t index;
    bool letter = s.len && is_upper(s.p[0]) && !is_word_at(s, 1); /* "A isn't" */
    for (size_t i = 0; i < s.len && !letter; i++)
        letter = letter_at(s, i, n_options) != RDV_NOT_FOUND && names(s, i);
    return letter || answer_first_option(s, n_options, &named) ||
           answer_joins_options(answer_trim_marks(s), n_options) ||
           answer_counted_option(s, n_options, &named, &index);
}

/* Does `s` begin with the option's text, as a whole? */
static bool begins_with(rdv_str s, rdv_str option)
{
    option = rdv_trim(option);
    return rdv_istarts(s, option) && !is_word_at(s, option.len);
}

bool answer_option_mismatched(rdv_str s, size_t i, const rdv_answer_form *form)
{
    size_t own = letter_at(s, i, form->n_options), next = skip_marks(s, i + 1), longest = 0;
    next += rdv_char_at(s, next) == ':';
    if (own >= form->n_options || next == i + 1)
        return false;
    while (rdv_char_at(s, next) == ' ')
        next++;
    rdv_str rest = rdv_slice(s, next, s.len), mine = rdv_trim(form->options[own]);
    bool other = false; /* is the longest option that stands there another one? */
    for (size_t k = 0; k < form->n_options; k++) {
        rdv_str option = rdv_trim(form->options[k]);
        if (option.len <= longest || !begins_with(rest, option))
            continue;
        longest = option.len;
        other = !rdv_str_ieq(option, mine);
    }
    return other;
}

/* May the bytes `begin` to `end` be a word or number of their own? "1.5" has no 5. */
static bool is_whole(rdv_str s, size_t begin, size_t end)
{
    char before = begin > 0 ? s.p[begin - 1] : '\0', after = rdv_char_at(s, end);
    bool part = (strchr(".,/", before) && before && begin > 1 && rdv_is_digit(s.p[begin - 2])) ||
                (strchr(".,/", after) && after && rdv_is_digit(rdv_char_at(s, end + 1)));
    return !is_word_before(s, begin) && before != '-' && !is_word_at(s, end) && after != '%' &&
           !part;
}

/* The last place after byte `from` where the option is said. */
static bool last_said(rdv_str s, rdv_str option, rdv_str *out)
{
    bool found = false;
    for (size_t i = 0; option.len && i + option.len <= s.len; i++) {
        rdv_str here = rdv_slice(s, i, i + option.len);
        if (!rdv_str_ieq(here, option) || !is_whole(s, i, i + option.len))
            continue;
        *out = here;
        found = true;
    }
    return found;
}

bool answer_option_said(rdv_str s, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str said[RDV_OPTIONS_MAX] = {{0}};
    size_t n = form->n_options < RDV_OPTIONS_MAX ? form->n_options : RDV_OPTIONS_MAX, found = n;
    for (size_t k = 0; k < n; k++)
        (void)last_said(s, rdv_trim(form->options[k]), &said[k]);
    for (size_t k = 0; k < n; k++) {
        bool within = false;
        for (size_t j = 0; j < n && said[k].p; j++)
            within = within || (said[j].p && said[j].len > said[k].len && said[j].p <= said[k].p &&
                                said[k].p + said[k].len <= said[j].p + said[j].len);
        if (!said[k].p || within)
            continue;
        if (found < n)
            return false;
        found = k;
    }
    size_t begin = found < n ? (size_t)(said[found].p - s.p) : 0;
    if (found == n || answer_is_not(s, begin) ||
        answer_option_refuted(s, begin + said[found].len - 1))
        return false;
    *out = said[found];
    return true;
}
