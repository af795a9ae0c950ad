/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/tools.h"

#include "base/str.h"

#define TEXT "{\"type\":\"string\"}"
#define COUNT "{\"type\":\"integer\"}"
#define INPUT(properties, required)                                                                \
    ",\"inputSchema\":{\"type\":\"object\",\"properties\":{" properties                            \
    "},\"required\":[\"" required "\"],\"additionalProperties\":false}"
#define OUTPUT(properties, required)                                                               \
    ",\"outputSchema\":{\"type\":\"object\",\"properties\":{" properties                           \
    "},\"required\":[" required "]}"
#define HINTS ",\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}"

#define CHECK                                                                                      \
    "{\"name\":\"check\",\"description\":\"Decides each calculation in a text exactly, without a " \
    "model: arithmetic, percentages, units, LaTeX, calculations in words. Returns each wrong one " \
    "with its place and right value. What is undecided or not_read was not checked: never take "   \
    "it as right. Only calculations are judged.\"" INPUT(                                          \
        "\"text\":{\"type\":\"string\",\"description\":\"A solution, reply or report; at most "    \
        "1 MiB\"},\"question\":{\"type\":\"string\",\"description\":\"What it answers\"}",         \
        "text")                                                                                    \
        OUTPUT("\"outcome\":{\"enum\":[\"wrong\",\"undecided\",\"calculations_right\"]},"          \
               "\"n_right\":" COUNT ",\"n_wrong\":" COUNT ",\"n_undecided\":" COUNT                \
               ",\"n_not_read\":" COUNT                                                            \
               ",\"findings\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{" \
               "\"outcome\":{\"enum\":[\"wrong\",\"undecided\",\"not_read\"]},\"line\":" COUNT     \
               ",\"column\":" COUNT ",\"text\":" TEXT ",\"right\":" TEXT ",\"note\":" TEXT         \
               "}}},\"n_left_out\":" COUNT,                                                        \
               "\"outcome\",\"findings\"") HINTS

#define GRADE                                                                                      \
    "{\"name\":\"grade\",\"description\":\"Is an answer the same as the right one? Decided by "    \
    "exact arithmetic and algebra: 1/2, 0.5, 50% and \\\\frac12 are the same. cannot-tell is "     \
    "neither.\"" INPUT(                                                                            \
        "\"gold\":{\"type\":\"string\",\"description\":\"The right answer\"},"                     \
        "\"answer\":{\"type\":\"string\",\"description\":\"The answer alone\"},"                   \
        "\"reply\":{\"type\":\"string\",\"description\":\"Or a whole reply, whose final answer "   \
        "is read\"},\"question\":" TEXT ",\"options\":{\"type\":\"array\",\"items\":" TEXT         \
        ",\"description\":\"Of a multiple-choice question\"}",                                     \
        "gold")                                                                                    \
        OUTPUT("\"outcome\":{\"enum\":[\"same\",\"different\",\"cannot-tell\"]},\"why\":" TEXT     \
               ",\"answer\":{\"type\":[\"string\",\"null\"]},\"found\":" TEXT ",\"note\":" TEXT,   \
               "\"outcome\"") HINTS

#define CALCULATE                                                                                  \
    "{\"name\":\"calculate\",\"description\":\"The exact value of one calculation: 17*24, "        \
    "(1+0.05)^10, 15% of 80, \\\\sqrt2. Parsed, never executed. No value where it can be read in " \
    "several ways.\"" INPUT("\"expression\":" TEXT, "expression")                                  \
        OUTPUT("\"outcome\":{\"enum\":[\"exact\",\"rounded\",\"cannot-tell\"]},\"value\":" TEXT    \
               ",\"decimal\":" TEXT ",\"note\":" TEXT,                                             \
               "\"outcome\"") HINTS

static const struct {
    const char *name;
    int (*call)(const json_t *arguments, mcp_result *result, rdv_error *err);
} tools[] = {
    {"check", mcp_tool_check}, {"grade", mcp_tool_grade}, {"calculate", mcp_tool_calculate}};

rdv_str mcp_tools_list(void)
{
    return RDV_STR("[" CHECK "," GRADE "," CALCULATE "]");
}

int mcp_tools_call(rdv_str name, const json_t *arguments, mcp_result *result, rdv_error *err)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (rdv_str_eq(name, rdv_str_of(tools[i].name)))
            return tools[i].call(arguments, result, err);
    return RDV_NONE;
}
