/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The methods of the oracle (unread.c) and of plans.c: those of the library that ask a model, those
 * of examples/methods, and tables for every reader and conclusion that a user may name. */
#include "../../cli/text_files.h"
#include "../unit/test.h"
#include "base/buf.h"
#include "method/method.h"

#include <rederive/method.h>
#include <rederive/plan.h>
#include <stdlib.h>

#define HEAD(name, conclude)                                                                       \
    "---\nmethod: own:" name "\nsource: ours\nsummary: s\nconclude: " conclude "\n---\n"
#define LAST "## last\nprompt: own/last\n"
#define WORDS                                                                                      \
    "read: choice \"good\" = support, \"so so\" = unrelated, \"bad\" = contradict,\n"              \
    "  \"who knows\" = unknown\nexample: \"The step is fine.\\nAnswer: **good**.\"\n"
#define NUMBER "read: number 0 to 10\nexample: \"Score: 9/10\"\n"
#define TEXT_OF(per) "## said\nprompt: own/first\nper: " per "\nexample: \"Some words.\"\n"

static const char *const own_tables[] = {
    HEAD("words", "verdict") LAST WORDS,
    HEAD("words-chain", "verdict") LAST "per: chain\n" WORDS,
    HEAD("words-in-turn", "verdict") TEXT_OF("chain") LAST
    "per: step in turn\nafter: said?\n" WORDS,
    HEAD("after-text", "verdict") TEXT_OF("step") LAST "after: said\n" WORDS,
    HEAD("number", "threshold") LAST NUMBER,
    HEAD("number-chain", "threshold") LAST "per: chain\n" NUMBER,
    HEAD("thought", "location") TEXT_OF("chain") LAST
    "per: chain\nafter: said\nread: location thought\nexample: \"No\"\n",
    HEAD("box", "location") LAST "per: chain\nread: location box\nexample: \"\\\\boxed{-1}\"\n",
    HEAD("items", "verdict") "## cited\nprompt: own/first\nread: items\n"
                             "example: \"It follows from Information 0.\"\n" LAST
                             "after: cited\n" WORDS,
    HEAD("definitions", "threshold") "## said\nprompt: own/first\nper: chain\nread: definitions\n"
                                     "example: \"1. x is a number.\"\n" LAST
                                     "after: said?\n" NUMBER,
    HEAD("mean", "mean") LAST "samples: option\n" WORDS,
    HEAD("mean-of-numbers", "mean") LAST "samples: option\n" NUMBER,
    HEAD("mean-of-the-chain", "mean") LAST "per: chain\nsamples: option\n" WORDS,
    HEAD("grade", "mean") TEXT_OF("chain") LAST "per: chain\nafter: said?\nsamples: 3\n" NUMBER,
    HEAD("later-number", "mean") LAST "per: later step\nsamples: 3\n" NUMBER,
    HEAD("later", "mean") LAST "per: later step\nsamples: option\n" WORDS,
    HEAD("later-after-text", "mean") TEXT_OF("step") LAST "per: later step\nafter: said?\n" WORDS,
    HEAD("claims", "calculations") LAST
    "samples: option\nread: claims\nexample: "
    "\"[{\\\"lhs\\\": \\\"12 + 30\\\", \\\"op\\\": \\\"=\\\", \\\"rhs\\\": \\\"42\\\"}]\"\n",
    HEAD("comparison", "verdict") LAST
    "read: choice comparison\n"
    "example: \"Solution 1 supports the conclusion in Solution 2.\"\n",
    HEAD("correctness", "mean") LAST "read: choice correctness\nexample: \"Correct\"\n",
    HEAD("yes-no", "verdict") LAST "per: chain\nread: choice yes-no\nexample: \"Yes\"\n",
    HEAD("relevance", "verdict") LAST "per: step in turn\nread: choice relevance\n"
                                      "example: \"Yes, the solution is relevant.\"\n",
    HEAD("consistency", "verdict") LAST
    "read: choice consistency\n"
    "example: \"not contradicting any information from the Previous Steps.\"\n",
    HEAD("sign", "threshold") "## last\nrequest: turns\nread: score sign\nexample: \"+\"\n",
    HEAD("pairs", "threshold") "## last\nrequest: reward pairs\nper: chain\nread: score rewards\n",
    HEAD("values", "threshold") "## last\nrequest: reward values\nper: chain\n"
                                "read: score rewards\n",
    HEAD("logprobs", "perplexity") "## last\nrequest: score\nper: chain\nread: score logprobs\n",
};

#define N_OWN (sizeof own_tables / sizeof *own_tables)

#define PROMPT(id, say)                                                                            \
    "---\nid: " id "\nsource: ours\nprofile: both\nvariables: question, step\n---\n## user\n" say  \
    "\nProblem: {{question}}\nStep: {{step}}\nIs it good, so so or bad, from 0 to 10?\n"

static const rdv_prompt_text own_prompts[] = {
    {.id = {"own/first", 9}, .text = {PROMPT("own/first", "Explain."), 0}, .added = true},
    {.id = {"own/last", 8}, .text = {PROMPT("own/last", "Judge."), 0}, .added = true},
};

#define N_PROMPTS (sizeof own_prompts / sizeof *own_prompts)
#define MAX_METHODS 100

static const rdv_method *methods[MAX_METHODS];
static size_t n_methods;
static rdv_prompts *prompts;
static rdv_arena *methods_arena;

static void add_method(rdv_str text)
{
    rdv_error err = {0};
    if (rdv_method_read(text, prompts, methods_arena, &methods[n_methods], &err) != RDV_OK)
        fail_msg("%s in\n%.*s", err.msg, RDV_FMT(text));
    n_methods++;
}

static int read_methods(void **state)
{
    const char *source = getenv("RDV_SOURCE");
    rdv_prompt_text *texts, *files, all[MAX_METHODS];
    size_t n, n_files;
    rdv_arena *arena = methods_arena = rdv_arena_new(0);
    rdv_str folder = rdv_str_printf(arena, "%s/examples/methods", source ? source : ".");
    (void)state;
    assert_int_equal(prompts_read(NULL, folder.p, arena, &texts, &n, NULL), RDV_OK);
    assert_int_equal(text_files_read(folder.p, ".method", "x", arena, &files, &n_files, NULL),
                     RDV_OK);
    assert_true(n + N_PROMPTS <= MAX_METHODS);
    memcpy(all, texts, n * sizeof *texts);
    for (size_t i = 0; i < N_PROMPTS; i++) {
        all[n + i] = own_prompts[i];
        all[n + i].text = rdv_str_of(own_prompts[i].text.p);
    }
    assert_int_equal(rdv_prompts_new(all, n + N_PROMPTS, &prompts, NULL), RDV_OK);
    for (size_t i = 0; rdv_method_at(i); i++)
        if (rdv_method_at(i)->asks_model)
            methods[n_methods++] = rdv_method_at(i);
    for (size_t i = 0; i < n_files; i++)
        add_method(files[i].text);
    for (size_t i = 0; i < N_OWN; i++)
        add_method(rdv_str_of(own_tables[i]));
    return 0;
}

static int free_methods(void **state)
{
    (void)state;
    rdv_prompts_free(&prompts);
    rdv_arena_free(&methods_arena);
    return 0;
}
