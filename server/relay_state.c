/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/str.h"
#include "model/wire.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EVENT ((size_t)16 << 20) /* bytes of an event, and of a reply that is not streamed */

/* ---- faults ---------------------------------------------------------------------------------- */

bool relay_no_memory(api_error *e)
{
    return api_error_set(e, 500, NULL, "Out of memory.");
}

/* After an event of which a part was sent, what is left of it is dropped. */
static void drop_output(relay *r)
{
    bool cut = r->at > 0;
    rdv_buf_clear(&r->out);
    r->at = 0;
    if (cut)
        rdv_buf_lit(&r->out, "\n\n");
}

void relay_end_with(relay *r, const api_error *e, rdv_str more)
{
    bool event = r->streams && (r->begun || (r->asked.rule.mode == JUDGE_STRICT && r->out.len));
    if (r->over)
        return;
    r->over = true;
    upstream_free(&r->from.call);
    if (r->from.completion)
        completion_cut(r->from.completion, e);
    if (!rdv_buf_ok(&r->out) || !event)
        drop_output(r);
    if (event) {
        api_error_write_event(&r->out, r->asked.protocol, e, more);
        return;
    }
    r->streams = false;
    r->status = e->status;
    r->type = "application/json";
    api_error_write_as(&r->out, r->asked.protocol, e, more);
}

const completion *relay_as_written(const relay *r)
{
    return r->judging || r->conversion ? NULL : r->from.completion;
}

void relay_cut(relay *self, const api_error *e)
{
    if (relay_as_written(self))
        completion_cut(self->from.completion, e);
    else
        relay_end_with(self, e, (rdv_str){0});
}

void relay_fail(relay *r, const char *why, const rdv_error *err)
{
    api_error e;
    if (err && err->code == RDV_E_NOMEM)
        (void)relay_no_memory(&e);
    else
        api_error_set(&e, 502, NULL, "The reply of the model's server %s%s%.160s.", why,
                      err ? ": " : "", err ? err->msg : "");
    e.code = e.status == 502 ? "upstream_failed" : NULL;
    relay_cut(r, &e);
}

void relay_fail_memory(relay *r)
{
    api_error e;
    (void)relay_no_memory(&e);
    relay_cut(r, &e);
}

void relay_fail_reported(relay *r, const json_t *root)
{
    api_error e;
    rdv_error err;
    wire_error said;
    if (wire_read_error_of(root, r->arena, &said, &err) != RDV_OK) {
        relay_fail_memory(r);
        return;
    }
    api_error_set(&e, 502, NULL, "The model's server reports an error: %.*s",
                  (int)(said.message.len < 160 ? said.message.len : 160),
                  said.message.len ? said.message.p : "");
    e.code = "upstream_failed";
    relay_cut(r, &e);
}

/* ---- what comes ------------------------------------------------------------------------------ */

static bool keep_bytes(void *of, rdv_str bytes)
{
    relay *r = of;
    if (r->in_at) {
        memmove(r->in, r->in + r->in_at, r->in_len - r->in_at);
        r->in_len -= r->in_at;
        r->in_at = 0;
    }
    if (bytes.len > MOST_EVENT - r->in_len)
        return false;
    if (r->in_cap - r->in_len < bytes.len) {
        size_t cap = r->in_cap ? r->in_cap * 2 : 4096;
        cap = cap < r->in_len + bytes.len ? r->in_len + bytes.len : cap;
        char *in = realloc(r->in, cap);
        if (!in)
            return false;
        r->in = in;
        r->in_cap = cap;
    }
    memcpy(r->in + r->in_len, bytes.p, bytes.len);
    r->in_len += bytes.len;
    return true;
}

bool relay_read(relay *r)
{
    return source_read(&r->from, keep_bytes, r);
}

/* ---- what must not be sent ------------------------------------------------------------------- */

bool relay_shows_reasoning(const relay *r)
{
    for (size_t i = 0; i < r->reply->n; i++)
        if (r->reply->items[i].n_reasoning_bytes)
            return r->asked.rule.reasoning == JUDGE_REASONING_DROP;
    return false;
}

/* ---- what the client has had ----------------------------------------------------------------- */

bool relay_repairs(const relay *r)
{
    return r->judging && r->streams && r->asked.rule.mode == JUDGE_STRICT &&
           r->asked.rule.repairs > 0 && !judge_rule_asks(&r->asked.rule);
}

void relay_note_sent(relay *r, rdv_str bytes)
{
    event_cutter cutter = {0};
    stream_event event;
    int rc;
    while ((rc = event_cut(&cutter, bytes, true, r->scratch, &event)) == RDV_OK) {
        rc = sent_stream_note(&r->repair.sent, &event);
        if (rc != RDV_OK)
            break;
        bytes = rdv_slice(bytes, event.bytes.len, bytes.len);
    }
    if (rc == RDV_E_NOMEM)
        relay_fail_memory(r);
}
