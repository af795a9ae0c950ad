/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of rules/replies.rules. */
#include "reply/grammar.h"

#include "base/arena.h"
#include "base/built_in.h"
#include "base/str.h"
#include "language/embedded_rules.h"

#define DEPTH_MOST 8     /* of groups */
#define ELEMENTS_MOST 40 /* of a way */

enum { KEY_PHRASE, KEY_READER, KEY_SAYS, KEY_SENTENCE, KEY_FIRES, KEY_SILENT, N_KEYS };

static const char *const keys[N_KEYS] = {"phrase", "reader", "says", "sentence", "fires", "silent"};
static const char *const reader_names[] = {"comparison",  "correctness", "yes-no", "relevance",
                                           "consistency", "location",    "box",    "no-box"};
static const char *const says_names[N_GRAMMAR_SAYS] = {[SAYS_NOTHING] = "nothing",
                                                       [SAYS_SUPPORT] = "support",
                                                       [SAYS_CONTRADICT] = "contradict",
                                                       [SAYS_UNRELATED] = "unrelated",
                                                       [SAYS_PRAISES] = "praises",
                                                       [SAYS_YES] = "yes",
                                                       [SAYS_NO] = "no",
                                                       [SAYS_CLEARS] = "clears",
                                                       [SAYS_LOCATES] = "locates",
                                                       [SAYS_NUMBER] = "number",
                                                       [SAYS_REPORT] = "report",
                                                       [SAYS_UNCLEAR] = "unclear",
                                                       [SAYS_FAULT] = "fault",
                                                       [SAYS_NOT_AGAINST] = "not against",
                                                       [SAYS_CUT_OFF] = "cut off",
                                                       [SAYS_FACT] = "fact",
                                                       [SAYS_TELLS] = "tells",
                                                       [SAYS_REMARK] = "remark",
                                                       [SAYS_LABEL] = "label",
                                                       [SAYS_SUPPOSES] = "supposes",
                                                       [SAYS_ASKS_RIGHT] = "asks right",
                                                       [SAYS_ASKS_WRONG] = "asks wrong",
                                                       [SAYS_TURN] = "turn",
                                                       [SAYS_DIFFERS] = "differs",
                                                       [SAYS_AGREES] = "agrees",
                                                       [SAYS_CONDITION] = "condition",
                                                       [SAYS_MILD] = "mild",
                                                       [SAYS_HARMLESS] = "harmless"};

#define COUNT(table) (sizeof(table) / sizeof *(table))

const char *grammar_says_name(grammar_says says)
{
    return says_names[says];
}

/* ---- patterns -------------------------------------------------------------------------------- */

static int add_phrase(row_reader *r, rdv_str id, size_t *out)
{
    reply_grammar *g = r->of;
    if (g->n_phrases == GRAMMAR_PHRASES_MOST)
        return rdv_fail(r->err, RDV_E_LIMIT, "a grammar has at most %d phrases and groups",
                        GRAMMAR_PHRASES_MOST);
    if (!RDV_PUSH_ROOM(r->arena, g->phrases, g->n_phrases, g->cap_phrases))
        return rdv_no_memory(r->err);
    g->phrases[g->n_phrases] = (grammar_phrase){.id = id};
    *out = g->n_phrases++;
    return RDV_OK;
}

static int add_way(row_reader *r, size_t phrase, const grammar_way *way)
{
    reply_grammar *g = r->of;
    grammar_phrase *p = &g->phrases[phrase];
    if (!RDV_PUSH_ROOM(r->arena, p->ways, p->n, p->cap))
        return rdv_no_memory(r->err);
    p->ways[p->n++] = *way;
    return RDV_OK;
}

static int add_element(row_reader *r, grammar_way *way, grammar_element element)
{
    if (way->n == ELEMENTS_MOST)
        return row_fault(r, "a pattern has at most %d elements", ELEMENTS_MOST);
    if (!RDV_PUSH_ROOM(r->arena, way->elements, way->n, way->cap))
        return rdv_no_memory(r->err);
    way->elements[way->n++] = element;
    return RDV_OK;
}

/* The element that stands for one of these words, "a|b|@list": each such list once. */
static int read_words(row_reader *r, rdv_str text, grammar_element *out)
{
    reply_grammar *g = r->of;
    for (size_t i = 0; i < g->n_lists; i++)
        if (rdv_str_eq(g->lists[i].name, text)) {
            *out = (grammar_element){ELEMENT_WORDS, false, i};
            return RDV_OK;
        }
    if (g->n_lists == GRAMMAR_LISTS_MOST)
        return rdv_fail(r->err, RDV_E_LIMIT, "a grammar has at most %d lists", GRAMMAR_LISTS_MOST);
    if (!RDV_PUSH_ROOM(r->arena, g->lists, g->n_lists, g->cap_lists))
        return rdv_no_memory(r->err);
    g->lists[g->n_lists] = (cue_words){.name = text};
    *out = (grammar_element){ELEMENT_WORDS, false, g->n_lists};
    return row_read_alternatives(r, text, &g->lists[g->n_lists++]);
}

