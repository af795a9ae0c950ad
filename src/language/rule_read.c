/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of rule files mean (docs/rules.md). */
#include "base/arena.h"
#include "base/str.h"
#include "language/row.h"
#include "language/cue_read.h"
#include "language/rule.h"

#define RULES_MOST 4000
#define CUES_MOST 20000
#define ANCHORS_MOST 200000

enum {
    KEY_CUE,
    KEY_EFFECT,
    KEY_WHERE,
    KEY_GAP,
    KEY_LAST,
    KEY_UNLESS,
    KEY_SHAPE,
    KEY_FIRES,
    KEY_SILENT,
    KEY_PATTERN,
    KEY_SIDE,
    KEY_FACTOR,
    N_KEYS
};

static const char *const keys[N_KEYS] = {"cue",   "effect", "where",  "gap",     "last", "unless",
                                         "shape", "fires",  "silent", "pattern", "side", "factor"};
static const char *const effects[N_RULE_EFFECTS] = {
    [EFFECT_NOTHING] = "nothing",       [EFFECT_CLAUSE] = "clause",
    [EFFECT_DENIED] = "denied",         [EFFECT_SUPPOSED] = "supposed",
    [EFFECT_QUOTED] = "quoted",         [EFFECT_REPORTED] = "reported",
    [EFFECT_REPLACED] = "replaced",     [EFFECT_LOGIC] = "logic",
    [EFFECT_TRIED] = "tried",           [EFFECT_ASKED] = "asked",
    [EFFECT_RETRACTED] = "retracted",   [EFFECT_REFUTED] = "refuted",
    [EFFECT_EQUATION] = "equation",     [EFFECT_APPROXIMATE] = "approximate",
    [EFFECT_ROUNDED_UP] = "rounded up", [EFFECT_ROUNDED_DOWN] = "rounded down",
    [EFFECT_RELATED] = "related",       [EFFECT_STATED] = "stated",
    [EFFECT_HYPOTHESIS] = "hypothesis", [EFFECT_CONTRADICTION] = "contradiction",
    [EFFECT_ASSERTED] = "asserted",     [EFFECT_READ] = "read",
    [EFFECT_EXPLAINED] = "explained",   [EFFECT_ANNOUNCED] = "announced",
    [EFFECT_NO_ANSWER] = "no answer",   [EFFECT_NO_VALUE] = "no value",
    [EFFECT_REFERENCE] = "reference",   [EFFECT_CONCLUDED] = "concluded",
    [EFFECT_PARTED] = "parted",         [EFFECT_TURNED] = "turned",
    [EFFECT_PLAIN] = "plain",           [EFFECT_CLASS] = "class",
    [EFFECT_SCALE] = "scale",           [EFFECT_REPLY] = "reply"};
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

/* The set that a reader adds to, whose last rule is read. */
typedef struct rule_adder {
    rule_set *set;
    bool placed;        /* the rule has a "where" */
    bool sentence;      /* it has a "sentence" */
    rule_effect listed; /* of rows that another room reads */
} rule_adder;

static rule_set *set_of(const row_reader *r)
{
    return ((const rule_adder *)r->of)->set;
}

static rule *last_rule(const row_reader *r)
{
    const rule_set *s = set_of(r);
    return &s->rules[s->n - 1];
}

const char *rule_effect_name(rule_effect effect)
{
    return effects[effect];
}

const char *rule_effect_reason(rule_effect effect)
{
    return reasons[effect];
}

rule *rule_set_find(const rule_set *set, rdv_str id)
{
    for (size_t i = 0; i < set->n; i++)
        if (rdv_str_eq(set->rules[i].id, id))
            return &set->rules[i];
    return NULL;
}

/* ---- cues ------------------------------------------------------------------------------------ */

/* The entry of a word in its bucket, which is added where there is none. */
static int add_rule_word(const row_reader *r, rdv_str word, size_t bucket, size_t *of)
{
    rule_set *s = set_of(r);
    for (size_t i = s->first_word[bucket]; i; i = s->words[i - 1].next)
        if (rdv_str_eq(s->words[i - 1].word, word)) {
            *of = i - 1;
            return RDV_OK;
        }
    if (!RDV_PUSH_ROOM(s->arena, s->words, s->n_words, s->cap_words))
        return rdv_no_memory(r->err);
    *of = s->n_words;
    s->words[s->n_words] = (rule_word){.word = word, .next = s->first_word[bucket]};
    s->first_word[bucket] = (uint32_t)++s->n_words;
    return RDV_OK;
}

static int add_anchor(const row_reader *r, rdv_str word, size_t bucket, size_t found)
{
    rule_set *s = set_of(r);
    size_t of = 0;
    if (s->n_anchors == ANCHORS_MOST)
        return row_limit(r, "the cues are found by at most %d words", ANCHORS_MOST);
    if (!RDV_PUSH_ROOM(s->arena, s->anchors, s->n_anchors, s->cap_anchors))
        return rdv_no_memory(r->err);
    int code = add_rule_word(r, word, bucket, &of);
    if (code != RDV_OK)
        return code;
    const cue *c = &s->cues[found].pattern;
    s->anchors[s->n_anchors] = (rule_anchor){.word = word,
                                             .cue = found,
                                             .next = s->first[bucket],
                                             .of = of,
                                             .before = c->before,
                                             .behind = c->behind};
    s->first[bucket] = (uint32_t)++s->n_anchors;
    return RDV_OK;
}

