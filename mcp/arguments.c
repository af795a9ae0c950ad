/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/arguments.h"

#include "base/str.h"
#include "mcp/answer.h"

static const mcp_argument *named(const mcp_argument *arguments, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(arguments[i].name, name) == 0)
            return &arguments[i];
    return NULL;
}

static bool read_items(const mcp_argument *a, const json_t *list, mcp_result *result)
{
    size_t n = json_array_size(list);
    bool texts = json_is_array(list) && n <= MCP_MAX_ITEMS;
    for (size_t i = 0; texts && i < n; i++) {
        a->items[i] = parse_text(json_array_get(list, i));
        texts = a->items[i].p != NULL;
    }
    if (!texts)
        mcp_result_fail(result, "'%s' must be a list of at most %d texts.", a->name, MCP_MAX_ITEMS);
    *a->n_items = texts ? n : 0;
    return texts;
}

static bool read_one(const mcp_argument *a, const json_t *value, mcp_result *result)
{
    if (a->items)
        return read_items(a, value, result);
    *a->text = parse_text(value);
    if (!a->text->p)
        mcp_result_fail(result, "'%s' must be a text.", a->name);
    return a->text->p != NULL;
}

static size_t bytes_of(const mcp_argument *a)
{
    size_t sum = a->items ? 0 : a->text->len;
    for (size_t i = 0; a->items && i < *a->n_items; i++)
        sum += a->items[i].len;
    return sum;
}

static bool are_whole(const mcp_argument *arguments, size_t n, mcp_result *result)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        if (arguments[i].required && !arguments[i].text->p) {
            mcp_result_fail(result, "'%s' is required.", arguments[i].name);
            return false;
        }
        bytes += bytes_of(&arguments[i]);
    }
    if (bytes > MCP_MAX_TEXT)
        mcp_result_fail(result, "Undecided: the texts have %zu bytes; at most %zu can be given.",
                        bytes, MCP_MAX_TEXT);
    return bytes <= MCP_MAX_TEXT;
}

bool mcp_arguments_read(const json_t *object, const mcp_argument *arguments, size_t n,
                        mcp_result *result)
{
    const char *name;
    const json_t *value;
    if (object && !json_is_object(object)) {
        mcp_result_fail(result, "The arguments must be an object.");
        return false;
    }
    json_object_foreach((json_t *)object, name, value)
    {
        const mcp_argument *a = named(arguments, n, name);
        if (!a) {
            mcp_result_fail(result, "There is no argument '%.40s'.", name);
            return false;
        }
        if (!json_is_null(value) && !read_one(a, value, result))
            return false;
    }
    return are_whole(arguments, n, result);
}
