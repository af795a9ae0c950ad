/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of rules/verbal.rules, rules/statements.rules and rules/rare/verbal.rules. */
#include "claims/verbal_grammar.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/built_in.h"
#include "base/str.h"
#include "claims/connective.h"
#include "language/embedded_rules.h"

#include <string.h>

#define ROWS_MOST 1000
#define ELEMENTS_MOST 16 /* of a pattern */

enum {
    KEY_PATTERN,
    KEY_VALUE,
    KEY_OTHER,
    KEY_IS,
    KEY_STATES,
    KEY_COUNTS,
    KEY_UNLESS,
    KEY_READS,
    KEY_SILENT,
    N_KEYS
};

static const char *const keys[N_KEYS] = {"pattern", "value",  "other", "is",    "states",
                                         "counts",  "unless", "reads", "silent"};
/* In the order of verbal_states, and the letters that each needs. */
static const char *const what_rows_state[] = {
    "prime",    "composite", "square", "even", "odd",  "multiple", "remainder", "quotient",
    "positive", "negative",  "whole",  "more", "less", "at-least", "at-most",   "between"};
static const char *const letters_stated[] = {"N", "N", "N", "N",  "N",  "NM", "NMR", "NMQR",
                                             "N", "N", "N", "NM", "NM", "NM", "NM",  "NMQ"};
/* In the order of their bits. */
static const char *const what_rows_are[] = {"term", "verb",  "sum",   "product", "said", "share",
                                            "form", "times", "alone", "named",   "rate", "alike"};
static const char *const list_names[N_VERBAL_LISTS] = {"@begins", "@ends", "@after",   "@no-noun",
                                                       "@whose",  "@who",  "@obtains", "@short"};
/* What each capital letter stands for; 0: nothing. */
static const verbal_symbol symbols[26] = {
    ['A' - 'A'] = VERBAL_NUMBER,  ['B' - 'A'] = VERBAL_NUMBER,   ['N' - 'A'] = VERBAL_BARE,
    ['V' - 'A'] = VERBAL_VALUE,   ['X' - 'A'] = VERBAL_TERM,     ['P' - 'A'] = VERBAL_PERCENTAGE,
    ['M' - 'A'] = VERBAL_BARE,    ['Q' - 'A'] = VERBAL_BARE,     ['R' - 'A'] = VERBAL_BARE,
    ['K' - 'A'] = VERBAL_ITEMS,   ['F' - 'A'] = VERBAL_FRACTION, ['L' - 'A'] = VERBAL_LIST,
    ['O' - 'A'] = VERBAL_ORDINAL, ['D' - 'A'] = VERBAL_PART,     ['T' - 'A'] = VERBAL_MULTIPLE,
    ['E' - 'A'] = VERBAL_SIGNS};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static verbal_row *last_row(const row_reader *r)
{
    const verbal_grammar *g = r->of;
    return &g->rows[g->n - 1];
}

/* ---- patterns -------------------------------------------------------------------------------- */

typedef struct slot_range {
    size_t first, end;
} slot_range;

/* Where the word of a list may be: anywhere if it is known by fewer than three letters, "of*". */
static slot_range slots_of(rdv_str word)
{
    size_t slot = word_slot(word);
    bool any = word.len > 1 && (word.p[0] == '-' || rdv_find_char(word, '*', 0) < 3);
    return any ? (slot_range){0, WORD_SLOTS} : (slot_range){slot, slot + 1};
}

static word_slots slots_in(const cue_words *of)
{
    word_slots all = {{0}};
    for (size_t i = 0; i < of->n; i++)
        for (slot_range in = slots_of(of->words[i]); in.first < in.end; in.first++)
            word_slots_add(&all, (uint32_t)in.first);
    return all;
}

