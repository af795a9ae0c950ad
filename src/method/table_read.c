/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a method file, read into a table (docs/methods.md). */
#include "method/table.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What a reader finds, and what a conclusion rests on. */
typedef enum finding { TEXT, ITEMS, VERDICT, CLAIMS, LOCATION, SCORE, TOKENS } finding;

/* A name that ends in a blank is followed by arguments. */
static const struct {
    const char *name;
    finding finds;
} readers[N_READERS] = {
    [READER_TEXT] = {"text", TEXT},
    [READER_DEFINITIONS] = {"definitions", TEXT},
    [READER_ITEMS] = {"items", ITEMS},
    [READER_CHOICE] = {"choice ", VERDICT},
    [READER_CHOICE_COMPARISON] = {"choice comparison", VERDICT},
    [READER_CHOICE_CORRECTNESS] = {"choice correctness", VERDICT},
    [READER_CHOICE_YES_NO] = {"choice yes-no", VERDICT},
    [READER_CHOICE_RELEVANCE] = {"choice relevance", VERDICT},
    [READER_CHOICE_CONSISTENCY] = {"choice consistency", VERDICT},
    [READER_NUMBER] = {"number ", SCORE},
    [READER_CLAIMS] = {"claims", CLAIMS},
    [READER_LOCATION_THOUGHT] = {"location thought", LOCATION},
    [READER_LOCATION_BOX] = {"location box", LOCATION},
    [READER_SCORE_REWARDS] = {"score rewards", SCORE},
    [READER_SCORE_SIGN] = {"score sign", SCORE},
    [READER_SCORE_LOGPROBS] = {"score logprobs", TOKENS},
};

static const struct {
    const char *name;
    finding rests_on;
} conclusions[N_CONCLUSIONS] = {
    [CONCLUDE_VERDICT] = {"verdict", VERDICT},
    [CONCLUDE_LOCATION] = {"location", LOCATION},
    [CONCLUDE_THRESHOLD] = {"threshold", SCORE},
    [CONCLUDE_MEAN] = {"mean", VERDICT},
    [CONCLUDE_CALCULATIONS] = {"calculations", CLAIMS},
    [CONCLUDE_PERPLEXITY] = {"perplexity", TOKENS},
};

static const char *const requests[N_REQUEST_FORMS] = {
    [REQUEST_CHAT] = "chat",
    [REQUEST_SCORE] = "score",
    [REQUEST_REWARD_PAIRS] = "reward pairs",
    [REQUEST_REWARD_VALUES] = "reward values",
    [REQUEST_TURNS] = "turns",
};

static const char *const pers[] = {
    [PER_CHAIN] = "chain",
    [PER_STEP] = "step",
    [PER_LATER_STEP] = "later step",
    [PER_STEP_IN_TURN] = "step in turn",
};

enum { METHOD, SOURCE, SUMMARY, CONCLUDE, N_HEAD };
enum { PROMPT, REQUEST, PER, SAMPLES, AFTER, READ, AS, EXAMPLE, N_STAGE };

static const char *const head_keys[N_HEAD] = {"method", "source", "summary", "conclude"};
static const char *const stage_keys[N_STAGE] = {"prompt", "request", "per", "samples",
                                                "after",  "read",    "as",  "example"};

typedef struct member {
    rdv_str value;
    size_t line; /* 0: the key is not there */
} member;

typedef struct table_parser {
    rdv_str rest;
    size_t line; /* number of the line that was read last, from 1 */
    method_table *table;
    size_t stage_line; /* where the stage that is read begins */
    rdv_arena *arena;
    rdv_error *err;
} table_parser;

/* ---- faults and lines ------------------------------------------------------------------------ */

static int fault_at(const table_parser *p, size_t line, const char *fmt, ...) RDV_PRINTF(3, 4);