static int find_phrase(row_reader *r, rdv_str name, grammar_element *out)
{
    const reply_grammar *g = r->of;
    for (size_t i = 0; i < g->n_phrases; i++)
        if (g->phrases[i].id.len && g->phrases[i].n && rdv_str_eq(g->phrases[i].id, name)) {
            *out = (grammar_element){ELEMENT_PHRASE, false, i};
            return RDV_OK;
        }
    return row_fault(r, "there is no phrase <%.*s> above", RDV_FMT(row_shown(name)));
}

/* "word", "#", "...", "<name>". */
static int read_atom(row_reader *r, rdv_str text, grammar_element *out)
{
    static const struct {
        const char *text;
        element_kind kind;
    } signs[] = {{"#", ELEMENT_NUMBER},   {"<new>", ELEMENT_NEW},   {"<step>", ELEMENT_STEP},
                 {"<box>", ELEMENT_BOX},  {"...", ELEMENT_TEXT},    {"<any>", ELEMENT_ANY},
                 {"<why>", ELEMENT_WHY},  {"<rest>", ELEMENT_REST}, {"<all>", ELEMENT_ALL},
                 {"<told>", ELEMENT_TOLD}};
    for (size_t i = 0; i < COUNT(signs); i++)
        if (rdv_str_eq(text, rdv_str_of(signs[i].text))) {
            *out = (grammar_element){.kind = signs[i].kind};
            return RDV_OK;
        }
    if (rdv_starts(text, RDV_STR("<")) && rdv_ends(text, RDV_STR(">")) && text.len > 2)
        return find_phrase(r, rdv_slice(text, 1, text.len - 1), out);
    char next = rdv_char_at(text, 1), sign = rdv_is_alpha(next) || next == '@' ? text.p[0] : 0;
    bool signs_words = sign == '!' || sign == '+';
    int code = read_words(r, rdv_slice(text, signs_words, text.len), out);
    out->kind = sign == '!' ? ELEMENT_OTHER : sign == '+' ? ELEMENT_PLAIN : ELEMENT_WORDS;
    return code;
}

/* A word, or a group of which each part between bars is a way: "it|<solution-1>", "#|two". */
static int read_element(row_reader *r, rdv_str text, grammar_element *out)
{
    bool words = rdv_find_char(text, '<', 0) == RDV_NOT_FOUND &&
                 rdv_find_char(text, '#', 0) == RDV_NOT_FOUND;
    if (words || rdv_find_char(text, '|', 0) == RDV_NOT_FOUND)
        return read_atom(r, text, out);
    size_t group;
    rdv_str part;
    int code = add_phrase(r, (rdv_str){0}, &group);
    while (code == RDV_OK && row_next_piece(&text, '|', &part)) {
        grammar_way way = {0};
        grammar_element element;
        code = read_atom(r, part, &element);
        if (code == RDV_OK)
            code = add_element(r, &way, element);
        if (code == RDV_OK)
            code = add_way(r, group, &way);
    }
    *out = (grammar_element){ELEMENT_PHRASE, false, group};
    return code;
}

static int read_way(row_reader *r, rdv_str *rest, size_t depth, grammar_way *way);

/* The group of this text, "@adverb": each such group once. RDV_NOT_FOUND: there is none yet. */
static size_t find_group(const reply_grammar *g, rdv_str text)
{
    for (size_t i = 0; i < g->n_phrases; i++)
        if (rdv_str_eq(g->phrases[i].group, text))
            return i;
    return RDV_NOT_FOUND;
}

/* "(...)" */
static int read_group(row_reader *r, rdv_str *rest, size_t depth, grammar_way *way)
{
    grammar_way inside = {0};
    rdv_str text = *rest = rdv_slice(*rest, 1, rest->len);
    if (depth == DEPTH_MOST)
        return row_fault(r, "brackets are at most %d deep", DEPTH_MOST);
    int code = read_way(r, rest, depth + 1, &inside);
    if (code != RDV_OK)
        return code;
    if (!rdv_starts(*rest, RDV_STR(")")) || !inside.n)
        return row_fault(r, "a bracket is not closed, or empty");
    text.len -= rest->len;
    *rest = rdv_slice(*rest, 1, rest->len);
    size_t group = find_group(r->of, text);
    if (group == RDV_NOT_FOUND) {
        code = add_phrase(r, (rdv_str){0}, &group);
        if (code == RDV_OK) {
            ((reply_grammar *)r->of)->phrases[group].group = text;
            code = add_way(r, group, &inside);
        }
    }
    return code == RDV_OK ? add_element(r, way, (grammar_element){ELEMENT_PHRASE, true, group})
                          : code;
}