static int read_element(const row_reader *r, rdv_str text, verbal_element *out)
{
    *out = (verbal_element){0};
    out->denies = text.len > 2 && text.p[0] == '[' && text.p[text.len - 1] == ']';
    if (out->denies || (text.len > 2 && text.p[0] == '(' && text.p[text.len - 1] == ')')) {
        out->optional = true;
        text = rdv_slice(text, 1, text.len - 1);
    }
    if (rdv_str_eq(text, RDV_STR("<noun>"))) {
        out->is = VERBAL_NOUN;
        return RDV_OK;
    }
    if (text.len == 1 && text.p[0] >= 'A' && text.p[0] <= 'Z') {
        out->is = symbols[text.p[0] - 'A'];
        out->letter = text.p[0];
        return out->is != VERBAL_WORDS && !out->optional
                   ? RDV_OK
                   : row_fault(r, "\"%c\" stands for nothing, or in brackets", text.p[0]);
    }
    return row_words(r, text, &out->of);
}

/* The words of the element by which a pattern is found, the longest; NULL: it may have no word. */
static const cue_words *anchor(const verbal_pattern *p)
{
    const cue_words *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < p->n; i++) {
        const cue_words *of = p->at[i].optional ? NULL : p->at[i].of;
        size_t shortest = of && of->n ? of->words[0].len : 0;
        for (size_t k = 1; of && k < of->n; k++)
            shortest = of->words[k].len < shortest ? of->words[k].len : shortest;
        if (shortest > longest) {
            longest = shortest;
            best = of;
        }
    }
    return best;
}

static int read_pattern(const row_reader *r, rdv_str text)
{
    verbal_grammar *g = r->of;
    verbal_pattern p = {.row = g->n - 1};
    rdv_str piece;
    bool fixed = false; /* an element that must stand there was read */
    p.at = RDV_NEW_ARRAY(r->arena, verbal_element, ELEMENTS_MOST);
    if (!p.at || !RDV_PUSH_ROOM(r->arena, g->patterns, g->n_patterns, g->cap_patterns))
        return rdv_no_memory(r->err);
    while (row_next_piece(&text, ' ', &piece)) {
        if (!piece.len)
            continue;
        if (p.n == ELEMENTS_MOST)
            return row_fault(r, "a pattern has at most %d elements", ELEMENTS_MOST);
        int code = read_element(r, piece, &p.at[p.n]);
        if (code != RDV_OK)
            return code;
        fixed |= !p.at[p.n++].optional;
    }
    if (!fixed)
        return row_fault(r, "a pattern is empty");
    if (g->n_patterns == VERBAL_PATTERNS_MOST || g->n_statements == VERBAL_PATTERNS_MOST)
        return row_limit(r, "more than %d patterns", VERBAL_PATTERNS_MOST);
    p.anchor = anchor(&p);
    g->patterns[g->n_patterns++] = p;
    return RDV_OK;
}

static int read_patterns(const row_reader *r, rdv_str value)
{
    rdv_str text;
    int code = RDV_OK;
    while (code == RDV_OK && row_next_piece(&value, ';', &text))
        code = read_pattern(r, text);
    return code;
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* "sum of L", "B - A" */
static int read_formula(const row_reader *r, rdv_str text, verbal_formula *out)
{
    static const struct {
        const char *words;
        verbal_fold fold;
    } folds[] = {{"sum of ", FOLD_SUM}, {"product of ", FOLD_PRODUCT}, {"mean of ", FOLD_MEAN}};
    for (size_t i = 0; i < COUNT(folds); i++)
        if (rdv_starts(text, rdv_str_of(folds[i].words))) {
            out->fold = folds[i].fold;
            text = rdv_slice(text, strlen(folds[i].words), text.len);
        }
    return formula_read(r, text, &out->of);
}

static bool captures(const verbal_pattern *p, char letter)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->at[i].letter == letter)
            return true;
    return false;
}

