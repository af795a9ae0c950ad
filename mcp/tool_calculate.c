/* SPDX-License-Identifier: Apache-2.0 */
/* calculate: the value of one calculation. */
#include "base/json.h"
#include "base/str.h"
#include "decide/value_of.h"
#include "mcp/arguments.h"
#include "mcp/tools.h"

static void tell_none(mcp_result *result, const char *why)
{
    rdv_json_put_text(&result->structured, "outcome", RDV_STR("cannot-tell"));
    mcp_result_put(result, "note", rdv_str_of(why));
    mcp_result_line(result, rdv_str_printf(result->arena, "No value: %s.", why));
}

static void tell(mcp_result *result, const value_of_text *value)
{
    rdv_arena *arena = result->arena;
    rdv_json_put_text(&result->structured, "outcome",
                      value->exact ? RDV_STR("exact") : RDV_STR("rounded"));
    rdv_json_put_text(&result->structured, "value", value->value);
    mcp_result_put(result, "decimal", value->decimal);
    if (value->decimal.p)
        mcp_result_line(result, rdv_str_printf(arena, "%.*s, which is %.*s",
                                               RDV_FMT(mcp_shown(value->value, arena)),
                                               RDV_FMT(value->decimal)));
    else
        mcp_result_line(result, mcp_shown(value->value, arena));
}

int mcp_tool_calculate(const json_t *arguments, mcp_result *result, rdv_error *err)
{
    rdv_str expression = {0};
    const mcp_argument known[] = {{.name = "expression", .text = &expression, .required = true}};
    value_of_text value;
    const char *why;
    if (!mcp_arguments_read(arguments, known, sizeof known / sizeof *known, result))
        return RDV_OK;
    int code = value_of(expression, result->arena, &value, &why, err);
    if (code == RDV_NONE)
        tell_none(result, why);
    else if (code == RDV_OK)
        tell(result, &value);
    return code < 0 ? code : RDV_OK;
}
