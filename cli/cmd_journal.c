/* SPDX-License-Identifier: Apache-2.0 */
/* rederive journal: describes a journal, exports it as JSON Lines, imports such lines, merges
 * journals, and removes what a journal does not need. */
#include "cmd.h"
#include "file_lines.h"
#include "journal_batch.h"
#include "journal_merge.h"
#include "usage_table.h"
#include "output.h"
#include "terminal.h"

#include <rederive/data.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "run/journal/batch.h"
#include "run/journal/compact.h"
#include "run/journal/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct journalling {
    const struct settings *settings;
    const char *path; /* of the journal */
    rdv_arena *arena;
    rdv_arena *scratch; /* for one line */
    rdv_journal *journal;
    struct output output;
    struct usage_table usage;
};

/* ---- export ---------------------------------------------------------------------------------- */

static int write_line(void *payload, rdv_str line, rdv_error *err)
{
    struct journalling *j = payload;
    int code = output_write(&j->output, line, err);
    if (code == RDV_OK && interrupted())
        return rdv_fail(err, RDV_E_IO, "interrupted");
    return code < 0 || code == RDV_OK ? code : rdv_fail(err, RDV_E_IO, "nobody reads");
}

static int export(struct journalling *j, rdv_error *err)
{
    int code = rdv_journal_open(j->path, RDV_JOURNAL_READ, &j->journal, err);
    if (code == RDV_OK)
        code = output_open(&j->output, j->settings->out, j->arena, err);
    if (code != RDV_OK)
        return code;
    code = rdv_journal_export(j->journal, write_line, j, err);
    if (code != RDV_OK) {
        output_drop(&j->output);
        return code;
    }
    return output_finish(&j->output, true, err) < 0 ? RDV_E_IO : RDV_OK;
}

/* ---- import ---------------------------------------------------------------------------------- */

struct lines {
    rdv_journal *journal;
    rdv_journal_imported counts;
};

/* Invalid lines are reported and skipped. */
static int import_line(void *payload, const struct file_line *line, rdv_error *err)
{
    struct lines *l = payload;
    rdv_error why = {0};
    if (line->number == 1 && rdv_starts(line->text, RDV_STR("SQLite format 3")))
        return rdv_fail(err, RDV_E_INPUT,
                        "%s is a journal, and no lines of one: write 'journal merge NEW OLD...'",
                        line->path);
    int code = line->too_long
                   ? rdv_fail(&why, RDV_NONE, "longer than %zu MB: left out", FILE_LINE_BYTES >> 20)
                   : rdv_journal_import(l->journal, line->text, &l->counts, &why);
    l->counts.bad += line->too_long;
    if (code < 0)
        return rdv_fail(err, code, "%s:%zu: %s", line->path, line->number, why.msg);
    if (code == RDV_NONE)
        say("%s:%zu: %s", line->path, line->number, why.msg);
    return RDV_OK;
}

static int import(struct journalling *j, rdv_error *err)
{
    static const char *standard[] = {"-"};
    const struct list *in = &j->settings->in;
    const char *const *paths = in->n > 2 ? in->items + 2 : standard;
    size_t n = in->n > 2 ? in->n - 2 : 1;
    bool batch = j->settings->batch.results;
    if (batch && access(j->path, F_OK) != 0) /* one without requests takes no results */
        return rdv_fail(err, RDV_E_IO, "%s: %s", j->path, strerror(errno));
    int code = rdv_journal_open(j->path, RDV_JOURNAL_WRITE, &j->journal, err);
    if (batch)
        return code == RDV_OK ? journal_batch_import(j->journal, paths, n, j->settings, err) : code;
    struct lines lines = {.journal = j->journal};
    for (size_t i = 0; i < n && code == RDV_OK; i++)
        code = file_lines_read(paths[i], import_line, &lines, err);
    int kept = j->journal ? rdv_journal_flush(j->journal, code == RDV_OK ? err : NULL) : RDV_OK;
    if (code != RDV_OK || kept != RDV_OK)
        return code != RDV_OK ? code : kept;
    if (!j->settings->quiet)
        fprintf(stderr,
                "%" PRIu64 " replies added, %" PRIu64 " already present, %" PRIu64
                " invalid lines\n",
                lines.counts.added, lines.counts.known, lines.counts.bad);
    return lines.counts.bad ? RDV_NONE : RDV_OK;
}

/* ---- info ------------------------------------------------------------------------------------ */

static int account_line(void *payload, rdv_str line, rdv_error *err)
{
    struct journalling *j = payload;
    rdv_str reply, none = RDV_STR(""), stage = none, model = none, prompt = none, completion = none;
    rdv_arena_reset(j->scratch);
    int code = rdv_record_member(line, RDV_STR("response"), &reply);
    if (code == RDV_NONE)
        return rdv_fail(err, RDV_E_INTERNAL, "a line of the journal has no response");
    if (code != RDV_OK || rdv_record_text(line, RDV_STR("stage"), j->scratch, &stage) < 0 ||
        rdv_record_text(line, RDV_STR("model"), j->scratch, &model) < 0 ||
        rdv_record_text(reply, RDV_STR("prompt_tokens"), j->scratch, &prompt) < 0 ||
        rdv_record_text(reply, RDV_STR("completion_tokens"), j->scratch, &completion) < 0)
        return rdv_no_memory(err);
    usage_table_add(&j->usage, stage, model, strtoull(prompt.p, NULL, 10),
                    strtoull(completion.p, NULL, 10));
    return RDV_OK;
}

