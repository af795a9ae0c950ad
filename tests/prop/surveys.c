/* SPDX-License-Identifier: Apache-2.0 */
/* What a survey asks of a server, and what it finds, does not change unseen. A seed draws what a
 * server is and says: its software, the members that it refuses and how, what it ignores, and the
 * form of its replies. What comes of it is a line of tests/golden/surveys.tsv; the first
 * server takes everything.
 *
 *     prop_surveys              compares
 *     prop_surveys --write      writes the file, after a change that is meant
 *     prop_surveys SEED         prints what is asked and answered */
#include "../unit/test.h"
#include "golden_lines.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/rng.h"
#include "model/abilities.h"
#include "run/survey/survey.h"

#include <stdio.h>
#include <stdlib.h>

#define SERVERS 150

static const char *const models[] = {
    "{\"data\":[{\"id\":\"m\",\"owned_by\":\"llamacpp\"}]}",
    "{\"data\":[{\"id\":\"m\",\"owned_by\":\"vllm\"}]}",
    "{\"data\":[{\"id\":\"m\",\"owned_by\":\"sglang\"}]}",
    "{\"data\":[{\"id\":\"m\",\"owned_by\":\"library\"}]}",
    "{\"data\":[{\"id\":\"m\",\"owned_by\":\"rederive\"}]}",
    "{\"data\":[{\"id\":\"m\"}]}",
    "{}",
};

static const char *const props[] = {"{\"total_slots\":4,\"chat_template\":\"{{x}}\"}",
                                    "{\"total_slots\":2,\"chat_template\":\"\"}", "{}", "["};

/* What a request may have, and how a server says that it does not take it. */
static const struct {
    const char *member, *says;
} refusals[] = {
    {"\"temperature\"", "Unsupported parameter: 'temperature'"},
    {"\"top_p\"", "top_p is not supported"},
    {"\"stop\"", "Unsupported parameter: 'stop' is not supported"},
    {"\"system\"", "the role system is not supported"},
    {"\"Hello.\"", "roles must alternate"},
    {"\"logprobs\"", "logprobs are not available"},
    {"\"continue_final_message\"", "unknown field continue_final_message"},
    {"\"n\":2", "n must be 1"},
    {"\"response_format\"", "response_format is unknown"},
    {"\"structured_outputs\"", "structured_outputs is unknown"},
    {"\"grammar\"", "grammar is unknown"},
    {"\"stream\"", "stream is unknown"},
    {"\"echo\"", "echo is unknown"},
    {"\"prompt_logprobs\"", "prompt_logprobs is unknown"},
    {"\"max_tokens\"", "use max_completion_tokens in place of max_tokens"},
};

static const char *const texts[] = {"OK", "0, 11, 12",
                                    "Counting on, as you wish: 3, 4, 5, 6, 7, 8, 9, 10, 11",
                                    "Reykjavik", "{\\\"answer\\\":\\\"Reykjavik\\\"}"};

typedef struct server {
    uint64_t seed;
    rdv_rng rng;
    rdv_arena *arena;
    bool tell;
    size_t software, props, n, asked;
    unsigned refuses, lacks; /* members; addresses */
    bool held, streams, tells;
    uint64_t hash;
} server;

static bool one_in(server *s, size_t n)
{
    return rdv_rng_below(&s->rng, n) == 0;
}

/* The first server takes everything. */
static void draw(server *s)
{
    rdv_rng_seed(&s->rng, s->seed);
    bool all = s->seed == 1;
    s->software = rdv_rng_below(&s->rng, sizeof models / sizeof *models);
    s->props = rdv_rng_below(&s->rng, sizeof props / sizeof *props);
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals && !all; i++)
        s->refuses |= (unsigned)one_in(s, 4) << i;
    for (unsigned i = 0; i < 4 && !all; i++)
        s->lacks |= (unsigned)one_in(s, 4) << i;
    s->held = all || one_in(s, 2);
    s->streams = all || one_in(s, 2);
    s->tells = all || !one_in(s, 4);
    s->software = all ? 1 : s->software;
}

static bool has(rdv_str body, const char *text)
{
    return rdv_find(body, rdv_str_of(text), 0) != RDV_NOT_FOUND;
}

static rdv_str tokens_of(server *s, bool prompt)
{
    if (!s->tells)
        return RDV_STR("");
    if (prompt)
        return RDV_STR(",\"prompt_logprobs\":[null,{\"1\":{\"logprob\":-1,\"decoded_token\":\"1 "
                       "2\"}},{\"2\":{\"logprob\":-2,\"decoded_token\":\" 3 4\"}}]");
    return RDV_STR(
        ",\"logprobs\":{\"content\":[{\"token\":\"OK\",\"logprob\":-0.5,\"top_logprobs\":"
        "[]}],\"tokens\":[\"1 2\",\" 3 4\"],\"token_logprobs\":[null,-1.5]}");
}

