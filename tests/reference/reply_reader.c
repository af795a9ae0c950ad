/* SPDX-License-Identifier: Apache-2.0 */
/* Reads replies with the library's readers, for recorded_replies.py: a line of JSON {"as":
 * "location"|"yesno"|"conclusion", "reply": text, "steps": n} on standard input, a line with what
 * the robust and the paper's profile read on standard output: a step from 1, none, right, wrong,
 * unsure or ?. */
#include "method/read.h"
#include "method/read_location.h"

#include "base/str.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *location(rdv_str reply, rdv_profile profile, size_t n, char text[32])
{
    size_t first;
    if (read_location(reply, profile, n, &first) != RDV_OK)
        return "?";
    if (first == RDV_NO_STEP)
        return "none";
    (void)snprintf(text, 32, "%zu", first + 1);
    return text;
}

static const char *verdict(rdv_str reply, rdv_profile profile, const char *as)
{
    rdv_verdict_is is;
    int r = strcmp(as, "yesno") == 0 ? read_yes_no(reply, profile, &is)
                                     : read_conclusion(reply, profile, &is);
    return r != RDV_OK            ? "?"
           : is == RDV_SUPPORT    ? "right"
           : is == RDV_CONTRADICT ? "wrong"
                                  : "unsure";
}

static int read_one(const char *line)
{
    json_t *in = json_loads(line, 0, NULL);
    const char *as = json_string_value(json_object_get(in, "as"));
    const json_t *reply = json_object_get(in, "reply");
    if (!as || !json_is_string(reply)) {
        json_decref(in);
        return 1;
    }
    rdv_str text = {json_string_value(reply), json_string_length(reply)};
    size_t n = (size_t)json_integer_value(json_object_get(in, "steps"));
    for (int profile = RDV_ROBUST; profile <= RDV_PAPER; profile++) {
        char number[32];
        printf("%s%c",
               strcmp(as, "location") == 0 ? location(text, (rdv_profile)profile, n, number)
                                           : verdict(text, (rdv_profile)profile, as),
               profile == RDV_ROBUST ? '\t' : '\n');
    }
    json_decref(in);
    return 0;
}

int main(void)
{
    char *line = NULL;
    size_t cap = 0;
    int status = 0;
    while (status == 0 && getline(&line, &cap, stdin) > 0)
        status = read_one(line);
    free(line);
    return status;
}
