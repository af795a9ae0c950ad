/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/binding.h"

#include "grade.h"
#include "host.h"
#include "methods.h"
#include "settings.h"

#include "base/arena.h"
#include "base/str.h"
#include "judge/usable.h"
#include "method/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct binding_checker {
    rdv_arena *keep, *arena; /* of the options; of a record */
    char **argv;             /* in `keep` */
    struct settings settings;
    struct methods methods;
    rdv_chain *chains; /* of the record that was read last, n of them */
    rdv_record *records;
    size_t n;
};

/* ---- options --------------------------------------------------------------------------------- */

static void keep_message(void *payload, const char *line)
{
    rdv_fail(payload, RDV_E_ARGUMENT, "%s", line);
}

static int read_options(binding_checker *c, const char *const *argv, int argc, rdv_error *err)
{
    const struct command *command = commands;
    const struct host here = {.payload = err, .say = keep_message};
    const struct host *before = host;
    while (command->name && strcmp(command->name, "check") != 0)
        command++;
    c->argv = RDV_NEW_ARRAY(c->keep, char *, (size_t)argc + 1);
    if (!c->argv)
        return rdv_no_memory(err);
    for (int i = 0; i < argc; i++)
        if (!(c->argv[i] = rdv_cstring(c->keep, rdv_str_of(argv[i]))))
            return rdv_no_memory(err);
    int code = opt_parse(command, argc, c->argv, c->keep, &c->settings, err);
    if (code != RDV_OK)
        return code;
    host = &here;
    code = methods_read(&c->methods, &c->settings, false);
    host = before;
    return code == DONE ? RDV_OK : err->code ? err->code : RDV_E_NOMEM;
}

binding_checker *binding_checker_new(const char *const *argv, int argc, rdv_error *err)
{
    binding_checker *c = calloc(1, sizeof *c);
    if (!c || !(c->keep = rdv_arena_new(0)) || !(c->arena = rdv_arena_new(0)))
        rdv_no_memory(err);
    else if (read_options(c, argv, argc, err) == RDV_OK)
        return c;
    binding_checker_free(c);
    return NULL;
}

bool binding_checker_asks(const binding_checker *c)
{
    return c->methods.asks != NULL;
}

void binding_checker_free(binding_checker *c)
{
    if (!c)
        return;
    methods_end(&c->methods);
    rdv_arena_free(&c->keep);
    rdv_arena_free(&c->arena);
    free(c);
}

/* ---- one record ------------------------------------------------------------------------------ */

/* A chain without an id gets that of a file named "input", as the program gives it. */
static int name_chain(rdv_chain *chain, size_t number, size_t i, size_t n, rdv_arena *arena)
{
    if (chain->id.p)
        return RDV_OK;
    chain->id = n > 1 ? rdv_str_printf(arena, "input/%zu/%zu", number, i)
                      : rdv_str_printf(arena, "input/%zu", number);
    return chain->id.p ? RDV_OK : RDV_E_NOMEM;
}

int binding_checker_read(binding_checker *c, const char *bytes, size_t length, size_t number,
                         size_t *n, rdv_error *err)
{
    rdv_arena_reset(c->arena);
    binding_thread_begin();
    int code = rdv_record_read((rdv_str){bytes, length}, NULL, c->arena, &c->records, &c->n, err);
    for (size_t i = 0; i < c->n && code == RDV_OK; i++)
        if (name_chain(&c->records[i].chain, number, i, c->n, c->arena) != RDV_OK)
            code = rdv_no_memory(err);
    *n = code == RDV_OK ? c->n : 0;
    return code;
}

/* A fault of one record, with the line that the program writes for it. */
static int failed(binding_checker *c, const rdv_record *record, int code, rdv_error *why,
                  rdv_str *line)
{
    const rdv_write_options options = {.size = sizeof options, .error = rdv_str_of(why->msg)};
    int written = record->chain.raw.p
                      ? rdv_record_write(&record->chain, &options, c->arena, line, NULL)
                      : rdv_error_write(options.error, c->arena, line, NULL);
    return written == RDV_OK ? code : rdv_no_memory(why);
}

