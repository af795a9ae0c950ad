/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/reaction.h"

#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "grade/text/chemical.h"
#include "grade/text/restated.h"
#include "language/cue.h"
#include "language/phrase.h"

#define TEXT_MAX 400 /* bytes of an answer */
#define TERMS_MAX 12 /* of a reaction, or subshells */
#define ELEMENTS 32  /* different ones of a formula */

/* ---- one notation ---------------------------------------------------------------------------- */

/* The text in ASCII: subscripts and charges as digits, ">" for an arrow, without LaTeX. */
static int in_ascii(rdv_str s, rdv_arena *arena, rdv_str *out)
{
    static const struct {
        const char *sign, *as;
    } signs[] = {{"\\longrightarrow", " > "},
                 {"\\rightarrow", " > "},
                 {"\\rightleftharpoons", " > "},
                 {"\\to", " > "},
                 {"-->", " > "},
                 {"->", " > "},
                 {"\xe2\x86\x92", " > "},
                 {"\xe2\x9f\xb6", " > "},
                 {"\xe2\x87\x8c", " > "},
                 {"\\mathrm", ""},
                 {"\\text", ""},
                 {"\\ce", ""},
                 {"\\,", ""},
                 {"\\;", ""}};
    rdv_buf b;
    bool raised = false;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0, len; i < s.len; i += len) {
        rdv_str rest = rdv_slice(s, i, s.len);
        size_t k = 0, high = 0;
        while (k < sizeof signs / sizeof *signs && !rdv_starts(rest, rdv_str_of(signs[k].sign)))
            k++;
        len = 1;
        char digit = rdv_superscript_at(s, i, &high);
        if (k < sizeof signs / sizeof *signs) {
            len = strlen(signs[k].sign);
            rdv_buf_add(&b, rdv_str_of(signs[k].as));
            raised = false;
        } else if (digit) {
            len = high;
            if (!raised)
                rdv_buf_add_char(&b, '^');
            rdv_buf_add_char(&b, digit);
            raised = true;
        } else if (rest.len > 2 && s.p[i] == '\xe2' && s.p[i + 1] == '\x82' &&
                   (unsigned char)s.p[i + 2] < 0x8a) {
            len = 3;
            rdv_buf_add_char(&b, (char)('0' + ((unsigned char)s.p[i + 2] & 15)));
        } else if (!s.p[i] || !strchr("{}$*", s.p[i])) {
            char next = rdv_char_at(s, i + 1);
            bool index = s.p[i] == '_' && (next == '{' || rdv_is_digit(next));
            if (!index)
                rdv_buf_add_char(&b, s.p[i] == '\n' ? ' ' : s.p[i]);
            raised = false;
        }
    }
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

/* Does every brace that is opened close? */
static bool is_closed(rdv_str s)
{
    size_t opened = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '}' && !opened--)
            return false;
        opened += s.p[i] == '{';
    }
    return !opened;
}

/* The next token between blanks from byte *i on, without the marks behind it. */
static rdv_str next_token(rdv_str s, size_t *i)
{
    size_t begin = rdv_skip_any(s, *i, " "), end = begin;
    while (end < s.len && s.p[end] != ' ')
        end++;
    *i = end;
    while (end > begin && strchr(".,;:!", s.p[end - 1] ? s.p[end - 1] : 'x'))
        end--;
    return rdv_slice(s, begin, end);
}

/* ---- formulas -------------------------------------------------------------------------------- */

typedef struct formula {
    size_t n, symbols;
    rdv_str element[ELEMENTS];
    unsigned long count[ELEMENTS];
    rdv_str text, charge;
} formula;

static bool add_atoms(formula *f, rdv_str element, unsigned long count)
{
    size_t k = 0;
    while (k < f->n && !rdv_str_eq(f->element[k], element))
        k++;
    if (k == ELEMENTS || count > 100000)
        return false;
    f->element[k] = element;
    f->count[k] = (k < f->n ? f->count[k] : 0) + count;
    f->n += k == f->n;
    return true;
}

static unsigned long count_at(rdv_str s, size_t *i)
{
    unsigned long count = 0;
    size_t begin = *i;
    for (; rdv_is_digit(rdv_char_at(s, *i)) && count < 100000; ++*i)
        count = count * 10 + (unsigned long)(s.p[*i] - '0');
    return *i > begin ? count : 1;
}