static int fault_at(const table_parser *p, size_t line, const char *fmt, ...)
{
    char message[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return rdv_fail(p->err, RDV_E_INPUT, "%zu: %s", line, message);
}

static int out_of_memory(const table_parser *p)
{
    return rdv_fail(p->err, RDV_E_NOMEM, "out of memory");
}

static bool next_line(table_parser *p, rdv_str *line)
{
    if (!rdv_next_line(&p->rest, line))
        return false;
    *line = rdv_trim_end(*line);
    p->line++;
    return true;
}

/* A small letter, then small letters, digits, '-', '_' and ':'. */
static bool is_name(rdv_str s)
{
    bool ok = s.len > 0 && s.len <= 60 && s.p[0] >= 'a' && s.p[0] <= 'z';
    for (size_t i = 0; i < s.len && ok; i++)
        ok = (s.p[i] >= 'a' && s.p[i] <= 'z') || rdv_is_digit(s.p[i]) ||
             rdv_find_char(RDV_STR("-_:"), s.p[i], 0) != RDV_NOT_FOUND;
    return ok;
}

/* ---- members --------------------------------------------------------------------------------- */

/* "key: value" among `n` keys. */
static int read_member(const table_parser *p, rdv_str line, const char *const *keys, size_t n,
                       member *found, size_t *which)
{
    size_t colon = rdv_find_char(line, ':', 0), k = 0;
    rdv_str key = rdv_slice(line, 0, colon);
    if (colon == RDV_NOT_FOUND)
        return fault_at(p, p->line, "a line is \"key: value\"");
    while (k < n && !rdv_str_eq(key, rdv_str_of(keys[k])))
        k++;
    if (k == n)
        return fault_at(p, p->line, "there is no key \"%.*s\" here",
                        (int)(key.len < 60 ? key.len : 60), key.p);
    if (found[k].line)
        return fault_at(p, p->line, "%s is given twice", keys[k]);
    found[k] = (member){rdv_trim(rdv_slice(line, colon + 1, line.len)), p->line};
    *which = k;
    return RDV_OK;
}

/* A line that begins with a blank goes on with the value before it. */
static int go_on(const table_parser *p, rdv_str line, member *m)
{
    m->value = rdv_str_printf(p->arena, "%.*s%s%.*s", RDV_FMT(m->value), m->value.len ? " " : "",
                              RDV_FMT(rdv_trim(line)));
    return m->value.p ? RDV_OK : out_of_memory(p);
}

/* The members up to a line that begins with `end`, which is put back unless it is the head's. */
static int read_members(table_parser *p, const char *end, const char *const *keys, size_t n,
                        member *found, bool *ended)
{
    size_t which = n;
    rdv_str line;
    *ended = false;
    for (table_parser before = *p; next_line(p, &line); before = *p) {
        int r = RDV_OK;
        if (rdv_starts(line, rdv_str_of(end))) {
            *ended = true;
            if (line.p[0] == '#')
                *p = before;
            return RDV_OK;
        }
        if (line.len == 0)
            which = n;
        else if (line.p[0] == ' ' && which < n)
            r = go_on(p, line, &found[which]);
        else
            r = read_member(p, line, keys, n, found, &which);
        if (r != RDV_OK)
            return r;
    }
    return RDV_OK;
}

/* The place of the value among `n` names, or a fault that lists them. */
static int read_name(const table_parser *p, const member *m, const char *key,
                     const char *const *names, size_t n, size_t *out)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_str_eq(m->value, rdv_str_of(names[i]))) {
            *out = i;
            return RDV_OK;
        }
    char list[120] = "";
    for (size_t i = 0, at = 0; i < n && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", names[i]);
    return fault_at(p, m->line, "%s is one of: %s", key, list);
}

/* ---- readers --------------------------------------------------------------------------------- */

