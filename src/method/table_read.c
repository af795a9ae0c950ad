/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of a method file's text, which gives a table (docs/methods.md). */
#include "method/table.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

/* The result of a reader, and the input of a conclusion. */
typedef enum finding { TEXT, ITEMS, VERDICT, CLAIMS, LOCATION, SCORE, TOKENS } finding;

static const struct {
    const char *name;
    finding finds;
} readers[N_READERS] = {
    [READER_TEXT] = {"text", TEXT},
    [READER_DEFINITIONS] = {"definitions", TEXT},
    [READER_ITEMS] = {"items", ITEMS},
    [READER_CHOICE] = {"choice", VERDICT},
    [READER_CHOICE_COMPARISON] = {"choice comparison", VERDICT},
    [READER_CHOICE_CORRECTNESS] = {"choice correctness", VERDICT},
    [READER_CHOICE_YES_NO] = {"choice yes-no", VERDICT},
    [READER_CHOICE_RELEVANCE] = {"choice relevance", VERDICT},
    [READER_CHOICE_CONSISTENCY] = {"choice consistency", VERDICT},
    [READER_NUMBER] = {"number", SCORE},
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
    const char *said;
} conclusions[N_CONCLUSIONS] = {
    [CONCLUDE_VERDICT] = {"verdict", VERDICT, "choice"},
    [CONCLUDE_LOCATION] = {"location", LOCATION, "location"},
    [CONCLUDE_THRESHOLD] = {"threshold", SCORE, "number, score rewards or score sign"},
    [CONCLUDE_MEAN] = {"mean", VERDICT, "choice or number"},
    [CONCLUDE_CALCULATIONS] = {"calculations", CLAIMS, "claims"},
    [CONCLUDE_PERPLEXITY] = {"perplexity", TOKENS, "score logprobs"},
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
    [PER_STEP_IN_TURN + 1] = "question", /* PER_CHAIN, of_question */
};

enum { METHOD, SOURCE, SUMMARY, CONCLUDE, N_HEAD };
enum { PROMPT, REQUEST, PER, SAMPLES, AFTER, READ, AS, EXAMPLE, N_STAGE };

static const char *const head_keys[N_HEAD] = {"method", "source", "summary", "conclude"};
static const char *const stage_keys[N_STAGE] = {"prompt", "request", "per", "samples",
                                                "after",  "read",    "as",  "example"};

typedef struct member {
    rdv_str value;
    size_t line; /* 0: the key is absent */
} member;

typedef struct table_parser {
    rdv_str rest;
    size_t line;    /* number of the last line read, from 1 */
    bool read_left; /* the current stage has no "read" yet */
    method_table *table;
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
    return rdv_no_memory(p->err);
}

/* Gives the next line that is not a comment. */
static bool next_line(table_parser *p, rdv_str *line)
{
    do {
        if (!rdv_next_line(&p->rest, line))
            return false;
        *line = rdv_trim_end(*line);
        p->line++;
    } while (rdv_starts(*line, RDV_STR("#")) && !rdv_starts(*line, RDV_STR("##")));
    return true;
}

/* True for a small letter followed by small letters, digits, '-', '_' and ':'. */
static bool is_name(rdv_str s)
{
    bool ok = s.len > 0 && s.len <= 60 && s.p[0] >= 'a' && s.p[0] <= 'z';
    for (size_t i = 0; i < s.len && ok; i++)
        ok = (s.p[i] >= 'a' && s.p[i] <= 'z') || rdv_is_digit(s.p[i]) ||
             rdv_find_char(RDV_STR("-_:"), s.p[i], 0) != RDV_NOT_FOUND;
    return ok;
}

/* ---- members --------------------------------------------------------------------------------- */

