/* SPDX-License-Identifier: Apache-2.0 */
#include "model/reward.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

#define MAX_BODY ((size_t)32 << 20) /* of texts; a prefix for each step grows with the square */

static size_t bytes_to_send(const rdv_request *request, bool prefixes)
{
    size_t sum = 0, prefix = request->text.len;
    for (size_t i = 0; i < request->n_steps && sum < MAX_BODY; i++) {
        prefix += request->steps[i].len + 1;
        sum = prefixes ? sum + prefix : prefix;
    }
    return sum;
}

int reward_write(const rdv_request *request, rdv_str name, rdv_arena *arena, wire *out,
                 rdv_error *err)
{
    bool values = request->prm == RDV_PRM_TOKEN_VALUES;
    rdv_buf b;
    if (bytes_to_send(request, values) >= MAX_BODY) {
        (void)rdv_fail(err, RDV_NONE, "the chain is too long for a reward model");
        return RDV_NONE;
    }
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{\"model\":");
    rdv_json_text(&b, name);
    (values ? reward_write_values : reward_write_pairs)(&b, request, arena);
    rdv_buf_add_char(&b, '}');
    out->form = values ? WIRE_VALUES : WIRE_PAIRS;
    out->path = values ? "/embeddings" : "/pooling";
    out->body = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory writing a request");
}

int reward_read(const wire *w, const rdv_request *request, const json_t *root, rdv_arena *arena,
                rdv_reply *out, rdv_error *err)
{
    const json_t *list = json_object_get(root, "data");
    if (!json_is_array(list))
        return rdv_fail(err, RDV_E_INPUT, "the reply has no data");
    out->text = RDV_STR("");
    out->finish = RDV_FINISH_STOP;
    return w->form == WIRE_VALUES ? reward_read_values(list, arena, out, err)
                                  : reward_read_pairs(request, list, arena, out, err);
}