static int read_choices(const table_parser *p, rdv_str list, size_t line, stage *s)
{
    static const struct {
        const char *name;
        rdv_verdict_is is;
    } verdicts[] = {{"support", RDV_SUPPORT},
                    {"unrelated", RDV_UNRELATED},
                    {"contradict", RDV_CONTRADICT},
                    {"unknown", RDV_UNKNOWN}};
    static const char *const form =
        "choice is followed by up to 8 of: \"WORD\" = support, unrelated, contradict or unknown";
    for (size_t at = 0; at < list.len || s->n_choices == 0;) {
        if (s->n_choices == TABLE_MAX_CHOICES)
            return fault_at(p, line, "%s", form);
        stage_choice *c = &s->choices[s->n_choices++];
        int r = rdv_read_quoted(list, &at, p->arena, &c->word);
        if (r == RDV_E_NOMEM)
            return out_of_memory(p);
        size_t comma = rdv_find_char(list, ',', at);
        rdv_str name = r == RDV_OK ? rdv_trim(rdv_slice(list, at, comma)) : RDV_STR("");
        size_t k = 0;
        name =
            rdv_starts(name, RDV_STR("=")) ? rdv_trim(rdv_slice(name, 1, name.len)) : RDV_STR("");
        while (k < 4 && !rdv_str_eq(name, rdv_str_of(verdicts[k].name)))
            k++;
        if (k == 4)
            return fault_at(p, line, "%s", form);
        c->verdict = verdicts[k].is;
        for (at = comma == RDV_NOT_FOUND ? list.len : comma + 1;
             at < list.len && list.p[at] == ' ';)
            at++;
    }
    return RDV_OK;
}

/* "0 to 10" */
static int read_range(const table_parser *p, rdv_str range, size_t line, stage *s)
{
    char text[40], *end, *high;
    snprintf(text, sizeof text, "%.*s", RDV_FMT(range));
    s->low = strtod(text, &end);
    bool ok = end > text && strncmp(end, " to ", 4) == 0 && range.len < sizeof text;
    if (ok) {
        s->high = strtod(end + 4, &high);
        ok = high > end + 4 && !*high && s->low < s->high && s->low >= -1e9 && s->high <= 1e9;
    }
    return ok ? RDV_OK : fault_at(p, line, "number is followed by a range, such as 0 to 10");
}

static int read_reader(const table_parser *p, const member *m, stage *s)
{
    for (size_t k = 0; k < N_READERS; k++) {
        rdv_str name = rdv_str_of(readers[k].name);
        bool more = k == READER_CHOICE || k == READER_NUMBER;
        if (more || !rdv_str_eq(m->value, name))
            continue;
        s->read = (reader_kind)k;
        return RDV_OK;
    }
    rdv_str choice = rdv_str_of(readers[READER_CHOICE].name);
    rdv_str number = rdv_str_of(readers[READER_NUMBER].name);
    if (rdv_starts(m->value, choice)) {
        s->read = READER_CHOICE;
        return read_choices(p, rdv_slice(m->value, choice.len, m->value.len), m->line, s);
    }
    if (rdv_starts(m->value, number)) {
        s->read = READER_NUMBER;
        return read_range(p, rdv_slice(m->value, number.len, m->value.len), m->line, s);
    }
    return fault_at(p, m->line, "there is no reader \"%.*s\"; docs/methods.md lists them",
                    (int)(m->value.len < 60 ? m->value.len : 60), m->value.p);
}

/* ---- stages ---------------------------------------------------------------------------------- */

static int read_samples(const table_parser *p, const member *m, stage *s)
{
    s->samples = 0;
    if (rdv_str_eq(m->value, RDV_STR("option")))
        return RDV_OK;
    for (size_t i = 0; i < m->value.len && i < 4; i++)
        s->samples = rdv_is_digit(m->value.p[i]) ? s->samples * 10 + (size_t)(m->value.p[i] - '0')
                                                 : TABLE_MAX_SAMPLES + 1;
    if (s->samples < 1 || s->samples > TABLE_MAX_SAMPLES)
        return fault_at(p, m->line, "samples is 1 to %d, or option", TABLE_MAX_SAMPLES);
    return RDV_OK;
}

