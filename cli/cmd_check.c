/* SPDX-License-Identifier: Apache-2.0 */
/* rederive check: a verdict for every step of every chain. */
#include "as_labels.h"
#include "check_summary.h"
#include "coverage_line.h"
#include "certify.h"
#include "cmd.h"
#include "estimate.h"
#include "judge/asked_record.h"
#include "judge/usable.h"
#include "html_output.h"
#include "methods.h"
#include "question_type.h"
#include "record_pool.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "chain/evidence.h"
#include "data/members.h"
#include "method/acceptance.h"
#include "report/list/listing.h"
#include "report/list/sarif.h"
#include "report/words.h"
#include "run/run.h"
#include "score/score.h"

#include <inttypes.h>
#include <math.h>

struct checking {
    struct run run;
    struct html_output html;
    struct methods methods;
    struct model_session session; /* used if a method asks a model */
    bool view;
    struct as_labels labels;
    uint64_t certified;
    rdv_findings found;         /* of the last method */
    word_counts proven, judged; /* with --view: of all checks that are shown */
    struct check_found all;     /* of each method */
    uint64_t steps, accepted, rejected, undecided;
    uint64_t wrong, unknown; /* as rdv_listed, of all checks that this run made */
    rdv_listing_options listing;
    rdv_rule_ids rules; /* that the findings name, for --list=sarif */
    bool lists_any;     /* a finding was written */
};

/* ---- settings -------------------------------------------------------------------------------- */

/* Whether --model and --checker name models, though no method asks one, which is said. */
static bool model_usable(const struct settings *s)
{
    const char *const given[] = {s->model, s->checker}, *const names[] = {"model", "checker"};
    rdv_arena *arena = rdv_arena_new(0);
    int code = arena ? RDV_OK : RDV_E_NOMEM;
    rdv_error err = {.msg = "out of memory"};
    for (size_t i = 0; i < 2 && code == RDV_OK; i++) {
        rdv_model_spec *specs;
        rdv_str name;
        size_t n;
        if (!given[i])
            continue;
        code = rdv_model_parse_servers(rdv_str_of(given[i]), arena, &name, &specs, &n, &err);
        if (code != RDV_OK)
            rdv_wrap(&err, code, "--%s", names[i]);
        else if (!s->quiet)
            say("check: --%s is not asked: no method here asks a model (try --method selfcheck)",
                names[i]);
    }
    if (code != RDV_OK)
        say("check: %s", err.msg);
    rdv_arena_free(&arena);
    return code == RDV_OK;
}

static int read_asking(struct checking *c, const struct settings *s)
{
    rdv_error err = {0};
    char wanted_by[64];
    if (!c->methods.asks && s->dry_run) {
        say("--dry-run: no method here asks a model, so there is nothing to estimate");
        return USAGE;
    }
    if (!c->methods.asks && s->batch.out) {
        say("--batch-out has no effect: no method here asks a model");
        return USAGE;
    }
    if (c->methods.asks && s->threads) {
        say("--threads has no effect: %s asks a model; --jobs limits its calls", c->methods.asks);
        return USAGE;
    }
    if (!c->methods.asks && !model_usable(s))
        return USAGE;
    if (!c->methods.asks)
        return prompt_options_usable(&c->session, &c->methods, s) ? DONE : USAGE;
    snprintf(wanted_by, sizeof wanted_by, "--method %s", c->methods.asks);
    if (session_options_read(&c->session, s, SESSION_CHECKS, wanted_by, &err) != RDV_OK) {
        say("check: %s", err.msg);
        return USAGE;
    }
    c->session.plan.methods = c->methods.is;
    c->session.plan.n_methods = c->methods.n;
    c->session.plan.check = &c->methods.options;
    return prompt_options_usable(&c->session, &c->methods, s) ? DONE : USAGE;
}

/* Whether lines are written instead of records. */
static bool lists(const struct settings *s)
{
    return s->list_form || s->list_unread;
}

