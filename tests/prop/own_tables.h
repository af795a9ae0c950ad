/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The methods of the oracle (unread.c): those of the library that ask a model, those of
 * examples/methods, and tables for every reader and conclusion that a user may name. */
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

static const rdv_method *method_of(const char *name)
{
    for (size_t i = 0; i < n_methods; i++)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    fail_msg("there is no method %s", name);
    return NULL;
}

/* The stage that concludes; NULL: it combines others. */
static const stage *last_stage(const rdv_method *method)
{
    const method_table *t = method_entry_of(method)->table;
    return t ? &t->stages[t->n_stages - 1] : NULL;
}

static bool ends_with(const rdv_method *method, reader_kind reader)
{
    return last_stage(method) && last_stage(method)->read == reader;
}

/* ---- words and numbers that do not stand alone ----------------------------------------------- */

/* @ stands for the word that supports, # for the one that contradicts. */
static const char *const around_words[] = {
    "It is @ overall.",
    "I would say @",
    "@ @",
    "@ #",
    "@ or #",
    "@/#",
    "@, #",
    "@ and #",
    "not @",
    "Not @.",
    "It is not: @",
    "I would not call it: @",
    "The opposite of: @",
    "Rather than being called: @",
    "Is it so: @?",
    "Is it so?: @",
    "@?",
    "@, if x is 3",
    "@\nBut I am not sure.",
    "@\n\nOn second thought, no",
    "@ne",
    "un@",
    "@1",
    "1@",
    "Choose one of @ and #: @ / #",
    "The student says it is: @",
    "<think>Answer: @</think>",
    "Answer: @ or so",
    "Answer:",
    "Answer: @ (if at all)",
    "Answer: \"@\" is what the student said",
    "Answer: none, @",
    "If the step were right, I would say: @",
    "Some would say, but not I: @",
};

static const char *const around_numbers[] = {
    "11",
    "-1",
    "10.5",
    "99999999999999999999",
    "1e1",
    "0x7",
    "7 or 8",
    "7, 8",
    "7 8",
    "7-8",
    "7 to 10",
    "7/100",
    "7/1",
    "7/",
    "/10",
    "7/10/10",
    "7/10/0",
    "7/10 or 8/10",
    "7:10",
    "12:7",
    "7 out of 100",
    "7 out of",
    "out of 10",
    "7 out of ten",
    "7 out of 10 or 8",
    "7 out of 10 steps",
    "7 out 10",
    "Not 7 out of 10",
    "7 of 10",
    "7 %",
    "7%",
    "7 points",
    "seven",
    "not 7",
    "Not: 7",
    "It is not: 7",
    "7?",
    "Is it: 7?",
    "nan",
    "inf",
    "--7",
    "+7",
    "7,5",
    "7.5.1",
    "1,000",
    "10 - 3",
    "= 7",
    "~7",
    "Between: 7 and 9",
    "Score: 7 of 10 for step 1, 9 for step 2",
    "7\nI am not sure",
    "The score is 7",
    "Scores: 7, 8, 9",
    "Score:",
    ".",
    "-",
    "7/-10",
    "Rather than 7: 8 or 9",
    "7 ± 1",
    "٧",
};

static size_t n_not_alone(bool words)
{
    return words ? sizeof around_words / sizeof *around_words
                 : sizeof around_numbers / sizeof *around_numbers;
}

static rdv_str word_for(const stage *s, rdv_verdict_kind verdict)
{
    for (size_t i = 0; i < s->n_choices; i++)
        if (s->choices[i].verdict == verdict)
            return s->choices[i].word;
    return RDV_STR("");
}

/* The k-th text for that stage. */
static rdv_str not_alone(const stage *s, size_t k, rdv_arena *arena)
{
    rdv_buf b;
    if (s->read == READER_NUMBER)
        return rdv_str_of(around_numbers[k]);
    rdv_buf_init(&b, arena, 0);
    for (const char *p = around_words[k]; *p; p++) {
        if (*p == '@' || *p == '#')
            rdv_buf_add(&b, word_for(s, *p == '@' ? RDV_SUPPORT : RDV_CONTRADICT));
        else
            rdv_buf_add_char(&b, *p);
    }
    return rdv_buf_str(&b);
}
