/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/str.h"
#include "model/wire.h"
#include "server/reply_edit.h"

void relay_send_body(relay *r, rdv_str json)
{
    rdv_str body;
    rdv_error err;
    int rc = reply_edit_put(r->asked.protocol, false, r->body, json, r->arena, &body, &err);
    if (rc != RDV_OK) {
        relay_fail(r, "could not be read", &err);
        return;
    }
    rdv_buf_add(&r->out, body);
    r->over = true;
}

static void take_error_body(relay *r, rdv_str body)
{
    api_error e;
    rdv_error err;
    wire_error said;
    rdv_str clean;
    if (!r->conversion && rdv_starts(rdv_trim(body), RDV_STR("{")) &&
        reply_edit_clean(body, r->arena, &clean, &err) == RDV_OK) {
        rdv_buf_add(&r->out, clean);
        r->over = true;
        return;
    }
    if (wire_read_error(body, r->arena, &said, &err) != RDV_OK) {
        relay_fail_memory(r);
        return;
    }
    api_error_set(&e, r->status, NULL, "The model's server answered with status %u%s%.*s",
                  r->status, said.message.len ? ": " : ".",
                  (int)(said.message.len < 160 ? said.message.len : 160),
                  said.message.len ? said.message.p : "");
    relay_cut(r, &e);
}

/* The body without reasoning, where the rule drops that. */
static int read_body(relay *r, rdv_str *body, json_t **root, rdv_error *err)
{
    rdv_str given = *body;
    int rc = parse_json(given, false, root, err);
    if (rc != RDV_OK || r->asked.rule.reasoning != JUDGE_REASONING_DROP || !json_is_object(*root))
        return rc;
    rc = reasoning_drop_body(r->asked.protocol, given, r->arena, body, err);
    if (rc != RDV_OK || body->p == given.p)
        return rc;
    json_decref(*root);
    *root = NULL;
    return parse_json(*body, false, root, err);
}

static void judge_body(relay *r, rdv_str body)
{
    json_t *root = NULL;
    rdv_error err;
    int rc = read_body(r, &body, &root, &err);
    if (rc == RDV_OK)
        rc = reply_choices_whole(r->reply, root, &err);
    if (rc == RDV_OK && r->reply->failed) {
        relay_fail_reported(r, root);
    } else if (rc == RDV_OK && relay_shows_reasoning(r)) {
        relay_fail(r, "has reasoning where none is known to be", NULL);
    } else if (rc == RDV_OK) {
        r->body = body;
        relay_judge_end(r);
    } else {
        relay_fail(r, "could not be read", &err);
    }
    json_decref(root);
}

static void take_body(relay *r)
{
    api_error e;
    rdv_error err;
    rdv_str body = {r->in ? r->in : "", r->in_len}, clean;
    source_hide_key(&r->from, r->in, r->in_len);
    if (!source_check(&r->from, &e)) {
        relay_cut(r, &e);
        return;
    }
    if (r->status >= 300) {
        take_error_body(r, body);
        return;
    }
    reported_tokens_read(&r->tokens, r->server, false, body);
    int rc = r->conversion ? reply_conversion_whole(r->conversion, body, &body, &err) : RDV_OK;
    if (rc != RDV_OK) {
        relay_fail(r, "cannot be converted to this protocol", &err);
        return;
    }
    source_hide_key(&r->from, (char *)(uintptr_t)body.p, body.len); /* pieces may be joined now */
    rc = reply_edit_clean(body, r->arena, &clean, &err);
    if (rc != RDV_OK) {
        relay_fail(r, "could not be read", &err);
    } else if (r->judging) {
        judge_body(r, clean);
    } else {
        rdv_buf_add(&r->out, clean);
        r->over = true;
    }
}

void relay_work_on_body(relay *r)
{
    bool ended = source_is_over(&r->from) || r->from.completion;
    if (!relay_read(r))
        relay_fail(r, "has more than 16 MiB", NULL);
    else if (ended)
        take_body(r);
}
