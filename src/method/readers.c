/* SPDX-License-Identifier: Apache-2.0 */
/* How the reply to a stage is read: one row for each reader that a table may name
 * (docs/methods.md). reply.h describes the rules. */
#include "method/check.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "language/assertion.h"
#include "language/phrase.h"
#include "language/rule.h"
#include "method/own_calculations.h"
#include "method/reply_form.h"
#include "reply/reply.h"
#include "reply/location.h"
#include "reply/words.h"

#include "score/combine.h"
#include "text/think.h"

#include <math.h>

#define ROUNDING 1e-6 /* by which a server's logarithm of 1 may exceed 0 */

static rdv_profile profile_of(const step_result *r)
{
    return r->run->plan->options.profile;
}

static int no_memory(int code, rdv_error *err)
{
    return code < 0 ? rdv_fail(err, code, "out of memory while reading a reply") : code;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int read_text(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    return r->text.len ? RDV_OK : RDV_NONE;
}

/* Lines that define variables. */
typedef struct definitions {
    rdv_str *lines;
    size_t *known_from; /* per line: see first_named() */
    size_t n;
} definitions;

/* True if `text` contains `word` as a separate word. */
static bool mentions(rdv_str text, rdv_str word)
{
    for (size_t i = 0; (i = rdv_find(text, word, i)) != RDV_NOT_FOUND; i++) {
        bool starts = i == 0 || !rdv_is_alnum(text.p[i - 1]);
        bool ends = i + word.len >= text.len || !rdv_is_alnum(text.p[i + word.len]);
        if (starts && ends)
            return true;
    }
    return false;
}

/* The name at or after byte *at, which is moved past it; empty if there is none. */
static rdv_str next_name(rdv_str line, size_t *at)
{
    while (*at < line.len && !rdv_is_alpha(line.p[*at]))
        ++*at;
    size_t begin = *at;
    while (*at < line.len && (rdv_is_alnum(line.p[*at]) || line.p[*at] == '_'))
        ++*at;
    return rdv_slice(line, begin, *at);
}

/* The variable that a line defines: x for "1. $x$ is defined as ..." and "1. Let the variable x be
 * ...". */
static rdv_str variable_of(rdv_str line)
{
    static const char *const leads[] = {"let", "the", "variable"};
    size_t at = 0;
    rdv_str name = next_name(line, &at);
    while (WORDS_IS_ONE_OF(name, leads))
        name = next_name(line, &at);
    return name;
}

/* The step before which a line's variable is known: 0 if the question names it or the line defines
 * none; i + 1 if step i is the first to name it; past the last step if none does. */
static size_t first_named(const rdv_chain *chain, rdv_str line)
{
    rdv_str name = variable_of(line);
    size_t step = 0;
    if (!name.len || mentions(chain->question.text, name))
        return 0;
    while (step < chain->n_steps && !mentions(chain->steps[step], name))
        step++;
    return step + 1;
}

static int read_definitions(step_result *r, const rdv_reply *reply, rdv_arena *arena,
                            rdv_error *err)
{
    definitions *d = RDV_NEW(arena, definitions);
    int code = d ? reply_definitions(r->text, profile_of(r), arena, &d->lines, &d->n) : RDV_E_NOMEM;
    if (code != RDV_OK)
        return no_memory(code, err);
    d->known_from = RDV_NEW_ARRAY(arena, size_t, d->n);
    for (size_t i = 0; d->known_from && i < d->n; i++)
        d->known_from[i] = first_named(r->run->chain, d->lines[i]);
    r->data = d;
    return no_memory(d->known_from ? RDV_OK : RDV_E_NOMEM, err);
}

static rdv_str definitions_value(const step_result *r, size_t step, rdv_arena *arena)
{
    const definitions *d = r->data;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < d->n; i++) {
        /* the definition would reveal what the step has to find (ours: robust) */
        if (profile_of(r) == RDV_ROBUST && d->known_from[i] > step)
            continue;
        if (b.len)
            rdv_buf_lit(&b, "\n");
        rdv_buf_add(&b, d->lines[i]);
    }
    return rdv_buf_ok(&b) && !b.len ? RDV_STR("") : rdv_buf_str(&b);
}

/* ---- items ----------------------------------------------------------------------------------- */

typedef struct items {
    reply_cited ids;
    bool all; /* none could be read: all earlier items count */
    prompt_citations cited;
} items;

