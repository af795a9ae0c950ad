/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the ids in a reply to "Which previous steps or information ...": "Information 0 and 2",
 * "steps 1, 3 and 4", "Steps 1-3", "Step 4". */
#include "reply/reply.h"

#include "base/arena.h"
#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"
#include "reply/words.h"
#include "text/think.h"

#define MAX_QUOTE ((size_t)2 << 10)
#define ALL_REACH 6 /* words between "all" and the noun it refers to */

/* The admissible ids of one kind, 0 to n - 1, and those that were named. */
typedef struct id_set {
    unsigned char *named;
    size_t n, dropped;
} id_set;

typedef struct finder {
    rdv_str s;
    size_t at;
    bool robust;
    bool negated;                /* "does not follow from" */
    bool says_none;              /* "none", "does not follow from any step" */
    unsigned all_left;           /* words still in reach of an "all" */
    rdv_str before, before_that; /* the last two words */
    id_set information, steps;
} finder;

/* ---- sets ------------------------------------------------------------------------------------ */

static bool set_init(id_set *set, size_t n, rdv_arena *arena)
{
    *set = (id_set){.named = rdv_calloc(arena, n, 1), .n = n};
    return set->named != NULL;
}

/* Adds all ids from `first` to `last`; those beyond the set are dropped and counted once. */
static void set_add(id_set *set, size_t first, size_t last)
{
    for (size_t i = first; i <= last && i < set->n; i++)
        set->named[i] = 1;
    set->dropped += last >= set->n;
}

static bool set_list(const id_set *set, rdv_arena *arena, size_t **out, size_t *n)
{
    size_t count = 0;
    for (size_t i = 0; i < set->n; i++)
        count += set->named[i];
    size_t *ids = RDV_NEW_ARRAY(arena, size_t, count);
    if (!ids)
        return false;
    *n = 0;
    for (size_t i = 0; i < set->n; i++)
        if (set->named[i])
            ids[(*n)++] = i;
    *out = ids;
    return true;
}

/* ---- lists of numbers ------------------------------------------------------------------------ */

/* The label before a list of numbers: "step", "steps", "Step(s)", "Information items". */
typedef struct label {
    id_set *set;
    bool plural; /* or "information", which has no plural */
} label;

static size_t skip_any(rdv_str s, size_t at, const char *bytes)
{
    while (at < s.len && words_is_any(s.p[at], bytes))
        at++;
    return at;
}

/* Reads the number at byte *at, which is moved past it; a number that is too large counts as
 * RDV_NOT_FOUND. False if there is none, or if it is part of a word or a decimal. */
static bool read_number(rdv_str s, size_t *at, size_t *number)
{
    size_t i = *at, value = 0;
    for (; i < s.len && rdv_is_digit(s.p[i]); i++)
        value = value > 100000000 ? RDV_NOT_FOUND / 16 : value * 10 + (size_t)(s.p[i] - '0');
    bool decimal = rdv_char_at(s, i) == '.' && rdv_is_digit(rdv_char_at(s, i + 1));
    if (i == *at || decimal || rdv_is_alpha(rdv_char_at(s, i)))
        return false;
    *at = i;
    *number = value;
    return true;
}

/* Skips the word at `at` if it is one of these. */
static bool skip_word(rdv_str s, size_t *at, phrase_list *words)
{
    size_t end = *at;
    rdv_str word;
    if (!rdv_is_alpha(rdv_char_at(s, end)) || !words_next(s, &end, &word, NULL) ||
        !phrase_is(word, words))
        return false;
    *at = end;
    return true;
}

#define MARKS " *_`()[]#"

