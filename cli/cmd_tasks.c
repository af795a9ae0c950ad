/* SPDX-License-Identifier: Apache-2.0 */
/* rederive tasks: generates questions by program, with their answers and solutions. */
#include "cmd.h"
#include "output.h"
#include "simulated_annotators.h"
#include "task/task.h"
#include "terminal.h"
#include <rederive/data.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"

#include <inttypes.h>

/* After so many repeated questions in a row, no new ones are expected. */
#define MOST_REPEATED 10000

struct making {
    const struct settings *settings;
    struct output output;
    rdv_arena *keep;    /* the texts made so far */
    rdv_arena *scratch; /* for the current question */
    rdv_map made;
    uint64_t questions, mistaken;
};

/* Whether this question gets a mistake; depends only on its own number, not on other questions. */
static bool goes_wrong(const struct settings *settings, const rdv_task *task, uint64_t number)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, rdv_hash(rdv_str_of(task->name), settings->seed + 1) ^ number);
    return settings->mistakes.given && rdv_rng_unit(&rng) < settings->mistakes.is;
}

static int make(struct making *m, const rdv_task *task, uint64_t number, rdv_chain *chain,
                rdv_error *err)
{
    const struct settings *s = m->settings;
    rdv_task_options options;
    rdv_task_options_default(&options);
    options.seed = s->seed;
    options.least = (size_t)s->min_size;
    options.most = (size_t)s->max_size;
    options.trace = s->traces || s->mistakes.given;
    if (goes_wrong(s, task, number))
        options.mistake = RDV_TASK_ANY_STEP;
    int code = rdv_task_make(task, &options, number, m->scratch, chain, err);
    return code == RDV_OK && s->annotators
               ? simulated_annotators(chain, s->annotators, s->seed, m->scratch, err)
               : code;
}

/* RDV_NONE: the text was made before. */
static int is_new(struct making *m, rdv_str text, rdv_error *err)
{
    if (rdv_map_get(&m->made, text) != RDV_MAP_MISSING)
        return RDV_NONE;
    text = rdv_str_copy(m->keep, text);
    if (!text.p || rdv_map_put(&m->made, text, 1) < 0)
        return rdv_no_memory(err);
    return RDV_OK;
}

static int write_chain(struct making *m, const rdv_chain *chain, rdv_error *err)
{
    rdv_str line;
    int code = rdv_record_write(chain, NULL, m->scratch, &line, err);
    if (code == RDV_OK)
        code = output_write(&m->output, line, err);
    m->questions++;
    m->mistaken += chain->label.kind == RDV_LABEL_AT;
    return code;
}

/* Returns as output_write(); RDV_E_LIMIT: there are fewer distinct questions than requested. */
static int make_task(struct making *m, const rdv_task *task, rdv_error *err)
{
    uint64_t left = m->settings->number, number = 0, repeated = 0;
    int code = RDV_OK;
    for (; left > 0 && code == RDV_OK && !interrupted(); number++) {
        rdv_chain chain;
        rdv_arena_reset(m->scratch);
        code = make(m, task, number, &chain, err);
        if (code == RDV_OK)
            code = is_new(m, chain.question.text, err);
        if (code == RDV_NONE && ++repeated == MOST_REPEATED)
            return rdv_fail(err, RDV_E_LIMIT,
                            "%s: there are no more than %" PRIu64
                            " different questions of this size to be found; ask for fewer, or for "
                            "larger ones with --max-size",
                            task->name, m->settings->number - left);
        if (code == RDV_NONE) {
            code = RDV_OK;
            continue;
        }
        if (code == RDV_OK)
            code = write_chain(m, &chain, err);
        repeated = 0;
        left--;
    }
    return code;
}

static int make_all(struct making *m, rdv_error *err)
{
    size_t n;
    const rdv_task *const *tasks = rdv_tasks(&n);
    rdv_str wanted = rdv_str_of(m->settings->task);
    int code = RDV_OK;
    for (size_t i = 0; i < n && code == RDV_OK; i++)
        if (rdv_str_eq(wanted, RDV_STR("all")) || rdv_str_eq(wanted, rdv_str_of(tasks[i]->name)))
            code = make_task(m, tasks[i], err);
    return code;
}

static int finish(struct making *m, int code, rdv_error *err)
{
    bool complete = code == RDV_OK && !interrupted();
    if (code < 0 && code != RDV_E_LIMIT) {
        output_drop(&m->output);
    } else if (code != RDV_NONE) {
        rdv_error why = {0};
        if (output_finish(&m->output, complete, &why) < 0 && code == RDV_OK) {
            *err = why;
            code = RDV_E_IO;
        }
    }
    if (code < 0) {
        say("tasks: %s", err->msg);
        return code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE;
    }
    if (code == RDV_NONE || m->output.nobody_reads)
        return NOBODY_READS;
    if (interrupted())
        return INTERRUPTED;
    if (!m->settings->quiet)
        fprintf(stderr, "%" PRIu64 " question%s, %" PRIu64 " with a mistake\n", m->questions,
                plural(m->questions), m->mistaken);
    return DONE;
}

int cmd_tasks(const struct settings *settings)
{
    struct making m = {.settings = settings};
    rdv_error err = {0};
    if (settings->annotators && !settings->traces && !settings->mistakes.given) {
        say("tasks: --annotators needs solutions to annotate: add --traces or --mistakes");
        return USAGE;
    }
    catch_signals();
    m.keep = rdv_arena_new(0);
    m.scratch = rdv_arena_new(0);
    int status = NOTHING_DONE;
    if (!m.keep || !m.scratch) {
        say("tasks: out of memory");
    } else {
        rdv_map_init(&m.made, m.keep);
        int code = output_open(&m.output, settings->out, m.keep, &err);
        if (code == RDV_OK) {
            code = make_all(&m, &err);
            status = finish(&m, code, &err);
        } else {
            say("tasks: %s", err.msg);
        }
    }
    rdv_arena_free(&m.scratch);
    rdv_arena_free(&m.keep);
    return status;
}