static int read_settings(struct checking *c, const struct settings *s)
{
    if (lists(s) && (s->view || s->json)) {
        say("check: --%s cannot be combined with --%s", s->list_form ? "list" : "list-unread",
            s->view ? "view" : "json");
        return USAGE;
    }
    if (!as_labels_usable(s))
        return USAGE;
    if (lists(s) && s->out && !s->quiet && !(s->list_form && strcmp(s->list_form, "sarif") == 0))
        say("check: %s gets the list, in place of records; without --list it gets the records",
            s->out);
    int status = methods_read(&c->methods, s, false);
    if (status == DONE && !certify_usable(s, &c->methods))
        status = USAGE;
    return status == DONE ? read_asking(c, s) : status;
}

/* ---- one chain ------------------------------------------------------------------------------- */

/* Whether records say that their chain is accepted. */
static bool tells_accepted(const struct checking *c)
{
    return c->run.settings->accepted || c->run.settings->threshold.given;
}

static int accepted(const struct checking *c, const rdv_chain *chain)
{
    const struct number *t = &c->run.settings->threshold;
    return acceptance_of_chain(chain, t->given ? t->is : NAN);
}

static void count(struct checking *c, const rdv_chain *chain, const rdv_check *check)
{
    int is = tells_accepted(c) ? accepted(c, chain) : -1;
    rdv_findings_add(&c->found, check);
    for (size_t i = 0; c->view && i < chain->n_checks; i++)
        if (!rdv_check_is_replaced(chain, &chain->checks[i]))
            word_counts_add(word_proves(&chain->checks[i]) ? &c->proven : &c->judged,
                            &chain->checks[i]);
    c->steps += chain->n_steps;
    c->accepted += is == 1;
    c->rejected += is == 0;
    c->undecided += is < 0;
}

static void put_accepted(const struct checking *c, const rdv_chain *chain, const rdv_check *check,
                         rdv_buf *b)
{
    static const char *const is[] = {"null", "false", "true"};
    const struct number *t = &c->run.settings->threshold;
    acceptance by = acceptance_of_check(check, t->given ? t->is : NAN);
    rdv_buf_printf(b, "\"accepted\":%s,\"acceptance\":{\"rule\":\"%s\"", is[1 + accepted(c, chain)],
                   acceptance_name(&by));
    if (by.rule == ACCEPT_CONFIDENCE)
        rdv_json_put_number(b, "threshold", by.threshold);
    rdv_buf_lit(b, "}");
}

/* Whether the last method, whose check is at the top, asks a model. */
static bool last_asks(const struct checking *c)
{
    return c->methods.is[c->methods.n - 1]->asks_model;
}

/* The members that the run adds to the record, besides its checks. `partial` becomes false on a
 * record that an earlier run left partial and this run completed. */
static int extra_members(const struct checking *c, const rdv_chain *chain, const rdv_check *check,
                         bool partial, uint64_t *certified, rdv_arena *arena, rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, '{'); /* rdv_json_name() looks at the character before */
    if (tells_accepted(c))
        put_accepted(c, chain, check, &b);
    if (c->run.settings->certify &&
        certify_put(chain, check, &c->methods.options, certified, arena, &b) != RDV_OK)
        return RDV_E_NOMEM;
    if (c->run.settings->as_labels)
        as_labels_put(c->run.settings, chain, check, last_asks(c), c->session.plan.checker, &b);
    record_put_partial(chain, partial, &b);
    session_put_models(&c->session, false, c->methods.asks != NULL, &b);
    /* Without a model, only the floor of `general` depends on the profile. */
    if (!c->methods.asks && rdv_str_eq(check->method, RDV_STR("general")) &&
        strcmp(c->run.settings->profile, "paper") == 0)
        rdv_json_put_text(&b, "profile", RDV_STR("paper"));
    *out = b.len > 1 ? rdv_slice(rdv_buf_str(&b), 1, b.len) : (rdv_str){0};
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}

/* What is written of a chain, and what was found in it. */
struct concluded {
    rdv_str text;
    uint64_t certified, wrong, undecided;
    rdv_rule_ids rules; /* that the text names */
};