/* True if the text is `key` with one letter wrong, missing, added or swapped with its neighbour. */
static bool is_near(rdv_str s, rdv_str key)
{
    while (s.len && key.len && s.p[0] == key.p[0]) {
        s = rdv_slice(s, 1, s.len);
        key = rdv_slice(key, 1, key.len);
    }
    while (s.len && key.len && s.p[s.len - 1] == key.p[key.len - 1]) {
        s.len--;
        key.len--;
    }
    bool swapped = s.len == 2 && key.len == 2 && s.p[0] == key.p[1] && s.p[1] == key.p[0];
    return swapped || (s.len <= 1 && key.len <= 1);
}

static int no_such_key(const table_parser *p, rdv_str key, const char *const *keys, size_t n)
{
    size_t k = 0;
    while (k < n && !is_near(key, rdv_str_of(keys[k])))
        k++;
    return fault_at(p, p->line, "there is no key \"%.*s\" here%s%s%s",
                    (int)(key.len < 60 ? key.len : 60), key.p, k < n ? "; did you mean " : "",
                    k < n ? keys[k] : "", k < n ? "?" : "");
}

/* Reads "key: value" with one of `n` keys. */
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
        return no_such_key(p, key, keys, n);
    if (found[k].line)
        return fault_at(p, p->line, "%s is given twice", keys[k]);
    found[k] = (member){rdv_trim(rdv_slice(line, colon + 1, line.len)), p->line};
    *which = k;
    return RDV_OK;
}

/* Reads lines that begin with a blank; they continue the value before them. */
static int go_on(table_parser *p, member *m)
{
    rdv_buf b;
    rdv_str line;
    rdv_buf_init(&b, p->arena, 0);
    rdv_buf_add(&b, m->value);
    for (table_parser before = *p; next_line(p, &line); before = *p) {
        if (!line.len || line.p[0] != ' ') {
            *p = before;
            break;
        }
        if (b.len)
            rdv_buf_add_char(&b, ' ');
        rdv_buf_add(&b, rdv_trim(line));
    }
    if (!rdv_buf_ok(&b))
        return out_of_memory(p);
    if (b.len > m->value.len)
        m->value = rdv_buf_str(&b);
    return RDV_OK;
}

/* Reads the members up to a line "---" or "## NAME"; the latter is put back. *ended is that
 * line. */
static int read_members(table_parser *p, const char *const *keys, size_t n, member *found,
                        rdv_str *ended)
{
    size_t which = 0;
    rdv_str line;
    int r = RDV_OK;
    *ended = (rdv_str){0};
    for (table_parser before = *p; r == RDV_OK && next_line(p, &line); before = *p) {
        bool heading = rdv_starts(line, RDV_STR("## "));
        if (heading || rdv_str_eq(line, RDV_STR("---"))) {
            *ended = line;
            if (heading)
                *p = before;
            return RDV_OK;
        }
        if (line.len)
            r = read_member(p, line, keys, n, found, &which);
        if (line.len && r == RDV_OK)
            r = go_on(p, &found[which]);
    }
    return r;
}

/* The index of the value among `n` names, or an error that lists them. */
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

/* Reads "WORD" = VERDICT, up to the next comma after it. RDV_NONE: the text has another form. */
static int read_one_choice(const table_parser *p, rdv_str list, size_t line, size_t *at,
                           stage_choice *c)
{
    static const struct {
        const char *name;
        rdv_verdict_kind kind;
    } verdicts[] = {{"support", RDV_SUPPORT},
                    {"unrelated", RDV_UNRELATED},
                    {"contradict", RDV_CONTRADICT},
                    {"unknown", RDV_UNKNOWN}};
    int r = rdv_read_quoted(list, at, p->arena, &c->word);
    if (r != RDV_OK)
        return r == RDV_E_NOMEM ? out_of_memory(p) : r;
    size_t comma = rdv_find_char(list, ',', *at), k = 0;
    rdv_str name = rdv_trim(rdv_slice(list, *at, comma));
    if (!rdv_starts(name, RDV_STR("=")))
        return RDV_NONE;
    name = rdv_trim(rdv_slice(name, 1, name.len));
    while (k < 4 && !rdv_str_eq(name, rdv_str_of(verdicts[k].name)))
        k++;
    if (k == 4)
        return fault_at(p, line, "\"%.*s\" is none of support, unrelated, contradict, unknown",
                        (int)(name.len < 60 ? name.len : 60), name.p);
    c->verdict = verdicts[k].kind;
    *at = comma == RDV_NOT_FOUND ? list.len : comma + 1;
    while (*at < list.len && list.p[*at] == ' ')
        ++*at;
    return comma != RDV_NOT_FOUND && *at == list.len ? RDV_NONE : RDV_OK;
}

