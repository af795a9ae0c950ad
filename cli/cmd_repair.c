/* SPDX-License-Identifier: Apache-2.0 */
/* rederive repair: backtracks to the first error of each chain and regenerates it from there. */
#include "cmd.h"
#include "estimate.h"
#include "judge/usable.h"
#include "html_output.h"
#include "label_sampler.h"
#include "methods.h"
#include "question_type.h"
#include "repair_record.h"

#include "base/arena.h"
#include "base/str.h"

#include <inttypes.h>
#include <math.h>

#define MAX_LOCATORS 101

/* A locator of this run, and its name in records. Several are simulated ones. */
struct run_locator {
    rdv_str name;
    char room[40]; /* of the name of a simulated one */
    rdv_locator is;
};

struct repairing {
    struct run run;
    struct html_output html;
    struct settings method_settings; /* as given, with the locator for --method */
    struct methods methods;          /* the locator, if it is a method */
    struct model_session session;
    struct run_locator locators[MAX_LOCATORS];
    size_t n_locators;
    struct label_sampler sampler; /* of a simulated locator */
    rdv_repair_options how;
    uint64_t chains, ends[RDV_REPAIR_BROKEN + 1], changed, rounds;
    uint64_t capped; /* rounds whose trace reached the maximum length */
    uint64_t judged, right_before, right_after, lost, won;
};

/* ---- settings -------------------------------------------------------------------------------- */

static bool is_drawn_name(rdv_str name)
{
    return rdv_str_eq(name, RDV_STR("gold")) || rdv_str_eq(name, RDV_STR("random")) ||
           rdv_starts(name, RDV_STR("simulated:"));
}

static bool is_drawn(const struct repairing *r)
{
    return r->locators[0].is.kind != RDV_LOCATE_METHOD;
}

/* Add the locator named `name`, or with `simulated` the simulated one of that accuracy. */
static int add_locator(struct repairing *r, rdv_str name, bool simulated, rdv_error *err)
{
    struct run_locator *added = &r->locators[r->n_locators];
    if (r->n_locators == MAX_LOCATORS)
        return rdv_fail(err, RDV_E_LIMIT, "names more than %d accuracies", MAX_LOCATORS);
    added->name = name;
    if (simulated) { /* a name that is cut short is no accuracy */
        snprintf(added->room, sizeof added->room, "simulated:%.*s", RDV_FMT(name));
        added->name = rdv_str_of(added->room);
    }
    int code = rdv_locator_named(added->name, &added->is, err);
    for (size_t i = 0; code == RDV_OK && i < r->n_locators; i++) {
        double other = r->locators[i].is.accuracy;
        if (!(other < added->is.accuracy) && !(other > added->is.accuracy))
            code = rdv_fail(err, RDV_E_ARGUMENT, "names %.*s twice", RDV_FMT(added->name));
    }
    r->n_locators += code == RDV_OK;
    return code;
}

/* Read "gold", "random", or simulated locators: "simulated:0.5", "simulated:0.5,0.6". */
static int read_drawn(struct repairing *r, rdv_str text)
{
    rdv_error err = {0};
    rdv_str prefix = RDV_STR("simulated:"), rest = text;
    bool simulated = rdv_starts(text, prefix);
    int code = simulated ? RDV_OK : add_locator(r, text, false, &err);
    for (bool more = simulated; code == RDV_OK && more;) {
        size_t comma = rdv_find_char(rest, ',', 0);
        rdv_str item = rdv_trim(rdv_slice(rest, 0, comma));
        more = comma != RDV_NOT_FOUND;
        rest = rdv_slice(rest, more ? comma + 1 : rest.len, rest.len);
        if (rdv_starts(item, prefix))
            item = rdv_slice(item, prefix.len, item.len);
        code = add_locator(r, item, true, &err);
    }
    if (code != RDV_OK)
        say("repair: --locator %s", err.msg);
    return code == RDV_OK ? DONE : USAGE;
}

/* The locator is a method, as in check, or one that needs only the label. */
static int read_locator(struct repairing *r, const struct settings *s)
{
    rdv_str text = rdv_str_of(s->locator);
    if (is_drawn_name(text))
        return read_drawn(r, text);
    r->method_settings = *s;
    r->method_settings.method = s->locator;
    int status = methods_read(&r->methods, &r->method_settings, false);
    if (status == DONE && r->methods.n != 1) {
        say("repair: --locator takes one method");
        status = USAGE;
    }
    r->n_locators = 1;
    if (status == DONE)
        r->locators[0] = (struct run_locator){.name = text, .is.method = r->methods.is[0]};
    return status;
}

/* The paper takes each new trace (section 4, step 5). Without the check by a method there is
 * nothing else to decide by. */
