/* SPDX-License-Identifier: Apache-2.0 */
/* Reads replies with the library's readers, for recorded_replies.py and readers.py: a line of JSON
 * {"as": "location"|"yesno"|"conclusion"|"comparison"|"relevance"|"consistency"|"box", "reply":
 * text, "steps": n} on standard input, a line with what the robust and the paper's profile read on
 * standard output: a step from 1, none, right, wrong, unsure or ?. */
#include "reply/reply.h"
#include "reply/location.h"

#include "base/str.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *location(rdv_str reply, rdv_profile profile, size_t n, char text[32])
{
    size_t first;
    reply_ground by;
    if (reply_location(reply, profile, n, &first, &by) != RDV_OK)
        return "?";
    if (first == RDV_NO_STEP)
        return "none";
    (void)snprintf(text, 32, "%zu", first + 1);
    return text;
}

/* The index in the box, from 0 as it is asked for; -1 is "none". */
static const char *box(rdv_str reply, rdv_profile profile, char text[32])
{
    reply_ground by;
    long index;
    if (reply_boxed_index(reply, profile, &index, &by) != RDV_OK)
        return "?";
    (void)snprintf(text, 32, "%ld", index);
    return index == -1 ? "none" : text;
}

static const struct {
    const char *as;
    int (*read)(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by);
} readers[] = {{"yesno", reply_yes_no},
               {"conclusion", reply_correctness},
               {"comparison", reply_comparison},
               {"relevance", reply_relevance},
               {"consistency", reply_consistency}};

static const char *verdict(rdv_str reply, rdv_profile profile, const char *as)
{
    rdv_verdict_kind is = RDV_UNKNOWN;
    reply_ground by;
    int r = RDV_NONE;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcmp(as, readers[i].as) == 0)
            r = readers[i].read(reply, profile, &is, &by);
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
    for (int p = RDV_ROBUST; p <= RDV_PAPER; p++) {
        char number[32];
        rdv_profile profile = (rdv_profile)p;
        printf("%s%c",
               strcmp(as, "location") == 0 ? location(text, profile, n, number)
               : strcmp(as, "box") == 0    ? box(text, profile, number)
                                           : verdict(text, profile, as),
               p == RDV_ROBUST ? '\t' : '\n');
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
