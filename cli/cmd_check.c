/* SPDX-License-Identifier: Apache-2.0 */
/* rederive check: a verdict for every step of every chain. */
#include "cmd.h"
#include "judge.h"
#include "run.h"

#include <rederive/method.h>

#include "base/arena.h"
#include "base/str.h"

#include <inttypes.h>

#define MAX_METHODS 8
#define MAX_NAMES 64

struct checking {
    struct run run;
    const rdv_method *methods[MAX_METHODS];
    size_t n_methods;
    rdv_check_options options;
    bool view;
    rdv_findings found;
    uint64_t steps, accepted, rejected;
};

/* ---- settings -------------------------------------------------------------------------------- */

static int unknown_method(rdv_str name)
{
    char word[64];
    const char *names[MAX_NAMES];
    size_t n;
    const rdv_method *const *methods = rdv_methods(&n);
    n = n < MAX_NAMES ? n : MAX_NAMES;
    for (size_t i = 0; i < n; i++)
        names[i] = methods[i]->name;
    snprintf(word, sizeof word, "%.*s", RDV_FMT(name));
    const char *nearest = opt_nearest(word, names, n);
    if (nearest)
        say("--method %s: there is no such method; did you mean %s?", word, nearest);
    else
        say("--method %s: there is no such method; 'rederive methods' lists them", word);
    return USAGE;
}

static int read_methods(struct checking *c, const char *list)
{
    for (rdv_str rest = rdv_str_of(list); rest.p;) {
        size_t comma = rdv_find_char(rest, ',', 0);
        rdv_str name = rdv_slice(rest, 0, comma);
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        const rdv_method *method = rdv_method_named(name);
        if (!method)
            return unknown_method(name);
        if (c->n_methods == MAX_METHODS) {
            say("--method: at most %d methods can be given", MAX_METHODS);
            return USAGE;
        }
        c->methods[c->n_methods++] = method;
    }
    return DONE;
}

static int read_settings(struct checking *c, const struct settings *s)
{
    c->options = rdv_check_options_default();
    rdv_unknown_named(rdv_str_of(s->unknown), &c->options.unknown);
    if (s->lambda.given) {
        rdv_error err = {0};
        c->options.l1 = s->lambda.first;
        c->options.l0 = s->lambda.second;
        rdv_integration how = {c->options.l1, c->options.l0, c->options.unknown};
        if (rdv_integration_check(&how, &err) != RDV_OK) {
            say("--lambda %g,%g: %s", how.l1, how.l0, err.msg);
            return USAGE;
        }
    }
    return read_methods(c, s->method);
}

/* ---- one chain ------------------------------------------------------------------------------- */

/* Put a check by each method behind those that the record came with. */
static int add_checks(struct checking *c, rdv_chain *chain, rdv_error *err)
{
    rdv_check *checks = RDV_NEW_ARRAY(c->run.arena, rdv_check, chain->n_checks + c->n_methods);
    if (!checks)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (chain->n_checks)
        memcpy(checks, chain->checks, chain->n_checks * sizeof *checks);
    for (size_t i = 0; i < c->n_methods; i++) {
        int code = rdv_check_chain(c->methods[i], chain, &c->options, c->run.arena,
                                   &checks[chain->n_checks + i], err);
        if (code != RDV_OK)
            return code;
    }
    chain->checks = checks;
    chain->n_checks += c->n_methods;
    return RDV_OK;
}

static void count(struct checking *c, const rdv_chain *chain, const rdv_check *check)
{
    const struct number *t = &c->run.settings->threshold;
    int class = t->given ? rdv_classify(check->confidence, t->is) : -1;
    rdv_findings_add(&c->found, check);
    c->steps += chain->n_steps;
    c->accepted += class == 1;
    c->rejected += class == 0;
}

static int write_record(struct checking *c, const rdv_chain *chain, const rdv_check *check,
                        rdv_error *err)
{
    static const rdv_str accepted[] = {RDV_STR("\"accepted\":null"), RDV_STR("\"accepted\":false"),
                                       RDV_STR("\"accepted\":true")};
    const struct number *t = &c->run.settings->threshold;
    rdv_write_options options = {0};
    rdv_str line;
    if (t->given)
        options.extra = accepted[1 + rdv_classify(check->confidence, t->is)];
    int code = rdv_record_write(chain, &options, c->run.arena, &line, err);
    if (code == RDV_OK)
        run_write(&c->run, line);
    return code;
}