static int read_accept(struct repairing *r, const struct settings *s)
{
    bool paper = strcmp(s->profile, "paper") == 0;
    const char *accept = s->accept ? s->accept : paper || is_drawn(r) ? "new" : "better";
    bool keeps_new = strcmp(accept, "new") == 0;
    if (!keeps_new && is_drawn(r)) {
        say("repair: --accept better needs a locator that checks the new trace; with --locator %s "
            "the new trace is always kept",
            s->locator);
        return USAGE;
    }
    r->how.keep = keeps_new ? RDV_KEEP_NEW : RDV_KEEP_BETTER;
    return DONE;
}

/* Several locators ask the same of many chains: the journal answers what one before has asked. */
static int check_sharing(const struct repairing *r, const struct settings *s)
{
    if (r->n_locators < 2 || r->session.journal_path || s->dry_run)
        return DONE;
    say("repair: several simulated locators share their replies in a journal; add --out FILE or "
        "--journal FILE");
    return USAGE;
}

static int read_settings(struct repairing *r, const struct settings *s)
{
    rdv_error err = {0};
    rdv_repair_options_default(&r->how, sizeof r->how);
    if (read_locator(r, s) != DONE || read_accept(r, s) != DONE)
        return USAGE;
    r->how.resamples = (size_t)s->resamples;
    r->how.rounds = (size_t)s->rounds;
    r->how.max_steps = (size_t)s->max_steps;
    r->how.choose =
        strcmp(s->choose, "mean") == 0 ? RDV_RESAMPLE_LOGPROB_MEAN : RDV_RESAMPLE_LOGPROB_SUM;
    if (session_options_read(&r->session, s, SESSION_SOLUTIONS, "repair", &err) != RDV_OK) {
        say("repair: %s", err.msg);
        return USAGE;
    }
    if (r->methods.n)
        r->session.plan.check = &r->methods.options;
    if (!prompt_options_usable(&r->session, &r->methods, s))
        return USAGE;
    return check_sharing(r, s);
}

/* ---- one chain ------------------------------------------------------------------------------- */

static int begin_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    struct repairing *r = source->payload;
    static const rdv_locations none;
    rdv_repair_options how = r->how;
    how.locator = r->locators[item->repeat].is;
    how.locator.seed = r->run.settings->seed;
    int code = usable_chain(&item->record, err);
    if (code != RDV_OK)
        return code;
    if (how.locator.kind == RDV_LOCATE_SIMULATED) {
        how.locator.among = label_sampler_of(&r->sampler, &item->record.chain, item->arena);
        how.locator.among = how.locator.among ? how.locator.among : &none;
    }
    rdv_plan_options options = question_type_of(source->session, &item->record, item->arena);
    return rdv_plan_repair(&item->record.chain, &options, &how, &item->plan, err);
}

/* Count how the repair changed the answer's correctness. */
static int count(struct repairing *r, const rdv_chain *was, const rdv_chain *is,
                 const rdv_repaired *repaired, rdv_arena *arena, rdv_error *err)
{
    rdv_grade before, after;
    int code = rdv_grade_chain(was, &(rdv_grading){0}, arena, &before, err);
    if (code == RDV_OK)
        code = rdv_grade_chain(is, &(rdv_grading){0}, arena, &after, err);
    if (code != RDV_OK)
        return code;
    r->chains++;
    r->ends[repaired->end]++;
    r->changed += repaired->changed;
    r->rounds += repaired->n_rounds;
    for (size_t i = 0; i < repaired->n_rounds; i++)
        r->capped += repaired->rounds[i].capped;
    if (before.correct < 0 || after.correct < 0)
        return RDV_OK;
    r->judged++;
    r->right_before += before.correct == 1;
    r->right_after += after.correct == 1;
    r->lost += before.correct == 1 && after.correct == 0;
    r->won += before.correct == 0 && after.correct == 1;
    return RDV_OK;
}

static int extra_members(const struct repairing *r, const struct item *item,
                         const rdv_repaired *repaired, rdv_str *out, rdv_error *err)
{
    bool partial = rdv_plan_partial(item->plan);
    rdv_str was;
    rdv_buf b;
    rdv_buf_init(&b, item->arena, 0);
    rdv_buf_add_char(&b, '{'); /* rdv_json_name() looks at the character before */
    repair_members(&b, repaired, &item->record.chain, r->locators[item->repeat].name,
                   r->session.plan.generator, session_profile(&r->session), r->how.keep);
    if (partial || rdv_record_member(item->record.chain.raw, RDV_STR("partial"), &was) == RDV_OK)
        rdv_buf_printf(&b, ",\"partial\":%s", partial ? "true" : "false");
    session_put_models(&r->session, repaired->changed, r->methods.asks != NULL, &b);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *out = rdv_slice(rdv_buf_str(&b), 1, b.len);
    return RDV_OK;
}

