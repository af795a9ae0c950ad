/* SPDX-License-Identifier: Apache-2.0 */
#include "html_output.h"

#include "base/arena.h"
#include "base/str.h"
#include "data/members.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- beginning ------------------------------------------------------------------------------- */

/* A temporary file without a name, beside the report, where there is room for one of its size. */
static FILE *open_spill(const struct output *output)
{
    char folder[4096];
    const char *slash = output->writing ? strrchr(output->writing, '/') : NULL;
    size_t len = slash ? (size_t)(slash - output->writing) + 1 : 0;
    if (!output->writing || len >= sizeof folder)
        return tmpfile();
    memcpy(folder, output->writing, len);
    memcpy(folder + len, len ? "" : ".", len ? 1 : 2);
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!file && fd >= 0)
        close(fd);
    return file ? file : tmpfile(); /* some file systems have no such files */
}

static int open_all(struct run *run, struct html_output *to, const rdv_html_options *given,
                    rdv_error *err)
{
    rdv_html_options options = *given;
    int code = output_open(&to->output, run->settings->html, run->keep, err);
    if (code != RDV_OK)
        return code;
    to->spill = open_spill(&to->output);
    to->scratch = rdv_arena_new(0);
    if (!to->spill || !to->scratch)
        return to->spill
                   ? rdv_no_memory(err)
                   : rdv_fail(err, RDV_E_IO, "--html: no temporary file: %s", strerror(errno));
    options.spill = to->spill;
    options.threads = run_threads(run->settings);
    return rdv_html_new(&options, &to->html, err);
}

static bool is_standard_output(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* Both on standard output; two options that name one file were refused before. */
static bool writes_twice(const struct settings *s)
{
    return is_standard_output(s->out) && is_standard_output(s->html);
}

void html_begin(struct run *run, struct html_output *to, const struct model_session *session,
                const vote_weight *weight, const rdv_grading *grading)
{
    rdv_error err = {0};
    rdv_html_options options = {0};
    if (!run->settings->html || run->settings->dry_run || run_stopped(run))
        return;
    if (weight) {
        bool weighs = weight->is == VOTE_WEIGHT_CONFIDENCE || weight->is == VOTE_WEIGHT_SCORES;
        options.weight = weighs ? run->settings->weight : NULL;
        options.aggregate = weight->aggregation.kind;
    }
    if (grading)
        options.grading = *grading;
    *to = (struct html_output){.session = session};
    run->html = to;
    if (writes_twice(run->settings)) {
        rdv_fail(&err, RDV_E_ARGUMENT, "--html %s: the records are written there",
                 run->settings->html);
        run_stop(run, USAGE, &err);
    } else if (open_all(run, to, &options, &err) != RDV_OK) {
        run_stop(run, NOTHING_DONE, &err);
    }
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* The report to add to; NULL: there is none, or the run cannot go on. */
static rdv_html *report_of(struct run *run)
{
    if (!run->html || !run->html->html || run->status == NOTHING_DONE)
        return NULL;
    rdv_arena_reset(run->html->scratch);
    return run->html->html;
}

static void conclude(struct run *run, int code, const rdv_error *err)
{
    if (code < 0)
        run_stop(run, NOTHING_DONE, err);
}

void html_add_chain(struct run *run, const rdv_html_chain *chain)
{
    rdv_error err = {0};
    rdv_html *html = report_of(run);
    if (html)
        conclude(run, rdv_html_add_chain(html, chain, run->html->scratch, &err), &err);
}

/* The requests of a repair are about steps of several versions of the chain, so they are shown with
 * the chain as a whole. */
static int show_with_chain(rdv_html_chain *chain, rdv_arena *arena)
{
    rdv_exchange *copy = RDV_NEW_ARRAY(arena, rdv_exchange, chain->n_exchanges + 1);
    for (size_t i = 0; copy && i < chain->n_exchanges; i++) {
        copy[i] = chain->exchanges[i];
        copy[i].step = RDV_WHOLE_CHAIN;
    }
    chain->exchanges = copy;
    return copy ? RDV_OK : RDV_E_NOMEM;
}

void html_add_planned(struct run *run, rdv_html_chain *chain, rdv_plan *plan, size_t i)
{
    rdv_error err = {0};
    if (!report_of(run))
        return;
    rdv_arena *arena = run->html->scratch;
    int code = plan_sort_exchanges(plan);
    chain->exchanges = i == SIZE_MAX ? plan_exchanges(plan, &chain->n_exchanges)
                                     : plan_exchanges_of(plan, i, &chain->n_exchanges);
    if (code == RDV_OK && chain->repaired)
        code = show_with_chain(chain, arena);
    if (code == RDV_OK)
        code = rdv_html_add_chain(run->html->html, chain, arena, &err);
    else
        rdv_no_memory(&err);
    conclude(run, code, &err);
}

void html_add_result(struct run *run, const rdv_result *result)
{
    rdv_error err = {0};
    rdv_html *html = report_of(run);
    if (html)
        conclude(run, rdv_html_add_result(html, result, run->html->scratch, &err), &err);
}

void html_add_failure(struct run *run, const char *what, bool unread)
{
    rdv_error err = {0};
    rdv_html *html = report_of(run);
    if (html)
        conclude(run,
                 rdv_html_add_failure(html, rdv_str_of(what), unread, run->html->scratch, &err),
                 &err);
}

void html_add_tables(struct run *run, const rdv_study_tables *tables)
{
    rdv_html *html = report_of(run);
    if (html)
        rdv_html_add_tables(html, tables);
}

/* The last part of a path. */
static rdv_str name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return rdv_str_of(slash && slash[1] ? slash + 1 : path);
}

rdv_str html_dataset(const struct run *run, const rdv_chain *chain, rdv_arena *arena)
{
    rdv_str name = {0};
    if (!run->html)
        return name;
    if (chain->raw.p && rdv_chain_text(chain, RDV_STR("dataset"), arena, &name) == RDV_OK &&
        name.len)
        return name;
    return run->path ? name_of(run->path) : RDV_STR("input");
}

/* ---- the command as it was typed ------------------------------------------------------------- */

static bool is_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!rdv_is_alnum(*c) && !strchr("%+,-./:=@_#", *c))
            return false;
    return *text != '\0';
}