/* True if the word could be read alone on a line, after a label and within marks. */
static bool can_be_read(rdv_str word)
{
    return table_bare(word).len && rdv_find_char(word, ':', 0) == RDV_NOT_FOUND &&
           rdv_find_char(word, '\n', 0) == RDV_NOT_FOUND;
}

static int read_choices(const table_parser *p, rdv_str list, size_t line, stage *s)
{
    for (size_t at = 0; at < list.len || s->n_choices == 0;) {
        stage_choice c = {0};
        int r =
            s->n_choices == TABLE_MAX_CHOICES ? RDV_NONE : read_one_choice(p, list, line, &at, &c);
        if (r == RDV_NONE)
            return fault_at(p, line,
                            "choice is followed by up to %d of: \"WORD\" = support, "
                            "unrelated, contradict or unknown",
                            TABLE_MAX_CHOICES);
        if (r != RDV_OK)
            return r;
        if (!can_be_read(c.word))
            return fault_at(p, line,
                            "\"%.*s\" cannot be read: a word has no colon and no line end, "
                            "and more than marks",
                            RDV_FMT(c.word));
        for (size_t k = 0; k < s->n_choices; k++)
            if (rdv_str_ieq(table_bare(s->choices[k].word), table_bare(c.word)))
                return fault_at(p, line, "the word \"%.*s\" is given twice", RDV_FMT(c.word));
        s->choices[s->n_choices++] = c;
    }
    return RDV_OK;
}

/* Reads a decimal number of at most 9 digits at byte *at, which is moved past it. */
static bool read_decimal(rdv_str s, size_t *at, double *out)
{
    bool negative = *at < s.len && s.p[*at] == '-', point = false;
    double value = 0, unit = 1;
    size_t digits = 0;
    for (*at += negative; *at < s.len; ++*at) {
        char c = s.p[*at];
        if (c == '.' && digits && !point) {
            point = true;
        } else if (rdv_is_digit(c)) {
            value = value * 10 + (c - '0');
            unit *= point ? 10 : 1;
            digits++;
        } else {
            break;
        }
    }
    *out = (negative ? -value : value) / unit;
    return digits && digits <= 9 && s.p[*at - 1] != '.';
}

/* Reads "0 to 10". */
static int read_range(const table_parser *p, rdv_str range, size_t line, stage *s)
{
    size_t at = 0;
    bool ok = read_decimal(range, &at, &s->low) &&
              rdv_starts(rdv_slice(range, at, range.len), RDV_STR(" to "));
    at += 4;
    if (ok && read_decimal(range, &at, &s->high) && at == range.len && s->low < s->high)
        return RDV_OK;
    return fault_at(p, line, "number is followed by a range, such as 0 to 10");
}

/* The text after the name of a reader and a blank; p == NULL: the value names another reader. */
static rdv_str behind(const member *m, reader_kind reader)
{
    rdv_str name = rdv_str_of(readers[reader].name);
    bool is = rdv_starts(m->value, name) && m->value.len > name.len && m->value.p[name.len] == ' ';
    return is ? rdv_trim(rdv_slice(m->value, name.len, m->value.len)) : (rdv_str){0};
}

