/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of rule files (docs/rules.md). */
#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "language/rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FILE_MOST (1u << 20) /* bytes */
#define RULES_MOST 4000
#define LISTS_MOST 1000
#define CUES_MOST 20000
#define ANCHORS_MOST 200000
#define WORDS_MOST 1000        /* of a list */
#define ALL_WORDS_MOST 1000000 /* of lists and cues, those of a list wherever it stands */

enum {
    KEY_WORDS,
    KEY_CUE,
    KEY_EFFECT,
    KEY_WHERE,
    KEY_GAP,
    KEY_LAST,
    KEY_UNLESS,
    KEY_SHAPE,
    KEY_FIRES,
    KEY_SILENT,
    N_KEYS
};

static const char *const keys[N_KEYS] = {"words", "cue",    "effect", "where", "gap",
                                         "last",  "unless", "shape",  "fires", "silent"};
static const char *const effects[N_RULE_EFFECTS] = {
    [EFFECT_NOTHING] = "nothing",       [EFFECT_CLAUSE] = "clause",
    [EFFECT_DENIED] = "denied",         [EFFECT_SUPPOSED] = "supposed",
    [EFFECT_QUOTED] = "quoted",         [EFFECT_REPORTED] = "reported",
    [EFFECT_REPLACED] = "replaced",     [EFFECT_LOGIC] = "logic",
    [EFFECT_TRIED] = "tried",           [EFFECT_ASKED] = "asked",
    [EFFECT_RETRACTED] = "retracted",   [EFFECT_REFUTED] = "refuted",
    [EFFECT_EQUATION] = "equation",     [EFFECT_APPROXIMATE] = "approximate",
    [EFFECT_ROUNDED_UP] = "rounded up", [EFFECT_ROUNDED_DOWN] = "rounded down"};
static const char *const reasons[N_RULE_EFFECTS] = {
    [EFFECT_DENIED] = "the words before it deny it",
    [EFFECT_SUPPOSED] = "it is only supposed",
    [EFFECT_QUOTED] = "it stands in quotation marks",
    [EFFECT_REPORTED] = "it is reported as what was said or mistaken",
    [EFFECT_REPLACED] = "it is to be replaced",
    [EFFECT_LOGIC] = "it is a formula of logic",
    [EFFECT_TRIED] = "it is only tried",
    [EFFECT_ASKED] = "it is asked, not stated",
    [EFFECT_RETRACTED] = "the text after it takes it back",
};
static const char *const shapes[N_RULE_SHAPES] = {
    [SHAPE_NONE] = "none", [SHAPE_QUOTATION] = "quotation", [SHAPE_SERIES] = "series"};
static const struct {
    const char *name;
    rule_where where;
    rule_unit unit;
} places[] = {
    {"before clause", WHERE_BEFORE, UNIT_CLAUSE},     {"before frame", WHERE_BEFORE, UNIT_FRAME},
    {"before sentence", WHERE_BEFORE, UNIT_SENTENCE}, {"around next", WHERE_AROUND, UNIT_NEXT},
    {"behind step", WHERE_BEHIND, UNIT_STEP},         {"behind clause", WHERE_BEHIND, UNIT_CLAUSE},
    {"behind sentence", WHERE_BEHIND, UNIT_SENTENCE}, {"behind next", WHERE_BEHIND, UNIT_NEXT}};

#define COUNT(table) (sizeof(table) / sizeof *(table))

typedef struct rule_reader {
    rule_set *set;
    rdv_str file;
    size_t line;
    rule *row;        /* the row that is read; NULL before the first, and in a list of words */
    cue_words *words; /* the list that is read, or NULL */
    bool placed;      /* the row has a "where" */
    rdv_error *err;
} rule_reader;

const char *rule_effect_name(rule_effect effect)
{
    return effects[effect];
}

const char *rule_effect_reason(rule_effect effect)
{
    return reasons[effect];
}