/* Skips the text between the two numbers of a range: "-", "to", "through Step". */
static bool skip_range_sign(rdv_str s, size_t *at, bool plural)
{
    static const char *const dashes[] = {"-", "\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x88\x92"};
    static phrase_list words = {"@of-a-range;until"};
    static phrase_list again = {"step;steps;information"};
    size_t i = skip_any(s, *at, "*_` ");
    if (skip_word(s, &i, &words)) {
        i = skip_any(s, i, MARKS);
        skip_word(s, &i, &again);
        *at = skip_any(s, i, MARKS);
        return true;
    }
    bool spaced = i > *at && s.p[i - 1] == ' ';
    for (size_t k = 0; k < sizeof dashes / sizeof *dashes; k++) {
        rdv_str dash = rdv_str_of(dashes[k]);
        if (!rdv_starts(rdv_slice(s, i, s.len), dash))
            continue;
        /* "Step 3 - 2 apples" is a heading, "Steps 1 - 3" a range. */
        if (!plural && (spaced || rdv_char_at(s, i + dash.len) == ' '))
            return false;
        *at = skip_any(s, i + dash.len, MARKS);
        return true;
    }
    return false;
}

/* Skips the text between two entries of a list: ",", "and", ", and", "&". */
static bool skip_separator(rdv_str s, size_t *at, const char *marks)
{
    static phrase_list words = {"and;or"};
    size_t i = skip_any(s, *at, marks);
    bool comma = words_is_any(rdv_char_at(s, i), ",&/;");
    i = skip_any(s, i, ",&/; ");
    bool word = skip_word(s, &i, &words);
    if (!comma && !word)
        return false;
    *at = skip_any(s, i, marks);
    return true;
}

/* True if the text after a number shows that it is an amount and not an id: "2 + 4", "2 apples"
 * after a comma ("In Step 1, 2 apples are eaten"). */
static bool is_amount(rdv_str s, size_t at, bool after_comma)
{
    static phrase_list joins = {"@of-a-range;and;or;as"};
    size_t i = skip_any(s, at, " *_`");
    if (words_is_any(rdv_char_at(s, i), "+=/<>^%$"))
        return true;
    if (!after_comma || !rdv_is_alpha(rdv_char_at(s, i)))
        return false;
    return !skip_word(s, &i, &joins);
}

/* Reads the entry at byte *at: a number, or in the robust profile a range. */
static bool read_entry(const finder *f, const label *l, size_t *at, size_t *first, size_t *last)
{
    if (!read_number(f->s, at, first))
        return false;
    *last = *first;
    size_t next = *at, end;
    if (f->robust && skip_range_sign(f->s, &next, l->plural) && read_number(f->s, &next, &end) &&
        end >= *first) {
        *last = end;
        *at = next;
    }
    return true;
}

/* Reads the list of numbers at byte *at, which is moved past it; its ids are added to the label's
 * set if `take`. False if there is none. Text after a colon belongs to the item. */
static bool read_list(const finder *f, const label *l, size_t *at, bool take)
{
    size_t first, last, next = *at;
    const char *marks = f->robust ? MARKS : " \n";
    bool any = false, comma = false;
    while (read_entry(f, l, &next, &first, &last)) {
        if (any && f->robust && is_amount(f->s, next, comma && !l->plural))
            break;
        if (take)
            set_add(l->set, first, last);
        any = true;
        *at = next;
        size_t separator = next;
        if (!skip_separator(f->s, &next, marks))
            break;
        comma = words_has_any(rdv_slice(f->s, separator, next), ",");
    }
    return any;
}

/* ---- the paper's rule ------------------------------------------------------------------------ */

/* Section 3.1: "by regular expression", which is not printed. Ours, ignoring case:
 * (information|step)s? *N((,|and|or|&)N)* */
static void collect_paper(finder *f)
{
    static const char *const names[] = {"information", "step"};
    for (size_t k = 0; k < 2; k++) {
        rdv_str name = rdv_str_of(names[k]);
        label l = {k == 0 ? &f->information : &f->steps, true};
        size_t at = 0;
        while ((at = rdv_ifind(f->s, name, at)) != RDV_NOT_FOUND) {
            at += name.len;
            at += rdv_lower(rdv_char_at(f->s, at)) == 's';
            at = skip_any(f->s, at, " \t\n");
            read_list(f, &l, &at, true);
        }
    }
}