static int make_record(const struct checking *c, const rdv_chain *chain, const rdv_check *check,
                       bool partial, rdv_arena *arena, struct concluded *out, rdv_error *err)
{
    rdv_write_options options = {.size = sizeof options, .checked = true};
    if (extra_members(c, chain, check, partial, &out->certified, arena, &options.extra) != RDV_OK)
        return rdv_no_memory(err);
    return rdv_record_write(chain, &options, arena, &out->text, err);
}

static int make_view(const struct checking *c, const rdv_chain *chain, const rdv_check *check,
                     rdv_arena *arena, rdv_buf *b, rdv_error *err)
{
    rdv_grade grade;
    rdv_str text;
    int code = rdv_grade_chain(chain, &(rdv_grading){0}, arena, &grade, err);
    if (code == RDV_OK)
        code = rdv_view_chain(chain, check, &grade, &c->run.terminal.view, arena, &text, err);
    if (code != RDV_OK)
        return code;
    rdv_buf_add(b, text);
    rdv_buf_add_char(b, '\n');
    return RDV_OK;
}

/* Count what this run's checks of the chain found, the first of which is `first`; with --list,
 * list it. */
static int list_chain(const struct checking *c, const rdv_listing_place *place,
                      const rdv_chain *chain, size_t first, rdv_arena *arena, rdv_buf *b,
                      struct concluded *out, rdv_error *err)
{
    const struct settings *s = c->run.settings;
    for (size_t i = first; i < chain->n_checks; i++) {
        rdv_listed listed;
        rdv_str lines;
        int code = rdv_list_check(place, chain, &chain->checks[i], &c->listing, arena, &listed,
                                  &out->rules, &lines, err);
        if (code != RDV_OK)
            return code;
        out->wrong += listed.wrong;
        out->undecided += listed.undecided;
        if (s->list_form)
            rdv_buf_add(b, lines);
    }
    return RDV_OK;
}

/* List what the last of this run's checks that finds calculations by itself did not read. */
static int list_unread(const struct checking *c, const rdv_listing_place *place,
                       const rdv_chain *chain, size_t first, rdv_arena *arena, rdv_buf *b,
                       struct concluded *out, rdv_error *err)
{
    rdv_str lines;
    size_t i = chain->n_checks;
    while (i > first && !chain->checks[i - 1].coverage)
        i--;
    if (i == first)
        return RDV_OK;
    int code = rdv_list_unread(place, chain, &chain->checks[i - 1], &c->listing, arena, &out->rules,
                               &lines, err);
    if (code == RDV_OK)
        rdv_buf_add(b, lines);
    return code;
}

/* Make what is written of a chain whose checks are done; the run's own begin at the `first`. In any
 * thread: nothing is changed but *out. */
static int make_conclusion(const struct checking *c, const rdv_listing_place *place,
                           const rdv_chain *chain, size_t first, bool partial, rdv_arena *arena,
                           struct concluded *out, rdv_error *err)
{
    const struct settings *s = c->run.settings;
    const rdv_check *check = &chain->checks[chain->n_checks - 1];
    int code = RDV_OK;
    rdv_buf b;
    *out = (struct concluded){0};
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "");
    if (s->list_form || s->fail_on_wrong || s->fail_on_unknown)
        code = list_chain(c, place, chain, first, arena, &b, out, err);
    if (code == RDV_OK && s->list_unread)
        code = list_unread(c, place, chain, first, arena, &b, out, err);
    if (code == RDV_OK && c->view)
        code = make_view(c, chain, check, arena, &b, err);
    if (code == RDV_OK && !c->view && !lists(s))
        return make_record(c, chain, check, partial, arena, out, err);
    out->text = rdv_buf_str(&b);
    return code == RDV_OK && !rdv_buf_ok(&b) ? rdv_no_memory(err) : code;
}

/* grade: NULL: the report makes it. */
static void add_to_report(struct checking *c, const rdv_chain *chain, const rdv_grade *grade,
                          rdv_plan *plan, rdv_arena *arena)
{
    rdv_html_chain shown = {.chain = chain,
                            .grade = grade,
                            .dataset = html_dataset(&c->run, chain, arena),
                            .weight = NAN,
                            .partial = plan && rdv_plan_partial(plan)};
    if (plan)
        html_add_planned(&c->run, &shown, plan, SIZE_MAX);
    else
        html_add_chain(&c->run, &shown);
}