size_t rule_bucket(rdv_str word)
{
    unsigned char a = (unsigned char)rdv_lower(word.p[0]);
    unsigned char b = word.len > 1 ? (unsigned char)rdv_lower(word.p[1]) : 0;
    return (a * 37u + b * 101u) % RULE_BUCKETS;
}

rule *rule_set_find(const rule_set *set, rdv_str id)
{
    for (size_t i = 0; i < set->n; i++)
        if (rdv_str_eq(set->rules[i].id, id))
            return &set->rules[i];
    return NULL;
}

/* ---- faults ---------------------------------------------------------------------------------- */

static int fault(const rule_reader *r, int code, const char *fmt, ...) RDV_PRINTF(3, 4);

/* Says file, line and row, and what is wrong. code: RDV_E_INPUT or RDV_E_LIMIT, which it returns.
 */
static int fault(const rule_reader *r, int code, const char *fmt, ...)
{
    char message[300];
    rdv_str row = r->row ? r->row->id : r->words ? r->words->name : RDV_STR("");
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return rdv_fail(r->err, code, "%.*s:%zu: %.*s%s%s", RDV_FMT(r->file), r->line, RDV_FMT(row),
                    row.len ? ": " : "", message);
}

/* At most 60 bytes of a text, for a message. */
static rdv_str shown(rdv_str s)
{
    return rdv_str_head(s, RULE_ID_MOST);
}

/* ---- lists of words -------------------------------------------------------------------------- */

static cue_words *words_named(const rule_set *set, rdv_str name)
{
    for (size_t i = 0; i < set->n_words; i++)
        if (rdv_str_eq(set->words[i]->name, name))
            return set->words[i];
    return NULL;
}

static cue_words *new_words(rule_set *set, rdv_str name)
{
    cue_words *words = RDV_NEW(set->arena, cue_words);
    if (!words || !RDV_PUSH_ROOM(set->arena, set->words, set->n_words, set->cap_words))
        return NULL;
    words->name = name;
    set->words[set->n_words++] = words;
    return words;
}

/* Is it one word, as the text of a claim is cut into words? */
static bool is_one_word(rdv_str s)
{
    bool except = s.len > 1 && s.p[0] == '-', ends = s.len > 1 && s.p[0] == '*';
    bool begins = s.len > 1 && s.p[s.len - 1] == '*';
    rdv_str word = rdv_slice(s, except || ends, s.len - begins);
    cue_token token;
    size_t at = 0;
    if (rdv_starts(s, RDV_STR("'")) || rdv_str_eq(s, RDV_STR("n't")))
        return true; /* the rest of a contraction */
    if (rdv_str_eq(s, RDV_STR("(")) || rdv_str_eq(s, RDV_STR("[")))
        return true; /* before a word */
    return cue_next_token(word, &at, &token) && at == word.len && token.text.len == word.len;
}

static int add_word(const rule_reader *r, cue_words *to, rdv_str word)
{
    if (!is_one_word(word))
        return fault(r, RDV_E_INPUT, "\"%.*s\" is not one word", RDV_FMT(shown(word)));
    if (to->n == WORDS_MOST)
        return fault(r, RDV_E_LIMIT, "a list has at most %d words", WORDS_MOST);
    if (r->set->all_words == ALL_WORDS_MOST)
        return fault(r, RDV_E_LIMIT, "the rules have at most %d words", ALL_WORDS_MOST);
    if (!RDV_PUSH_ROOM(r->set->arena, to->words, to->n, to->cap))
        return rdv_no_memory(r->err);
    to->words[to->n++] = word;
    r->set->all_words++;
    return RDV_OK;
}

/* The next of the pieces between two marks; false: there is none. */
static bool next_piece(rdv_str *rest, char mark, rdv_str *piece)
{
    if (!rest->p)
        return false;
    size_t at = rdv_find_char(*rest, mark, 0);
    *piece = rdv_trim(rdv_slice(*rest, 0, at));
    *rest = at == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(*rest, at + 1, rest->len);
    return true;
}

