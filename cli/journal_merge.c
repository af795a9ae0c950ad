/* SPDX-License-Identifier: Apache-2.0 */
#include "journal_merge.h"
#include "output.h"
#include "run.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/str.h"
#include "run/journal/batch.h"
#include "run/journal/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

struct merging {
    const char *out;
    const char *partial; /* the new journal, until it is complete */
    const char *const *in;
    size_t n;
    rdv_journal_merged counts;
};

/* The new journal has replies only: it could not take the results of these requests. */
static int tell_waiting(rdv_journal *from, const char *path, rdv_error *err)
{
    uint64_t n;
    int code = journal_batch_waiting(from, &n, err);
    if (code == RDV_OK && n)
        say("%s: %" PRIu64 " request%s of a batch wait%s for results; import them into this "
            "journal, not into the merged one, and merge it again then",
            path, n, plural(n), n == 1 ? "s" : "");
    return code;
}

static int merge_one(struct merging *m, rdv_journal *into, const char *path, rdv_error *err)
{
    rdv_journal *from;
    int code = rdv_journal_open(path, RDV_JOURNAL_READ, &from, err);
    if (code != RDV_OK)
        return code;
    code = rdv_journal_merge(into, from, interrupted, &m->counts, err);
    if (code == RDV_OK)
        code = tell_waiting(from, path, err);
    rdv_journal_close(&from);
    return code;
}

/* The log too, which stays where it could not be brought into the file. */
static void remove_partial(const struct merging *m)
{
    char log[4096];
    int n = snprintf(log, sizeof log, "%s-wal", m->partial);
    unlink(m->partial);
    if (n > 0 && (size_t)n < sizeof log)
        unlink(log);
}

/* What an earlier merge left that was killed is not taken over: it may be of other journals. */
static int merge_all(struct merging *m, rdv_error *err)
{
    rdv_journal *into;
    int code = rdv_journal_open(m->partial, RDV_JOURNAL_WRITE, &into, err);
    if (code != RDV_OK)
        return code;
    code = rdv_journal_empty(into, err);
    for (size_t i = 0; i < m->n && code == RDV_OK; i++)
        code = merge_one(m, into, m->in[i], err);
    if (code == RDV_OK)
        code = rdv_journal_settle(into, err);
    rdv_journal_close(&into);
    if (code != RDV_OK)
        remove_partial(m);
    return code;
}

/* Never replaces a file that another process made meanwhile, where the file system can tell. */
static int appear(const struct merging *m, rdv_error *err)
{
    int failed = renameat2(AT_FDCWD, m->partial, AT_FDCWD, m->out, RENAME_NOREPLACE);
    if (failed && (errno == EINVAL || errno == ENOSYS))
        failed = rename(m->partial, m->out);
    if (failed)
        return rdv_fail(err, RDV_E_IO, "%s: %s; the merged journal is %s", m->out, strerror(errno),
                        m->partial);
    return RDV_OK;
}

static int check_files(const struct merging *m, rdv_error *err)
{
    if (!*m->out)
        return rdv_fail(err, RDV_E_ARGUMENT, "journal merge: the new journal needs a name");
    if (m->n == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "journal merge: no journals to merge; write 'journal merge NEW OLD...'");
    if (access(m->out, F_OK) == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "%s exists; name a new file, and give %s after it to merge it too", m->out,
                        m->out);
    for (size_t i = 0; i < m->n; i++)
        if (output_same_file(m->in[i], m->partial))
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "%s would be written over, because the new journal has this name until "
                            "it is complete; rename it first, or name another new file",
                            m->in[i]);
    return RDV_OK;
}

static void tell(const struct merging *m, const struct settings *settings)
{
    const rdv_journal_merged *c = &m->counts;
    if (settings->json)
        printf("{\"n_journals\":%zu,\"n_responses\":%" PRIu64 ",\"n_copies\":%" PRIu64
               ",\"n_repeated\":%" PRIu64 ",\"n_conflicts\":%" PRIu64 ",\"prompt_tokens\":%" PRIu64
               ",\"completion_tokens\":%" PRIu64 "}\n",
               m->n, c->added, c->copies, c->repeated, c->conflicts, c->prompt_tokens,
               c->completion_tokens);
    else if (!settings->quiet)
        fprintf(stderr,
                "%" PRIu64 " replies of %zu journal%s, %" PRIu64 " copies left out; %" PRIu64
                " request%s sent again, %" PRIu64
                " of them with another reply, which is left out; paid for: %" PRIu64
                " prompt tokens, %" PRIu64 " completion tokens\n",
                c->added, m->n, plural(m->n), c->copies, c->repeated, plural(c->repeated),
                c->conflicts, c->prompt_tokens, c->completion_tokens);
}

int journal_merge(const struct settings *settings, rdv_error *err)
{
    const struct list *in = &settings->in;
    rdv_arena *arena = rdv_arena_new(0);
    struct merging m = {.out = in->items[1], .in = in->items + 2, .n = in->n - 2};
    m.partial = arena ? rdv_str_printf(arena, "%s.partial", m.out).p : NULL;
    int code = m.partial ? check_files(&m, err) : rdv_no_memory(err);
    if (code == RDV_OK)
        code = merge_all(&m, err);
    if (code == RDV_OK)
        code = appear(&m, err);
    if (code == RDV_OK)
        tell(&m, settings);
    rdv_arena_free(&arena);
    return code;
}
