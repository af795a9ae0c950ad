/* SPDX-License-Identifier: Apache-2.0 */
/* check: every calculation of a text, decided. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "base/copies.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "data/reader.h"
#include "mcp/arguments.h"
#include "mcp/tools.h"

#include <rederive/data.h>
#include <rederive/method.h>

#define MAX_FINDINGS 50

typedef struct checked {
    mcp_result *result;
    const rdv_chain *chain;
    const struct rdv_places *places; /* of its steps in the text */
    const rdv_check *check;
    rdv_buf lines[2]; /* of what is wrong, and of what was not checked; ended by newlines */
    size_t n_right, n_wrong, n_undecided, n_not_read; /* in all of the text */
    size_t n_findings;
    bool wrong; /* what is wrong is looked for, which is listed first; else what was not checked */
} checked;

/* ---- the chain ------------------------------------------------------------------------------- */

/* The text is a solution, of which the reasoning is checked too. */
static int read_chain(rdv_str text, rdv_str question, rdv_arena *arena, rdv_record **record,
                      rdv_error *err)
{
    const rdv_read_options options = {.size = sizeof options,
                                      .format = "rederive-chain",
                                      .check_reasoning = true,
                                      .places = true};
    rdv_record *records;
    rdv_copies copies; /* of the text, into the record */
    rdv_buf b;
    size_t n;
    rdv_arena *made = rdv_arena_new(0);
    if (!made)
        return rdv_no_memory(err);
    rdv_copies_init(&copies, arena);
    rdv_arena_log(made, &copies);
    rdv_buf_init(&b, made, 0);
    rdv_buf_lit(&b, "{");
    if (question.p)
        rdv_json_put_text(&b, "question", question);
    else
        rdv_json_put_text(&b, "question_id", RDV_STR("text"));
    rdv_json_put_text(&b, "solution", text);
    rdv_buf_lit(&b, "}");
    const rdv_origin origin = {text, {1, 1, 0}, &copies};
    int code = rdv_buf_ok(&b) ? rdv_record_read_from(rdv_buf_str(&b), &origin, &options, arena,
                                                     &records, &n, err)
                              : rdv_no_memory(err);
    rdv_arena_free(&made);
    if (code == RDV_OK && n == 0)
        return rdv_fail(err, RDV_E_INPUT, "the text is empty");
    if (code == RDV_OK)
        *record = &records[0];
    return code;
}

static int check_chain(const rdv_chain *chain, mcp_result *result, rdv_check *check, rdv_error *err)
{
    rdv_check_options options;
    rdv_check_options_default(&options, sizeof options);
    options.step_ms = result->step_ms;
    options.chain_ms = result->check_ms;
    return rdv_check_chain(rdv_method_named(RDV_STR("calculations")), chain, &options,
                           result->arena, check, err);
}

/* ---- findings -------------------------------------------------------------------------------- */

typedef struct finding {
    const char *outcome;
    size_t step, at; /* a byte of the step */
    rdv_str text, right, note;
} finding;

static void put_line(checked *c, const finding *f, rdv_place place)
{
    rdv_arena *arena = c->result->arena;
    rdv_str note = mcp_shown(f->note, arena);
    bool wrong = strcmp(f->outcome, "wrong") == 0;
    const char *means = wrong                                 ? ""
                        : strcmp(f->outcome, "not_read") == 0 ? " (not read"
                                                              : " (undecided";
    rdv_buf *b = &c->lines[!wrong];
    rdv_buf_printf(b, "line %zu, column %zu: ", place.line, place.column);
    rdv_buf_add(b, mcp_shown(f->text, arena));
    rdv_buf_printf(b, "%s%s", f->right.p ? ", right: " : "", means);
    rdv_buf_add(b, mcp_shown(f->right, arena));
    rdv_buf_printf(b, "%s", note.len && !wrong ? ": " : note.len ? " (" : "");
    rdv_buf_add(b, note);
    rdv_buf_printf(b, "%s\n", !wrong || note.len ? ")" : "");
}