/* "target, collect, variables?": it goes on without a stage that has a question mark. */
static int read_after(const table_parser *p, const member *m, stage *s)
{
    const method_table *t = p->table;
    for (rdv_str rest = m->value; rest.p;) {
        size_t comma = rdv_find_char(rest, ',', 0), k = 0;
        rdv_str name = rdv_trim(rdv_slice(rest, 0, comma));
        bool optional = rdv_ends(name, RDV_STR("?"));
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        name.len -= optional;
        while (k < t->n_stages && !rdv_str_eq(name, t->stages[k].name))
            k++;
        if (k == t->n_stages || s->n_after == TABLE_MAX_STAGES)
            return fault_at(p, m->line, "no stage \"%.*s\" stands before this one",
                            (int)(name.len < 60 ? name.len : 60), name.p);
        if (s->per == PER_CHAIN && t->stages[k].per != PER_CHAIN)
            return fault_at(p, m->line, "a stage of the chain cannot wait for one of the steps");
        s->after[s->n_after] = k;
        s->needs[s->n_after++] = !optional;
    }
    return RDV_OK;
}

static int name_stage(const table_parser *p, const member *found, stage *s)
{
    rdv_str method = p->table->name;
    rdv_str path = rdv_str_printf(p->arena, "%.*s/%.*s", RDV_FMT(method), RDV_FMT(s->name));
    if (!path.p)
        return out_of_memory(p);
    s->label = rdv_str_eq(s->name, method) ? s->name : path;
    s->prompt = found[PROMPT].line ? found[PROMPT].value : path;
    s->as = found[AS].line ? found[AS].value : s->name;
    for (size_t k = 0; k < p->table->n_stages; k++)
        if (rdv_str_eq(p->table->stages[k].name, s->name) ||
            rdv_str_eq(p->table->stages[k].as, s->as))
            return fault_at(p, p->stage_line, "two stages have the name \"%.*s\"", RDV_FMT(s->as));
    if (found[PROMPT].line && s->request != REQUEST_CHAT)
        return fault_at(p, found[PROMPT].line, "only request: chat has a prompt");
    return RDV_OK;
}

static int read_values(const table_parser *p, const member *found, stage *s)
{
    size_t k, at = 0;
    int r = RDV_OK;
    if (found[REQUEST].line &&
        (r = read_name(p, &found[REQUEST], "request", requests, N_REQUEST_FORMS, &k)) == RDV_OK)
        s->request = (request_form)k;
    if (r == RDV_OK && found[PER].line &&
        (r = read_name(p, &found[PER], "per", pers, sizeof pers / sizeof *pers, &k)) == RDV_OK)
        s->per = (stage_per)k;
    if (r == RDV_OK && found[SAMPLES].line)
        r = read_samples(p, &found[SAMPLES], s);
    if (r == RDV_OK && found[AFTER].line)
        r = read_after(p, &found[AFTER], s);
    if (r == RDV_OK && found[READ].line)
        r = read_reader(p, &found[READ], s);
    if (r != RDV_OK || !found[EXAMPLE].line)
        return r;
    r = rdv_read_quoted(found[EXAMPLE].value, &at, p->arena, &s->example);
    if (r == RDV_E_NOMEM)
        return out_of_memory(p);
    return r == RDV_OK && at == found[EXAMPLE].value.len
               ? RDV_OK
               : fault_at(p, found[EXAMPLE].line, "example is one text in double quotes");
}

