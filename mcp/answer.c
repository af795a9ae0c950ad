/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/answer.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "mcp/tools.h"

#include <rederive/math.h>

#include <stdlib.h>

#define NEWEST "2026-07-28" /* each message carries its version */
#define AGREED "2025-11-25" /* it is agreed on at the beginning */
#define VERSION_KEY "io.modelcontextprotocol/protocolVersion"
#define CLIENT_KEY "io.modelcontextprotocol/clientCapabilities"
#define CACHED ",\"ttlMs\":3600000,\"cacheScope\":\"public\""
#define INSTRUCTIONS                                                                               \
    "Check numbers before you state them: check for a text with calculations, grade for an "       \
    "answer beside the right one, calculate for a value. Undecided is not right."

enum {
    UNPARSED = -32700,
    NO_REQUEST = -32600,
    NO_METHOD = -32601,
    BAD_PARAMS = -32602,
    OTHER_HEADERS = -32020,
    OTHER_VERSION = -32022
};

static const char *const versions[] = {"2024-11-05", "2025-03-26", "2025-06-18", AGREED};
#define N_VERSIONS (sizeof versions / sizeof *versions)

typedef struct message {
    json_t *root;
    const json_t *id; /* NULL: it wants no answer */
    const json_t *params;
    rdv_str method;
    const mcp_headers *headers; /* NULL: it did not come by HTTP */
    int code;                   /* of the error that is the answer; 0: it is none */
    bool newest; /* it has the form of NEWEST */
    rdv_arena *arena;
    rdv_buf out;
} message;

/* ---- writing ----------------------------------------------------------------------------------
 */

static void put_id(message *m)
{
    if (json_is_integer(m->id))
        rdv_buf_printf(&m->out, "%" JSON_INTEGER_FORMAT, json_integer_value(m->id));
    else
        rdv_json_text(&m->out, parse_text(m->id));
}

static void open_answer(message *m)
{
    rdv_buf_clear(&m->out);
    rdv_buf_lit(&m->out, "{\"jsonrpc\":\"2.0\",\"id\":");
    put_id(m);
}

static void put_error(message *m, int code, const char *says)
{
    open_answer(m);
    m->code = code;
    rdv_buf_printf(&m->out, ",\"error\":{\"code\":%d", code);
    rdv_json_put_text(&m->out, "message", rdv_str_of(says));
    rdv_buf_lit(&m->out, "}}\n");
}

/* The beginning of a result, behind which a member follows after a comma. */
static void open_result(message *m)
{
    open_answer(m);
    rdv_buf_lit(&m->out, ",\"result\":{");
    if (m->newest)
        rdv_buf_lit(&m->out, "\"resultType\":\"complete\",\"_meta\":{"
                             "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"rederive\","
                             "\"version\":\"" RDV_VERSION "\"}}");
}

