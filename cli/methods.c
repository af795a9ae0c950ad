/* SPDX-License-Identifier: Apache-2.0 */
#include "methods.h"
#include "terminal.h"

#include "base/str.h"

#include <stdio.h>

#define MAX_NAMES 64

static int unknown_method(rdv_str name)
{
    char word[64];
    const char *names[MAX_NAMES];
    size_t n;
    const rdv_method *const *methods = rdv_methods(&n);
    n = n < MAX_NAMES ? n : MAX_NAMES;
    for (size_t i = 0; i < n; i++)
        names[i] = methods[i]->name;
    snprintf(word, sizeof word, "%.*s", RDV_FMT(name));
    const char *nearest = opt_nearest(word, names, n);
    if (nearest)
        say("--method %s: there is no such method; did you mean %s?", word, nearest);
    else
        say("--method %s: there is no such method; 'rederive methods' lists them", word);
    return USAGE;
}

static int read_methods(struct methods *m, const char *list)
{
    for (rdv_str rest = rdv_str_of(list); rest.p;) {
        size_t comma = rdv_find_char(rest, ',', 0);
        rdv_str name = rdv_slice(rest, 0, comma);
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        const rdv_method *method = rdv_method_named(name);
        if (!method)
            return unknown_method(name);
        if (m->n == MAX_METHODS) {
            say("--method: at most %d methods can be given", MAX_METHODS);
            return USAGE;
        }
        m->is[m->n++] = method;
        if (method->asks_model && !m->asks)
            m->asks = method->name;
    }
    return DONE;
}

static int read_weights(struct methods *m, const struct settings *s)
{
    rdv_error err = {0};
    m->options = rdv_check_options_default();
    rdv_unknown_named(rdv_str_of(s->unknown), &m->options.unknown);
    if (!s->lambda.given)
        return DONE;
    m->options.l1 = s->lambda.first;
    m->options.l0 = s->lambda.second;
    rdv_integration how = {m->options.l1, m->options.l0, m->options.unknown};
    if (rdv_integration_check(&how, &err) == RDV_OK)
        return DONE;
    say("--lambda %g,%g: %s", how.l1, how.l0, err.msg);
    return USAGE;
}

int methods_read(struct methods *methods, const struct settings *settings, bool none)
{
    *methods = (struct methods){0};
    int status = read_weights(methods, settings);
    if (status != DONE || (none && strcmp(settings->method, "none") == 0))
        return status;
    return read_methods(methods, settings->method);
}
