/* SPDX-License-Identifier: Apache-2.0 */
/* rederive audit: labels that contradict what is proven, with the proof. */
#include "cmd.h"
#include "judge/usable.h"
#include "run.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "method/acceptance.h"
#include "report/list/conflict_line.h"
#include "report/wrong.h"
#include "task/task.h"

#include <rederive/method.h>

#include <inttypes.h>
#include <math.h>

struct auditing {
    struct run run;
    rdv_check_options options;
    const rdv_method *method;            /* NULL: by the question's task */
    rdv_buf found[LABEL_CONFLICT_KINDS]; /* the lines of each kind, which are written in this
                                            order at the end */
    uint64_t n_found[LABEL_CONFLICT_KINDS];
    uint64_t chains, labelled, conflicts;
};

/* ---- what proves ----------------------------------------------------------------------------- */

/* Only what decides exactly is a proof. */
static bool read_method(struct auditing *a, const char *name)
{
    a->method = rdv_method_named(rdv_str_of(name));
    if (strcmp(name, "auto") == 0 || (a->method && acceptance_of(rdv_str_of(name), NAN).proves))
        return true;
    say("audit: --method %s: it does not prove; the methods that do are calculations, dyck, "
        "sorting, shuffled-objects, arithmetic and deduction",
        name);
    return false;
}

static const rdv_method *method_of(const struct auditing *a, const rdv_chain *chain)
{
    static const struct {
        const char *task, *method;
    } follows[] = {{"dyck_languages", "dyck"},
                   {"word_sorting", "sorting"},
                   {"tracking_shuffled_objects", "shuffled-objects"},
                   {"multistep_arithmetic", "arithmetic"},
                   {"logical_deduction", "deduction"}};
    if (a->method)
        return a->method;
    const rdv_task *task = rdv_task_of(&chain->question);
    for (size_t i = 0; task && i < sizeof follows / sizeof *follows; i++)
        if (strcmp(follows[i].task, task->name) == 0)
            return rdv_method_named(rdv_str_of(follows[i].method));
    return rdv_method_named(RDV_STR("calculations"));
}

/* ---- one conflict ---------------------------------------------------------------------------- */

static void put_label(rdv_buf *b, rdv_label label)
{
    if (label.kind == RDV_LABEL_AT)
        rdv_json_put_count(b, "label", label.step);
    else
        rdv_json_put_null(b, "label");
}

static void put_proof(rdv_buf *b, rdv_str step, const label_conflict *c)
{
    const rdv_evidence *at = c->verdict ? rdv_wrong_first(c->verdict) : NULL;
    rdv_wrong wrong;
    rdv_json_put_text(b, "text", step);
    if (c->verdict && c->verdict->why.len)
        rdv_json_put_text(b, "explanation", c->verdict->why);
    rdv_json_open(b, "calculations", '[');
    while (c->is != LABEL_CONFLICT_RIGHT && rdv_wrong_next(&at, step, &wrong)) {
        rdv_json_item(b);
        rdv_buf_add_char(b, '{');
        rdv_json_put_text(b, "text", rdv_slice(step, wrong.begin, wrong.end));
        if (wrong.value.p)
            rdv_json_put_text(b, "value", wrong.value);
        rdv_json_put_count(b, "start", wrong.begin);
        rdv_json_put_count(b, "end", wrong.end);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
}

static int put_record(struct auditing *a, const rdv_record *record, rdv_str method,
                      const label_conflict *c)
{
    const rdv_chain *chain = &record->chain;
    rdv_buf *b = &a->found[c->is];
    rdv_buf_lit(b, "{\"rederive_schema\":1");
    rdv_json_put_text(b, "conflict", rdv_str_of(label_conflict_name(c->is)));
    rdv_json_put_text(b, "file", rdv_str_of(a->run.path));
    rdv_json_put_count(b, "line", record->line);
    rdv_json_put_text(b, "id", chain->id);
    put_label(b, chain->label);
    rdv_json_put_count(b, "step", c->step);
    rdv_json_put_text(b, "method", method);
    put_proof(b, chain->steps[c->step], c);
    rdv_buf_lit(b, "}\n");
    return rdv_buf_ok(b) ? RDV_OK : RDV_E_NOMEM;
}

static int put_line(struct auditing *a, const rdv_record *record, const label_conflict *c,
                    rdv_error *err)
{
    rdv_listing_place place = {.file = a->run.path, .line = record->line, .places = record->places};
    rdv_str line;
    int code = rdv_conflict_line(&place, &record->chain, c, &a->run.terminal.view, a->run.arena,
                                 &line, err);
    if (code == RDV_OK)
        rdv_buf_add(&a->found[c->is], line);
    return code == RDV_OK && !rdv_buf_ok(&a->found[c->is]) ? rdv_no_memory(err) : code;
}

/* ---- all records ----------------------------------------------------------------------------- */

static int audit_record(struct auditing *a, const rdv_record *record, rdv_error *err)
{
    const rdv_chain *chain = &record->chain;
    label_conflict *conflicts;
    rdv_check check;
    size_t n = 0;
    bool assume = a->run.settings->assume_right;
    int code = usable_chain(record, err);
    if (code != RDV_OK)
        return code;
    a->chains++;
    if (!assume && !label_conflict_labelled(chain))
        return RDV_OK;
    a->labelled++;
    code = rdv_check_chain(method_of(a, chain), chain, &a->options, a->run.arena, &check, err);
    if (code == RDV_OK)
        code = label_conflicts(chain, &check, assume, a->run.arena, &conflicts, &n, err);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        code = a->run.settings->json ? put_record(a, record, check.method, &conflicts[i])
                                     : put_line(a, record, &conflicts[i], err);
        a->n_found[conflicts[i].is]++;
        a->conflicts++;
    }
    return code == RDV_E_NOMEM ? rdv_no_memory(err) : code;
}