static int find_words(const rule_reader *r, rdv_str name, const cue_words **out)
{
    *out = words_named(r->set, name);
    return *out ? RDV_OK
                : fault(r, RDV_E_INPUT, "there is no list of words \"%.*s\" above",
                        RDV_FMT(shown(name)));
}

static int add_list(const rule_reader *r, cue_words *to, rdv_str name)
{
    const cue_words *from;
    int code = find_words(r, name, &from);
    for (size_t i = 0; code == RDV_OK && i < from->n; i++)
        code = add_word(r, to, from->words[i]);
    return code;
}

/* Adds the words and lists of a text that the mark divides, "one|@list|other". */
static int add_words(const rule_reader *r, cue_words *to, rdv_str text, char mark)
{
    rdv_str word;
    int code = RDV_OK;
    while (code == RDV_OK && next_piece(&text, mark, &word)) {
        if (rdv_starts(word, RDV_STR("@")))
            code = add_list(r, to, word);
        else if (word.len || mark != ' ')
            code = add_word(r, to, word);
    }
    return code;
}

/* ---- cues ------------------------------------------------------------------------------------ */

static int read_element(const rule_reader *r, rdv_str text, cue_element *out)
{
    static const struct {
        const char *written;
        cue_kind kind;
    } signs[] = {{"_", CUE_CLAIM},    {"#", CUE_NUMBER},    {"...", CUE_GAP},
                 {"<word>", CUE_ANY}, {"<name>", CUE_NAME}, {"<start>", CUE_START},
                 {"<end>", CUE_END}};
    *out = (cue_element){0};
    if (text.len > 2 && text.p[0] == '(' && text.p[text.len - 1] == ')') {
        out->optional = true;
        text = rdv_slice(text, 1, text.len - 1);
    }
    if (text.len > 1 && text.p[0] == '!') {
        out->negated = true;
        text = rdv_slice(text, 1, text.len);
    }
    for (size_t i = 0; i < COUNT(signs); i++)
        if (rdv_str_eq(text, rdv_str_of(signs[i].written))) {
            out->kind = signs[i].kind;
            return out->negated && out->kind != CUE_NUMBER
                       ? fault(r, RDV_E_INPUT, "\"!\" stands before a word, a list of words or #")
                       : RDV_OK;
        }
    cue_words *of = RDV_NEW(r->set->arena, cue_words);
    if (!of)
        return rdv_no_memory(r->err);
    out->kind = CUE_WORDS;
    out->of = of;
    return add_words(r, of, text, '|');
}

/* How often a cue would be tried that is found by one of these words; 0: it cannot be found by
 * them, since one is known by its end alone. */
static size_t cost_as_anchor(const cue_words *of)
{
    static const char *const frequent[] = {",", ".", ":", "=", "a", "and", "is", "of", "the", "to"};
    size_t cost = of->n;
    for (size_t i = 0; i < of->n; i++) {
        if (of->words[i].p[0] == '*' && of->words[i].len > 1)
            return 0;
        cost += rdv_is_one_of(of->words[i], frequent, COUNT(frequent)) ? 1000 : 0;
    }
    return cost;
}

/* The element by which a cue is found: the one whose words are rarest. */
static bool choose_anchor(cue *c)
{
    size_t best = 0;
    for (size_t i = 0; i < c->n; i++) {
        const cue_element *e = &c->elements[i];
        bool fixed = e->kind == CUE_WORDS && !e->negated && !e->optional;
        size_t cost = fixed ? cost_as_anchor(e->of) : 0;
        if (cost && (!best || cost < best)) {
            best = cost;
            c->anchor = i;
        }
    }
    return best;
}