/* The stage whose heading is the next line. */
static int read_stage(table_parser *p)
{
    method_table *t = p->table;
    member found[N_STAGE] = {0};
    rdv_str line;
    bool ended;
    next_line(p, &line);
    p->stage_line = p->line;
    stage s = {.name = rdv_trim(rdv_slice(line, 3, line.len)),
               .line = p->line,
               .per = PER_STEP,
               .samples = 1};
    if (!is_name(s.name))
        return fault_at(p, p->line, "a stage is named with small letters, digits, - and _");
    if (t->n_stages == TABLE_MAX_STAGES)
        return fault_at(p, p->line, "a method has at most %d stages", TABLE_MAX_STAGES);
    int r = read_members(p, "## ", stage_keys, N_STAGE, found, &ended);
    if (r == RDV_OK)
        r = read_values(p, found, &s);
    if (r == RDV_OK)
        r = name_stage(p, found, &s);
    if (r == RDV_OK)
        t->stages[t->n_stages++] = s;
    return r;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool is_locating(conclusion_kind c)
{
    return c == CONCLUDE_LOCATION || c == CONCLUDE_PERPLEXITY;
}

/* What the stages are together. */
static int check_table(const table_parser *p)
{
    const method_table *t = p->table;
    const stage *last = &t->stages[t->n_stages - 1];
    size_t line = p->stage_line;
    if (readers[last->read].finds != conclusions[t->conclude].rests_on)
        return fault_at(p, line, "\"conclude: %s\" cannot rest on \"read: %s\"",
                        conclusions[t->conclude].name, readers[last->read].name);
    if (is_locating(t->conclude) && last->per != PER_CHAIN)
        return fault_at(p, line, "\"conclude: %s\" rests on a stage with \"per: chain\"",
                        conclusions[t->conclude].name);
    bool mean = t->conclude == CONCLUDE_MEAN || t->conclude == CONCLUDE_CALCULATIONS;
    if (mean && last->per != PER_STEP && last->per != PER_LATER_STEP)
        return fault_at(p, line, "\"conclude: %s\" rests on a stage with \"per: step\"",
                        conclusions[t->conclude].name);
    for (size_t i = 0; i < t->n_stages; i++) {
        const stage *s = &t->stages[i];
        if (s->samples != 1 && !(mean && s == last))
            return fault_at(p, line, "samples are for the last stage with \"conclude: mean\"");
        if (s->per == PER_LATER_STEP && !mean)
            return fault_at(p, line, "\"per: later step\" is for \"conclude: mean\"");
        if ((s->per == PER_STEP_IN_TURN) != (last->per == PER_STEP_IN_TURN) && s->per != PER_CHAIN)
            return fault_at(p, line, "all stages of steps are asked in turn, or none");
    }
    return RDV_OK;
}

static int read_head(table_parser *p)
{
    method_table *t = p->table;
    member found[N_HEAD] = {0};
    rdv_str line;
    bool ended = false;
    if (!next_line(p, &line) || !rdv_str_eq(line, RDV_STR("---")))
        return fault_at(p, 1, "a method begins with a line \"---\"");
    int r = read_members(p, "---", head_keys, N_HEAD, found, &ended);
    if (r != RDV_OK)
        return r;
    if (!ended)
        return fault_at(p, 1, "the head has no end, a second line \"---\"");
    for (size_t k = 0; k < N_HEAD; k++)
        if (!found[k].value.len)
            return fault_at(p, 1, "the head has no %s", head_keys[k]);
    if (!is_name(found[METHOD].value))
        return fault_at(p, found[METHOD].line,
                        "a method is named with small letters, digits, -, _ and :");
    t->name = found[METHOD].value;
    t->summary = found[SUMMARY].value;
    const char *names[N_CONCLUSIONS];
    size_t k;
    for (size_t i = 0; i < N_CONCLUSIONS; i++)
        names[i] = conclusions[i].name;
    r = read_name(p, &found[CONCLUDE], "conclude", names, N_CONCLUSIONS, &k);
    if (r == RDV_OK)
        t->conclude = (conclusion_kind)k;
    return r;
}

int method_table_read(method_table *out, rdv_str text, rdv_arena *arena, rdv_error *err)
{
    method_table table = {0};
    table_parser p = {.rest = text, .table = &table, .arena = arena, .err = err};
    if (text.len > TABLE_MAX_BYTES)
        return rdv_fail(err, RDV_E_LIMIT, "1: a method has at most %zu bytes", TABLE_MAX_BYTES);
    if (rdv_utf8_valid(text) < text.len)
        return rdv_fail(err, RDV_E_INPUT, "1: a method is UTF-8");
    int r = read_head(&p);
    while (r == RDV_OK && p.rest.len) {
        table_parser before = p;
        rdv_str line;
        next_line(&p, &line);
        if (!line.len)
            continue;
        if (!rdv_starts(line, RDV_STR("## ")))
            return fault_at(&p, p.line, "a stage begins with a line \"## NAME\"");
        p = before;
        r = read_stage(&p);
    }
    if (r == RDV_OK && !table.n_stages)
        r = fault_at(&p, p.line, "there is no stage, a line \"## NAME\"");
    if (r == RDV_OK)
        r = check_table(&p);
    if (r == RDV_OK)
        *out = table;
    return r;
}