static int read_items(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const rdv_chain *chain = r->run->chain;
    size_t earlier = r->step == RDV_WHOLE_CHAIN ? chain->n_steps : r->step;
    items *found = RDV_NEW(arena, items);
    rdv_str *sentences;
    size_t n;
    int code = found ? prompt_sentences(&chain->question, arena, &sentences, &n, err) : RDV_E_NOMEM;
    if (code == RDV_OK)
        code = reply_citations(r->text, profile_of(r), n, earlier, arena, &found->ids);
    if (code < 0)
        return no_memory(code, err);
    bool last_try = r->node->asked >= r->node->tries;
    if (code == RDV_NONE && profile_of(r) == RDV_ROBUST && !last_try)
        return code;
    /* If nothing can be read, the paper continues without items; we use all earlier ones. */
    found->all = code == RDV_NONE && profile_of(r) == RDV_ROBUST;
    found->cited = (prompt_citations){.information = found->ids.information,
                                      .n_information = found->ids.n_information,
                                      .steps = found->ids.steps,
                                      .n_steps = found->ids.n_steps};
    r->data = found;
    return RDV_OK;
}

const prompt_citations *reader_citations(const step_result *r)
{
    const items *found = r->data;
    return found->all ? NULL : &found->cited;
}

static bool note_ids(rdv_arena *arena, rdv_evidence *map, const char *name, const size_t *ids,
                     size_t n)
{
    rdv_evidence *list = rdv_evidence_list(arena, map, rdv_str_of(name));
    bool ok = list != NULL;
    for (size_t i = 0; i < n && ok; i++)
        ok = rdv_evidence_number(arena, list, (rdv_str){0}, (double)ids[i]) != NULL;
    return ok;
}

static bool note_items(const step_result *r, rdv_arena *arena, rdv_evidence *map, rdv_str name)
{
    const items *found = r->data;
    const reply_cited *ids = &found->ids;
    rdv_evidence *in = rdv_evidence_map(arena, map, name);
    return in && note_ids(arena, in, "information", ids->information, ids->n_information) &&
           note_ids(arena, in, "steps", ids->steps, ids->n_steps) &&
           (!ids->dropped ||
            rdv_evidence_number(arena, in, RDV_STR("n_dropped"), (double)ids->dropped)) &&
           (!found->all || rdv_evidence_flag(arena, in, RDV_STR("all_items"), true));
}

/* ---- choices --------------------------------------------------------------------------------- */

/* A rule of language that a user added may take away what was read, and do nothing else; what a
 * row reads that is switched off is not read. */
static int excuse(step_result *r, int code, rdv_arena *arena, rdv_error *err)
{
    const rdv_check_options *check = r->run->plan->options.check;
    const rdv_rules *rules = check ? check->rules : NULL;
    size_t begin = (size_t)(r->by.sentence.p - r->text.p);
    bool asked = code == RDV_OK && rules && profile_of(r) == RDV_ROBUST;
    const rule *by =
        asked ? assertion_excused(rules, r->text, begin, begin + r->by.sentence.len) : NULL;
    const rule *reads = asked && r->by.rule.p ? rule_set_find(rules, r->by.rule) : NULL;
    bool off = reads && reads->off;
    if (!by && !off)
        return code;
    const char *why =
        off ? "the rule that reads the reply is switched off" : rule_effect_reason(by->effect);
    rdv_str id = off ? reads->id : by->id;
    r->verdict = RDV_UNKNOWN;
    r->by = (reply_ground){0};
    r->node->why = rdv_str_printf(arena, "%s [%.*s]", why, RDV_FMT(id));
    return no_memory(r->node->why.p ? RDV_NONE : RDV_E_NOMEM, err);
}

/* An endorsement whose own reasons hold a proven mistake is no evidence: "Correct. 17 - 8 = 8." The
 * example of a table is read without options, and only its form matters. */
static int hold_reasons(step_result *r, int code, bool endorses, rdv_arena *arena, rdv_error *err)
{
    rdv_str why = {0};
    bool asked = r->run->plan->options.check && profile_of(r) == RDV_ROBUST;
    if (code != RDV_OK || !endorses || !asked)
        return code;
    code = own_calculations_hold(r, arena, &why, err);
    if (code == RDV_NONE) {
        r->verdict = RDV_UNKNOWN;
        r->by = (reply_ground){0};
        r->node->why = why;
    }
    return code;
}