static void close_result(message *m)
{
    rdv_buf_lit(&m->out, "}}\n");
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static void initialize(message *m)
{
    rdv_str version = parse_text(json_object_get(m->params, "protocolVersion"));
    if (rdv_named(version, versions, N_VERSIONS) < 0)
        version = RDV_STR(AGREED);
    open_result(m);
    rdv_json_put_text(&m->out, "protocolVersion", version);
    rdv_buf_lit(&m->out, ",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"rederive\","
                         "\"version\":\"" RDV_VERSION "\"},\"instructions\":\"" INSTRUCTIONS "\"");
    close_result(m);
}

static void discover(message *m)
{
    open_result(m);
    rdv_buf_lit(&m->out, ",\"supportedVersions\":[\"" NEWEST "\"],\"capabilities\":{\"tools\":{}}"
                         ",\"instructions\":\"" INSTRUCTIONS "\"" CACHED);
    close_result(m);
}

static void list_tools(message *m)
{
    open_result(m);
    rdv_json_name(&m->out, RDV_STR("tools"));
    rdv_buf_add(&m->out, mcp_tools_list());
    if (m->newest)
        rdv_buf_lit(&m->out, CACHED);
    close_result(m);
}

static void put_result(message *m, const mcp_result *result)
{
    open_result(m);
    mcp_result_write(result, &m->out);
    close_result(m);
}

static int call_tool(message *m, rdv_error *err)
{
    rdv_str name = parse_text(json_object_get(m->params, "name"));
    mcp_result result;
    mcp_result_begin(&result, m->arena);
    result.step_ms = m->headers ? MCP_STEP_MS : 0;
    result.check_ms = m->headers ? MCP_CHECK_MS : 0;
    int code = mcp_tools_call(name, json_object_get(m->params, "arguments"), &result, err);
    if (code == RDV_NONE)
        put_error(m, BAD_PARAMS, "There is no such tool; there are check, grade and calculate.");
    else if (code == RDV_OK)
        put_result(m, &result);
    return code < 0 ? code : RDV_OK;
}

static void ping(message *m)
{
    open_result(m);
    close_result(m);
}

static int answer_request(message *m, rdv_error *err)
{
    if (rdv_str_eq(m->method, RDV_STR("tools/call")))
        return call_tool(m, err);
    if (rdv_str_eq(m->method, RDV_STR("tools/list")))
        list_tools(m);
    else if (rdv_str_eq(m->method, RDV_STR("initialize")))
        initialize(m);
    else if (m->newest && rdv_str_eq(m->method, RDV_STR("server/discover")))
        discover(m);
    else if (rdv_str_eq(m->method, RDV_STR("ping")))
        ping(m);
    else
        put_error(m, NO_METHOD, "There is no such method.");
    return RDV_OK;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* false: what was written is the answer, or none is wanted. */
static bool read_message(message *m)
{
    const json_t *id = json_object_get(m->root, "id");
    bool request = json_object_get(m->root, "method") != NULL;
    m->method = parse_text(json_object_get(m->root, "method"));
    m->params = json_object_get(m->root, "params");
    m->id = json_is_integer(id) || json_is_string(id) ? id : NULL;
    bool answers =
        !request && (json_object_get(m->root, "result") || json_object_get(m->root, "error"));
    bool whole = m->method.p &&
                 rdv_str_eq(parse_text(json_object_get(m->root, "jsonrpc")), RDV_STR("2.0")) &&
                 (!m->params || json_is_object(m->params)) && (m->id || !id);
    if (!whole && !answers)
        put_error(m, NO_REQUEST, "This is no request of JSON-RPC 2.0.");
    return whole && m->id;
}

/* The version that the message carries, if it does. */
static bool read_version(message *m)
{
    const json_t *meta = json_object_get(m->params, "_meta");
    const json_t *version = json_object_get(meta, VERSION_KEY);
    if (!version || rdv_str_eq(m->method, RDV_STR("initialize")))
        return true;
    m->newest = true;
    if (!json_is_string(version) || !json_is_object(json_object_get(meta, CLIENT_KEY))) {
        put_error(m, BAD_PARAMS,
                  "params._meta must have " VERSION_KEY ", a text, and " CLIENT_KEY ", an object.");
        return false;
    }
    if (rdv_str_eq(parse_text(version), RDV_STR(NEWEST)))
        return true;
    put_error(m, OTHER_VERSION, "Unsupported protocol version");
    m->out.len -= 3; /* "}}\n" */
    rdv_buf_lit(&m->out, ",\"data\":{\"supported\":[\"" NEWEST "\"]");
    rdv_json_put_text(&m->out, "requested", parse_text(version));
    rdv_buf_lit(&m->out, "}}}\n");
    return false;
}

static bool refuse_headers(message *m, int code, const char *says)
{
    put_error(m, code, says);
    return false;
}

/* A proxy may have let the message pass for what its headers say. */
static bool check_headers(message *m)
{
    const mcp_headers *h = m->headers;
    if (!h)
        return true;
    if (!m->newest && h->version.p && rdv_named(h->version, versions, N_VERSIONS) < 0)
        return refuse_headers(m, NO_REQUEST,
                              "MCP-Protocol-Version: there is no such version here.");
    if (!m->newest)
        return true;
    rdv_str name = rdv_str_eq(m->method, RDV_STR("tools/call"))
                       ? parse_text(json_object_get(m->params, "name"))
                       : (rdv_str){0};
    if (!rdv_str_eq(h->version, RDV_STR(NEWEST)))
        return refuse_headers(m, OTHER_HEADERS,
                              "MCP-Protocol-Version must be the version in params._meta.");
    if (!h->method.p || !rdv_str_eq(h->method, m->method))
        return refuse_headers(m, OTHER_HEADERS, "Mcp-Method must be the message's method.");
    if ((name.p || h->name.p) && !rdv_str_eq(h->name, name))
        return refuse_headers(m, OTHER_HEADERS, "Mcp-Name must be the tool's name.");
    return true;
}

static int open_message(message *m, rdv_str text, rdv_arena *arena, rdv_error *err)
{
    rdv_error why = {0};
    *m = (message){.arena = arena};
    rdv_buf_init(&m->out, arena, 0);
    int code = parse_json(text, true, &m->root, &why);
    if (code == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (code != RDV_OK)
        put_error(m, UNPARSED, why.msg);
    return RDV_OK;
}

static int close_message(message *m, rdv_str *answer, rdv_error *err)
{
    *answer = m->out.len ? rdv_buf_str(&m->out) : (rdv_str){0};
    bool ok = rdv_buf_ok(&m->out);
    json_decref(m->root);
    return ok ? RDV_OK : rdv_no_memory(err);
}

static int answer_message(message *m, rdv_str *answer, rdv_error *err)
{
    int code = RDV_OK;
    if (m->root && read_message(m) && read_version(m) && check_headers(m))
        code = answer_request(m, err);
    int closed = close_message(m, answer, err);
    return code < 0 ? code : closed;
}

int mcp_answer(rdv_str text, rdv_arena *arena, rdv_str *answer, rdv_error *err)
{
    message m;
    int code = open_message(&m, text, arena, err);
    return code == RDV_OK ? answer_message(&m, answer, err) : code;
}

/* The statuses of 2026-07-28; before it, an answer to a request is one with 200. */
static unsigned status_of(const message *m)
{
    bool unread = m->code == UNPARSED || m->code == NO_REQUEST || m->code == OTHER_HEADERS;
    if (unread || (m->newest && (m->code == BAD_PARAMS || m->code == OTHER_VERSION)))
        return 400;
    return m->newest && m->code == NO_METHOD ? 404 : 200;
}

int mcp_answer_http(rdv_str text, const mcp_headers *headers, rdv_arena *arena, rdv_str *answer,
                    unsigned *status, rdv_error *err)
{
    message m;
    int code = open_message(&m, text, arena, err);
    if (code != RDV_OK)
        return code;
    m.headers = headers;
    code = answer_message(&m, answer, err);
    *status = answer->p ? status_of(&m) : 202;
    return code;
}

int mcp_answer_failed(rdv_str text, const char *why, rdv_arena *arena, rdv_str *answer,
                      rdv_error *err)
{
    message m;
    mcp_result result;
    int code = open_message(&m, text, arena, err);
    if (code == RDV_OK && m.root && read_message(&m) && read_version(&m)) {
        mcp_result_begin(&result, arena);
        mcp_result_fail(&result, "Undecided: %s", why);
        put_result(&m, &result);
    }
    int closed = close_message(&m, answer, err);
    return code < 0 ? code : closed;
}

int mcp_answer_too_long(rdv_arena *arena, rdv_str *answer, rdv_error *err)
{
    message m = {.arena = arena};
    rdv_buf_init(&m.out, arena, 0);
    put_error(&m, NO_REQUEST, "The message is longer than 4 MiB; nothing of it was read.");
    return close_message(&m, answer, err);
}
