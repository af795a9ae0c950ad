/* SPDX-License-Identifier: Apache-2.0 */
/* rederive convert: writes chains in the formats of other tools. */
#include "cmd.h"
#include "judge/usable.h"
#include "record_pool.h"

#include "base/arena.h"
#include "base/str.h"
#include "data/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct converting {
    struct run run;
    rdv_export export;
    const char *lacking; /* the input of which it was said that its records lack something */
};

/* The time that the file states: now, or what SOURCE_DATE_EPOCH says, for runs that have to give
 * the same bytes (reproducible-builds.org/specs/source-date-epoch). */
static int64_t time_of_writing(void)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    errno = 0;
    long long seconds = given ? strtoll(given, &end, 10) : 0;
    bool usable = given && end != given && !*end && !errno && seconds >= 0;
    return usable ? (int64_t)seconds : (int64_t)time(NULL);
}

static rdv_export_options options_of(const struct settings *s)
{
    static const char *const unrelated[] = {"cut", "wrong", "right"};
    return (rdv_export_options){.method = rdv_str_of(s->convert.method),
                                .from_label = strcmp(s->convert.label_source, "label") == 0,
                                .unrelated = (rdv_export_unrelated)rdv_named(
                                    rdv_str_of(s->convert.unrelated), unrelated, 3),
                                .span_member = s->convert.span_from,
                                .no_target = s->no_target,
                                .created = time_of_writing()};
}

static void write_text(struct converting *c, int code, rdv_str text, const rdv_error *err)
{
    if (code == RDV_OK)
        run_write(&c->run, text);
    else if (code < 0)
        run_stop(&c->run, NOTHING_DONE, err);
}

/* What all records of a file may lack is said once for the file; each of them has failed. */
static void fail_lacking(struct converting *c, const rdv_record *record, rdv_error *err)
{
    if (c->lacking == c->run.path) {
        c->run.failed++;
        return;
    }
    c->lacking = c->run.path;
    run_fail(&c->run, record, err);
}

static int convert_record(const void *payload, struct pooled *item, rdv_error *err)
{
    const struct converting *c = payload;
    rdv_exported *made = item->made = RDV_NEW(item->arena, rdv_exported);
    int code = made ? usable_chain(&item->record, err) : rdv_no_memory(err);
    return code == RDV_OK ? rdv_export_make(&c->export, item->path, &item->record.chain,
                                            item->arena, made, err)
                          : code;
}

static void finish_record(void *payload, struct pooled *item)
{
    struct converting *c = payload;
    rdv_error *err = &item->err;
    rdv_str text = {0};
    int code = item->code;
    c->export.file = c->run.path;
    if (code == RDV_OK)
        code = rdv_export_add(&c->export, &item->record.chain, item->made, item->arena, &text, err);
    if (code == RDV_E_INPUT || code == RDV_E_LIMIT)
        run_fail(&c->run, &item->record, err);
    else if (code == RDV_E_FORMAT)
        fail_lacking(c, &item->record, err);
    else
        write_text(c, code, text, err);
}

/* Also after Ctrl-C the tail is written, so that the partial file can be read. */
static void convert_all(struct converting *c)
{
    rdv_error err = {0};
    rdv_str text;
    write_text(c, rdv_export_head(&c->export, c->run.arena, &text, &err), text, &err);
    record_pool_run(&c->run, &(struct record_work){convert_record, finish_record, c});
    write_text(c, rdv_export_tail(&c->export, c->run.arena, &text, &err), text, &err);
}

static void summary(const struct converting *c)
{
    const rdv_export *x = &c->export;
    fprintf(stderr, "%zu chain%s written", x->written, plural(x->written));
    if (x->cut)
        fprintf(stderr,
                ", %zu of them cut before the first step that is not known to be right or "
                "wrong",
                x->cut);
    if (x->left_out)
        fprintf(stderr, "; %zu left out, of whose first step nothing is known", x->left_out);
    fprintf(stderr, "; %" PRIu64 " record%s failed; %.2f s\n", c->run.failed, plural(c->run.failed),
            run_seconds(&c->run));
}

static int print_labelling_config(const struct settings *s)
{
    fputs(rdv_export_labelling_config(!s->no_target), stdout);
    return DONE;
}

int cmd_convert(const struct settings *settings)
{
    struct converting c = {0};
    const char *to = settings->convert.to;
    if (settings->no_target && to && strcmp(to, "label-studio") != 0) {
        say("convert: --no-target has no effect with --to %s; it belongs to label-studio", to);
        return USAGE;
    }
    if (settings->convert.labelling_config)
        return print_labelling_config(settings);
    if (!settings->convert.to) {
        say("convert: --to FORMAT is required; 'rederive convert --help' lists the formats");
        return USAGE;
    }
    if (settings->convert.method && strcmp(settings->convert.label_source, "label") == 0) {
        say("convert: --method and --label-source label exclude each other");
        return USAGE;
    }
    rdv_export_options options = options_of(settings);
    if (run_begin(&c.run, settings) == DONE) {
        rdv_export_begin(&c.export, settings->convert.to, &options, c.run.keep);
        convert_all(&c);
    }
    int status = run_end(&c.run);
    if (run_tells(&c.run, status))
        summary(&c);
    return status;
}