static void add(checked *c, const finding *f)
{
    rdv_place place = {1, 1, 0}, end;
    rdv_buf *b = &c->result->structured;
    if ((strcmp(f->outcome, "wrong") == 0) != c->wrong || c->n_findings++ >= MAX_FINDINGS)
        return;
    rdv_places_of(c->places, f->step, f->at, f->at + 1, &place, &end);
    rdv_json_item(b);
    rdv_buf_lit(b, "{");
    rdv_json_put_text(b, "outcome", rdv_str_of(f->outcome));
    rdv_json_put_count(b, "line", place.line);
    rdv_json_put_count(b, "column", place.column);
    mcp_result_put(c->result, "text", f->text);
    mcp_result_put(c->result, "right", f->right);
    mcp_result_put(c->result, "note", f->note);
    rdv_buf_lit(b, "}");
    put_line(c, f, place);
}

static rdv_str text_of(const rdv_evidence *map, const char *name)
{
    const rdv_evidence *note = rdv_evidence_get(map, rdv_str_of(name));
    return note && note->type == RDV_EVIDENCE_TEXT ? note->text : (rdv_str){0};
}

static size_t start_of(const rdv_evidence *map, rdv_str step)
{
    const rdv_evidence *note = rdv_evidence_get(map, RDV_STR("start"));
    bool within = note && note->type == RDV_EVIDENCE_NUMBER && note->number >= 0 &&
                  note->number < (double)step.len;
    return within ? (size_t)note->number : 0;
}

/* "408", or "k is 11" where the value is that of another thing than the left side. */
static rdv_str right_of(const rdv_evidence *map, rdv_arena *arena)
{
    rdv_str value = text_of(map, "value"), of = text_of(map, "of");
    return value.p && of.p ? rdv_str_printf(arena, "%.*s is %.*s", RDV_FMT(of), RDV_FMT(value))
                           : value;
}

/* What is wrong in a step that the method does not contradict, it leaves undecided. */
static bool find_calculations(checked *c, const rdv_verdict *v)
{
    const rdv_evidence *one = verdict_first(v, RDV_STR("calculations"));
    bool undecided = false;
    for (; one; one = one->next) {
        rdv_str outcome = text_of(one, "outcome"), note = text_of(one, "note");
        bool wrong = rdv_str_eq(outcome, RDV_STR("wrong")) && v->kind == RDV_CONTRADICT;
        if (rdv_str_eq(outcome, RDV_STR("right")) || rdv_str_eq(outcome, RDV_STR("rounded"))) {
            c->n_right++;
            continue;
        }
        c->n_wrong += wrong;
        c->n_undecided += !wrong;
        undecided |= !wrong;
        add(c, &(finding){.outcome = wrong ? "wrong" : "undecided",
                          .step = v->step,
                          .at = start_of(one, c->chain->steps[v->step]),
                          .text = text_of(one, "text"),
                          .right = wrong ? right_of(one, c->result->arena) : (rdv_str){0},
                          .note = note.p || wrong ? note : v->why});
    }
    return undecided;
}

static bool find_unread(checked *c, const rdv_verdict *v)
{
    const rdv_evidence *first = verdict_first(v, RDV_STR("not_read"));
    for (const rdv_evidence *one = first; one; one = one->next) {
        rdv_unread_reason is = RDV_UNREAD_OTHER;
        coverage_reason_named(text_of(one, "reason"), &is);
        c->n_not_read++;
        add(c, &(finding){.outcome = "not_read",
                          .step = v->step,
                          .at = start_of(one, c->chain->steps[v->step]),
                          .text = text_of(one, "text"),
                          .note = rdv_str_of(
                              is == RDV_UNREAD_OTHER ? NULL : coverage_reason_words(is, false))});
    }
    return first != NULL;
}

static void find_in(checked *c, const rdv_verdict *v)
{
    if (v->step >= c->chain->n_steps)
        return;
    bool undecided = find_calculations(c, v), unread = find_unread(c, v);
    if (v->kind != RDV_UNKNOWN || undecided || unread)
        return;
    c->n_undecided++;
    add(c, &(finding){.outcome = "undecided",
                      .step = v->step,
                      .text = c->chain->steps[v->step],
                      .note = v->why});
}

