/* SPDX-License-Identifier: Apache-2.0 */
#include "server/price_file.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/json_edit.h"

#include <math.h>

#define MOST_PRICE 1e6 /* dollars a million tokens */
#define TOKENS 1e6

static int read_price(const json_t *object, const char *name, uint64_t *out, rdv_error *err)
{
    double x = parse_double(json_object_get(object, name));
    if (!(x >= 0 && x <= MOST_PRICE))
        return rdv_fail(err, RDV_E_INPUT,
                        "'%s' must be a number of dollars for a million tokens, from 0 to %g", name,
                        MOST_PRICE);
    *out = (uint64_t)ceil(x * ((double)USAGE_DOLLAR / TOKENS));
    return RDV_OK;
}

static int read_prices(const json_t *object, serve_model *m, rdv_error *err)
{
    if (!json_is_object(object) || json_object_size(object) != 2)
        return rdv_fail(err, RDV_E_INPUT, "it must be an object with 'input' and 'output'");
    int rc = read_price(object, "input", &m->price_in, err);
    if (rc == RDV_OK)
        rc = read_price(object, "output", &m->price_out, err);
    m->priced = rc == RDV_OK;
    return rc;
}

static serve_model *find(serve_model *models, size_t n, rdv_str name)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_str_eq(models[i].name, name))
            return &models[i];
    return NULL;
}

static int read_root(const json_t *root, serve_model *models, size_t n, rdv_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, name, value)
    {
        serve_model *m = find(models, n, rdv_str_of(name));
        if (!m)
            return rdv_fail(err, RDV_E_INPUT, "no model '%.100s' is served", name);
        int rc = read_prices(value, m, err);
        if (rc != RDV_OK)
            return rdv_wrap(err, rc, "\"%.100s\"", name);
    }
    return RDV_OK;
}

int price_file_read(rdv_str text, serve_model *models, size_t n, rdv_error *err)
{
    json_t *root = NULL;
    rdv_arena *arena = rdv_arena_new(0);
    int rc = arena ? json_edit_check_names(text, 1, arena, err) : rdv_no_memory(err);
    if (rc == RDV_OK)
        rc = parse_json(text, false, &root, err);
    if (rc == RDV_OK)
        rc = read_root(root, models, n, err);
    json_decref(root);
    rdv_arena_free(&arena);
    return rc;
}