static rdv_str choice(server *s, const char *path, rdv_str body, size_t index)
{
    bool held = s->held && has(body, "Reykjavik");
    const char *text = held                    ? texts[has(body, "response_format") ? 4 : 3]
                       : has(body, "Counting") ? texts[s->seed % 3]
                                               : texts[0];
    rdv_str logprobs = has(body, "\"logprobs\"") ? tokens_of(s, false) : RDV_STR("");
    const char *end = s->seed % 7 ? "\"stop\"" : s->seed % 2 ? "null" : "\"\"";
    return strcmp(path, "/chat/completions") == 0
               ? rdv_str_printf(s->arena,
                                "{\"index\":%zu,\"message\":{\"content\":\"%s\"},\"finish_reason\":"
                                "%s%.*s}",
                                index, text, end, RDV_FMT(logprobs))
               : rdv_str_printf(s->arena,
                                "{\"index\":%zu,\"text\":\"%s\",\"finish_reason\":%s%.*s}", index,
                                has(body, "\"echo\"") ? "1 2 3 4" : text, end, RDV_FMT(logprobs));
}

static rdv_str reply(server *s, const char *path, rdv_str body)
{
    if (has(body, "\"stream\":true") && s->streams)
        return RDV_STR("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"OK\"},"
                       "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    rdv_str one = choice(s, path, body, 0);
    rdv_str two = has(body, "\"n\":2") && s->seed % 3 ? choice(s, path, body, 1) : RDV_STR("");
    rdv_str prompt = has(body, "\"prompt_logprobs\"") ? tokens_of(s, true) : RDV_STR("");
    return rdv_str_printf(s->arena, "{\"choices\":[%.*s%s%.*s]%.*s}", RDV_FMT(one),
                          two.len ? "," : "", RDV_FMT(two), RDV_FMT(prompt));
}

static rdv_str respond(server *s, const char *path, rdv_str body, long *status)
{
    static const char *const paths[] = {"/chat/completions", "/completions", "/tokenize",
                                        "/models"};
    *status = 200;
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(path, paths[i]) == 0 && (s->lacks >> i) & 1) {
            *status = 404;
            return RDV_STR("{\"error\":{\"message\":\"Not Found\"}}");
        }
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if ((s->refuses >> i) & 1 && has(body, refusals[i].member)) {
            *status = 400;
            return rdv_str_printf(s->arena, "{\"error\":{\"message\":\"%s\"}}", refusals[i].says);
        }
    if (strcmp(path, "/models") == 0)
        return rdv_str_of(models[s->software]);
    if (strcmp(path, "/props") == 0)
        return rdv_str_of(props[s->props]);
    if (strcmp(path, "/tokenize") == 0)
        return RDV_STR("{\"tokens\":[5,6]}");
    return s->seed > 1 && one_in(s, 25) ? RDV_STR("<html></html>") : reply(s, path, body);
}

static void note(server *s, rdv_str text)
{
    s->hash = rdv_hash(text, s->hash);
    if (s->tell)
        printf("%.*s\n", RDV_FMT(text));
}

static void write_line(server *s, const survey *found, const rdv_abilities *can, char *line)
{
    const char *name, *meaning;
    rdv_can is;
    int at = snprintf(line, LINE_BYTES, "%llu\t%s\t%zu slots%s\t%zu asked\t%.*s\t%08x\t",
                      (unsigned long long)s->seed, rdv_software_name(found->about.software),
                      found->props.slots, found->props.no_template ? ", no template" : "", s->asked,
                      RDV_FMT(found->refused), (unsigned)(s->hash >> 32));
    for (size_t i = 0; rdv_abilities_entry(can, i, &name, &meaning, &is) == RDV_OK; i++)
        if (is != RDV_CAN_UNKNOWN)
            at += snprintf(line + at, LINE_BYTES - (size_t)at, "%s%s ", is == RDV_CAN ? "" : "no ",
                           name);
    snprintf(line + at, LINE_BYTES - (size_t)at, "\n");
}

static void make_line(uint64_t seed, bool tell, char *line)
{
    static const unsigned items[] = {SURVEY_ALL, SURVEY_ALL, SURVEY_SERVER | SURVEY_SCORES,
                                     SURVEY_SERVER | SURVEY_BIT(SURVEY_PREFIX),
                                     SURVEY_BIT(SURVEY_SCHEMA) | SURVEY_BIT(SURVEY_CHOICE)};
    server s = {.seed = seed, .arena = rdv_arena_new(0), .tell = tell};
    rdv_abilities can = {0};
    survey found = {0};
    const char *path;
    rdv_str body;
    draw(&s);
    size_t rounds = seed == 1 || one_in(&s, 2) ? 1 : 2;
    for (size_t i = 0; i < rounds; i++) {
        size_t what = seed == 1 ? 0 : rdv_rng_below(&s.rng, 5);
        survey_begin(&found, RDV_STR("m"), &can, items[what], s.arena);
        while (survey_next(&found, &path, &body, NULL) == RDV_OK) {
            long status;
            assert_true(++s.asked < 200);
            note(&s, rdv_str_printf(s.arena, "%s %s%.*s", path, found.asks ? "asks " : "",
                                    RDV_FMT(body)));
            if (seed > 1 && one_in(&s, 20)) {
                survey_skip(&found);
                continue;
            }
            rdv_str came = respond(&s, path, body, &status);
            note(&s, rdv_str_printf(s.arena, "  %ld %.*s", status, RDV_FMT(came)));
            assert_int_equal(survey_took(&found, status, came, NULL), RDV_OK);
        }
    }
    write_line(&s, &found, &can, line);
    rdv_arena_free(&s.arena);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const golden_lines golden = {"surveys.tsv", NULL, 1, SERVERS, make_line};

static void test_surveys__are_what_they_were(void **state)
{
    (void)state;
    golden_compare(&golden);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_surveys__are_what_they_were)};
    return argc > 1 ? golden_answer(&golden, argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}
