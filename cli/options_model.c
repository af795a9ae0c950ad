/* SPDX-License-Identifier: Apache-2.0 */
/* The options of commands that ask models. */
#include "options.h"
#include "settings.h"

#define MOST_CALLS 1e15 /* a double represents every whole number up to this */

const struct opt options_model[] = {
    OPTION_TEXT(
        "model", 'M', model, "SPEC", NULL,
        "The model to use: openai:NAME; http://HOST:PORT/v1#NAME, a server that speaks OpenAI's "
        "protocol; builtin, a model of 3.3 M parameters for the eight tasks that it was taught (it "
        "answers nothing else: see 'rederive models -M builtin'), or builtin:FILE, a GGUF file, "
        "both run without a server; transcript:FILE, a journal or its export. Several servers of "
        "one "
        "model are separated by commas: http://ONE:PORT/v1#NAME,http://TWO:PORT/v1#NAME "
        "(docs/servers.md)",
        .words = MODEL_WORDS),
    OPTION_TEXT("checker", 0, checker, "SPEC", NULL,
                "The model that checks, if it is not the one that solves", .words = MODEL_WORDS),
    OPTION_TEXT("api-key-env", 0, api_key_env, "NAME", NULL,
                "The environment variable with the API key. Without this option the key is taken "
                "from OPENAI_API_KEY, and sent only over https or to this machine"),
    OPTION_OUT("journal", 0, journal, "FILE",
               "Keep every reply in FILE, and do not repeat requests whose replies it contains. "
               "Default: FILE.journal next to the file of --out; none without --out"),
    OPTION_FILE("prompt-dir", 0, prompt_dir, "DIR",
                "Read prompts from DIR: each NAME.md in it replaces the prompt of that name"),
    OPTION_FILE("method-dir", 0, method_dir, "DIR",
                "Add the methods of DIR: each NAME.method under it is a table of stages, each "
                "NAME.md a prompt (docs/methods.md)"),
    OPTION_NUMBER("temperature", 0, temperature, "T", NULL, 0, 2,
                  "Sample at this temperature. Default: each prompt's own"),
    OPTION_FLAG("structured", 0, structured,
                "Restrict replies that conclude with one of a few words or numbers to a JSON "
                "schema (response_format), in every profile and also with prompts of --prompt-dir, "
                "and those of prm:chat-plus-minus to + and -. The requests differ, so stored "
                "replies of a run without this option are not used"),
    OPTION_FLAG(
        "no-structured", 0, no_structured,
        "Ask for free text alone. Default: with --profile robust and the built-in prompts, "
        "a server that is found to hold replies to a JSON schema, or to one of a few texts, "
        "is asked to for the concluding word; stored replies serve with and without it"),
    OPTION_FLAG("trust-unfinished", 0, trust_unfinished,
                "Read the replies of a server that says of none how it ended (finish_reason). "
                "Nothing then shows that a reply was not cut off. Default: such replies are "
                "unknown"),
    OPTION_FLAG(
        "anyway", 0, anyway,
        "Ask by chat although the server says that its model has no chat template. Default: "
        "the run ends before its first such call, since a base model does not follow "
        "instructions. Completions, perplexity and the built-in model are not affected"),
    OPTION_FLAG("separate-samples", 0, separate_samples,
                "Ask for each sample and each chain by a call of its own. Default: a server that "
                "is found to give several replies to one call (n) is asked for those of equal "
                "prompts at once, and the prompt is paid once; stored replies serve with and "
                "without it"),
    OPTION_NATURAL("seed", 0, seed, "N", "0", 0, 0,
                   "The seed of samples. Another seed gives other samples, and does not use stored "
                   "replies of this one"),
    OPTIONS_PACE,
    {0},
};

const struct opt options_budget[] = {
    OPTION_FLAG("dry-run", 0, dry_run,
                "Only estimate the calls and tokens of each stage, and with prices the cost. "
                "Nothing is sent or written; requests that the journal answers are not counted"),
    OPTION_NATURAL("max-calls", 0, max_calls, "N", NULL, 1, MOST_CALLS,
                   "End the run after N calls, including retries. Default: no limit"),
    OPTION_NATURAL("max-tokens", 0, max_tokens, "N", NULL, 1, MOST_CALLS,
                   "Use at most N tokens, of prompts and replies: what calls in flight may use is "
                   "reserved. Prompts without max_tokens may pass N, measured by up to 5 %. "
                   "Default: no limit"),
    OPTION_NUMBER("max-cost", 0, max_cost, "DOLLARS", NULL, 1e-6, 1e9,
                  "Spend at most this, by the prices below; reserved and passed as --max-tokens. "
                  "Default: no limit"),
    OPTION_NUMBER(
        "max-seconds", 0, max_seconds, "SECONDS", NULL, 0.001, 1e9,
        "Send no further call after this time; those in flight are waited for, each up to "
        "--timeout. Default: no limit"),
    OPTION_NUMBER("price-in", 0, price_in, "DOLLARS", NULL, 0, 1e6,
                  "The price of a million prompt tokens"),
    OPTION_NUMBER("price-out", 0, price_out, "DOLLARS", NULL, 0, 1e6,
                  "The price of a million completion tokens"),
    {0},
};

const struct opt options_checker[] = {
    OPTION_CHOICE("profile", 0, profile, "WHICH", "robust|paper", "robust",
                  "How replies are read. robust: by careful rules, which read nothing in case of "
                  "doubt; paper: exactly by the paper's rules"),
    OPTION_TEXT(
        "question-type", 0, question_type, "TEXT", NULL,
        "The type of question that SelfCheck's prompts state, behind \"a\": 'physics'. "
        "Default: that of the record's data set (\"dataset\", \"task\") or of the "
        "question's form, such as 'word sorting'; 'math' for all else, and for the built-in "
        "model, which was taught nothing else"),
    OPTION_FILE("rubric", 0, rubric, "FILE",
                "The criteria of the method rubric, and of your own methods whose prompts have "
                "them: a text with one a line. Lines that begin with # are comments"),
    OPTION_NATURAL(
        "lookahead", 0, lookahead, "N", "1", 1, 1000,
        "The number of steps that are requested at once by methods that check step after step "
        "(direct-step, cot-step). Calls beyond the first wrong step do not change records"),
    OPTION_CHOICE("prm-layout", 0, prm_layout, "WHOSE", "qwen|shepherd", "qwen",
                  "The kind of process reward model behind prm:pooling-pairs. It determines the "
                  "layout of a chain, and which number of a pair means right"),
    OPTION_NUMBER("prm-threshold", 0, prm_threshold, "T", "0.5", 0, 1,
                  "A step is wrong if a process reward model, or a method of your own with "
                  "`conclude: threshold`, gives it a score below T"),
    {0},
};