#define CHOICE_READER(name, reads)                                                                 \
    static int name(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)      \
    {                                                                                              \
        (void)reply;                                                                               \
        int code = reads(r->text, profile_of(r), &r->verdict, &r->by);                             \
        code = excuse(r, code, arena, err);                                                        \
        return hold_reasons(r, code, r->verdict == RDV_SUPPORT, arena, err);                       \
    }

CHOICE_READER(read_choice_comparison, reply_comparison)
CHOICE_READER(read_choice_correctness, reply_correctness)
CHOICE_READER(read_choice_yes_no, reply_yes_no)
CHOICE_READER(read_choice_relevance, reply_relevance)
CHOICE_READER(read_choice_consistency, reply_consistency)

#define LABEL_WORDS 6

/* True if the text introduces what follows, like "Answer:" or "Score for step 3:"; false if it
 * comments on it, like "I would not call it:", or is part of it, like "7:10". */
static bool is_label(rdv_str s)
{
    static phrase_list comments = {"@of-a-comment"};
    size_t at = 0, n = 0;
    rdv_str word;
    for (; words_next(s, &at, &word, NULL); n++)
        if (words_is_not(word) || phrase_is(word, &comments))
            return false;
    return n > 0 && n <= LABEL_WORDS && !words_has_any(s, "?;,");
}

/* The last line without emphasis, quotes, a full stop, or a label such as "Answer:" before it.
 * Empty: it has more text than that. */
static rdv_str last_words(rdv_str reply)
{
    rdv_str line = words_last_line(think_spoken(reply));
    size_t colon = rdv_find_last(line, RDV_STR(":"));
    if (colon != RDV_NOT_FOUND && !is_label(rdv_slice(line, 0, colon)))
        return RDV_STR("");
    if (colon != RDV_NOT_FOUND)
        line = rdv_slice(line, colon + 1, line.len);
    return table_bare(line);
}