/* Append an argument, quoted for a shell where it has to be. It holds no secret: keys come from the
 * environment, and an address with a password is refused. */
static void add_argument(rdv_buf *b, const char *text)
{
    bool plain = is_plain(text);
    rdv_buf_add(b, plain ? RDV_STR(" ") : RDV_STR(" '"));
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            rdv_buf_lit(b, "'\\''");
        else
            rdv_buf_add_char(b, *c);
    }
    if (!plain)
        rdv_buf_add_char(b, '\'');
}

rdv_str html_command(const struct run *run, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "rederive %s", run->settings->command);
    for (int i = 0; i < run->settings->n_typed; i++)
        add_argument(&b, run->settings->typed[i]);
    return rdv_buf_str(&b);
}

rdv_str html_title(const struct run *run, rdv_arena *arena)
{
    const struct list *in = &run->settings->in;
    if (in->n == 0 || (in->n == 1 && strcmp(in->items[0], "-") == 0))
        return RDV_STR("standard input");
    rdv_str first = name_of(in->items[0]);
    return in->n == 1 ? first
                      : rdv_str_printf(arena, "%.*s and %zu more", RDV_FMT(first), in->n - 1);
}

static rdv_str models_of(const struct model_session *session, rdv_arena *arena)
{
    rdv_str generator = session->plan.generator, checker = session->plan.checker;
    if (!session->run || (!generator.p && !checker.p))
        return (rdv_str){0};
    if (!generator.p || !checker.p || rdv_str_eq(generator, checker))
        return generator.p ? generator : checker;
    return rdv_str_printf(arena, "%.*s generates, %.*s checks", RDV_FMT(generator),
                          RDV_FMT(checker));
}

/* ---- the end --------------------------------------------------------------------------------- */

static int to_file(void *payload, rdv_str bytes, rdv_error *err)
{
    return output_write(payload, bytes, err);
}

static int write_all(struct run *run, struct html_output *of, rdv_error *err)
{
    rdv_html_sink sink = {&of->output, to_file};
    rdv_html_run about = {.name = run->settings->command,
                          .title = html_title(run, run->keep),
                          .command = html_command(run, run->keep),
                          .notes = run->notes,
                          .n_notes = run->n_notes,
                          .cost = NAN,
                          .seconds = run_seconds(run),
                          .incomplete = interrupted() || run->waiting || run->status != DONE};
    if (of->session && of->session->run) {
        const rdv_run_totals *totals = &of->session->totals;
        about.models = models_of(of->session, run->keep);
        about.n_calls = totals->sent;
        about.n_cached = totals->cached;
        about.n_failed = totals->failed;
        about.prompt_tokens = totals->prompt_tokens;
        about.completion_tokens = totals->completion_tokens;
        if (session_priced(of->session))
            about.cost = (double)totals->cost_microusd / 1e6;
    }
    return rdv_html_write(of->html, &about, &sink, err);
}

void html_end(struct run *run)
{
    struct html_output *of = run->html;
    rdv_error err = {0};
    if (!of)
        return;
    bool written = of->html && run->status != USAGE && !run->output.nobody_reads && run_keeps(run);
    if (written && write_all(run, of, &err) < 0)
        run_stop(run, NOTHING_DONE, &err);
    else if (written)
        run_finish_output(run, &of->output);
    if (of->output.file)
        output_drop(&of->output);
    rdv_html_free(&of->html);
    rdv_arena_free(&of->scratch);
    if (of->spill)
        fclose(of->spill);
    run->html = NULL;
}