static int check_cue(const rule_reader *r, cue *c)
{
    size_t claims = 0, gaps = 0;
    for (size_t i = 0; i < c->n; i++) {
        const cue_element *e = &c->elements[i];
        claims += e->kind == CUE_CLAIM;
        gaps += e->kind == CUE_GAP;
        if (e->kind == CUE_START && i)
            return fault(r, RDV_E_INPUT, "<start> stands at the beginning of a cue");
        if (e->optional && (e->kind == CUE_CLAIM || e->kind == CUE_GAP))
            return fault(r, RDV_E_INPUT, "\"_\" and \"...\" stand without brackets");
    }
    if (claims > 1 || gaps > CUE_GAPS_MOST)
        return fault(r, RDV_E_INPUT, "a cue has at most one \"_\" and %d \"...\"", CUE_GAPS_MOST);
    if (c->elements[0].kind == CUE_GAP || c->elements[c->n - 1].kind == CUE_GAP)
        return fault(r, RDV_E_INPUT, "a cue has words on both sides of \"...\"");
    if (!choose_anchor(c))
        return fault(r, RDV_E_INPUT, "a cue has a word that must stand there");
    return RDV_OK;
}

static int add_anchors(const rule_reader *r, const cue_words *of, size_t found)
{
    rule_set *s = r->set;
    for (size_t i = 0; i < of->n; i++) {
        if (s->n_anchors == ANCHORS_MOST)
            return fault(r, RDV_E_LIMIT, "the cues are found by at most %d words", ANCHORS_MOST);
        if (!RDV_PUSH_ROOM(s->arena, s->anchors, s->n_anchors, s->cap_anchors))
            return rdv_no_memory(r->err);
        size_t *first = &s->first[rule_bucket(of->words[i])];
        s->anchors[s->n_anchors] = (rule_anchor){of->words[i], found, *first};
        *first = ++s->n_anchors;
    }
    return RDV_OK;
}

static int read_cue(const rule_reader *r, rdv_str text)
{
    rule_set *s = r->set;
    rdv_str piece;
    cue c = {0};
    if (s->n_cues == CUES_MOST)
        return fault(r, RDV_E_LIMIT, "more than %d cues", CUES_MOST);
    c.elements = RDV_NEW_ARRAY(s->arena, cue_element, CUE_ELEMENTS_MOST);
    if (!c.elements || !RDV_PUSH_ROOM(s->arena, s->cues, s->n_cues, s->cap_cues))
        return rdv_no_memory(r->err);
    while (next_piece(&text, ' ', &piece)) {
        if (!piece.len)
            continue;
        if (c.n == CUE_ELEMENTS_MOST)
            return fault(r, RDV_E_INPUT, "a cue has at most %d words", CUE_ELEMENTS_MOST);
        int code = read_element(r, piece, &c.elements[c.n++]);
        if (code != RDV_OK)
            return code;
    }
    if (!c.n)
        return fault(r, RDV_E_INPUT, "a cue is empty");
    int code = check_cue(r, &c);
    if (code != RDV_OK)
        return code;
    s->cues[s->n_cues] = (rule_cue){c, s->n - 1};
    return add_anchors(r, c.elements[c.anchor].of, s->n_cues++);
}