/* Does the pattern capture every letter of the formula? */
static bool captures_all(const verbal_pattern *p, const verbal_formula *f)
{
    rdv_str letter;
    bool all = true;
    for (size_t at = 0; formula_next_letter(&f->of, &at, &letter);)
        all &= captures(p, letter.p[0]);
    return all;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int read_what_it_is(const row_reader *r, rdv_str value, unsigned *out)
{
    rdv_str name;
    size_t which;
    int code = RDV_OK;
    while (code == RDV_OK && row_next_piece(&value, ' ', &name)) {
        code = row_choose(r, "is", name, what_rows_are, COUNT(what_rows_are), &which);
        *out |= code == RDV_OK ? 1u << which : 0;
    }
    return code;
}

static int read_member(row_reader *r, size_t key, rdv_str value)
{
    verbal_row *row = last_row(r);
    switch (key) {
    case KEY_PATTERN:
        return read_patterns(r, value);
    case KEY_VALUE:
        return read_formula(r, value, &row->value);
    case KEY_OTHER:
        return read_formula(r, value, &row->other);
    case KEY_IS:
        return read_what_it_is(r, value, &row->is);
    case KEY_STATES: {
        size_t which;
        int code = row_choose(r, "states", value, what_rows_state, COUNT(what_rows_state), &which);
        row->states = code == RDV_OK ? (verbal_states)(which + 1) : STATES_NOTHING;
        return code;
    }
    case KEY_COUNTS:
        row->counts = value.len == 1 ? value.p[0] : '\0';
        return row->counts >= 'A' && row->counts <= 'Z'
                   ? RDV_OK
                   : row_fault(r, "counts is a capital letter");
    case KEY_UNLESS:
        return row_find_list(r, value, &row->unless);
    default:
        return RDV_OK; /* examples, which language/rule.h keeps */
    }
}

static int begin_row(row_reader *r, rdv_str id)
{
    verbal_grammar *g = r->of;
    for (size_t i = 0; i < g->n; i++)
        if (rdv_str_eq(g->rows[i].id, id))
            return row_fault(r, "%.*s stands twice", RDV_FMT(id));
    if (g->n == ROWS_MOST)
        return row_limit(r, "more than %d rows", ROWS_MOST);
    if (!RDV_PUSH_ROOM(r->arena, g->rows, g->n, g->cap))
        return rdv_no_memory(r->err);
    g->rows[g->n++] = (verbal_row){.id = id};
    return RDV_OK;
}

/* Has the pattern the letters of what it states? */
static bool has_numbers(const verbal_pattern *p, verbal_states states)
{
    for (const char *letter = letters_stated[states - 1]; *letter; letter++)
        if (!captures(p, *letter) &&
            !(states == STATES_MULTIPLE && *letter == 'M' && captures(p, 'K')))
            return false;
    return true;
}

/* The patterns of the last row, from `first` on, become statements. */
static int end_statement(const row_reader *r, size_t first)
{
    verbal_grammar *g = r->of;
    for (size_t i = first; i < g->n_patterns; i++) {
        const verbal_pattern *p = &g->patterns[i];
        if (!has_numbers(p, last_row(r)->states))
            return row_fault(r, "a pattern lacks a letter of what it states");
        if (!p->anchor)
            return row_fault(r, "a pattern has a word that must stand there");
        if (!RDV_PUSH_ROOM(r->arena, g->statements, g->n_statements, g->cap_statements))
            return rdv_no_memory(r->err);
        g->statements[g->n_statements++] = *p;
    }
    g->n_patterns = first;
    return RDV_OK;
}

static int end_row(row_reader *r)
{
    const verbal_grammar *g = r->of;
    const verbal_row *row = last_row(r);
    size_t i = g->n_patterns;
    for (; i > 0 && g->patterns[i - 1].row == g->n - 1; i--) {
        const verbal_pattern *p = &g->patterns[i - 1];
        if (!captures_all(p, &row->value) || !captures_all(p, &row->other))
            return row_fault(r, "a pattern has each letter of the formulas");
    }
    if (i == g->n_patterns)
        return row_fault(r, "there is no pattern");
    if (row->states)
        return end_statement(r, i);
    return row->value.of.root ? RDV_OK : row_fault(r, "there is no value");
}

/* ---- indexes --------------------------------------------------------------------------------- */

/* Put the pattern into the sets of the words. */
static void add_to_sets(const cue_words *of, size_t pattern, verbal_set sets[WORD_SLOTS])
{
    slot_range in;
    for (size_t i = 0; i < of->n; i++)
        for (in = slots_of(of->words[i]); in.first < in.end; in.first++)
            verbal_set_add(&sets[in.first], pattern);
}

/* The elements from `i` on, of which one may stand at a token: words are added to `sets`, and what
 * is no word, or the end, to `other`. The element behind them. */
static size_t add_from(const verbal_pattern *p, size_t i, size_t pattern,
                       verbal_set sets[WORD_SLOTS], verbal_set *other)
{
    for (; i < p->n && p->at[i].of; i++) {
        add_to_sets(p->at[i].of, pattern, sets);
        if (!p->at[i].optional)
            return i + 1;
    }
    verbal_set_add(other, pattern);
    return i;
}

/* The kind of token that the sign is, as a bit; all kinds where it cannot be told. */
static uint64_t kinds_of_sign(rdv_str sign, rdv_arena *arena)
{
    tokens t;
    return lex(sign, arena, &t) == RDV_OK ? t.kinds & ~(UINT64_C(1) << TOK_END) : UINT64_MAX;
}

/* Can the words be looked for by their slots: is none a sign, and may none have any? */
static bool have_slots(const cue_words *of)
{
    bool have = true;
    for (size_t i = 0; i < of->n && have; i++) {
        slot_range in = slots_of(of->words[i]);
        have = rdv_is_alpha(of->words[i].p[0]) && in.end == in.first + 1;
    }
    return have;
}

/* Its anchor is the first of the elements that it needs. */
static void add_needs(const verbal_pattern *p, size_t pattern, rdv_arena *arena, verbal_index *out)
{
    size_t n = 0;
    if (p->anchor)
        add_to_sets(p->anchor, pattern, out->needed[n++]);
    for (size_t i = 0; p->anchor && i < p->anchor->n; i++)
        if (!rdv_is_alpha(p->anchor->words[i].p[0]))
            out->signs |= kinds_of_sign(p->anchor->words[i], arena);
    for (size_t i = 0; i < p->n && n < VERBAL_NEEDS; i++) {
        const cue_words *of = p->at[i].optional ? NULL : p->at[i].of;
        if (of && of != p->anchor && have_slots(of))
            add_to_sets(of, pattern, out->needed[n++]);
    }
    for (; n < VERBAL_NEEDS; n++)
        verbal_set_add(&out->free[n], pattern);
}

static void add_to_index(const verbal_pattern *p, size_t pattern, rdv_arena *arena,
                         verbal_index *out)
{
    add_needs(p, pattern, arena, out);
    size_t symbol = 0;
    while (symbol + 1 < p->n && p->at[symbol].of)
        symbol++;
    verbal_symbol is = p->at[symbol].is;
    verbal_set *other = &out->captured[is];
    out->symbols |= 1u << is;
    if (p->at[0].is == VERBAL_NUMBER || p->at[0].is == VERBAL_BARE) {
        add_from(p, 1, pattern, is == VERBAL_BARE ? out->bare : out->behind, other);
        verbal_set_add(is == VERBAL_BARE ? &out->all_bare : &out->numbers, pattern);
        return;
    }
    size_t end = add_from(p, 0, pattern, out->by_word, other);
    for (size_t i = 0; i < end && p->at[i].of; i++) {
        add_from(p, i + 1, pattern, out->by_next, &out->open);
    }
}

static void make_index(const verbal_pattern *patterns, size_t n, rdv_arena *arena,
                       verbal_index *out)
{
    *out = (verbal_index){0};
    for (size_t i = 0; i < n; i++)
        add_to_index(&patterns[i], i, arena, out);
    for (uint32_t slot = 0; slot < WORD_SLOTS; slot++)
        for (size_t k = 0; k < VERBAL_NEEDS; k++)
            if (verbal_set_share(&out->needed[k][slot], &out->needed[k][slot]))
                word_slots_add(&out->words, slot);
    verbal_set_join(&out->captures, &out->numbers);
    verbal_set_join(&out->captures, &out->all_bare);
    for (size_t is = 0; is <= VERBAL_SIGNS; is++)
        verbal_set_join(&out->captures, &out->captured[is]);
}

/* ---- grammars -------------------------------------------------------------------------------- */

verbal_grammar *verbal_grammar_new(rdv_arena *arena)
{
    verbal_grammar *g = RDV_NEW(arena, verbal_grammar);
    if (g)
        g->arena = arena;
    return g;
}

int verbal_grammar_add(verbal_grammar *g, rdv_str file, rdv_str text, rdv_error *err)
{
    static const cue_words none = {0};
    row_reader r = {.arena = g->arena,
                    .lists = &g->lists,
                    .file = file,
                    .err = err,
                    .keys = keys,
                    .n_keys = N_KEYS,
                    .of = g,
                    .begin = begin_row,
                    .member = read_member,
                    .end = end_row};
    int code = rows_read(&r, text);
    for (size_t i = 0; i < N_VERBAL_LISTS; i++) {
        const cue_words *found = row_list(&g->lists, rdv_str_of(list_names[i]));
        g->list[i] = found ? found : &none;
        g->list_slots[i] = slots_in(g->list[i]);
    }
    make_index(g->patterns, g->n_patterns, g->arena, &g->begin);
    make_index(g->statements, g->n_statements, g->arena, &g->statement_begin);
    return code;
}

static bool are_same(const cue_words *a, const cue_words *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = rdv_str_eq(a->words[i], b->words[i]);
    return same;
}

/* The words by which statements are found, each list of them once. */
static int collect_anchors(verbal_grammar *g)
{
    rdv_buf b;
    g->anchors = RDV_NEW(g->arena, phrase_list);
    rdv_buf_init(&b, g->arena, 0);
    for (size_t i = 0; i < g->n_statements; i++) {
        const cue_words *of = g->statements[i].anchor;
        size_t known = 0;
        while (known < i && !are_same(g->statements[known].anchor, of))
            known++;
        for (size_t k = 0; known == i && k < of->n; k++) {
            if (i + k)
                rdv_buf_add_char(&b, ';');
            rdv_buf_add(&b, of->words[k]);
        }
    }
    rdv_buf_add_char(&b, '\0');
    if (!g->anchors || !rdv_buf_ok(&b))
        return RDV_E_NOMEM;
    g->anchors->phrases = rdv_buf_str(&b).p;
    return RDV_OK;
}

static void add_words(rdv_buf *b, const cue_words *of)
{
    for (size_t k = 0; of && k < of->n; k++) {
        rdv_buf_add_char(b, ';');
        rdv_buf_add(b, of->words[k]);
    }
}

/* A claim has a sign or a verb of connective.c or a joint, or its pattern says itself that its
 * result follows. */
static int collect_results(verbal_grammar *g)
{
    rdv_buf b;
    g->results = RDV_NEW(g->arena, phrase_list);
    rdv_buf_init(&b, g->arena, 0);
    rdv_buf_lit(&b, "=;giving");
    connective_add_words(&b);
    add_words(&b, g->list[LIST_OBTAINS]);
    for (size_t i = 0; i < g->n_patterns; i++)
        if (g->rows[g->patterns[i].row].is & IS_SAID)
            add_words(&b, anchor(&g->patterns[i]));
    rdv_buf_add_char(&b, '\0');
    if (!g->results || !rdv_buf_ok(&b))
        return RDV_E_NOMEM;
    g->results->phrases = rdv_buf_str(&b).p;
    return RDV_OK;
}

/* The build has read the rows that are compiled in (tools/check_rules.c). */
static const void *make(rdv_arena *arena)
{
    verbal_grammar *g = verbal_grammar_new(arena);
    int code = g ? RDV_OK : RDV_E_NOMEM;
    for (size_t i = 0; i < RULES_VERBAL && code == RDV_OK; i++)
        code = verbal_grammar_add(g, rdv_str_of(rules_verbal[i]),
                                  rules_embedded_text(rules_verbal[i]), NULL);
    if (code == RDV_OK)
        code = collect_anchors(g);
    if (code == RDV_OK)
        code = collect_results(g);
    return code == RDV_OK ? g : NULL;
}

const verbal_grammar *verbal_grammar_built_in(void)
{
    static built_in grammar;
    return built_in_get(&grammar, make);
}