static bool lists_sarif(const struct checking *c)
{
    return lists(c->run.settings) && c->listing.form == RDV_LIST_SARIF;
}

/* The results of SARIF are one list: its first has no comma before it. */
static void write_made(struct checking *c, const struct concluded *made)
{
    rdv_str text = made->text;
    if (lists_sarif(c) && text.len && !c->lists_any)
        text = rdv_slice(text, 1, text.len);
    c->lists_any |= text.len > 0;
    run_write(&c->run, text);
    for (size_t i = 0; i < made->rules.n && lists_sarif(c); i++)
        if (rdv_rule_ids_add(&c->rules, made->rules.items[i], c->run.keep) != RDV_OK) {
            rdv_error err = {0};
            rdv_no_memory(&err);
            run_stop(&c->run, NOTHING_DONE, &err);
        }
}

/* What stands around the findings of a log of SARIF: its beginning, or its end. */
static void write_around(struct checking *c, bool begins)
{
    rdv_buf b;
    if (!lists_sarif(c) || c->run.settings->dry_run)
        return;
    rdv_buf_init(&b, c->run.keep, 0);
    if (begins)
        sarif_begin(&b);
    else
        sarif_end(&c->rules, RDV_VERSION, &b);
    rdv_error err = {0};
    if (rdv_buf_ok(&b))
        run_write(&c->run, rdv_buf_str(&b));
    else
        run_stop(&c->run, NOTHING_DONE, (rdv_no_memory(&err), &err));
}

/* Write and count a chain. plan: which checked it; NULL: none. grade: as add_to_report(). */
static void conclude(struct checking *c, const rdv_listing_place *place, const rdv_chain *chain,
                     size_t first, rdv_plan *plan, const struct concluded *made,
                     const rdv_grade *grade, rdv_arena *arena)
{
    const rdv_check *check = &chain->checks[chain->n_checks - 1];
    if (c->run.settings->as_labels)
        as_labels_count(&c->labels, &c->run, place->file, place->line, chain, check);
    c->certified += made->certified;
    c->wrong += made->wrong;
    c->unknown += made->undecided;
    write_made(c, made);
    count(c, chain, check);
    check_found_add(&c->all, &c->methods, chain, first);
    add_to_report(c, chain, grade, plan, arena);
}

/* ---- methods that compute -------------------------------------------------------------------- */

/* Where the record stands, for a listing. */
static rdv_listing_place place_of(const char *path, const rdv_record *record)
{
    return (rdv_listing_place){.file = path, .line = record->line, .places = record->places};
}

/* Of a chain that is checked by a thread of the pool. */
struct checked {
    rdv_listing_place place;
    size_t first; /* of its checks that the run made */
    struct concluded is;
    rdv_grade grade; /* for the report, if there is one */
};

static int check_record(const void *payload, struct pooled *item, rdv_error *err)
{
    const struct checking *c = payload;
    rdv_chain *chain = &item->record.chain;
    struct checked *made = item->made = RDV_NEW(item->arena, struct checked);
    if (!made)
        return rdv_no_memory(err);
    made->place = place_of(item->path, &item->record);
    made->first = chain->n_checks;
    int code = usable_chain(&item->record, err);
    if (code == RDV_OK)
        code = methods_check(&c->methods, chain, item->arena, err);
    if (code == RDV_OK)
        code = make_conclusion(c, &made->place, chain, made->first, false, item->arena, &made->is,
                               err);
    return code == RDV_OK && c->run.html
               ? rdv_grade_chain(chain, &(rdv_grading){0}, item->arena, &made->grade, err)
               : code;
}

static void finish_record(void *payload, struct pooled *item)
{
    struct checking *c = payload;
    const struct checked *made = item->made;
    rdv_str line;
    if (item->code == RDV_OK) {
        conclude(c, &made->place, &item->record.chain, made->first, NULL, &made->is,
                 c->run.html ? &made->grade : NULL, item->arena);
        return;
    }
    run_fail_record(&c->run, &item->record, &item->err, item->arena, &line);
    run_write(&c->run, line);
}