/* What the runs wrote to files of batches, behind the table; nothing if they wrote none. */
static int put_batch(struct journalling *j, rdv_str *text, rdv_error *err)
{
    batch_counts is;
    rdv_buf b;
    int code = journal_batch_count(j->journal, &is, err);
    if (code != RDV_OK || is.files == 0)
        return code;
    rdv_buf_init(&b, j->arena, 0);
    rdv_buf_add(&b, j->settings->json ? rdv_slice(*text, 0, text->len - strlen("}\n")) : *text);
    rdv_buf_printf(&b,
                   j->settings->json ? ",\"batch\":{\"n_files\":%" PRIu64 ",\"n_rounds\":%" PRIu64
                                       ",\"n_expected\":%" PRIu64 ",\"n_lost\":%" PRIu64
                                       ",\"n_failed\":%" PRIu64 ",\"n_refused\":%" PRIu64 "}}\n"
                                     : "batch: files %" PRIu64 ", rounds %" PRIu64
                                       "; requests without a reply: expected %" PRIu64
                                       ", lost %" PRIu64 ", failed %" PRIu64 ", refused %" PRIu64
                                       "\n",
                   is.files, is.rounds, is.by_state[BATCH_EXPECTED], is.by_state[BATCH_LOST],
                   is.by_state[BATCH_FAILED], is.by_state[BATCH_REFUSED]);
    *text = rdv_buf_str(&b);
    return text->p ? RDV_OK : rdv_no_memory(err);
}

static int info(struct journalling *j, rdv_error *err)
{
    rdv_str text;
    struct terminal terminal = terminal_look(j->settings);
    struct prices free_of_charge = {0};
    usage_table_init(&j->usage, j->arena);
    int code = rdv_journal_open(j->path, RDV_JOURNAL_READ, &j->journal, err);
    if (code == RDV_OK)
        code = rdv_journal_export(j->journal, account_line, j, err);
    if (code == RDV_OK)
        code = j->settings->json
                   ? usage_table_json(&j->usage, "n_responses", free_of_charge, NULL, 0, &text, err)
                   : usage_table_print(&j->usage, "replies", free_of_charge, NULL, 0,
                                       &terminal.view, &text, err);
    if (code == RDV_OK)
        code = put_batch(j, &text, err);
    if (code == RDV_OK && (fwrite(text.p, 1, text.len, stdout) != text.len || fflush(stdout) != 0))
        return rdv_fail(err, RDV_E_IO, "standard output cannot be written: %s", strerror(errno));
    return code;
}

/* ---- merge ----------------------------------------------------------------------------------- */

static int merge(struct journalling *j, rdv_error *err)
{
    return journal_merge(j->settings, err);
}

/* ---- compact --------------------------------------------------------------------------------- */

static int compact(struct journalling *j, rdv_error *err)
{
    rdv_journal_compacted is;
    if (access(j->path, F_OK) != 0) /* opening it to write would make it */
        return rdv_fail(err, RDV_E_IO, "%s: %s", j->path, strerror(errno));
    int code = rdv_journal_open(j->path, RDV_JOURNAL_WRITE, &j->journal, err);
    if (code == RDV_OK)
        code = rdv_journal_compact(j->journal, interrupted, &is, err);
    if (code != RDV_OK)
        return code;
    if (j->settings->json)
        printf("{\"n_responses\":%" PRIu64 ",\"n_parts_removed\":%" PRIu64
               ",\"bytes_before\":%" PRIu64 ",\"bytes_after\":%" PRIu64 "}\n",
               is.replies, is.parts, is.bytes_before, is.bytes_after);
    else if (!j->settings->quiet)
        fprintf(stderr,
                "%" PRIu64 " replies; %" PRIu64 " bytes, %" PRIu64 " before; %" PRIu64
                " part%s of requests removed that no reply names\n",
                is.replies, is.bytes_after, is.bytes_before, is.parts, plural(is.parts));
    return RDV_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int (*verb_named(const char *name))(struct journalling *, rdv_error *)
{
    static const struct {
        const char *name;
        int (*run)(struct journalling *, rdv_error *);
    } verbs[] = {{"export", export},
                 {"import", import},
                 {"info", info},
                 {"merge", merge},
                 {"compact", compact}};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return verbs[i].run;
    return NULL;
}

static int status_of(const struct journalling *j, int code, const rdv_error *err)
{
    if (j->output.nobody_reads)
        return NOBODY_READS;
    if (code < 0)
        say("%s", err->msg);
    if (interrupted())
        return INTERRUPTED;
    return code == RDV_OK ? DONE : code == RDV_NONE ? SOME_FAILED : NOTHING_DONE;
}

int cmd_journal(const struct settings *settings)
{
    rdv_error err = {0};
    const struct list *in = &settings->in;
    int (*verb)(struct journalling *, rdv_error *) = in->n > 1 ? verb_named(in->items[0]) : NULL;
    if (!verb || (verb != import && verb != merge && in->n > 2)) {
        say("journal: write 'journal export FILE', 'journal info FILE', 'journal import FILE "
            "[LINES]...', 'journal merge NEW FILE...' or 'journal compact FILE'");
        return USAGE;
    }
    if (settings->batch.results && verb != import) {
        say("journal: --batch has no effect on '%s'", in->items[0]);
        return USAGE;
    }
    struct journalling j = {.settings = settings,
                            .path = in->items[1],
                            .arena = rdv_arena_new(0),
                            .scratch = rdv_arena_new(0)};
    int code = j.arena && j.scratch ? verb(&j, &err) : rdv_no_memory(&err);
    int status = status_of(&j, code, &err);
    rdv_journal_close(&j.journal);
    rdv_arena_free(&j.scratch);
    rdv_arena_free(&j.arena);
    return status;
}