static int read_way(row_reader *r, rdv_str *rest, size_t depth, grammar_way *way)
{
    int code = RDV_OK;
    for (*rest = rdv_trim(*rest); code == RDV_OK && rest->len; *rest = rdv_trim(*rest)) {
        if (rest->p[0] == ')')
            break;
        if (rest->p[0] == '(') {
            code = read_group(r, rest, depth, way);
            continue;
        }
        size_t end = 0;
        while (end < rest->len && !strchr(" ()", rest->p[end]))
            end++;
        grammar_element element;
        code = read_element(r, rdv_slice(*rest, 0, end), &element);
        if (code == RDV_OK)
            code = add_element(r, way, element);
        *rest = rdv_slice(*rest, end, rest->len);
    }
    return code;
}

/* "one way; another way" */
static int read_ways(row_reader *r, rdv_str text, size_t phrase)
{
    rdv_str piece;
    int code = RDV_OK;
    while (code == RDV_OK && row_next_piece(&text, ';', &piece)) {
        grammar_way way = {0};
        code = read_way(r, &piece, 0, &way);
        if (code == RDV_OK && (piece.len || !way.n))
            code = row_fault(r, "a pattern is empty, or has a \")\" too many");
        if (code == RDV_OK)
            code = add_way(r, phrase, &way);
    }
    return code;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int begin(row_reader *r, rdv_str id)
{
    reply_grammar *g = r->of;
    size_t phrase;
    for (size_t i = 0; i < g->n_phrases; i++)
        if (rdv_str_eq(g->phrases[i].id, id))
            return row_fault(r, "%.*s stands twice", RDV_FMT(id));
    int code = add_phrase(r, id, &phrase);
    if (code != RDV_OK)
        return code;
    if (!RDV_PUSH_ROOM(r->arena, g->rows, g->n, g->cap))
        return rdv_no_memory(r->err);
    g->rows[g->n++] = (grammar_row){.id = id, .line = r->line, .phrase = phrase};
    return RDV_OK;
}

static int read_readers(row_reader *r, rdv_str value, grammar_row *row)
{
    rdv_str name;
    while (row_next_piece(&value, ',', &name)) {
        int k = rdv_named(name, reader_names, COUNT(reader_names));
        if (k < 0)
            return row_fault(r, "there is no reader \"%.*s\"", RDV_FMT(row_shown(name)));
        row->read_by |= 1u << k;
    }
    return RDV_OK;
}

static int member(row_reader *r, size_t key, rdv_str value)
{
    reply_grammar *g = r->of;
    grammar_row *row = &g->rows[g->n - 1];
    int says;
    switch (key) {
    case KEY_PHRASE:
    case KEY_SENTENCE:
        return read_ways(r, value, row->phrase);
    case KEY_READER:
        return read_readers(r, value, row);
    case KEY_SAYS:
        says = rdv_named(value, says_names, N_GRAMMAR_SAYS);
        row->says = says < 0 ? SAYS_NOTHING : (grammar_says)says;
        return says > 0 ? RDV_OK : row_fault(r, "nothing says \"%.*s\"", RDV_FMT(row_shown(value)));
    case KEY_FIRES:
        return row_add_text(r, value, &row->fires, &row->n_fires, &row->cap_fires);
    default:
        return row_add_text(r, value, &row->silent, &row->n_silent, &row->cap_silent);
    }
}

static int end(row_reader *r)
{
    reply_grammar *g = r->of;
    const grammar_row *row = &g->rows[g->n - 1];
    if (!g->phrases[row->phrase].n)
        return row_fault(r, "it has no pattern");
    bool sentence = row->says != SAYS_NOTHING && row->says < SAYS_FAULT;
    if (sentence ? !row->read_by : row->says == SAYS_NOTHING && row->read_by)
        return row_fault(r, "a sentence has readers and says something, a phrase has neither");
    if (row->says == SAYS_SUPPORT && !row->n_fires)
        return row_fault(r, "it has no example");
    g->n -= row->says == SAYS_NOTHING; /* only a phrase */
    return RDV_OK;
}

reply_grammar *grammar_new(rdv_arena *arena)
{
    reply_grammar *g = RDV_NEW(arena, reply_grammar);
    if (g)
        g->arena = arena;
    return g;
}

int grammar_add(reply_grammar *g, rdv_str file, rdv_str text, rdv_error *err)
{
    row_reader r = {.arena = g->arena,
                    .lists = &g->named,
                    .file = file,
                    .err = err,
                    .keys = keys,
                    .n_keys = N_KEYS,
                    .of = g,
                    .begin = begin,
                    .member = member,
                    .end = end};
    return rows_read(&r, text);
}

/* A fault of a file that is compiled in is found by unit/reply/grammar. */
static const void *make(rdv_arena *arena)
{
    reply_grammar *g = grammar_new(arena);
    rdv_str text = rules_embedded_text("replies.rules");
    return g && grammar_add(g, RDV_STR("replies.rules"), text, NULL) == RDV_OK ? g : NULL;
}

const reply_grammar *grammar_built_in(void)
{
    static built_in grammar;
    return built_in_get(&grammar, make);
}