static void audit_all(struct auditing *a)
{
    rdv_record record;
    for (size_t i = 0; i < LABEL_CONFLICT_KINDS; i++)
        rdv_buf_init(&a->found[i], a->run.keep, 0);
    while (run_next(&a->run, &record) == RDV_OK) {
        rdv_error err = {0};
        if (audit_record(a, &record, &err) != RDV_OK)
            run_fail(&a->run, &record, &err);
    }
    for (size_t i = 0; i < LABEL_CONFLICT_KINDS; i++)
        run_write(&a->run, rdv_buf_str(&a->found[i]));
}

static void summary(const struct auditing *a)
{
    const uint64_t *n = a->n_found;
    fprintf(stderr,
            "%" PRIu64 " chain%s, %" PRIu64 " with labels; %" PRIu64 " conflict%s: %" PRIu64
            " earlier than the label, %" PRIu64 " labelled steps that hold, %" PRIu64
            " in chains labelled right, %" PRIu64 " in steps labelled right; %" PRIu64
            " record%s failed; %.2f s\n",
            a->chains, plural(a->chains), a->labelled, a->conflicts, plural(a->conflicts),
            n[LABEL_CONFLICT_EARLIER], n[LABEL_CONFLICT_RIGHT], n[LABEL_CONFLICT_MISSING],
            n[LABEL_CONFLICT_STEP], a->run.failed, plural(a->run.failed), run_seconds(&a->run));
}

static void summary_json(const struct auditing *a)
{
    const uint64_t *n = a->n_found;
    struct summary summary;
    FILE *out = summary_begin(&summary);
    if (!out)
        return;
    fprintf(out,
            "{\"n_chains\":%" PRIu64 ",\"n_labelled\":%" PRIu64 ",\"n_conflicts\":%" PRIu64
            ",\"n_earlier\":%" PRIu64 ",\"n_right\":%" PRIu64 ",\"n_missing\":%" PRIu64
            ",\"n_step\":%" PRIu64 ",\"n_failed\":%" PRIu64 ",\"seconds\":%.3f}\n",
            a->chains, a->labelled, a->conflicts, n[LABEL_CONFLICT_EARLIER],
            n[LABEL_CONFLICT_RIGHT], n[LABEL_CONFLICT_MISSING], n[LABEL_CONFLICT_STEP],
            a->run.failed, run_seconds(&a->run));
    summary_end(&summary);
}

int cmd_audit(const struct settings *settings)
{
    struct auditing a = {0};
    rdv_check_options_default(&a.options, sizeof a.options);
    if (!read_method(&a, settings->method))
        return USAGE;
    if (run_begin(&a.run, settings) != DONE)
        return run_end(&a.run);
    a.run.places = !settings->json;
    audit_all(&a);
    int status = run_end(&a.run);
    if (run_tells(&a.run, status))
        (settings->json ? summary_json : summary)(&a);
    if (status == DONE && a.chains && !a.labelled) {
        say("audit: no chain has a label; --assume-right counts them as labelled free of errors");
        return NOTHING_DONE;
    }
    bool judged = status == DONE || status == SOME_FAILED;
    return judged && settings->fail_on_wrong && a.conflicts ? WRONG_FOUND : status;
}
