/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/command.h"

#include "cmd.h"
#include "host.h"
#include "settings.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_WAITING ((size_t)16 << 20) /* bytes of output that nobody has taken yet */

/* What a Python program may run. */
static const struct verb {
    const char *name;
    int (*run)(const struct settings *settings);
} verbs[] = {
    {"grade", cmd_grade}, {"vote", cmd_vote},   {"eval", cmd_eval},     {"convert", cmd_convert},
    {"check", cmd_check}, {"solve", cmd_solve}, {"repair", cmd_repair}, {0}};

struct bytes {
    char *p;
    size_t len, cap;
};

struct binding_command {
    const struct verb *verb;
    char **argv;
    int argc;
    pthread_t thread;
    struct binding_driver driver;
    bool started; /* there is a thread to join */
    /* Guarded by `lock`; each change is told by `changed`. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct bytes in, out, said;
    size_t in_at; /* what was read of `in` */
    bool in_ended, interrupted, ended, no_memory;
    int status;
    void (*stop)(void *);
    void *work;
    struct bytes taken; /* the reader's */
};

static bool append(struct bytes *to, const char *bytes, size_t len)
{
    if (to->cap - to->len < len + 1) {
        size_t cap = 2 * (to->len + len) + 256;
        char *p = realloc(to->p, cap);
        if (!p)
            return false;
        to->p = p;
        to->cap = cap;
    }
    memcpy(to->p + to->len, bytes, len);
    to->len += len;
    to->p[to->len] = '\0';
    return true;
}

/* ---- the host of the command, on its thread -------------------------------------------------- */

static bool has_input(const struct binding_command *c)
{
    return c->in_at < c->in.len;
}

static ptrdiff_t read_input(void *payload, void *bytes, size_t size)
{
    struct binding_command *c = payload;
    pthread_mutex_lock(&c->lock);
    while (!has_input(c) && !c->in_ended && !c->interrupted)
        pthread_cond_wait(&c->changed, &c->lock);
    size_t n = c->in.len - c->in_at;
    n = n < size ? n : size;
    if (n)
        memcpy(bytes, c->in.p + c->in_at, n);
    c->in_at += n;
    if (!has_input(c)) {
        c->in.len = c->in_at = 0;
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    return (ptrdiff_t)n;
}

static bool would_wait(void *payload)
{
    struct binding_command *c = payload;
    pthread_mutex_lock(&c->lock);
    bool waits = !has_input(c) && !c->in_ended;
    pthread_mutex_unlock(&c->lock);
    return waits;
}

static bool write_output(void *payload, const char *bytes, size_t size)
{
    struct binding_command *c = payload;
    pthread_mutex_lock(&c->lock);
    while (!c->driver.plans && c->out.len > MOST_WAITING && !c->interrupted)
        pthread_cond_wait(&c->changed, &c->lock);
    bool ok = !c->interrupted && append(&c->out, bytes, size);
    c->no_memory |= !ok && !c->interrupted;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return ok;
}

static void take_message(void *payload, const char *line)
{
    struct binding_command *c = payload;
    pthread_mutex_lock(&c->lock);
    c->no_memory |= !append(&c->said, line, strlen(line)) || !append(&c->said, "\n", 1);
    pthread_mutex_unlock(&c->lock);
}

static bool is_interrupted(void *payload)
{
    struct binding_command *c = payload;
    pthread_mutex_lock(&c->lock);
    bool is = c->interrupted;
    pthread_mutex_unlock(&c->lock);
    return is;
}

static void when_stopped(void *payload, void (*stop)(void *), void *work)
{
    struct binding_command *c = payload;
    pthread_mutex_lock(&c->lock);
    c->stop = stop;
    c->work = work;
    if (stop && c->interrupted)
        stop(work);
    pthread_mutex_unlock(&c->lock);
}

static int carry_out(void *payload, const struct rdv_plan_source *source, struct rdv_error *err)
{
    const struct binding_driver *driver = &((binding_command *)payload)->driver;
    return driver->plans(driver->payload, source, err);
}

static void take_totals(void *payload, const struct rdv_run_totals *totals)
{
    const struct binding_driver *driver = &((binding_command *)payload)->driver;
    driver->progress(driver->payload, totals);
}

static const struct command *find_command(const char *name)
{
    const struct command *command = commands;
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command->name ? command : NULL;
}

static int run_verb(struct binding_command *c)
{
    struct settings settings;
    rdv_error err = {0};
    int status = USAGE;
    const struct command *command = find_command(c->verb->name);
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena || !command)
        rdv_fail(&err, RDV_E_NOMEM, "out of memory");
    else
        opt_parse(command, c->argc, c->argv, arena, &settings, &err);
    if (err.code != RDV_OK) {
        take_message(c, err.msg);
    } else {
        settings.command = command->name;
        settings.typed = c->argv;
        settings.n_typed = c->argc;
        status = c->verb->run(&settings);
    }
    rdv_arena_free(&arena);
    return status;
}