/* The factor of the brackets that are open at byte `i`, behind which their counts stand. */
static unsigned long factor_at(rdv_str s, size_t i)
{
    unsigned long factor = 1;
    for (size_t depth = 1; i < s.len && factor < 100000; i++) {
        depth += s.p[i] == '(' || s.p[i] == '[';
        if (s.p[i] != ')' && s.p[i] != ']')
            continue;
        size_t behind = i + 1;
        if (--depth == 0) {
            factor *= count_at(s, &behind);
            depth = 1; /* those around it, if any */
        }
    }
    return factor;
}

/* The formula that is all of the text, with its atoms. RDV_NONE: it is none. */
static int read_formula(rdv_str s, rdv_arena *arena, formula *f)
{
    rdv_buf b;
    *f = (formula){0};
    rdv_buf_init(&b, arena, 0);
    if (!chemical_formula(s, &b))
        return rdv_buf_ok(&b) ? RDV_NONE : RDV_E_NOMEM;
    if (!rdv_buf_ok(&b))
        return RDV_E_NOMEM;
    f->text = rdv_buf_str(&b);
    size_t charge = rdv_find_char(f->text, '^', 0), depth = 0;
    f->charge = rdv_slice(f->text, charge, f->text.len);
    rdv_str atoms = rdv_slice(f->text, 0, charge);
    for (size_t i = 0; i < atoms.len;) {
        char c = atoms.p[i];
        depth += c == '(' || c == '[';
        depth -= c == ')' || c == ']';
        if (!rdv_is_alpha(c)) {
            i++;
            if (c == ')' || c == ']')
                count_at(atoms, &i);
            continue;
        }
        size_t begin = i++;
        i += i < atoms.len && rdv_is_alpha(atoms.p[i]) && atoms.p[i] == rdv_lower(atoms.p[i]);
        rdv_str element = rdv_slice(atoms, begin, i);
        unsigned long count = count_at(atoms, &i);
        f->symbols++;
        if (!add_atoms(f, element, count * (depth ? factor_at(atoms, i) : 1)))
            return RDV_NONE;
    }
    return RDV_OK;
}

/* Is it more than a word may be: has it a count, a charge, or several symbols? */
static bool is_marked(const formula *f)
{
    bool small = false; /* "NaCl", but not "UK" */
    for (size_t i = 0; i < f->text.len; i++)
        small = small || (f->text.p[i] >= 'a' && f->text.p[i] <= 'z');
    return (f->symbols > 1 && small) || f->charge.len || rdv_has_digit(f->text);
}

static bool has_atoms_of(const formula *a, const formula *b)
{
    for (size_t i = 0, k; i < a->n; i++) {
        for (k = 0; k < b->n && !rdv_str_eq(a->element[i], b->element[k]);)
            k++;
        if (k == b->n || a->count[i] != b->count[k])
            return false;
    }
    return a->n == b->n;
}

static rdv_same formulas_are(const formula *a, const formula *g)
{
    bool charged = a->charge.len && g->charge.len;
    return rdv_str_eq(a->text, g->text) ? RDV_SAME
           : !has_atoms_of(a, g) || (charged && !rdv_str_eq(a->charge, g->charge))
               ? RDV_DIFFERENT
               : RDV_CANNOT_TELL;
}

/* The only formula of a sentence. *states: the sentence ends with it and says that it is it. */
static int formula_in(rdv_str s, rdv_arena *arena, formula *out, bool *states)
{
    static phrase_list verbs = {"@being;it's;becomes;formula"};
    formula one;
    rdv_str token, before = {0};
    int found = RDV_NONE;
    for (size_t i = 0; (token = next_token(s, &i)).len; before = token) {
        int code = read_formula(token, arena, &one);
        if (code < 0)
            return code;
        if (code != RDV_OK || !is_marked(&one))
            continue;
        if (found == RDV_OK && !rdv_str_eq(one.text, out->text))
            return RDV_NONE;
        *out = one;
        found = RDV_OK;
        bool label =
            rdv_starts(rdv_slice(s, (size_t)(before.p - s.p) + before.len, s.len), RDV_STR(":"));
        *states =
            (phrase_is(before, &verbs) || label || !before.p) && rdv_skip_any(s, i, " ") == s.len;
    }
    return found;
}