/* Reads one of the words of the table, alone on the last line. */
static int read_choice(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const stage *s = r->stage;
    rdv_str word = last_words(r->text);
    for (size_t i = 0; i < s->n_choices; i++)
        if (rdv_str_ieq(word, table_bare(s->choices[i].word))) {
            r->verdict = s->choices[i].verdict;
            r->by.sentence = words_shortened(words_last_line(think_spoken(r->text)));
            return RDV_OK;
        }
    r->node->why = RDV_STR("the last line is none of the words asked for");
    return RDV_NONE;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int keep_number(step_result *r, double score, rdv_arena *arena, rdv_error *err)
{
    double *kept = RDV_NEW(arena, double);
    if (kept)
        *kept = score;
    r->data = kept;
    return no_memory(kept ? RDV_OK : RDV_E_NOMEM, err);
}

/* Removes the decimal number at the beginning of `s`. */
static bool take_number(rdv_str *s, double *out)
{
    double value = 0, unit = 1;
    bool negative = rdv_starts(*s, RDV_STR("-")), digits = false, point = false;
    size_t i = negative;
    for (; i < s->len && i < 20 && (rdv_is_digit(s->p[i]) || (s->p[i] == '.' && !point)); i++) {
        point |= s->p[i] == '.';
        if (s->p[i] == '.')
            continue;
        value = value * 10 + (s->p[i] - '0');
        unit *= point ? 10 : 1;
        digits = true;
    }
    *out = (negative ? -value : value) / unit;
    *s = rdv_trim(rdv_slice(*s, i, s->len));
    return digits;
}

/* Reads a number followed by nothing but "/" or "out of" and the end of the range. */
static bool whole_number(rdv_str s, double high, double *out)
{
    static const rdv_str out_of = {"out of ", 7};
    double end;
    if (!take_number(&s, out))
        return false;
    bool slash = rdv_starts(s, RDV_STR("/"));
    if (!slash && !rdv_str_ieq(rdv_slice(s, 0, out_of.len), out_of))
        return !s.len;
    s = rdv_trim(rdv_slice(s, slash ? 1 : out_of.len, s.len));
    return take_number(&s, &end) && end == high && !s.len;
}

/* Reads the number alone on the last line, as a share of its range. */
static int read_number(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const stage *s = r->stage;
    double value;
    if (!whole_number(last_words(r->text), s->high, &value) || value < s->low || value > s->high) {
        r->node->why = RDV_STR("the last line is not a number of the range asked for alone or "
                               "after a label with a colon");
        return RDV_NONE;
    }
    r->by.sentence = words_shortened(words_last_line(think_spoken(r->text)));
    return keep_number(r, (value - s->low) / (s->high - s->low), arena, err);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static int read_claim_list(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    listed_claims *found = RDV_NEW(arena, listed_claims);
    r->data = found;
    return no_memory(found ? reply_claims(r->text, arena, &found->claims, &found->n) : RDV_E_NOMEM,
                     err);
}

/* ---- locations ------------------------------------------------------------------------------- */

static int keep_location(step_result *r, size_t first, rdv_arena *arena, rdv_error *err)
{
    size_t *kept = RDV_NEW(arena, size_t);
    if (kept)
        *kept = first;
    r->data = kept;
    return no_memory(kept ? RDV_OK : RDV_E_NOMEM, err);
}

/* Reads "Thought 3", counted from 1, or "No". */
static int read_location_thought(step_result *r, const rdv_reply *reply, rdv_arena *arena,
                                 rdv_error *err)
{
    size_t first;
    int code = reply_location(r->text, profile_of(r), r->run->chain->n_steps, &first, &r->by);
    code = excuse(r, code, arena, err);
    code = hold_reasons(r, code, code == RDV_OK && first == RDV_NO_STEP, arena, err);
    return code == RDV_OK ? keep_location(r, first, arena, err) : code;
}

/* Reads \boxed{2}, counted from 0; -1: there is no mistake. */
static int read_location_box(step_result *r, const rdv_reply *reply, rdv_arena *arena,
                             rdv_error *err)
{
    long index;
    int code = reply_boxed_index(r->text, profile_of(r), &index, &r->by);
    if (code < 0)
        return rdv_no_memory(err);
    if (code != RDV_OK) {
        r->node->why = RDV_STR("no index was given in a box");
        return RDV_NONE;
    }
    if (index < -1 || (index >= 0 && (size_t)index >= r->run->chain->n_steps)) {
        r->node->why = RDV_STR("the index is of no step");
        return RDV_NONE;
    }
    code = hold_reasons(r, RDV_OK, index == -1, arena, err);
    return code == RDV_OK ? keep_location(r, index < 0 ? RDV_NO_STEP : (size_t)index, arena, err)
                          : code;
}

/* ---- scores ---------------------------------------------------------------------------------- */

static int read_rewards(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    size_t n = r->run->chain->n_steps;
    if (reply->n_rewards != n) {
        r->node->why = rdv_str_printf(arena, "%zu rewards came for %zu steps", reply->n_rewards, n);
        return no_memory(r->node->why.p ? RDV_NONE : RDV_E_NOMEM, err);
    }
    double *scores = RDV_NEW_ARRAY(arena, double, n);
    for (size_t i = 0; scores && i < n; i++)
        scores[i] = reply->rewards[i];
    r->data = scores;
    return no_memory(scores ? RDV_OK : RDV_E_NOMEM, err);
}

/* 1 for +, -1 for -, 0 for other tokens. */
static int sign_of(rdv_str token)
{
    token = rdv_trim(token);
    if (rdv_str_eq(token, RDV_STR("+")))
        return 1;
    bool minus = rdv_str_eq(token, RDV_STR("-")) || rdv_str_eq(token, RDV_STR("\u2212"));
    return minus ? -1 : 0;
}

/* Finds the likeliest + and - among the first token and its alternatives; -INFINITY: not listed. */
static void find_signs(const rdv_token *t, double *plus, double *minus)
{
    *plus = *minus = -INFINITY;
    for (size_t i = 0; i <= t->n_other; i++) {
        int sign = sign_of(i < t->n_other ? t->other[i].text : t->text);
        double logprob = i < t->n_other ? t->other[i].logprob : t->logprob;
        if (sign > 0)
            *plus = fmax(*plus, logprob);
        else if (sign < 0)
            *minus = fmax(*minus, logprob);
    }
}

/* An upper bound for the log-probability of a token that is not listed: that of the last listed
 * one, or the probability that the token left if nothing else is listed. */
static double most_unlisted(const rdv_token *t)
{
    double least = INFINITY;
    for (size_t i = 0; i < t->n_other; i++)
        least = fmin(least, t->other[i].logprob);
    return t->n_other ? least : log1p(-exp(t->logprob));
}

/* The share of + in the total probability of + and -. A sign that is not listed is given its upper
 * bound. NaN: neither is listed, or the listed one may be the less likely one: a server restricted
 * to the two signs lists the sign that it wrote and not the other. */
static double share_of_plus(const rdv_token *t)
{
    double plus, minus, most = most_unlisted(t);
    find_signs(t, &plus, &minus);
    bool both = !isinf(plus) && !isinf(minus);
    if (!both && !(fmax(plus, minus) > most))
        return NAN;
    plus = isinf(plus) ? most : plus;
    minus = isinf(minus) ? most : minus;
    return 1 / (1 + exp(minus - plus));
}

/* Reads RLHFlow's models (https://github.com/RLHFlow/RLHF-Reward-Modeling, math-rm) as ProcessBench
 * does (code/run_eval_prm_rlhflow.py in its repository). */
static int read_sign(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    double score = reply->n_tokens ? share_of_plus(&reply->tokens[0]) : NAN;
    if (!isnan(score))
        return keep_number(r, score, arena, err);
    /* Without log-probabilities the text decides, and no probability is known. */
    int sign = rdv_starts(r->text, RDV_STR("+")) ? 1 : sign_of(r->text);
    if (sign == 0 && profile_of(r) == RDV_PAPER)
        sign = -1; /* ProcessBench's rule: everything but + is a mistake */
    if (sign == 0) {
        r->node->why = RDV_STR("neither + nor - was said");
        return RDV_NONE;
    }
    return keep_number(r, sign > 0, arena, err);
}

/* Assigns each token to the step that contains its first non-blank byte. The tokens are as long as
 * the steps' lines, so none begins behind the last step. */
static void share_out(const rdv_chain *chain, const rdv_reply *reply, rdv_tokens *tokens)
{
    size_t at = 0, step = 0, end = chain->steps[0].len;
    for (size_t i = 0; i < reply->n_tokens; i++) {
        rdv_str token = reply->tokens[i].text;
        size_t blank = 0;
        while (blank < token.len && rdv_is_space(token.p[blank]))
            blank++;
        while (at + blank > end)
            end += 1 + chain->steps[++step].len;
        at += token.len;
        if (i == 0 && isnan(reply->tokens[i].logprob))
            continue; /* the first token of a text has none */
        tokens[step].logprob += reply->tokens[i].logprob;
        tokens[step].n++;
    }
    /* A sum that is not a valid log-probability includes a token without one. */
    for (size_t i = 0; i < chain->n_steps; i++)
        if (!isfinite(tokens[i].logprob))
            tokens[i] = (rdv_tokens){0, 0};
}

/* The length of the steps' lines that REQUEST_SCORE asked about. */
static size_t scored_bytes(const rdv_chain *chain)
{
    size_t len = chain->n_steps - 1;
    for (size_t i = 0; i < chain->n_steps; i++)
        len += chain->steps[i].len;
    return len;
}

static int read_logprobs(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const rdv_chain *chain = r->run->chain;
    size_t len = 0;
    for (size_t i = 0; i < reply->n_tokens; i++) {
        len += reply->tokens[i].text.len;
        if (reply->tokens[i].logprob > ROUNDING) {
            r->node->why = RDV_STR("unavailable: a log-probability above 0 came");
            return RDV_NONE;
        }
    }
    if (!reply->n_tokens || len != scored_bytes(chain)) {
        r->node->why = reply->n_tokens
                           ? RDV_STR("unavailable: other tokens were scored than were sent")
                           : RDV_STR("unavailable: the model gave no log-probabilities");
        return RDV_NONE;
    }
    rdv_tokens *tokens = RDV_NEW_ARRAY(arena, rdv_tokens, chain->n_steps);
    if (tokens)
        share_out(chain, reply, tokens);
    r->data = tokens;
    return no_memory(tokens ? RDV_OK : RDV_E_NOMEM, err);
}

/* ---- estimates ------------------------------------------------------------------------------- */

/* The data that is kept if nothing could be read. NULL: out of memory. */
static void *nothing_found(const step_result *r, rdv_arena *arena)
{
    items *cites;
    switch (r->stage->read) {
    case READER_DEFINITIONS:
        return RDV_NEW(arena, definitions);
    case READER_ITEMS:
        cites = RDV_NEW(arena, items);
        if (cites)
            cites->all = true;
        return cites;
    case READER_CLAIMS:
        return RDV_NEW(arena, listed_claims);
    default:
        return RDV_NEW_ARRAY(arena, rdv_tokens, r->run->chain->n_steps);
    }
}

bool reader_keeps_data(const stage *s)
{
    return s->read == READER_DEFINITIONS || s->read == READER_ITEMS || s->read == READER_CLAIMS ||
           s->read == READER_SCORE_LOGPROBS || s->read == READER_SCORE_REWARDS;
}

int reader_assume(step_result *r, bool is_read, rdv_arena *arena, rdv_error *err)
{
    r->verdict = RDV_SUPPORT;
    r->by = (reply_ground){0};
    r->node->why = (rdv_str){0};
    switch (r->stage->read) {
    case READER_NUMBER:
    case READER_SCORE_SIGN:
        return keep_number(r, 1, arena, err);
    case READER_LOCATION_THOUGHT:
    case READER_LOCATION_BOX:
        return keep_location(r, RDV_NO_STEP, arena, err);
    case READER_DEFINITIONS:
    case READER_ITEMS:
    case READER_CLAIMS:
    case READER_SCORE_LOGPROBS:
        if (!is_read)
            r->data = nothing_found(r, arena);
        return no_memory(r->data ? RDV_OK : RDV_E_NOMEM, err);
    case READER_SCORE_REWARDS:
        return is_read ? RDV_OK : RDV_NONE;
    default:
        return RDV_OK;
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

bool reader_takes_example(const stage *s, rdv_arena *arena, rdv_str *why, int *code)
{
    bool of_chain = s->read == READER_DEFINITIONS || s->read == READER_ITEMS ||
                    s->read == READER_LOCATION_THOUGHT || s->read == READER_LOCATION_BOX ||
                    readers[s->read].numbers;
    rdv_plan plan = {.options.profile = RDV_ROBUST};
    check_run run = {.plan = &plan};
    node n = {.tries = 1, .asked = 1};
    step_result r = {.run = &run, .stage = s, .node = &n, .text = rdv_trim(s->example)};
    rdv_reply reply = {.text = s->example};
    *code = RDV_OK;
    if (of_chain || !s->example.p)
        return true;
    int read = r.text.len ? readers[s->read].read(&r, &reply, arena, NULL) : RDV_NONE;
    *code = read < 0 ? read : RDV_OK;
    *why = n.why.p ? n.why : RDV_STR("it is empty, or has not its form");
    return read == RDV_OK;
}

rdv_str reader_reminder(const stage *s, rdv_arena *arena, int *code)
{
    rdv_str out = {0}, words[TABLE_MAX_CHOICES];
    *code = RDV_OK;
    for (size_t i = 0; i < s->n_choices; i++)
        words[i] = s->choices[i].word;
    if (s->read == READER_CHOICE) {
        *code = reply_form_remind(words, s->n_choices, true, 0, arena, &out);
        return out;
    }
    if (s->read == READER_NUMBER)
        out = rdv_str_printf(arena,
                             "End your reply with a line that holds only a number from %g to %g.",
                             s->low, s->high);
    else if (s->read == READER_ITEMS)
        out = RDV_STR("Name the steps and the sentences by their numbers, which count from 0, in "
                      "the form \"Step 0, Information 1\".");
    else
        return out;
    *code = out.p ? RDV_OK : RDV_E_NOMEM;
    return out;
}

/* Adds nothing: the conclusion shows the data in its own way. */
static bool note_nothing(const step_result *r, rdv_arena *arena, rdv_evidence *map, rdv_str name)
{
    return true;
}

const reader readers[N_READERS] = {
    [READER_TEXT] = {.read = read_text},
    [READER_DEFINITIONS] = {.read = read_definitions, .value = definitions_value},
    [READER_ITEMS] = {.read = read_items, .note = note_items},
    [READER_CHOICE] = {.read = read_choice},
    [READER_CHOICE_COMPARISON] = {.read = read_choice_comparison},
    [READER_CHOICE_CORRECTNESS] = {.read = read_choice_correctness},
    [READER_CHOICE_YES_NO] = {.read = read_choice_yes_no},
    [READER_CHOICE_RELEVANCE] = {.read = read_choice_relevance},
    [READER_CHOICE_CONSISTENCY] = {.read = read_choice_consistency},
    [READER_NUMBER] = {.read = read_number},
    [READER_CLAIMS] = {.read = read_claim_list},
    [READER_LOCATION_THOUGHT] = {.read = read_location_thought},
    [READER_LOCATION_BOX] = {.read = read_location_box},
    [READER_SCORE_REWARDS] = {.read = read_rewards, .note = note_nothing, .numbers = true},
    [READER_SCORE_SIGN] = {.read = read_sign, .note = note_nothing, .one_token = true},
    [READER_SCORE_LOGPROBS] = {.read = read_logprobs, .note = note_nothing, .numbers = true},
};