static void find(checked *c, bool wrong)
{
    c->wrong = wrong;
    c->n_right = c->n_wrong = c->n_undecided = c->n_not_read = 0;
    for (size_t i = 0; i < c->check->n_verdicts; i++)
        find_in(c, &c->check->verdicts[i]);
}

/* ---- the result ------------------------------------------------------------------------------ */

static rdv_str outcome_of(const checked *c)
{
    if (c->n_wrong)
        return RDV_STR("wrong");
    bool all = c->n_right && !c->n_undecided && !c->n_not_read;
    return all ? RDV_STR("calculations_right") : RDV_STR("undecided");
}

static rdv_str first_line(const checked *c, rdv_arena *arena)
{
    size_t open = c->n_undecided + c->n_not_read, all = c->n_right + c->n_wrong + open;
    if (c->n_wrong)
        return rdv_str_printf(arena, "WRONG: %zu of %zu calculations; %zu right, %zu not checked.",
                              c->n_wrong, all, c->n_right, open);
    if (all == 0)
        return RDV_STR("UNDECIDED: no calculation was found, so nothing was checked.");
    if (open)
        return rdv_str_printf(arena,
                              "UNDECIDED: %zu of %zu calculations were not checked; do not take "
                              "them as right. The other %zu are right.",
                              open, all, c->n_right);
    return rdv_str_printf(
        arena, "Right: each calculation that was found (%zu). Nothing else was checked.", all);
}

/* The lines that have room, and how many findings have none. */
static void put_lines(checked *c)
{
    size_t shown = 0;
    bool room = true;
    for (size_t k = 0; k < 2 && room; k++) {
        rdv_str rest = rdv_buf_str(&c->lines[k]);
        while (room && rest.len) {
            size_t end = rdv_find_char(rest, '\n', 0);
            room = mcp_result_line(c->result, rdv_slice(rest, 0, end));
            shown += room;
            rest = rdv_slice(rest, end + 1, rest.len);
        }
    }
    if (shown < c->n_findings)
        rdv_buf_printf(&c->result->text, "\nand %zu more", c->n_findings - shown);
}

static void tell(checked *c)
{
    rdv_buf *b = &c->result->structured;
    rdv_json_open(b, "findings", '[');
    for (size_t k = 0; k < 2; k++) {
        rdv_buf_init(&c->lines[k], c->result->arena, 0);
        rdv_buf_lit(&c->lines[k], "");
    }
    find(c, true);
    find(c, false);
    rdv_buf_lit(b, "]");
    rdv_json_put_text(b, "outcome", outcome_of(c));
    rdv_json_put_count(b, "n_right", c->n_right);
    rdv_json_put_count(b, "n_wrong", c->n_wrong);
    rdv_json_put_count(b, "n_undecided", c->n_undecided);
    rdv_json_put_count(b, "n_not_read", c->n_not_read);
    if (c->n_findings > MAX_FINDINGS)
        rdv_json_put_count(b, "n_left_out", c->n_findings - MAX_FINDINGS);
    mcp_result_line(c->result, first_line(c, c->result->arena));
    put_lines(c);
}

int mcp_tool_check(const json_t *arguments, mcp_result *result, rdv_error *err)
{
    rdv_str text = {0}, question = {0};
    const mcp_argument known[] = {{.name = "text", .text = &text, .required = true},
                                  {.name = "question", .text = &question}};
    rdv_record *record = NULL;
    rdv_check check;
    rdv_error why = {0};
    if (!mcp_arguments_read(arguments, known, sizeof known / sizeof *known, result))
        return RDV_OK;
    int code = read_chain(text, question, result->arena, &record, &why);
    if (code == RDV_OK)
        code = check_chain(&record->chain, result, &check, &why);
    if (code == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (code != RDV_OK) {
        mcp_result_fail(result, "Undecided: %s", why.msg);
        return RDV_OK;
    }
    tell(&(checked){
        .result = result, .chain = &record->chain, .places = record->places, .check = &check});
    return RDV_OK;
}