static void *run_hosted(void *payload)
{
    struct binding_command *c = payload;
    const struct host here = {.payload = c,
                              .input = "input",
                              .read = read_input,
                              .would_wait = would_wait,
                              .write = write_output,
                              .say = take_message,
                              .interrupted = is_interrupted,
                              .when_interrupted = when_stopped,
                              .plans = c->driver.plans ? carry_out : NULL,
                              .progress = c->driver.progress ? take_totals : NULL};
    const struct host *before = host;
    binding_thread_begin();
    host = &here;
    int status = run_verb(c);
    host = before;
    pthread_mutex_lock(&c->lock);
    c->status = status;
    c->ended = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    if (c->driver.ended)
        c->driver.ended(c->driver.payload);
    return NULL;
}

/* ---- for the caller -------------------------------------------------------------------------- */

binding_command *binding_command_new(const char *verb, const char *const *argv, int argc)
{
    const struct verb *is = verbs;
    while (is->name && strcmp(is->name, verb) != 0)
        is++;
    binding_command *c = is->name ? calloc(1, sizeof *c) : NULL;
    pthread_condattr_t monotonic;
    if (!c || !(c->argv = calloc((size_t)argc + 1, sizeof *c->argv))) {
        free(c);
        return NULL;
    }
    c->verb = is;
    pthread_mutex_init(&c->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&c->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    for (; c->argc < argc; c->argc++)
        if (!(c->argv[c->argc] = strdup(argv[c->argc]))) {
            binding_command_free(c);
            return NULL;
        }
    return c;
}

void binding_command_drive(binding_command *c, const struct binding_driver *driver)
{
    c->driver = *driver;
}

/* Signals are for the threads of Python. */
bool binding_command_start(binding_command *c)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->started = pthread_create(&c->thread, NULL, run_hosted, c) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c->started;
}

bool binding_command_feed(binding_command *c, const char *bytes, size_t n)
{
    pthread_mutex_lock(&c->lock);
    bool ok = append(&c->in, bytes, n);
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return ok;
}

void binding_command_end_input(binding_command *c)
{
    pthread_mutex_lock(&c->lock);
    c->in_ended = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static size_t whole_lines(const struct binding_command *c)
{
    const char *last = c->out.len ? memrchr(c->out.p, '\n', c->out.len) : NULL;
    return last ? (size_t)(last - c->out.p) + 1 : c->ended ? c->out.len : 0;
}

static binding_event event_now(const struct binding_command *c)
{
    if (whole_lines(c))
        return BINDING_LINES;
    if (c->ended)
        return BINDING_ENDED;
    return has_input(c) || c->in_ended ? BINDING_NOTHING : BINDING_WANTS_INPUT;
}

binding_event binding_command_wait(binding_command *c, unsigned ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&c->lock);
    binding_event event;
    while ((event = event_now(c)) == BINDING_NOTHING &&
           pthread_cond_timedwait(&c->changed, &c->lock, &until) == 0)
        ;
    pthread_mutex_unlock(&c->lock);
    return event;
}

const char *binding_command_lines(binding_command *c, size_t *n)
{
    pthread_mutex_lock(&c->lock);
    size_t lines = whole_lines(c);
    struct bytes rest = c->taken;
    c->taken = c->out;
    rest.len = 0;
    if (c->taken.len > lines && !append(&rest, c->taken.p + lines, c->taken.len - lines))
        c->no_memory = true;
    c->out = rest;
    c->taken.len = *n = lines;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return c->taken.p;
}

const char *binding_command_said(binding_command *c, size_t *n)
{
    pthread_mutex_lock(&c->lock);
    *n = c->said.len;
    const char *said = c->said.p;
    pthread_mutex_unlock(&c->lock);
    return said;
}

int binding_command_status(binding_command *c)
{
    pthread_mutex_lock(&c->lock);
    int status = c->no_memory ? NOTHING_DONE : c->status;
    pthread_mutex_unlock(&c->lock);
    return status;
}

void binding_command_stop(binding_command *c)
{
    pthread_mutex_lock(&c->lock);
    c->interrupted = true;
    if (c->stop)
        c->stop(c->work);
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

void binding_command_free(binding_command *c)
{
    if (!c)
        return;
    if (c->started) {
        binding_command_stop(c);
        pthread_join(c->thread, NULL);
    }
    if (c->driver.release)
        c->driver.release(c->driver.payload);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    for (int i = 0; i < c->argc; i++)
        free(c->argv[i]);
    free(c->argv);
    free(c->in.p);
    free(c->out.p);
    free(c->said.p);
    free(c->taken.p);
    free(c);
}