static int read_cues(const rule_reader *r, rdv_str value)
{
    rdv_str text;
    int code = RDV_OK;
    while (code == RDV_OK && next_piece(&value, ';', &text))
        code = read_cue(r, text);
    return code;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int choose(const rule_reader *r, const char *key, rdv_str value, const char *const *names,
                  size_t n, size_t *out)
{
    int i = rdv_named(value, names, n);
    if (i < 0)
        return fault(r, RDV_E_INPUT, "%s \"%.*s\" is not known", key, RDV_FMT(shown(value)));
    *out = (size_t)i;
    return RDV_OK;
}

static int read_place(rule_reader *r, rdv_str value)
{
    for (size_t i = 0; i < COUNT(places); i++)
        if (rdv_str_eq(value, rdv_str_of(places[i].name))) {
            r->row->where = places[i].where;
            r->row->unit = places[i].unit;
            r->placed = true;
            return RDV_OK;
        }
    return fault(r, RDV_E_INPUT,
                 "where is before or behind, and clause, frame, sentence, next or step");
}

static int add_example(const rule_reader *r, rdv_str text, rdv_str **to, size_t *n, size_t *cap)
{
    if (!RDV_PUSH_ROOM(r->set->arena, *to, *n, *cap))
        return rdv_no_memory(r->err);
    (*to)[(*n)++] = text;
    return RDV_OK;
}

static int read_member(rule_reader *r, size_t key, rdv_str value)
{
    rule *row = r->row;
    size_t i = 0;
    int code;
    if (key == KEY_WORDS)
        return r->words ? add_words(r, r->words, value, ' ')
                        : fault(r, RDV_E_INPUT, "words belong to a list, \"## @NAME\"");
    if (!row)
        return fault(r, RDV_E_INPUT, "a list of words has only words");
    switch (key) {
    case KEY_CUE:
        return read_cues(r, value);
    case KEY_EFFECT:
        code = choose(r, "effect", value, effects, N_RULE_EFFECTS, &i);
        row->effect = (rule_effect)i;
        return code == RDV_OK && r->set->adding && !reasons[i]
                   ? fault(r, RDV_E_INPUT,
                           "effect %s is for built-in rows: it could make a claim support, and "
                           "a row of your own may only excuse one",
                           effects[i])
                   : code;
    case KEY_SHAPE:
        code = choose(r, "shape", value, shapes, N_RULE_SHAPES, &i);
        row->shape = (rule_shape)i;
        return code;
    case KEY_WHERE:
        return read_place(r, value);
    case KEY_GAP:
        return find_words(r, value, &row->gap);
    case KEY_LAST:
        row->last_not = rdv_starts(value, RDV_STR("!"));
        return find_words(r, rdv_slice(value, row->last_not, value.len), &row->last);
    case KEY_UNLESS:
        row->not_counting = rdv_str_eq(value, RDV_STR("counting"));
        return row->not_counting ? RDV_OK : fault(r, RDV_E_INPUT, "unless is followed by counting");
    case KEY_FIRES:
        return add_example(r, value, &row->fires, &row->n_fires, &row->cap_fires);
    default:
        return add_example(r, value, &row->silent, &row->n_silent, &row->cap_silent);
    }
}

/* What must hold of a row that ends. */
static int end_row(rule_reader *r)
{
    const rule *row = r->row;
    if (!row)
        return RDV_OK;
    r->line = row->line; /* for faults */
    bool has_cue = r->set->n_cues && r->set->cues[r->set->n_cues - 1].rule == r->set->n - 1;
    if (!has_cue == (row->shape == SHAPE_NONE))
        return fault(r, RDV_E_INPUT, "there is no cue");
    for (size_t i = r->set->n_cues; i-- > 0 && r->set->cues[i].rule == r->set->n - 1;) {
        bool claim = false;
        const cue *c = &r->set->cues[i].pattern;
        for (size_t k = 0; k < c->n; k++)
            claim |= c->elements[k].kind == CUE_CLAIM;
        if (claim == r->placed && row->effect > EFFECT_CLAUSE)
            return fault(r, RDV_E_INPUT, "a cue has \"_\", or its row says where");
    }
    if (row->effect == N_RULE_EFFECTS)
        return fault(r, RDV_E_INPUT, "there is no effect");
    if (!row->n_fires)
        return fault(r, RDV_E_INPUT, "there is no example in which it fires");
    return RDV_OK;
}

static bool is_id(rdv_str s)
{
    bool ok = s.len && s.len <= RULE_ID_MOST;
    for (size_t i = 0; i < s.len && ok; i++)
        ok = (s.p[i] >= 'a' && s.p[i] <= 'z') || rdv_is_digit(s.p[i]) || s.p[i] == '-';
    return ok;
}

/* Where a rule or a list of that name stands already. */
static int stands_twice(const rule_reader *r, rdv_str name)
{
    const rule *known = rule_set_find(r->set, name);
    return known ? fault(r, RDV_E_INPUT, "%.*s stands in %.*s:%zu already", RDV_FMT(name),
                         RDV_FMT(known->file), known->line)
                 : fault(r, RDV_E_INPUT, "%.*s stands twice", RDV_FMT(name));
}

static int begin_row(rule_reader *r, rdv_str line, rdv_str name)
{
    rule_set *s = r->set;
    bool list = rdv_starts(name, RDV_STR("@"));
    size_t here = r->line;
    int code = end_row(r);
    if (code != RDV_OK)
        return code;
    r->line = here;
    r->row = NULL;
    r->words = NULL;
    r->placed = false;
    if (!is_id(rdv_slice(name, list, name.len)))
        return fault(r, RDV_E_INPUT, "\"%.*s\" is no name: small letters, digits and \"-\"",
                     RDV_FMT(shown(name)));
    if (list ? words_named(s, name) != NULL : rule_set_find(s, name) != NULL)
        return stands_twice(r, name);
    if (list ? s->n_words == LISTS_MOST : s->n == RULES_MOST)
        return fault(r, RDV_E_LIMIT, "more than %d %s", list ? LISTS_MOST : RULES_MOST,
                     list ? "lists of words" : "rules");
    if (list) {
        r->words = new_words(s, name);
        return r->words ? RDV_OK : rdv_no_memory(r->err);
    }
    if (!RDV_PUSH_ROOM(s->arena, s->rules, s->n, s->cap))
        return rdv_no_memory(r->err);
    s->rules[s->n] = (rule){.id = name,
                            .file = r->file,
                            .line = r->line,
                            .text = line,
                            .effect = N_RULE_EFFECTS,
                            .added = s->adding};
    r->row = &s->rules[s->n++];
    return RDV_OK;
}

static int read_line(rule_reader *r, rdv_str line)
{
    if (rdv_starts(line, RDV_STR("## ")))
        return begin_row(r, line, rdv_trim(rdv_slice(line, 3, line.len)));
    if (!line.len || line.p[0] == '#')
        return RDV_OK;
    size_t colon = rdv_find_char(line, ':', 0);
    int key = rdv_named(rdv_slice(line, 0, colon), keys, N_KEYS);
    if (colon == RDV_NOT_FOUND || key < 0)
        return fault(r, RDV_E_INPUT,
                     "a line is \"key: value\", with one of words, cue, effect, where, gap, "
                     "last, unless, shape, fires, silent");
    if (!r->row && !r->words)
        return fault(r, RDV_E_INPUT, "a row begins with \"## NAME\"");
    if (r->row)
        r->row->text.len = (size_t)(line.p + line.len - r->row->text.p);
    return read_member(r, (size_t)key, rdv_trim(rdv_slice(line, colon + 1, line.len)));
}

int rule_set_add(rule_set *set, rdv_str file, rdv_str text, rdv_error *err)
{
    rule_set before = *set;
    rule_reader r = {.set = set, .file = file, .err = err};
    if (text.len > FILE_MOST)
        return rdv_fail(err, RDV_E_LIMIT, "%.*s: a rule file has at most %u bytes", RDV_FMT(file),
                        FILE_MOST);
    if (rdv_utf8_valid(text) != text.len)
        return rdv_fail(err, RDV_E_INPUT, "%.*s: byte %zu is not UTF-8", RDV_FMT(file),
                        rdv_utf8_valid(text));
    rdv_str line;
    int code = RDV_OK;
    while (code == RDV_OK && rdv_next_line(&text, &line)) {
        r.line++;
        code = read_line(&r, rdv_trim_end(line));
    }
    if (code == RDV_OK)
        code = end_row(&r);
    set->any_added |= set->adding;
    if (code != RDV_OK)
        *set = before; /* what was added lies behind its ends */
    return code;
}

rule_set *rule_set_new(rdv_arena *arena)
{
    rule_set *set = RDV_NEW(arena, rule_set);
    if (set)
        set->arena = arena;
    return set;
}