/* "no*" is found by any third letter, and by none. */
static int add_anchors(const row_reader *r, const cue_words *of, size_t found)
{
    int code = RDV_OK;
    for (size_t i = 0; i < of->n; i++) {
        rdv_str word = of->words[i];
        bool any_third = word.len == 3 && word.p[2] == '*';
        for (unsigned third = 0; third < (any_third ? 27 : 1) && code == RDV_OK; third++)
            code = add_anchor(r, word, rule_bucket(word) + third, found);
    }
    return code;
}

static int read_cue(const row_reader *r, rdv_str text)
{
    rule_set *s = set_of(r);
    cue c;
    if (s->n_cues == CUES_MOST)
        return row_limit(r, "more than %d cues", CUES_MOST);
    if (!RDV_PUSH_ROOM(s->arena, s->cues, s->n_cues, s->cap_cues))
        return rdv_no_memory(r->err);
    int code = cue_read(r, text, &c);
    if (code != RDV_OK)
        return code;
    s->cues[s->n_cues] = (rule_cue){c, s->n - 1};
    return add_anchors(r, c.elements[c.anchor].of, s->n_cues++);
}

static int read_cues(const row_reader *r, rdv_str value)
{
    rdv_str text;
    int code = RDV_OK;
    while (code == RDV_OK && row_next_piece(&value, ';', &text))
        code = read_cue(r, text);
    return code;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int read_place(row_reader *r, rdv_str value)
{
    for (size_t i = 0; i < COUNT(places); i++)
        if (rdv_str_eq(value, rdv_str_of(places[i].name))) {
            last_rule(r)->where = places[i].where;
            last_rule(r)->unit = places[i].unit;
            ((rule_adder *)r->of)->placed = true;
            return RDV_OK;
        }
    return row_fault(r, "where is before or behind, and clause, frame, sentence, next or step");
}

static int read_member(row_reader *r, size_t key, rdv_str value)
{
    rule *row = last_rule(r);
    size_t i = 0;
    int code;
    switch (key) {
    case KEY_CUE:
        return read_cues(r, value);
    case KEY_EFFECT:
        code = row_choose(r, keys[key], value, effects, N_RULE_EFFECTS, &i);
        row->effect = (rule_effect)i;
        return code == RDV_OK && set_of(r)->adding && !reasons[i]
                   ? row_fault(r,
                               "effect %s is for built-in rows: it could make a claim support, and "
                               "a row of your own may only excuse one",
                               effects[i])
                   : code;
    case KEY_SHAPE:
        code = row_choose(r, keys[key], value, shapes, N_RULE_SHAPES, &i);
        row->shape = (rule_shape)i;
        return code;
    case KEY_WHERE:
        return read_place(r, value);
    case KEY_GAP:
        return row_find_list(r, value, &row->gap);
    case KEY_LAST:
        row->last_not = rdv_starts(value, RDV_STR("!"));
        return row_find_list(r, rdv_slice(value, row->last_not, value.len), &row->last);
    case KEY_UNLESS:
        row->not_counting = rdv_str_eq(value, RDV_STR("counting"));
        row->not_right = rdv_str_eq(value, RDV_STR("right"));
        return row->not_counting || row->not_right
                   ? RDV_OK
                   : row_fault(r, "unless is followed by counting or right");
    case KEY_PATTERN:
        return row_fault(r, "a pattern is for built-in rows: it could make a claim support, and a "
                            "row of your own may only excuse one");
    case KEY_SIDE:
    case KEY_FACTOR:
        row->says = value;
        return RDV_OK;
    case KEY_FIRES:
        return row_add_text(r, value, &row->fires, &row->n_fires, &row->cap_fires);
    default:
        return row_add_text(r, value, &row->silent, &row->n_silent, &row->cap_silent);
    }
}

/* What must hold of a row that ends. */
static int end_row(row_reader *r)
{
    rule_set *s = set_of(r);
    rule *row = last_rule(r);
    row->text = r->text;
    bool has_cue = s->n_cues && s->cues[s->n_cues - 1].rule == s->n - 1;
    if (!has_cue == (row->shape == SHAPE_NONE))
        return row_fault(r, "there is no cue");
    for (size_t i = s->n_cues; i-- > 0 && s->cues[i].rule == s->n - 1;) {
        bool placed = ((const rule_adder *)r->of)->placed;
        bool of_claim = row->effect > EFFECT_CLAUSE && row->effect < EFFECT_ANNOUNCED;
        if ((s->cues[i].pattern.reach > 0) == placed && of_claim)
            return row_fault(r, "a cue has \"_\", or its row says where");
    }
    if (row->effect == N_RULE_EFFECTS)
        return row_fault(r, "there is no effect");
    if (!row->says.len == (row->effect == EFFECT_TURNED || row->effect == EFFECT_SCALE))
        return row_fault(r, "a row that turns has a side, one that scales a factor, and no other");
    if (!row->n_fires)
        return row_fault(r, "there is no example in which it fires");
    s->shaped |= row->shape != SHAPE_NONE ? UINT32_C(1) << row->effect : 0;
    size_t anchor = s->n_anchors;
    while (anchor > 0 && s->cues[s->anchors[anchor - 1].cue].rule == s->n - 1)
        anchor--;
    for (; anchor < s->n_anchors; anchor++) {
        rule_anchor *a = &s->anchors[anchor];
        a->effect = UINT32_C(1) << row->effect;
        a->effects = a->effect | (a->next ? s->anchors[a->next - 1].effects : 0);
        s->words[a->of].effects |= a->effect;
    }
    return RDV_OK;
}

static int begin_row(row_reader *r, rdv_str id)
{
    rule_set *s = set_of(r);
    const rule *known = rule_set_find(s, id);
    ((rule_adder *)r->of)->placed = ((rule_adder *)r->of)->sentence = false;
    if (known)
        return row_fault(r, "%.*s stands in %.*s:%zu already", RDV_FMT(id), RDV_FMT(known->file),
                         known->line);
    if (s->n == RULES_MOST)
        return row_limit(r, "more than %d rules", RULES_MOST);
    if (!RDV_PUSH_ROOM(s->arena, s->rules, s->n, s->cap))
        return rdv_no_memory(r->err);
    s->rules[s->n++] = (rule){
        .id = id, .file = r->file, .line = r->line, .effect = N_RULE_EFFECTS, .added = s->adding};
    return RDV_OK;
}

static int add_rows(rule_set *set, row_reader r, rule_effect listed, rdv_str text)
{
    const rule_set before = *set;
    rule_adder adder = {.set = set, .listed = listed};
    r.arena = set->arena;
    r.of = &adder;
    r.begin = begin_row;
    int code = rows_read(&r, text);
    if (code != RDV_OK)
        *set = before; /* what was added lies behind its ends */
    return code;
}

int rule_set_add(rule_set *set, rdv_str file, rdv_str text, rdv_error *err)
{
    row_reader r = {.lists = &set->lists,
                    .file = file,
                    .err = err,
                    .keys = keys,
                    .n_keys = N_KEYS,
                    .member = read_member,
                    .end = end_row};
    int code = add_rows(set, r, EFFECT_NOTHING, text);
    set->any_added |= set->adding;
    return code;
}

/* ---- rows of other rooms --------------------------------------------------------------------- */

static int read_listed_member(row_reader *r, size_t key, rdv_str value)
{
    rule *row = last_rule(r);
    int effect =
        rdv_str_eq(r->key, RDV_STR("effect")) ? rdv_named(value, effects, N_RULE_EFFECTS) : -1;
    (void)key;
    if (effect >= 0) /* of answers.rules */
        row->effect = (rule_effect)effect;
    if (rdv_str_eq(r->key, RDV_STR("sentence")))
        ((rule_adder *)r->of)->sentence = true;
    if (rdv_str_eq(r->key, RDV_STR("reads")) || rdv_str_eq(r->key, RDV_STR("fires")))
        return row_add_text(r, value, &row->fires, &row->n_fires, &row->cap_fires);
    if (rdv_str_eq(r->key, RDV_STR("silent")))
        return row_add_text(r, value, &row->silent, &row->n_silent, &row->cap_silent);
    if (rdv_str_eq(r->key, RDV_STR("why")) && !(row->why = rdv_cstring(r->arena, value)))
        return rdv_no_memory(r->err);
    return RDV_OK;
}

static int end_listed_row(row_reader *r)
{
    rule_adder *adder = r->of;
    last_rule(r)->text = r->text;
    if (last_rule(r)->effect == N_RULE_EFFECTS || adder->listed != EFFECT_ANNOUNCED)
        last_rule(r)->effect = adder->listed;
    if (adder->listed == EFFECT_REPLY && !adder->sentence)
        adder->set->n--; /* a phrase, a part of the rows that say something */
    return RDV_OK;
}

int rule_set_list(rule_set *set, rule_effect effect, rdv_str file, rdv_str text, rdv_error *err)
{
    word_lists lists = {0}; /* no other row may use them */
    row_reader r = {.lists = &lists,
                    .file = file,
                    .err = err,
                    .member = read_listed_member,
                    .end = end_listed_row};
    rule_span answers = {0};
    rule_span *of = effect == EFFECT_READ        ? &set->verbal
                    : effect == EFFECT_EXPLAINED ? &set->explanations
                    : effect == EFFECT_REPLY     ? &set->replies
                                                 : &answers;
    size_t first = of->n ? of->first : set->n;
    int code = add_rows(set, r, effect, text);
    of->first = first;
    of->n = set->n - first;
    return code;
}

rule_set *rule_set_new(rdv_arena *arena)
{
    rule_set *set = RDV_NEW(arena, rule_set);
    if (set)
        set->arena = arena;
    return set;
}
