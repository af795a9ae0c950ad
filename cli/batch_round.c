/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_round.h"

#include "base/str.h"

#include <inttypes.h>
#include <unistd.h>

/* ---- options --------------------------------------------------------------------------------- */

static int without_effect(const struct settings *s, const char *const *names, size_t n,
                          const char *why, rdv_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (opt_given(s, names[i]))
            return rdv_fail(err, RDV_E_ARGUMENT, "--%s has no effect %s", names[i], why);
    return RDV_OK;
}

static int check_options(const struct settings *s, rdv_error *err)
{
    static const char *const of_batch[] = {"batch-server", "batch-size", "batch-again",
                                           "batch-discount"};
    static const char *const of_calls[] = {"jobs",       "rpm",      "tpm",         "timeout",
                                           "max-tokens", "max-cost", "max-seconds", "api-key-env"};
    if (!s->batch.out)
        return without_effect(s, of_batch, sizeof of_batch / sizeof *of_batch,
                              "without --batch-out", err);
    if (strcmp(s->batch.out, "-") == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--batch-out writes numbered files, and not to standard output: name one");
    if (s->batch.discount.given && s->price_in.is <= 0 && s->price_out.is <= 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--batch-discount needs prices: add --price-in and --price-out");
    return without_effect(s, of_calls, sizeof of_calls / sizeof *of_calls,
                          "on --batch-out, which makes no calls (--max-calls limits the requests "
                          "of a round)",
                          err);
}

static int check_model(const struct model_session *session, rdv_error *err)
{
    const rdv_run_options *o = &session->options;
    const rdv_model_spec *specs[] = {&o->generator.spec, &o->checker.spec};
    for (size_t i = 0; i < 2; i++)
        if (specs[i]->kind != RDV_MODEL_SERVER)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "--batch-out needs the model of a provider, such as openai:NAME, or "
                            "http://HOST/v1#NAME for any other");
    if (o->n_more_generators || o->n_more_checkers)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--batch-out asks no server, so several servers of a model have no effect");
    if (!session->journal_path)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--batch-out needs a journal for the results: add --journal FILE or --out "
                        "FILE");
    return RDV_OK;
}

static rdv_batch_server server_named(const char *name)
{
    if (strcmp(name, "vllm") == 0)
        return RDV_BATCH_VLLM;
    return strcmp(name, "openai") == 0 ? RDV_BATCH_OPENAI : RDV_BATCH_OPENAI_REASONING;
}

int batch_round_read(struct model_session *session, rdv_error *err)
{
    const struct settings *s = session->settings;
    rdv_run_options *o = &session->options;
    int code = check_options(s, err);
    if (code != RDV_OK || !s->batch.out)
        return code;
    o->price_in *= 1 - s->batch.discount.is;
    o->price_out *= 1 - s->batch.discount.is;
    if (s->dry_run)
        return RDV_OK;
    code = check_model(session, err);
    o->mode = RDV_RUN_BATCH;
    o->batch.path = s->batch.out;
    o->batch.server = server_named(s->batch.server);
    o->batch.max_requests = s->batch.size;
    o->batch.again = s->batch.again;
    return code;
}

/* ---- the end --------------------------------------------------------------------------------- */

void batch_round_tell(const struct model_session *session)
{
    const rdv_run_totals *t = &session->totals;
    if (session->settings->quiet)
        return;
    say("round %" PRIu64 ": %" PRIu64 " request%s written to %" PRIu64 " file%s, %" PRIu64
        " of them again; %" PRIu64 " more expected from earlier rounds; %" PRIu64 " of %" PRIu64
        " records done",
        t->batch_round, t->batch_written, plural(t->batch_written), t->batch_files,
        plural(t->batch_files), t->batch_again, t->batch_expected, t->plans_done - session->waiting,
        t->plans_done);
    if (t->batch_written)
        say("next: run the batch, 'rederive journal import --batch %s RESULTS...', and this "
            "command again",
            session->journal_path);
    else
        say("next: 'rederive journal import --batch %s RESULTS...' with the results that are "
            "expected, and this command again; if they will never come, add --batch-again, which "
            "writes their requests once more",
            session->journal_path);
}