/* ---- the robust rule ------------------------------------------------------------------------- */

/* True if the word is a label; sets its kind. */
static bool is_label(finder *f, rdv_str word, label *l)
{
    static const char *const steps[] = {"step", "steps"};
    static const char *const information[] = {"information", "informations", "info"};
    if (WORDS_IS_ONE_OF(word, information))
        *l = (label){&f->information, true};
    else if (WORDS_IS_ONE_OF(word, steps))
        *l = (label){&f->steps, word.len == 5};
    else
        return false;
    return true;
}

/* True if the rest of the line has only numbers and separators. */
static bool is_list_line(rdv_str s, size_t at)
{
    rdv_str line = rdv_slice(s, at, rdv_find_char(s, '\n', at)), word;
    static phrase_list joins = {"@of-a-range;and;or"};
    for (size_t i = 0; words_next(line, &i, &word, NULL);)
        if (!phrase_is(word, &joins))
            return false;
    return !words_has_any(line, "+=<>^%$");
}

/* Skips the text that may come between a label and its numbers: "(s)", "items", "numbers:",
 * emphasis. After a colon a list follows only if the label is plural or the line contains nothing
 * else. */
static void skip_to_list(const finder *f, size_t *at, label *l)
{
    static phrase_list words = {"item*;number*;no;id*"};
    rdv_str s = f->s;
    size_t i = *at;
    if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR("(s)"))) {
        l->plural = true;
        i += 3;
    }
    i = skip_any(s, i, MARKS "\"");
    if (skip_word(s, &i, &words))
        i = skip_any(s, i, MARKS ".");
    if (rdv_char_at(s, i) == ':') {
        size_t behind = skip_any(s, i + 1, MARKS "\"");
        bool bracket = words_has_any(rdv_slice(s, i, behind), "[(");
        bool steps = l->set == &f->steps && l->plural;
        if (bracket || steps || is_list_line(s, behind))
            i = behind;
    }
    *at = i;
}

/* "Step 3 is not needed": the byte after "is not", or `at` if the list that ends there is not
 * denied. */
static size_t denial_end(rdv_str s, size_t at)
{
    static phrase_list is = {"@being;does;do"}, not = {"not"};
    size_t i = skip_any(s, at, "*_` "), end = i;
    rdv_str word;
    bool here = rdv_is_alpha(rdv_char_at(s, i)) && words_next(s, &end, &word, NULL);
    if (here && word_denies(word) && phrase_is(rdv_slice(word, 0, word.len - 3), &is))
        return end; /* "isn't" */
    if (!skip_word(s, &i, &is))
        return at;
    i = skip_any(s, i, "*_` ");
    return skip_word(s, &i, &not) ? i : at;
}

/* Handles a label without numbers: "all previous steps", "the previous step", "not from any
 * step". */
static void note_bare_label(finder *f, const label *l)
{
    static const char *const previous[] = {"previous", "preceding"};
    static const char *const any[] = {"any", "each", "every"};
    if (f->negated) {
        f->says_none = true;
    } else if (f->all_left > 0 && l->plural && l->set->n > 0) {
        set_add(l->set, 0, l->set->n - 1);
    } else if (!l->plural && l->set->n > 0 && WORDS_IS_ONE_OF(f->before, previous) &&
               !WORDS_IS_ONE_OF(f->before_that, any)) {
        set_add(l->set, l->set->n - 1, l->set->n - 1);
    }
}

/* Reads on after the label that ends at byte f->at. */
static void follow_label(finder *f, label l)
{
    size_t at = f->at;
    skip_to_list(f, &at, &l);
    size_t begin = at;
    if (read_list(f, &l, &at, false)) {
        f->at = denial_end(f->s, at);
        if (!f->negated && f->at == at)
            read_list(f, &l, &begin, true);
        return;
    }
    note_bare_label(f, &l);
    /* `the next step "..."`: the step itself, whatever its text. */
    size_t quote = skip_any(f->s, f->at, " *_:\n");
    size_t end = words_quote_end(rdv_slice(f->s, 0, quote + MAX_QUOTE), quote);
    if (end > quote)
        f->at = end;
}