/* ---- reactions and configurations: terms with counts ------------------------------------------
 */

typedef struct terms {
    size_t n, left; /* of the first side of a reaction */
    rdv_str of[TERMS_MAX];
    unsigned long count[TERMS_MAX];
} terms;

/* The term of a piece between two signs of a reaction, "2 H2", "2H2(g)": at the end of the first
 * piece and at the beginning of the last one, beside which words may stand. Empty: it is none. */
static rdv_str term_of(rdv_str piece, bool first, bool last)
{
    rdv_str token, term = {0};
    size_t n = 0;
    for (size_t i = 0; (token = next_token(piece, &i)).len && (first || n < 2); n++) {
        bool counted = term.len && rdv_is_whole(term); /* "2" before "H2" */
        if (counted)
            term.len = (size_t)(token.p + token.len - term.p);
        else if (first || !n)
            term = token;
    }
    return first || last || rdv_str_eq(term, rdv_trim(piece)) ? term : (rdv_str){0};
}

static int add_term(rdv_str term, rdv_arena *arena, terms *t)
{
    static const char *const states[] = {"(g)", "(l)", "(s)", "(aq)"};
    formula f;
    size_t at = 0;
    unsigned long count = count_at(term, &at);
    rdv_str text = rdv_trim(rdv_slice(term, at, term.len));
    for (size_t k = 0; k < sizeof states / sizeof *states; k++)
        if (rdv_ends(text, rdv_str_of(states[k])))
            text = rdv_slice(text, 0, text.len - strlen(states[k]));
    int code = t->n < TERMS_MAX ? read_formula(text, arena, &f) : RDV_NONE;
    if (code == RDV_OK) {
        t->of[t->n] = f.text;
        t->count[t->n++] = count;
    }
    return code;
}

/* The only reaction of a text, between words. */
static int read_reaction(rdv_str s, rdv_arena *arena, terms *t)
{
    size_t arrow = rdv_find_char(s, '>', 0);
    *t = (terms){0};
    if (arrow == RDV_NOT_FOUND || rdv_find_char(s, '>', arrow + 1) != RDV_NOT_FOUND)
        return RDV_NONE;
    for (size_t side = 0; side < 2; side++) {
        rdv_str text = side ? rdv_slice(s, arrow + 1, s.len) : rdv_slice(s, 0, arrow);
        for (size_t i = 0, end; i <= text.len; i = end + 3) {
            end = rdv_find(text, RDV_STR(" + "), i);
            end = end == RDV_NOT_FOUND ? text.len : end;
            bool first = !side && i == 0, last = side && end == text.len;
            int code = add_term(term_of(rdv_slice(text, i, end), first, last), arena, t);
            if (code != RDV_OK)
                return code;
        }
        t->left = side ? t->left : t->n;
    }
    return RDV_OK;
}

/* The subshells of a text, "1s2", "3d^10", between words. */
static int read_shells(rdv_str s, terms *t)
{
    *t = (terms){0};
    bool ended = false;
    for (size_t i = 0; i < s.len;) {
        const char *shell = strchr("spdf", rdv_char_at(s, i + 1) ? s.p[i + 1] : 'x');
        size_t at = i + 2 + (rdv_char_at(s, i + 2) == '^');
        char next = rdv_char_at(s, at);
        bool word = i > 0 && rdv_is_alpha(s.p[i - 1]);
        if (!rdv_is_digit(s.p[i]) || !shell || !rdv_is_digit(next) || word) {
            ended = ended || (t->n && s.p[i] != ' ');
            i++;
            continue;
        }
        bool two = *shell > 'a' && (*shell == 'd' || *shell == 'f') && next == '1' &&
                   rdv_is_digit(rdv_char_at(s, at + 1)) &&
                   !strchr("spdf", rdv_char_at(s, at + 2) ? s.p[at + 2] : 'x');
        if (ended || t->n == TERMS_MAX)
            return RDV_NONE;
        t->of[t->n] = rdv_slice(s, i, i + 2);
        t->count[t->n++] =
            two ? 10 + (unsigned long)(s.p[at + 1] - '0') : (unsigned long)(next - '0');
        i = at + 1 + two;
    }
    t->left = t->n;
    return t->n > 1 && rdv_find_char(s, '[', 0) == RDV_NOT_FOUND ? RDV_OK : RDV_NONE;
}