static int show_chain(struct checking *c, const rdv_chain *chain, const rdv_check *check,
                      rdv_error *err)
{
    struct judged judged;
    rdv_str text;
    int code = judge(chain, &(struct judging){0}, c->run.arena, &judged, err);
    if (code == RDV_OK)
        code = rdv_view_chain(chain, check, judged.right, &c->run.terminal.view, c->run.arena,
                              &text, err);
    if (code != RDV_OK)
        return code;
    run_write(&c->run, text);
    run_write(&c->run, RDV_STR("\n"));
    return RDV_OK;
}

/* The record as it came, with the reason why it was not checked; one that an earlier command could
 * not do keeps the reason that it has. */
static void fail_record(struct checking *c, const rdv_record *record, const rdv_error *err)
{
    bool before = record->is == RDV_RECORD_ERROR;
    rdv_write_options options = {.error = before ? record->error : rdv_str_of(err->msg)};
    rdv_str line;
    run_fail(&c->run, record, err);
    if (!c->view && record->chain.raw.p &&
        rdv_record_write(&record->chain, &options, c->run.arena, &line, NULL) == RDV_OK)
        run_write(&c->run, line);
}

static int check_record(struct checking *c, rdv_record *record, rdv_error *err)
{
    rdv_chain *chain = &record->chain;
    int code = chain_wanted(record, err);
    if (code == RDV_OK)
        code = add_checks(c, chain, err);
    if (code != RDV_OK)
        return code;
    const rdv_check *check = &chain->checks[chain->n_checks - 1];
    code = c->view ? show_chain(c, chain, check, err) : write_record(c, chain, check, err);
    if (code == RDV_OK)
        count(c, chain, check);
    return code;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void summary_json(const struct checking *c)
{
    const rdv_findings *f = &c->found;
    fprintf(stderr, "{\"chains\":%" PRIu64 ",\"steps\":%" PRIu64, f->chains, c->steps);
    fprintf(stderr,
            ",\"support\":%" PRIu64 ",\"unrelated\":%" PRIu64 ",\"contradict\":%" PRIu64
            ",\"unknown\":%" PRIu64,
            f->verdicts[0], f->verdicts[1], f->verdicts[2], f->verdicts[3]);
    if (c->run.settings->threshold.given)
        fprintf(stderr, ",\"accepted\":%" PRIu64 ",\"rejected\":%" PRIu64, c->accepted,
                c->rejected);
    fprintf(stderr, ",\"failed\":%" PRIu64 ",\"seconds\":%.3f}\n", c->run.failed,
            run_seconds(&c->run));
}

static void summary(const struct checking *c)
{
    const rdv_findings *f = &c->found;
    fprintf(stderr,
            "%" PRIu64 " chain%s, %" PRIu64 " step%s: %" PRIu64 " support, %" PRIu64
            " unrelated, %" PRIu64 " contradict, %" PRIu64 " unknown; ",
            f->chains, plural(f->chains), c->steps, plural(c->steps), f->verdicts[0],
            f->verdicts[1], f->verdicts[2], f->verdicts[3]);
    if (c->run.settings->threshold.given)
        fprintf(stderr, "%" PRIu64 " accepted, %" PRIu64 " rejected; ", c->accepted, c->rejected);
    fprintf(stderr, "%" PRIu64 " record%s failed; %.2f s\n", c->run.failed, plural(c->run.failed),
            run_seconds(&c->run));
}

/* After the views of several chains, what was found in all of them. */
static void write_picture(struct checking *c)
{
    rdv_error err = {0};
    rdv_str text;
    if (!c->view || c->found.chains < 2)
        return;
    if (rdv_view_findings(&c->found, &c->run.terminal.view, c->run.arena, &text, &err) == RDV_OK)
        run_write(&c->run, text);
    else
        run_stop(&c->run, NOTHING_DONE, &err);
}

int cmd_check(const struct settings *settings)
{
    struct checking c = {0};
    rdv_record record;
    if (read_settings(&c, settings) != DONE)
        return USAGE;
    if (run_begin(&c.run, settings) != DONE)
        return run_end(&c.run);
    c.view = settings->view || (c.run.terminal.out && !settings->json && !settings->out);
    c.run.errors_in_output = !c.view;
    while (run_next(&c.run, &record) == RDV_OK) {
        rdv_error err = {0};
        if (check_record(&c, &record, &err) != RDV_OK)
            fail_record(&c, &record, &err);
    }
    write_picture(&c);
    int status = run_end(&c.run);
    if (run_tells(&c.run, status))
        (settings->json ? summary_json : summary)(&c);
    return status;
}