static void follow_word(finder *f, rdv_str word, rdv_str gap)
{
    static phrase_list turns = {"@turns-a-denial;only;just;merely"};
    static const char *const none[] = {"none", "nothing"};
    label l;
    bool after_no = rdv_str_ieq(f->before, RDV_STR("no"));
    if (phrase_is(word, &turns) || (after_no && words_has_any(gap, ",")))
        f->negated = false;
    f->all_left -= f->all_left > 0;
    if (is_label(f, word, &l)) {
        follow_label(f, l);
    } else if (rdv_str_ieq(word, RDV_STR("all"))) {
        f->all_left = ALL_REACH;
    } else if (words_is_not(word) ||
               (rdv_str_ieq(f->before, RDV_STR("rather")) && rdv_str_ieq(word, RDV_STR("than")))) {
        f->negated = true;
        f->says_none |= WORDS_IS_ONE_OF(word, none);
    }
    f->before_that = f->before;
    f->before = word;
}

/* True if a clause ends at byte `i`. */
static bool ends_clause(rdv_str s, size_t i)
{
    if (s.p[i] == '\n' || s.p[i] == ';')
        return true;
    return words_is_any(s.p[i], ".!?") && (i + 1 >= s.len || rdv_is_space(s.p[i + 1]));
}

/* A quotation cites the item whose label it begins with; the rest of it is the item's text. */
static void follow_quote(finder *f, size_t end)
{
    size_t at = f->at;
    rdv_str word;
    label l;
    if (words_next(f->s, &at, &word, NULL) && at <= end && is_label(f, word, &l)) {
        f->at = at;
        follow_label(f, l);
    }
    if (f->at < end)
        f->at = end;
}

static void collect_robust(finder *f)
{
    size_t said = 0; /* the end of the last word */
    while (f->at < f->s.len) {
        size_t i = f->at;
        size_t quote_end = words_quote_end(rdv_slice(f->s, 0, i + MAX_QUOTE), i);
        rdv_str word;
        if (quote_end > i) {
            follow_quote(f, quote_end);
            said = f->at;
        } else if (rdv_is_alpha(f->s.p[i]) || (unsigned char)f->s.p[i] >= 0x80) {
            if (!words_next(f->s, &f->at, &word, NULL))
                return;
            follow_word(f, word, rdv_slice(f->s, said, i));
            said = f->at;
        } else {
            if (ends_clause(f->s, i)) {
                f->negated = false;
                f->all_left = 0;
            }
            f->at++;
        }
    }
}

/* ---- both profiles --------------------------------------------------------------------------- */

int reply_citations(rdv_str reply, rdv_profile profile, size_t n_information,
                    size_t n_earlier_steps, rdv_arena *arena, reply_cited *out)
{
    finder f = {.s = rdv_slice(think_spoken(reply), 0, WORDS_LIST_BYTES),
                .robust = profile == RDV_ROBUST};
    reply_cited ids = {0};
    if (!set_init(&f.information, n_information, arena) ||
        !set_init(&f.steps, n_earlier_steps, arena))
        return RDV_E_NOMEM;
    if (f.robust)
        collect_robust(&f);
    else
        collect_paper(&f);
    ids.dropped = f.information.dropped + f.steps.dropped;
    if (!set_list(&f.information, arena, &ids.information, &ids.n_information) ||
        !set_list(&f.steps, arena, &ids.steps, &ids.n_steps))
        return RDV_E_NOMEM;
    *out = ids;
    bool none = f.says_none && ids.dropped == 0;
    return ids.n_information + ids.n_steps > 0 || none ? RDV_OK : RDV_NONE;
}
