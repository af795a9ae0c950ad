/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a request to a model that `rederive serve` passes on: it is read, or refused in one
 * sentence with a status; whatever it says, the rule is not looser than the operator's; and the
 * body that is passed on names the server's model, once, and has no member `rederive`. The first
 * byte chooses the protocol and the rule. */
#include "base/arena.h"
#include "base/str.h"
#include "server/json_edit.h"
#include "server/relay_request.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_rule(const judge_rule *rule, const judge_rule *least)
{
    require(rule->mode >= least->mode && rule->threshold >= least->threshold);
    require(!rule->admits_unknown || least->admits_unknown);
    require(rule->refuses || !least->refuses);
    require(!rule->refuses || rule->mode == JUDGE_WHOLE);
}

static void check_body(rdv_str body, rdv_arena *arena)
{
    api_error e;
    rdv_members m;
    rdv_error err;
    rdv_str passed;
    require(relay_request_body(body, RDV_STR("m"), arena, &passed, &e));
    require(json_edit_cut(passed, arena, &m, &err) == RDV_OK);
    require(!json_edit_find(&m, "rederive"));
    const rdv_member *model = json_edit_find(&m, "model");
    require(model && rdv_str_eq(model->raw, RDV_STR("\"m\"")));
    rdv_members_free(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rdv_model_spec server = {.kind = RDV_MODEL_SERVER};
    const serve_model model = {.name = RDV_STR("big"), .servers = &server, .n = 1};
    rdv_arena *arena = size ? rdv_arena_new(0) : NULL;
    relay_request r;
    api_error e = {0};
    if (!arena)
        return 0;
    bool strict = data[0] & 4;
    const serve_options o = {.models = &model, .n_models = 1};
    const judge_rule rule = {.judges_plain = strict,
                             .mode = strict ? JUDGE_WHOLE : JUDGE_AFTER,
                             .refuses = strict,
                             .admits_unknown = data[0] & 8,
                             .threshold = strict ? 0.5 : 0};
    rdv_str body = {(const char *)data + 1, size - 1};
    if (relay_request_read(&o, &rule, (reply_protocol)(data[0] & 3), body, arena, &r, &e)) {
        require(r.model == 0 && (r.judged || !strict));
        check_rule(&r.rule, &rule);
        check_body(body, arena);
    } else {
        require((e.status == 400 || e.status == 404) && e.message[0]);
    }
    rdv_arena_free(&arena);
    return 0;
}
