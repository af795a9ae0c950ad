/* SPDX-License-Identifier: Apache-2.0 */
/* What coding agents keep of their sessions, a line an event: of them only what the model said is a
 * chain. What the user, the program and its tools said, and what is given to tools, are no claims
 * of the model.
 *
 * - Claude Code's transcripts (~/.claude/projects/.../SESSION.jsonl) and what `claude -p` prints
 *   with --output-format json or stream-json: https://docs.claude.com/en/docs/claude-code/headless
 * - Codex's rollouts (~/.codex/sessions/.../rollout-*.jsonl) and what `codex exec --json` prints:
 *   https://github.com/openai/codex, codex-rs/protocol/src/protocol.rs and codex-rs/exec. */
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"
#include "data/left_out.h"

static bool is_text(const rdv_members *in, const char *name)
{
    return rdv_starts(rdv_members_raw(in, name), RDV_STR("\""));
}

static bool says(const rdv_members *in, const char *name, const char *value)
{
    return rdv_str_eq(rdv_members_raw(in, name), rdv_str_of(value));
}

/* One chain if the message says something that is checked; else none, which is told once. */
static size_t chains_of(rdv_chain_builder *m, const json_t *message)
{
    rdv_said said;
    rdv_turn_said(m, message, &said);
    bool checked = said.text.len > 0 || (m->check_reasoning && said.reasoning.len > 0);
    if (!checked)
        left_out_of_session(m);
    return checked;
}

/* ---- Claude Code ----------------------------------------------------------------------------- */

bool rdv_is_claude_code(const rdv_members *in)
{
    return is_text(in, "type") &&
           (is_text(in, "sessionId") || is_text(in, "session_id") || is_text(in, "leafUuid") ||
            (rdv_members_have(in, "messageId") && rdv_members_have(in, "snapshot")));
}

/* What the program prints in the end repeats the last reply, and counts where it stands alone. */
static bool is_result(rdv_chain_builder *m)
{
    return m->number == 0 && says(m->in, "type", "\"result\"") && is_text(m->in, "result");
}

/* The model's message; NULL: the line holds none. What the program says in the model's place (an
 * error of the API) is marked. */
static const json_t *claude_message(rdv_chain_builder *m)
{
    if (is_result(m))
        return rdv_members_get(m->in, "result");
    if (!says(m->in, "type", "\"assistant\"") || says(m->in, "isApiErrorMessage", "true"))
        return NULL;
    const json_t *message = rdv_members_get(m->in, "message");
    rdv_str model = rdv_string_of(json_object_get(message, "model"));
    return rdv_str_eq(model, RDV_STR("<synthetic>")) ? NULL : message;
}

size_t rdv_claude_code_chains(rdv_chain_builder *m)
{
    return chains_of(m, claude_message(m));
}

void rdv_read_claude_code(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    rdv_conversation_reply(m, claude_message(m), 0, &x);
    x.id = is_text(m->in, "uuid") ? rdv_build_text(m, "uuid") : (rdv_str){0};
    x.unique_id = true;
    rdv_conversation_build(m, &x);
    rdv_build_keep(m, is_text(m->in, "sessionId") ? "sessionId" : "session_id", "session_id");
}

/* ---- Codex ----------------------------------------------------------------------------------- */

bool rdv_is_codex(const rdv_members *in)
{
    return is_text(in, "type") && rdv_starts(rdv_members_raw(in, "payload"), RDV_STR("{"));
}

bool rdv_is_codex_exec(const rdv_members *in)
{
    static const char *const kinds[] = {"\"thread.", "\"turn.", "\"item."};
    rdv_str type = rdv_members_raw(in, "type");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (rdv_starts(type, rdv_str_of(kinds[i])))
            return true;
    return false;
}

/* The model's message or reasoning; NULL: the line holds none. The events of a rollout repeat its
 * items. */
static const json_t *codex_message(rdv_chain_builder *m)
{
    bool exec = says(m->in, "type", "\"item.completed\"");
    const json_t *item = exec ? rdv_members_get(m->in, "item")
                         : says(m->in, "type", "\"response_item\"")
                             ? rdv_members_get(m->in, "payload")
                             : NULL;
    rdv_str type = rdv_string_of(json_object_get(item, "type"));
    if (exec && rdv_str_eq(type, RDV_STR("agent_message")))
        return json_object_get(item, "text");
    bool message =
        rdv_str_eq(type, RDV_STR("message")) && rdv_turn_role(item) == RDV_ROLE_ASSISTANT;
    return message ? item : NULL;
}

size_t rdv_codex_chains(rdv_chain_builder *m)
{
    return chains_of(m, codex_message(m));
}

void rdv_read_codex(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    const json_t *message = codex_message(m);
    rdv_turn_said(m, message, &x.said);
    rdv_conversation_build(m, &x);
    rdv_build_keep(m, "timestamp", "timestamp");
}
