/* SPDX-License-Identifier: Apache-2.0 */
#include "model/parse.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/json_load.h"

#include <math.h>

int parse_json(rdv_str text, bool exact, json_t **out, rdv_error *err)
{
    size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL | (exact ? 0 : JSON_DECODE_INT_AS_REAL);
    json_error_t why = {0};
    bool no_memory;
    *out = json_load(text, flags, &why, &no_memory);
    if (*out)
        return RDV_OK;
    if (no_memory || json_error_code(&why) == json_error_out_of_memory)
        return rdv_no_memory(err);
    if (json_error_code(&why) == json_error_invalid_utf8)
        return rdv_fail(err, RDV_E_INPUT, "not UTF-8 (byte %d)", why.position);
    if (json_error_code(&why) == json_error_premature_end_of_input)
        return rdv_fail(err, RDV_E_INPUT, "the JSON is cut off after %zu bytes", text.len);
    return rdv_fail(err, RDV_E_INPUT, "not JSON (byte %d)", why.position);
}

rdv_str parse_text(const json_t *value)
{
    return json_is_string(value) ? (rdv_str){json_string_value(value), json_string_length(value)}
                                 : (rdv_str){0};
}

double parse_double(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

uint64_t parse_count(const json_t *value)
{
    double x = parse_double(value);
    return x >= 0 && x < 9007199254740992.0 ? (uint64_t)x : 0;
}

const json_t *parse_numbered(const json_t *list)
{
    bool numbered = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const json_t *index = json_object_get(one, "index");
        numbered |= index != NULL;
        if (json_is_number(index) && json_number_value(index) == 0)
            return one;
    }
    return numbered ? NULL : json_array_get(list, 0);
}

bool parse_content(const json_t *content, rdv_buf *text)
{
    bool refused = false;
    rdv_buf_add(text, parse_text(content));
    for (size_t i = 0; i < json_array_size(content); i++) {
        const json_t *part = json_array_get(content, i);
        const json_t *type = json_object_get(part, "type");
        rdv_str is = parse_text(type);
        if (!type || rdv_str_eq(is, RDV_STR("text")) || rdv_str_eq(is, RDV_STR("output_text")))
            rdv_buf_add(text, parse_text(json_object_get(part, "text")));
        refused |= rdv_str_eq(is, RDV_STR("refusal"));
    }
    return !refused;
}