/* Is each term of `a` on its side one of `g`, with its count; *names: at least without it? */
static bool has_terms_of(const terms *a, const terms *g, bool *names)
{
    bool all = a->n == g->n && a->left == g->left;
    *names = all;
    for (size_t i = 0, k; i < a->n && all; i++) {
        for (k = i < a->left ? 0 : g->left;
             k < (i < a->left ? g->left : g->n) && !rdv_str_eq(a->of[i], g->of[k]);)
            k++;
        bool named = k < (i < a->left ? g->left : g->n);
        *names = *names && named;
        all = named && a->count[i] == g->count[k];
    }
    return all;
}

/* Are the counts of a reaction all the same multiple of another's, whose terms are the same? */
static bool is_multiple(const terms *a, const terms *g)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < g->n; k++)
            if (rdv_str_eq(a->of[i], g->of[k]) &&
                a->count[i] * g->count[0] != g->count[k] * a->count[0] &&
                rdv_str_eq(a->of[0], g->of[0]))
                return false;
    return true;
}

/* Is a term of the one written otherwise in the other, "CH3CH2OH" and "C2H5OH"? */
static int is_respelled(const terms *a, const terms *g, rdv_arena *arena, bool *is)
{
    formula f, other;
    int code = RDV_OK;
    *is = false;
    for (size_t i = 0; i < a->n && code == RDV_OK; i++) {
        code = read_formula(a->of[i], arena, &f);
        for (size_t k = 0; k < g->n && code == RDV_OK; k++) {
            code = read_formula(g->of[k], arena, &other);
            *is = *is || (code == RDV_OK && formulas_are(&f, &other) == RDV_CANNOT_TELL);
        }
    }
    return code;
}

/* What the last sentence of an answer says, in ASCII. RDV_NONE: it denies it, or doubts it. */
static int sentence_of(rdv_str answer, rdv_arena *arena, rdv_str *out)
{
    static phrase_list doubts = {
        "@refused;@withholds-an-answer;@turning-a-value;@of-another;@choosing-otherwise"};
    rdv_str last = rdv_trim(cue_last_sentences(answer, 1));
    if (phrase_in(last, &doubts) || restated_doubts(last))
        return RDV_NONE;
    return in_ascii(last, arena, out);
}

int reaction_compare(rdv_str answer, rdv_str gold, rdv_arena *arena, rdv_same *is)
{
    formula f = {0}, of_gold;
    terms t, of;
    bool names, states = false, respelled = false;
    rdv_str s = {0}, g;
    if (answer.len > TEXT_MAX || gold.len > TEXT_MAX || !is_closed(answer) || !is_closed(gold))
        return RDV_NONE;
    int code = in_ascii(rdv_trim(gold), arena, &g);
    if (code == RDV_OK)
        code = read_formula(g, arena, &of_gold);
    if (code == RDV_OK) {
        code = is_marked(&of_gold) ? sentence_of(answer, arena, &s) : RDV_NONE;
        if (code == RDV_OK)
            code = formula_in(s, arena, &f, &states);
        *is = code == RDV_OK ? formulas_are(&f, &of_gold) : RDV_CANNOT_TELL;
        return code == RDV_OK && !states ? RDV_NONE : code;
    }
    bool reaction = code == RDV_NONE && rdv_find_char(g, '>', 0) != RDV_NOT_FOUND;
    if (code == RDV_NONE)
        code = reaction ? read_reaction(g, arena, &of) : read_shells(g, &of);
    if (code == RDV_OK)
        code = sentence_of(answer, arena, &s);
    if (code == RDV_OK)
        code = reaction ? read_reaction(s, arena, &t) : read_shells(s, &t);
    if (code != RDV_OK)
        return code;
    bool same = has_terms_of(&t, &of, &names);
    if (reaction && !same)
        code = is_respelled(&t, &of, arena, &respelled);
    bool open = respelled || (reaction && names && is_multiple(&t, &of));
    *is = same ? RDV_SAME : open ? RDV_CANNOT_TELL : RDV_DIFFERENT;
    return code;
}