static void check_all(struct checking *c)
{
    record_pool_run(&c->run, &(struct record_work){check_record, finish_record, c});
}

/* ---- methods that ask ------------------------------------------------------------------------ */

static int begin_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    rdv_plan_options options = question_type_of(source->session, &item->record, item->arena);
    int code = usable_chain(&item->record, err);
    return code == RDV_OK ? rdv_plan_check(&item->record.chain, 1, &options, &item->plan, err)
                          : code;
}

static int finish_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    struct checking *c = source->payload;
    rdv_listing_place place = place_of(item->path, &item->record);
    size_t n, first = item->record.chain.n_checks;
    const rdv_chain *chain = rdv_plan_chains(item->plan, &n);
    struct concluded made;
    int code = session_keep_makers(&c->session, chain, first, item->arena, err);
    if (code == RDV_OK)
        code = make_conclusion(c, &place, chain, first, rdv_plan_partial(item->plan), item->arena,
                               &made, err);
    if (code == RDV_OK)
        conclude(c, &place, chain, first, item->plan, &made, NULL, item->arena);
    return code;
}

static void ask_all(struct checking *c)
{
    rdv_error err = {0};
    struct plan_source source = {.run = &c->run,
                                 .session = &c->session,
                                 .begin = begin_plan,
                                 .finish = finish_plan,
                                 .payload = c};
    int code = session_begin(&c->session, &c->run, &err);
    if (code != RDV_OK) {
        run_stop(&c->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
        return;
    }
    (c->run.settings->dry_run ? estimate_run : plan_source_run)(&source);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void summary_json(const struct checking *c)
{
    const rdv_findings *f = &c->found;
    struct summary summary;
    FILE *out = summary_begin(&summary);
    if (!out)
        return;
    fprintf(out, "{\"n_chains\":%" PRIu64 ",\"n_steps\":%" PRIu64, f->chains, c->steps);
    fprintf(out,
            ",\"n_support\":%" PRIu64 ",\"n_unrelated\":%" PRIu64 ",\"n_contradict\":%" PRIu64
            ",\"n_unknown\":%" PRIu64,
            f->verdicts[0], f->verdicts[1], f->verdicts[2], f->verdicts[3]);
    if (tells_accepted(c))
        fprintf(out,
                ",\"n_accepted\":%" PRIu64 ",\"n_rejected\":%" PRIu64 ",\"n_undecided\":%" PRIu64,
                c->accepted, c->rejected, c->undecided);
    if (c->run.settings->as_labels)
        fprintf(out,
                ",\"n_labelled\":%" PRIu64 ",\"n_labels_kept\":%" PRIu64
                ",\"n_label_conflicts\":%" PRIu64 ",\"n_unlabelled\":%" PRIu64,
                c->labels.set, c->labels.kept, c->labels.conflicts, c->labels.undecided);
    if (c->run.settings->certify)
        fprintf(out, ",\"n_certified\":%" PRIu64, c->certified);
    if (f->words.covers)
        coverage_json(&f->words.coverage, out);
    fprintf(out, ",\"n_failed\":%" PRIu64, c->run.failed);
    if (c->methods.asks)
        session_usage_json(&c->session, out);
    fprintf(out, ",\"seconds\":%.3f}\n", run_seconds(&c->run));
    summary_end(&summary);
}

static void summary(const struct checking *c)
{
    if (c->found.chains)
        check_found_tell(&c->all, &c->methods, c->run.settings);
    if (tells_accepted(c))
        fprintf(stderr, "%" PRIu64 " accepted, %" PRIu64 " rejected, %" PRIu64 " undecided; ",
                c->accepted, c->rejected, c->undecided);
    if (c->run.settings->as_labels)
        fprintf(stderr,
                "%" PRIu64 " labelled, %" PRIu64 " with a label before, %" PRIu64
                " conflict%s, %" PRIu64 " without a label; ",
                c->labels.set, c->labels.kept, c->labels.conflicts, plural(c->labels.conflicts),
                c->labels.undecided);
    if (c->run.settings->certify)
        fprintf(stderr, "%" PRIu64 " certified; ", c->certified);
    if (c->run.failed)
        fprintf(stderr, "%" PRIu64 " record%s failed; ", c->run.failed, plural(c->run.failed));
    fprintf(stderr, "%.2f s\n", run_seconds(&c->run));
    if (c->methods.asks)
        session_usage(&c->session, stderr);
    check_found_advise(&c->all, &c->methods, c->run.settings, rdv_run_takes_schema(c->session.run));
}

/* Write a summary of all chains after the views of several, and what the marks mean. */
static void write_picture(struct checking *c)
{
    const rdv_view_options *options = &c->run.terminal.view;
    rdv_error err = {0};
    rdv_str chart = {0}, legend;
    int code = RDV_OK;
    if (!c->view)
        return;
    if (c->found.chains > 1)
        code = rdv_view_findings(&c->found, options, c->run.arena, &chart, &err);
    if (code == RDV_OK)
        code = rdv_view_legend(&c->proven, &c->judged, options, c->run.arena, &legend, &err);
    if (code != RDV_OK) {
        run_stop(&c->run, NOTHING_DONE, &err);
        return;
    }
    run_write(&c->run, chart);
    run_write(&c->run, chart.len && legend.len ? RDV_STR("\n") : RDV_STR(""));
    run_write(&c->run, legend);
}

/* The exit status where a run that did its work fails on what it found. What could not be read,
 * checked or decided is never passed over in silence: failed records keep their own status, and
 * unknown steps are counted in a line of their own. */
static int judged_status(const struct checking *c, int status)
{
    const struct settings *s = c->run.settings;
    if (!(s->fail_on_wrong || s->fail_on_unknown) || s->dry_run)
        return status;
    if (status == DONE && c->found.chains == 0) {
        say("check: there was no chain to check");
        return NOTHING_DONE;
    }
    if ((status == DONE || status == SOME_FAILED) && s->fail_on_wrong && c->wrong)
        return WRONG_FOUND;
    if (c->unknown && s->fail_on_unknown)
        return status == DONE ? UNDECIDED_LEFT : status;
    if (c->unknown == 0)
        return status;
    say("check: %" PRIu64 " unknown step%s; --fail-on-unknown fails on %s", c->unknown,
        plural(c->unknown), c->unknown == 1 ? "it" : "them");
    return status;
}

static rdv_listing_options listing_of(const struct checking *c)
{
    static const char *const names[] = {"text", "github", "sarif"};
    const struct settings *s = c->run.settings;
    int form = s->list_form ? rdv_named(rdv_str_of(s->list_form), names, 3) : 0;
    return (rdv_listing_options){.form = form < 0 ? RDV_LIST_TEXT : (rdv_list_form)form,
                                 .view = &c->run.terminal.view,
                                 .unknown = s->fail_on_unknown};
}

static int check(struct checking *c, const struct settings *settings)
{
    if (read_settings(c, settings) != DONE)
        return USAGE;
    if (run_begin(&c->run, settings) != DONE)
        return run_end(&c->run);
    c->run.places = lists(settings);
    c->listing = listing_of(c);
    bool records = settings->json || settings->out || lists(settings) || settings->as_labels ||
                   settings->certify;
    c->view = settings->view || (c->run.terminal.out && !records);
    c->run.errors_in_output = !c->view && !lists(settings) && !settings->dry_run;
    html_begin(&c->run, &c->html, c->methods.asks ? &c->session : NULL, NULL, NULL);
    c->methods.unlisted = !c->view && !lists(settings) && !settings->fail_on_wrong &&
                          !settings->fail_on_unknown && !c->run.html;
    write_around(c, true);
    (c->methods.asks ? ask_all : check_all)(c);
    write_around(c, false);
    write_picture(c);
    as_labels_conclude(&c->labels);
    int status = run_end(&c->run);
    if (run_tells(&c->run, status) && !settings->dry_run)
        (settings->json ? summary_json : summary)(c);
    return judged_status(c, status);
}

int cmd_check(const struct settings *settings)
{
    struct checking c = {0};
    int status = check(&c, settings);
    session_end(&c.session);
    methods_end(&c.methods);
    return status;
}