static int read_reader(const table_parser *p, const member *m, stage *s)
{
    rdv_str words = behind(m, READER_CHOICE), range = behind(m, READER_NUMBER);
    for (size_t k = 0; k < N_READERS; k++) {
        bool more = k == READER_CHOICE || k == READER_NUMBER;
        if (more || !rdv_str_eq(m->value, rdv_str_of(readers[k].name)))
            continue;
        s->read = (reader_kind)k;
        return RDV_OK;
    }
    s->read = words.p ? READER_CHOICE : READER_NUMBER;
    if (words.p)
        return read_choices(p, words, m->line, s);
    if (range.p)
        return read_range(p, range, m->line, s);
    return fault_at(p, m->line, "there is no reader \"%.*s\"; docs/methods.md lists them",
                    (int)(m->value.len < 60 ? m->value.len : 60), m->value.p);
}

/* ---- stages ---------------------------------------------------------------------------------- */

static int read_samples(const table_parser *p, const member *m, stage *s)
{
    s->samples = 0;
    if (rdv_str_eq(m->value, RDV_STR("option")))
        return RDV_OK;
    bool ok = m->value.len <= 3;
    for (size_t i = 0; i < m->value.len && ok; i++) {
        ok = rdv_is_digit(m->value.p[i]);
        s->samples = s->samples * 10 + (size_t)(m->value.p[i] - '0');
    }
    if (!ok || s->samples < 1 || s->samples > TABLE_MAX_SAMPLES)
        return fault_at(p, m->line, "samples is 1 to %d, or option", TABLE_MAX_SAMPLES);
    return RDV_OK;
}