static int finish_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    struct repairing *r = source->payload;
    const rdv_repaired *repaired = rdv_plan_repaired(item->plan);
    size_t n;
    const rdv_chain *chain = rdv_plan_chains(item->plan, &n);
    rdv_str line;
    if (!repaired)
        return rdv_fail(err, RDV_E_IO, "not repaired: the run ended before");
    rdv_write_options options = {
        .size = sizeof options, .changed = repaired->changed, .checked = true};
    int code = extra_members(r, item, repaired, &options.extra, err);
    if (code == RDV_OK)
        code = rdv_record_write(chain, &options, item->arena, &line, err);
    if (code == RDV_OK)
        code = count(r, &item->record.chain, chain, repaired, item->arena, err);
    if (code != RDV_OK)
        return code;
    run_write(&r->run, line);
    rdv_html_chain shown = {.chain = chain,
                            .dataset = html_dataset(&r->run, chain, item->arena),
                            .weight = NAN,
                            .partial = rdv_plan_partial(item->plan),
                            .before = &item->record.chain,
                            .repaired = repaired,
                            .locator = r->locators[item->repeat].name};
    html_add_planned(&r->run, &shown, item->plan, SIZE_MAX);
    return RDV_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void summary_json(const struct repairing *r)
{
    struct summary summary;
    FILE *out = summary_begin(&summary);
    if (!out)
        return;
    fprintf(out,
            "{\"n_chains\":%" PRIu64 ",\"n_passed\":%" PRIu64 ",\"n_rounds_exhausted\":%" PRIu64
            ",\"n_not_located\":%" PRIu64 ",\"n_unfinished\":%" PRIu64 ",\"n_changed\":%" PRIu64
            ",\"n_rounds\":%" PRIu64 ",\"n_capped\":%" PRIu64,
            r->chains, r->ends[RDV_REPAIR_PASSED], r->ends[RDV_REPAIR_ROUNDS],
            r->ends[RDV_REPAIR_UNLOCATED], r->ends[RDV_REPAIR_BROKEN], r->changed, r->rounds,
            r->capped);
    fprintf(out,
            ",\"n_graded\":%" PRIu64 ",\"n_correct_before\":%" PRIu64
            ",\"n_correct_after\":%" PRIu64 ",\"n_correct_to_incorrect\":%" PRIu64
            ",\"n_incorrect_to_correct\":%" PRIu64 ",\"n_failed\":%" PRIu64,
            r->judged, r->right_before, r->right_after, r->lost, r->won, r->run.failed);
    session_usage_json(&r->session, out);
    fprintf(out, ",\"seconds\":%.3f}\n", run_seconds(&r->run));
    summary_end(&summary);
}

static void summary(const struct repairing *r)
{
    uint64_t unlocated = r->ends[RDV_REPAIR_UNLOCATED], broken = r->ends[RDV_REPAIR_BROKEN];
    fprintf(stderr,
            "%" PRIu64 " chain%s, %" PRIu64 " changed in %" PRIu64 " round%s; %" PRIu64
            " end without a located error; ",
            r->chains, plural(r->chains), r->changed, r->rounds, plural(r->rounds),
            r->ends[RDV_REPAIR_PASSED]);
    if (unlocated)
        fprintf(stderr, "%" PRIu64 " without a location; ", unlocated);
    if (broken)
        fprintf(stderr, "%" PRIu64 " without a needed reply; ", broken);
    if (r->capped)
        fprintf(stderr, "%" PRIu64 " round%s ended at --max-steps; ", r->capped, plural(r->capped));
    if (r->judged)
        fprintf(stderr,
                "correct before %" PRIu64 ", after %" PRIu64 " of %" PRIu64 " (%" PRIu64
                " gained, %" PRIu64 " lost); ",
                r->right_before, r->right_after, r->judged, r->won, r->lost);
    fprintf(stderr, "%" PRIu64 " record%s failed; %.2f s\n", r->run.failed, plural(r->run.failed),
            run_seconds(&r->run));
    session_usage(&r->session, stderr);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void repair_all(struct repairing *r)
{
    rdv_error err = {0};
    struct plan_source source = {.run = &r->run,
                                 .session = &r->session,
                                 .begin = begin_plan,
                                 .finish = finish_plan,
                                 .payload = r,
                                 .repeats = r->n_locators};
    int code = RDV_OK;
    if (r->locators[0].is.kind == RDV_LOCATE_SIMULATED)
        code = label_sampler_read(&r->sampler, r->run.settings, r->run.keep, &err);
    if (code == RDV_OK)
        code = session_begin(&r->session, &r->run, &err);
    if (code != RDV_OK) {
        run_stop(&r->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
        return;
    }
    (r->run.settings->dry_run ? estimate_run : plan_source_run)(&source);
}

static int repair(struct repairing *r, const struct settings *settings)
{
    if (read_settings(r, settings) != DONE)
        return USAGE;
    if (run_begin(&r->run, settings) != DONE)
        return run_end(&r->run);
    r->run.errors_in_output = !settings->dry_run;
    html_begin(&r->run, &r->html, &r->session, NULL, NULL);
    repair_all(r);
    int status = run_end(&r->run);
    if (run_tells(&r->run, status) && !settings->dry_run)
        (settings->json ? summary_json : summary)(r);
    return status;
}

int cmd_repair(const struct settings *settings)
{
    struct repairing r = {0};
    int status = repair(&r, settings);
    session_end(&r.session);
    methods_end(&r.methods);
    return status;
}
