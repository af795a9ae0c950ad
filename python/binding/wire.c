/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/plans.h"

#include "model/wire.h"

#include <stdlib.h>

struct binding_wire {
    rdv_arena *arena; /* what was written */
    rdv_arena *read;
    wire written;
};

int binding_wire_new(const rdv_request *request, const rdv_abilities *abilities, binding_wire **out,
                     rdv_error *err)
{
    binding_wire *made = calloc(1, sizeof *made);
    *out = NULL;
    if (!made || !(made->arena = rdv_arena_new(0)) || !(made->read = rdv_arena_new(0))) {
        binding_wire_free(made);
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    }
    int code = wire_write(request, request->model, abilities, made->arena, &made->written, err);
    if (code == RDV_OK)
        *out = made;
    else
        binding_wire_free(made);
    return code;
}

void binding_wire_free(binding_wire *wire)
{
    if (!wire)
        return;
    rdv_arena_free(&wire->arena);
    rdv_arena_free(&wire->read);
    free(wire);
}

const char *binding_wire_path(const binding_wire *wire)
{
    return wire->written.path;
}

rdv_str binding_wire_body(const binding_wire *wire)
{
    return wire->written.body;
}

int binding_wire_reply(binding_wire *wire, const rdv_request *request, const char *body, size_t n,
                       rdv_abilities *abilities, rdv_reply *reply, rdv_error *err)
{
    rdv_arena_reset(wire->read);
    int code = wire_read(&wire->written, request, (rdv_str){body, n}, wire->read, reply, err);
    if (code == RDV_OK && reply->finish == RDV_FINISH_UNSAID)
        reply->finish = RDV_FINISH_OTHER; /* nothing says that the server never gives one */
    if (code == RDV_NONE)
        wire_lacks(&wire->written, abilities);
    return code;
}

int binding_wire_refused(binding_wire *wire, int status, const char *body, size_t n,
                         rdv_abilities *abilities, rdv_error *err)
{
    wire_error error;
    rdv_arena_reset(wire->read);
    int code = wire_read_error((rdv_str){body, n}, wire->read, &error, err);
    if (code != RDV_OK)
        return code;
    if (wire_refused(&wire->written, status, &error, abilities))
        return RDV_OK;
    (void)rdv_fail(err, RDV_NONE, "HTTP %d%s%.*s", status, error.message.len ? ": " : "",
                   RDV_FMT(error.message));
    return RDV_NONE;
}