/* Reads "target, collect, variables?"; a stage with a question mark is optional. */
static int read_after(const table_parser *p, const member *m, stage *s)
{
    const method_table *t = p->table;
    for (rdv_str rest = m->value; rest.p;) {
        size_t comma = rdv_find_char(rest, ',', 0), k = 0, twice = 0;
        rdv_str name = rdv_trim(rdv_slice(rest, 0, comma));
        bool optional = rdv_ends(name, RDV_STR("?"));
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        name.len -= optional;
        while (k < t->n_stages && !rdv_str_eq(name, t->stages[k].name))
            k++;
        if (k == t->n_stages)
            return fault_at(p, m->line, "no stage \"%.*s\" stands before this one",
                            (int)(name.len < 60 ? name.len : 60), name.p);
        while (twice < s->n_after && s->after[twice] != k)
            twice++;
        if (twice < s->n_after)
            return fault_at(p, m->line, "the stage \"%.*s\" is waited for twice", RDV_FMT(name));
        if (s->per == PER_CHAIN && t->stages[k].per != PER_CHAIN)
            return fault_at(p, m->line, "a stage of the chain cannot wait for one of the steps");
        if (s->of_question && !t->stages[k].of_question)
            return fault_at(p, m->line, "a stage of the question cannot wait for one of a chain");
        if (s->per != PER_LATER_STEP && t->stages[k].per == PER_LATER_STEP)
            return fault_at(p, m->line, "the first step cannot wait for a stage of later steps");
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
    if (!is_name(s->as))
        return fault_at(p, found[AS].line, "as is a name of small letters, digits, -, _ and :");
    for (size_t k = 0; k < p->table->n_stages; k++) {
        const stage *other = &p->table->stages[k];
        if (rdv_str_eq(other->name, s->name))
            return fault_at(p, s->line, "two stages have the name \"%.*s\"", RDV_FMT(s->name));
        if (rdv_str_eq(other->as, s->as))
            return fault_at(p, s->line, "two stages have what they found as \"%.*s\"",
                            RDV_FMT(s->as));
    }
    if (found[PROMPT].line && s->request != REQUEST_CHAT)
        return fault_at(p, found[PROMPT].line, "only request: chat has a prompt");
    if (!s->prompt.len)
        return fault_at(p, found[PROMPT].line, "prompt is the id of a prompt");
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
        s->per = (s->of_question = k > PER_STEP_IN_TURN) ? PER_CHAIN : (stage_per)k;
    if (r == RDV_OK && found[SAMPLES].line)
        r = read_samples(p, &found[SAMPLES], s);
    if (r == RDV_OK && found[AFTER].line)
        r = read_after(p, &found[AFTER], s);
    if (r == RDV_OK && found[READ].line)
        r = read_reader(p, &found[READ], s);
    if (r != RDV_OK || !found[EXAMPLE].line)
        return r;
    s->example_line = found[EXAMPLE].line;
    r = rdv_read_quoted(found[EXAMPLE].value, &at, p->arena, &s->example);
    if (r == RDV_E_NOMEM)
        return out_of_memory(p);
    return r == RDV_OK && at == found[EXAMPLE].value.len
               ? RDV_OK
               : fault_at(p, found[EXAMPLE].line, "example is one text in double quotes");
}

/* Reads the stage whose heading is the next line. */
static int read_stage(table_parser *p)
{
    method_table *t = p->table;
    member found[N_STAGE] = {0};
    rdv_str line;
    next_line(p, &line);
    stage s = {.name = rdv_trim(rdv_slice(line, 3, line.len)),
               .line = p->line,
               .per = PER_STEP,
               .samples = 1};
    if (!is_name(s.name))
        return fault_at(p, p->line, "a stage is named with small letters, digits, -, _ and :");
    if (t->n_stages == TABLE_MAX_STAGES)
        return fault_at(p, p->line, "a method has at most %d stages", TABLE_MAX_STAGES);
    int r = read_members(p, stage_keys, N_STAGE, found, &line);
    p->read_left = !found[READ].line;
    if (r == RDV_OK && rdv_str_eq(line, RDV_STR("---")))
        r = fault_at(p, p->line, "a line is \"key: value\"");
    if (r == RDV_OK)
        r = read_values(p, found, &s);
    if (r == RDV_OK)
        r = name_stage(p, found, &s);
    if (r == RDV_OK)
        t->stages[t->n_stages++] = s;
    return r;
}

/* ---- the whole table ------------------------------------------------------------------------- */

/* Checks that the request and the unit of a stage fit its reader. */
static int check_reader(const table_parser *p, const stage *s)
{
    static const reader_kind only[N_REQUEST_FORMS] = {
        [REQUEST_SCORE] = READER_SCORE_LOGPROBS,
        [REQUEST_REWARD_PAIRS] = READER_SCORE_REWARDS,
        [REQUEST_REWARD_VALUES] = READER_SCORE_REWARDS,
        [REQUEST_TURNS] = READER_SCORE_SIGN,
    };
    bool of_numbers = s->read >= READER_SCORE_REWARDS;
    if (s->request == REQUEST_CHAT ? of_numbers : s->read != only[s->request])
        return fault_at(p, s->line, "\"request: %s\" does not bring what \"read: %s\" reads",
                        requests[s->request], readers[s->read].name);
    bool whole = readers[s->read].finds == LOCATION || (of_numbers && s->read != READER_SCORE_SIGN);
    bool step = s->read == READER_ITEMS || s->read == READER_SCORE_SIGN;
    if (whole ? s->per != PER_CHAIN : step && s->per == PER_CHAIN)
        return fault_at(p, s->line, "\"read: %s\" is for \"per: %s\"", readers[s->read].name,
                        whole ? "chain" : "step");
    return RDV_OK;
}

/* Checks what a stage may be in relation to the last. */
static int check_stage(const table_parser *p, const stage *s, const stage *last, bool mean)
{
    static const char *const taken[] = {
        "samples",   "n_samples",          "stderr", "n_unparsed", "n_undecided",
        "n_dropped", "native_calculations"};
    bool in_turn = last->per == PER_STEP_IN_TURN;
    if (s->of_question && (s == last || s->read != READER_TEXT || s->request != REQUEST_CHAT))
        return fault_at(p, s->line,
                        "\"per: question\" is for a stage before the last, with \"read: text\"");
    if (s->samples != 1 && !(mean && s == last))
        return fault_at(p, s->line,
                        "samples are for the last stage with \"conclude: mean\" or "
                        "\"calculations\"");
    if (s->per == PER_LATER_STEP && !mean)
        return fault_at(p, s->line,
                        "\"per: later step\" is for \"conclude: mean\" or "
                        "\"calculations\"");
    if (s->per != PER_CHAIN && last->per == PER_CHAIN)
        return fault_at(p, s->line,
                        "nothing would come of a stage of steps before one of the chain");
    if (s->per != PER_CHAIN && (s->per == PER_STEP_IN_TURN) != in_turn)
        return fault_at(p, s->line, "all stages of steps are asked in turn, or none");
    for (size_t k = 0; mean && k < sizeof taken / sizeof *taken; k++)
        if (rdv_str_eq(s->as, rdv_str_of(taken[k])))
            return fault_at(p, s->line, "\"as: %s\" is a name of the evidence already", taken[k]);
    return check_reader(p, s);
}

/* Checks the stages together. */
static int check_table(const table_parser *p)
{
    const method_table *t = p->table;
    const stage *last = &t->stages[t->n_stages - 1];
    bool mean = t->conclude == CONCLUDE_MEAN || t->conclude == CONCLUDE_CALCULATIONS;
    bool rests = readers[last->read].finds == conclusions[t->conclude].rests_on ||
                 (t->conclude == CONCLUDE_MEAN && last->read == READER_NUMBER);
    if (!rests)
        return fault_at(p, last->line, "\"conclude: %s\" rests on \"read: %s\", not on \"%s\"%s",
                        conclusions[t->conclude].name, conclusions[t->conclude].said,
                        readers[last->read].name, p->read_left ? " (`read` left out)" : "");
    bool whole = last->per == PER_CHAIN && t->conclude == CONCLUDE_MEAN;
    if (mean && last->per != PER_STEP && last->per != PER_LATER_STEP && !whole)
        return fault_at(p, last->line, "\"conclude: %s\" rests on a stage with \"per: step\"%s",
                        conclusions[t->conclude].name,
                        t->conclude == CONCLUDE_MEAN ? " or \"per: chain\"" : "");
    if (last->per == PER_STEP_IN_TURN && t->conclude != CONCLUDE_VERDICT)
        return fault_at(p, last->line, "\"per: step in turn\" is for \"conclude: verdict\"");
    int r = RDV_OK;
    for (size_t i = 0; i < t->n_stages && r == RDV_OK; i++)
        r = check_stage(p, &t->stages[i], last, mean);
    return r;
}

static int read_head(table_parser *p)
{
    method_table *t = p->table;
    member found[N_HEAD] = {0};
    rdv_str line;
    if (!next_line(p, &line) || !rdv_str_eq(line, RDV_STR("---")))
        return fault_at(p, 1, "a method begins with a line \"---\"");
    int r = read_members(p, head_keys, N_HEAD, found, &line);
    if (r != RDV_OK)
        return r;
    if (!rdv_str_eq(line, RDV_STR("---")))
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

/* Checks for bytes unsuitable for a terminal, where summaries and names are shown. */
static int check_bytes(const table_parser *p)
{
    size_t line = 1;
    for (size_t i = 0; i < p->rest.len; i++) {
        char c = p->rest.p[i];
        bool ends = c == '\r' && i + 1 < p->rest.len && p->rest.p[i + 1] == '\n';
        if (((unsigned char)c < ' ' && c != '\n' && c != '\t' && !ends) || c == 127)
            return fault_at(p, line, "a method has no control characters");
        line += c == '\n';
    }
    return RDV_OK;
}

int method_table_read(method_table *out, rdv_str text, rdv_arena *arena, rdv_error *err)
{
    method_table table = {0};
    table_parser p = {.rest = text, .table = &table, .arena = arena, .err = err};
    if (text.len > TABLE_MAX_BYTES)
        return rdv_fail(err, RDV_E_LIMIT, "1: a method has at most %zu bytes", TABLE_MAX_BYTES);
    if (rdv_utf8_valid(text) < text.len)
        return rdv_fail(err, RDV_E_INPUT, "1: a method is UTF-8");
    int r = check_bytes(&p);
    if (r == RDV_OK)
        r = read_head(&p);
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