/* ---- a method of Python ---------------------------------------------------------------------- */

int binding_checker_chain(binding_checker *c, size_t i, rdv_str *line, rdv_error *err)
{
    const rdv_record *record = &c->records[i];
    int code = usable_chain(record, err);
    if (code == RDV_OK)
        code = rdv_record_write(&record->chain, NULL, c->arena, line, err);
    return code == RDV_OK ? code : failed(c, record, code, err, line);
}

/* The line of a chain whose last check is new. */
static int write_checked(binding_checker *c, const rdv_chain *chain, rdv_str *line, rdv_error *err)
{
    const rdv_write_options options = {.size = sizeof options, .checked = true};
    return rdv_record_write(chain, &options, c->arena, line, err);
}

/* The verdicts are one for each step, in order, or one of the whole chain. */
static int are_whole(const rdv_check *check, const rdv_chain *chain, rdv_error *err)
{
    bool whole = check->n_verdicts == 1 && check->verdicts[0].step == RDV_WHOLE_CHAIN;
    bool each = check->n_verdicts == chain->n_steps;
    for (size_t i = 0; each && i < chain->n_steps; i++)
        each = check->verdicts[i].step == i;
    if (whole || each)
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "the method %.*s gave %zu verdicts of %zu steps; one for each step, or one of "
                    "the whole chain, is wanted",
                    RDV_FMT(check->method), check->n_verdicts, chain->n_steps);
}

/* The verdicts as `made` has them; what follows from them is computed here. */
static int add_own(binding_checker *c, rdv_chain *chain, const rdv_check *made, rdv_error *err)
{
    const rdv_method method = {.name = rdv_cstring(c->arena, made->method), .l1 = 1, .l0 = 0.3};
    rdv_check *checks = RDV_NEW_ARRAY(c->arena, rdv_check, chain->n_checks + 1);
    if (!method.name || !checks)
        return rdv_no_memory(err);
    if (chain->n_checks)
        memcpy(checks, chain->checks, chain->n_checks * sizeof *checks);
    int code = method_integrate(&method, &c->methods.options, made->verdicts, made->n_verdicts,
                                &checks[chain->n_checks], err);
    if (code != RDV_OK)
        return code;
    chain->checks = checks;
    chain->n_checks++;
    return RDV_OK;
}

int binding_checker_own(binding_checker *c, size_t i, const char *bytes, size_t length,
                        rdv_str *line, rdv_error *err)
{
    rdv_chain *chain = &c->records[i].chain;
    rdv_record *record;
    size_t n;
    int code = rdv_record_read((rdv_str){bytes, length}, NULL, c->arena, &record, &n, err);
    const rdv_check *made = code == RDV_OK ? rdv_chain_check(&record->chain, (rdv_str){0}) : NULL;
    if (code == RDV_OK && !made)
        code = rdv_fail(err, RDV_E_INTERNAL, "a method's verdicts cannot be read");
    if (code == RDV_OK)
        code = are_whole(made, chain, err);
    if (code == RDV_OK)
        code = add_own(c, chain, made, err);
    if (code == RDV_OK)
        code = write_checked(c, chain, line, err);
    return code == RDV_OK ? code : failed(c, &c->records[i], code, err, line);
}

int binding_checker_check(binding_checker *c, size_t i, rdv_str *line, rdv_error *err)
{
    rdv_record *record = &c->records[i];
    int code = usable_chain(record, err);
    if (code == RDV_OK)
        code = methods_check(&c->methods, &record->chain, c->arena, err);
    if (code == RDV_OK)
        return write_checked(c, &record->chain, line, err);
    return failed(c, record, code, err, line);
}
