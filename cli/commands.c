/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"
#include "settings.h"

/* ---- check ----------------------------------------------------------------------------------- */

static const struct opt check_options[] = {
    OPTION_TEXT("method", 'm', method, "NAME[,NAME]", "calculations",
                "The checking method. With several methods, the verdicts of the last one are at "
                "the top of the record. 'rederive methods' lists the methods",
                .words = "reward:", .names = OPT_METHODS),
    OPTION_NUMBER("threshold", 't', threshold, "T", NULL, 0, 1,
                  "Add \"accepted\" to each record, as --accepted does, but by confidence: true if "
                  "it is at least T. What a method that decides exactly, such as calculations, "
                  "contradicts is not accepted whatever T is"),
    OPTION_FLAG("accepted", 0, accepted,
                "Add \"accepted\" to each record, by the rule of the method: for methods that name "
                "wrong steps, that no step is contradicted or unknown and one is supported; for "
                "the others, that the confidence reaches their threshold. null: undecided"),
    OPTION_FLAG(
        "as-labels", 0, as_labels,
        "Make what the last method found the record's \"label\", with its \"label_source\": "
        "the first wrong step, if every step before it is supported, or null, if every "
        "step is. Else the chain gets no label. A label that it has stays, and a line on "
        "standard error reports each conflict"),
    OPTION_FLAG("replace-labels", 0, replace_labels,
                "With --as-labels: replace the labels that chains have"),
    OPTION_FLAG("certify", 0, certify,
                "Add \"certificate\" to each record: certified if every step was decided, every "
                "number that it rests on is in the question or was found before, and the answer "
                "is the latest result; else the gaps, with their reasons (docs/certificates.md). "
                "For calculations and the methods that follow a task"),
    OPTION_FLAG("check-reasoning", 0, check_reasoning,
                "Check the reasoning that a model gave apart from its reply (\"reasoning\", "
                "<think>) too: its steps come first, and \"n_reasoning_steps\" counts them"),
    OPTION_FLAG("view", 0, view,
                "Write every chain in a readable layout instead of records. This is the default on "
                "a terminal, without --json and --out"),
    OPTION_CHOICE_OR("list", 0, list_form, "text|github|sarif", "text",
                     "Write each wrong step at its place in the file instead of records. text: "
                     "FILE:LINE:COLUMN: ID step N: the calculation and its right value, or the "
                     "reason [RULE]. github: the same as annotations of GitHub Actions. sarif: as "
                     "a log of SARIF 2.1.0. Lines and columns count from 1, columns in characters, "
                     "steps from 0"),
    OPTION_FLAG("list-unread", 0, list_unread,
                "Write one line for each calculation that was not read or not decided, "
                "instead of records: FILE:LINE:COLUMN: ID step N: the reason and the text. For "
                "methods that find calculations by themselves; with --list, after the wrong steps "
                "of its chain"),
    OPTION_FLAG("fail-on-wrong", 0, fail_on_wrong,
                "Exit with 4 if a method found a wrong step. Unknown steps do not fail, but a line "
                "on standard error counts them"),
    OPTION_FLAG("fail-on-unknown", 0, fail_on_unknown,
                "Exit with 5 if a step is unknown or a chain has no verdict; --list lists them"),
    OPTION_FLAG("json", 0, json, "Write records even on a terminal, and the summary as JSON"),
    OPTION_THREADS(", for methods that ask no model"),
    {0},
};

static const struct opt_group check_groups[] = {
    {"Checking", check_options},
    {"Confidence", options_integrating},
    {"Numbers", options_numbers},
    {"Rules of language", options_rules},
    {"Step range", options_extent},
    {"Verifiers", options_verifying},
    {"Combining verifiers", options_combining},
    {"Checks as verifiers", options_recorded},
    {"Methods that ask a model", options_checker},
    {"Model", options_model},
    {"Budget", options_budget},
    {"Batch", options_batch},
    {"Reading and writing", options_files},
    {"Report", options_html},
    {"Output", options_telling},
    {0},
};

static const struct example check_examples[] = {
    {"Check the run of another tool, and write a report to look at in a browser",
     "rederive check my-run.eval --html report.html"},
    {"Check every calculation in a file of chains and view the results",
     "rederive check chains.jsonl --view"},
    {"List wrong steps as a compiler lists errors; --fail-on-wrong is for CI",
     "rederive check --list chains.jsonl"},
    {"Write the chains with their verdicts", "rederive check chains.jsonl --out checked.jsonl"},
    {"Make what a program finds the labels of traces that have none",
     "rederive check -m dyck --as-labels traces.jsonl -o labelled.jsonl"},
    {"Print the ids of the chains that have a wrong step",
     "rederive check -q chains.jsonl | jq -r 'select(.first_error | numbers).id'"},
    {"Print the ids of the chains in which nothing was left undecided",
     "rederive check -q --certify chains.jsonl | jq -r 'select(.certificate.certified).id'"},
    {"Check and vote in a pipe", "rederive check < chains.jsonl | rederive vote -w confidence"},
    {"Estimate the calls of SelfCheck without sending any",
     "rederive check --method selfcheck --dry-run chains.jsonl"},
    {"SelfCheck with a local model; the same command resumes the run",
     "rederive check -m selfcheck -M http://localhost:8000/v1#qwen chains.jsonl -o checked.jsonl"},
    {"The same with two servers of the model, which share the calls",
     "rederive check -m selfcheck -M http://localhost:8000/v1#qwen,http://localhost:8001/v1#qwen "
     "chains.jsonl -o checked.jsonl"},
    {"General-purpose verification; the output also has each verifier's own check",
     "rederive check -m general -M http://localhost:8000/v1#qwen chains.jsonl -o checked.jsonl"},
    {"Only its verifiers math and perplexity, without a model",
     "rederive check -m general --verifiers math,perplexity --math native chains.jsonl"},
    {"Checks that the chains have already as verifiers, one of twice the weight",
     "rederive check -m general --verifiers math --math native --recorded-verifiers "
     "calculations=2,arithmetic checked.jsonl"},
    {"Check the results of a batch, with the questions from its requests",
     "rederive check batch_output.jsonl batch_requests.jsonl"},
    {"Check the reasoning of a reasoning model too",
     "rederive check --check-reasoning responses.jsonl"},
    {"Check records of your own: name where their parts are",
     "rederive check --question-from task.text --steps-from 'runs[0].log' agent.jsonl"},
    {"Check the solutions in a text file, which lines of three hyphens separate",
     "rederive check --question 'What is 2 + 3?' --separator --- solutions.txt"},
    {"Print the ids of the chains that the check accepts",
     "rederive check -q --accepted chains.jsonl | jq -r 'select(.accepted == true).id'"},
    {"Check solutions that write 4,50 and 1.250 where nothing else shows it",
     "rederive check --decimal comma chains.jsonl"},
    {"With a phrase of your own that takes a calculation back",
     "rederive check --rules-dir examples/rules chains.jsonl"},
    {"Let a wrong step cost more, and an undecided one remove the confidence",
     "rederive check --lambda 3,0.1 --unknown null chains.jsonl --out checked.jsonl"},
    {0},
};

/* ---- solve ----------------------------------------------------------------------------------- */

static const struct opt solve_options[] = {
    OPTION_NATURAL("chains", 'n', chains, "N", "10", 1, 100000,
                   "The maximum number of solutions to generate for each question"),
    OPTION_TEXT("stop", 0, stop, "WHEN", "certain",
                "Stop generating and checking once the vote is settled. certain: no further "
                "solution can change the result; posterior:P: the probability that it changes is "
                "at most P; none: never stop early",
                .words = "certain|posterior:|none"),
    OPTION_CHOICE(
        "select", 's', select, "HOW", "weighted|majority|best", "weighted",
        "Which answer wins. weighted: the one with the largest sum of confidences; majority: the "
        "one of most solutions; best: the one of the solution with the largest confidence"),
    OPTION_CHOICE(
        "generate", 'g', generate, "HOW", "steps|thoughts|zero-shot", "steps",
        "How solutions are generated. steps: one reply, split into steps; thoughts: stepwise, one "
        "call per step after three examples of the task, until a step states the answer (at "
        "temperature 0 all solutions are the same, so use --temperature with --chains); zero-shot: "
        "\"Let's think step by step\", one step per line"),
    OPTION_NATURAL("max-steps", 0, thoughts, "N", "200", 1, 100000,
                   "The maximum number of steps of a solution, with --generate thoughts and with "
                   "--beam-search"),
    OPTION_OUT(
        "chains-out", 0, chains_out, "FILE",
        "Write every solution that took part in the vote, with its checks, to FILE, in order"),
    OPTION_TEXT(
        "method", 'm', method, "NAME[,NAME]", "calculations",
        "The checking method; the confidence of the last method is the weight. none: solutions are "
        "not checked, and each has weight 1. 'rederive methods' lists the methods",
        .words = "none|reward:", .names = OPT_METHODS),
    OPTION_FLAG("view", 0, view,
                "Write a table of the questions instead of records, with the answer of the "
                "majority beside the selected one. This is the default on a terminal, without "
                "--json and --out"),
    OPTION_FLAG("json", 0, json,
                "Write records even on a terminal, and the summary, or the estimate, as JSON"),
    {0},
};

static const struct opt_group solve_groups[] = {
    {"Solving", solve_options},
    {"Beam search", options_online},
    {"Numbers", options_numbers},
    {"Rules of language", options_rules},
    {"Confidence", options_integrating},
    {"Verifiers", options_verifying},
    {"Combining verifiers", options_combining},
    {"Methods that ask a model", options_checker},
    {"Model", options_model},
    {"Budget", options_budget},
    {"Batch", options_batch},
    {"Reading and writing", options_files},
    {"Report", options_html},
    {"Output", options_telling},
    {0},
};

static const struct example solve_examples[] = {
    {"Estimate the maximum cost",
     "rederive solve --dry-run --stop none --price-in 0.15 --price-out 0.6 questions.jsonl"},
    {"Generate up to ten solutions per question, check them, and vote",
     "rederive solve -M http://localhost:8000/v1#qwen questions.jsonl --out answers.jsonl"},
    {"Let one model solve and another check, and write the solutions too",
     "rederive solve -M http://localhost:8000/v1#small --checker http://localhost:8000/v1#large "
     "-m selfcheck questions.jsonl --out a.jsonl --chains-out solutions.jsonl"},
    {"Spend at most half a dollar; the same command resumes the run",
     "rederive solve -M http://localhost:8000/v1#qwen --max-cost 0.5 --price-in 0.15 "
     "--price-out 0.6 questions.jsonl --out b.jsonl"},
    {"Beam search, which continues the best prefixes of solutions",
     "rederive solve --beam-search --beam-width 4 --expansions 4 -m general "
     "-M http://localhost:8000/v1#qwen questions.jsonl"},
    {0},
};

/* ---- repair ---------------------------------------------------------------------------------- */

static const struct opt repair_options[] = {
    OPTION_TEXT("locator", 'l', locator, "WHO", "calculations",
                "Source of the first-error location. A method of 'rederive methods'; gold: the "
                "chain's label; random: a random step, or none; simulated:X: the label with "
                "probability X, else a wrong location, distributed like the labels; "
                "simulated:X,Y,...: a record for each, of which the journal answers what they have "
                "in common",
                .words = "gold|random|simulated:|reward:", .names = OPT_METHODS),
    OPTION_FILE(
        "locations", 0, locations, "FILE",
        "The labelled chains from which simulated:X draws wrong locations. Default: the input"),
    OPTION_NATURAL("resamples", 0, resamples, "N", "8", 1, 1000,
                   "The number of new samples of the wrong step"),
    OPTION_CHOICE(
        "choose", 0, choose, "BY", "sum|mean", "sum",
        "Which sample replaces the wrong step: the one with the largest sum, or mean, of its "
        "tokens' log-probabilities. If the server gives none, the most frequent sample is used"),
    OPTION_NATURAL("rounds", 0, rounds, "N", "1", 1, 100,
                   "The maximum number of rounds of locating and repairing. gold, random and "
                   "simulated:X have no label for a changed chain, so they always use 1 round"),
    OPTION_CHOICE("accept", 0, accept, "WHICH", "better|new", NULL,
                  "Which trace is kept after a round. better: the one with the larger confidence "
                  "in the locator's check; new: the new one, as in the paper. Default: better; new "
                  "with --profile paper, and with gold, random and simulated:X, which cannot check "
                  "a new trace"),
    OPTION_NATURAL("max-steps", 0, max_steps, "N", NULL, 1, 100000,
                   "The maximum number of steps of a chain. A new trace that reaches it ends "
                   "without an answer. Default: twice as many as in the input, plus 8"),
    OPTION_FLAG("json", 0, json, "Write the summary, or the estimate, as JSON"),
    {0},
};

static const struct opt_group repair_groups[] = {
    {"Repairing", repair_options},
    {"Confidence", options_integrating},
    {"Methods that ask a model", options_checker},
    {"Model", options_model},
    {"Budget", options_budget},
    {"Batch", options_batch},
    {"Reading and writing", options_files},
    {"Report", options_html},
    {"Output", options_telling},
    {0},
};

static const struct example repair_examples[] = {
    {"Estimate the maximum cost", "rederive repair --dry-run chains.jsonl"},
    {"Rewrite chains from the first wrong calculation, up to three times",
     "rederive repair --rounds 3 -M http://localhost:8000/v1#qwen chains.jsonl -o better.jsonl"},
    {"Backtracking from the labels, as in the paper, and its effect",
     "rederive repair --locator gold -M http://localhost:8000/v1#qwen chains.jsonl | "
     "rederive eval --recipe mistakes:table6"},
    {"Simulate a reward model that is right in two of three cases",
     "rederive repair --locator simulated:0.67 -M http://localhost:8000/v1#qwen chains.jsonl -o "
     "s67.jsonl"},
    {"The curve over the accuracy of a reward model, as in the paper's Figure 2",
     "rederive repair --locator simulated:0.5,0.6,0.65,0.7,0.8,0.9,1 -M "
     "http://localhost:8000/v1#qwen "
     "chains.jsonl -o curve.jsonl && rederive eval --recipe mistakes:fig2 curve.jsonl"},
    {0},
};

/* ---- models, journal ------------------------------------------------------------------------- */

static const struct opt models_options[] = {
    OPTION_TEXT("model", 'M', model, "SPEC", NULL,
                "The model: openai:NAME, http://HOST:PORT/v1#NAME, builtin, builtin:FILE or "
                "transcript:FILE",
                .words = MODEL_WORDS),
    OPTION_TEXT("api-key-env", 0, api_key_env, "NAME", NULL,
                "The environment variable with the API key, instead of OPENAI_API_KEY"),
    OPTION_NUMBER("timeout", 0, timeout, "SECONDS", "60", 0.01, 86400, "Time limit of one call"),
    OPTION_NATURAL("retries", 0, retries, "N", "2", 0, 1000,
                   "How often a call is retried when the server is busy or fails"),
    OPTION_FLAG("json", 0, json, "Write one JSON object instead of a table"),
    {0},
};

static const struct opt_group models_groups[] = {
    {"Probing", models_options}, {"Output", options_telling}, {0}};

static const struct example models_examples[] = {
    {"Show the capabilities of a server on this machine",
     "rederive models --model http://localhost:8000/v1#qwen"},
    {"Show the built-in model", "rederive models --model builtin"},
    {"Print whether a server provides log-probabilities",
     "rederive models -M http://localhost:8000/v1#qwen --json | jq -r .capabilities.logprobs"},
    {0},
};

static const struct opt serve_options[] = {
    OPTION_TEXTS(
        "model", 'M', served_models, "[NAME=]SPEC",
        "A model to serve, under NAME or its own name; may be given several times. "
        "builtin, or builtin:FILE, a GGUF file; or a model whose server gets the requests: "
        "http://HOST:PORT/v1#MODEL, openai:MODEL, or several servers of one model, "
        "separated by commas; chat+, responses+ or messages+ before it says what they speak, and "
        "others "
        "are converted. A request for rederive/check/NAME is checked. Default: "
        "builtin",
        .words = "builtin|builtin:"),
    OPTION_TEXTS("upstream", 0, served_models, "[NAME=]SPEC", "The same as --model"),
    OPTION_TEXTS(
        "upstream-key-env", 0, upstream_keys, "[NAME=]VARIABLE",
        "The environment variable with the API key of the servers of the model NAME, which "
        "is sent to them alone; without NAME, of the only model that has servers. Keys of "
        "clients are never passed on"),
    OPTION_FILE("policy", 0, policy, "FILE",
                "The rule by which replies are judged: what is checked, which replies are "
                "admitted, and what becomes of the others (docs/serve.md). A request can make it "
                "stricter, not looser"),
    OPTION_FILE("prices", 0, prices, "FILE",
                "The prices of models, in dollars a million tokens: {\"NAME\": {\"input\": 0.15, "
                "\"output\": 0.6}}; limits of dollars in --policy need them (docs/serve.md)"),
    OPTION_TEXT("listen", 'l', listen, "HOST:PORT", "127.0.0.1:8080",
                "The address and port to listen on; port 0 selects a free port. The first line of "
                "standard output shows the address"),
    OPTION_NATURAL("port", 'p', port, "PORT", NULL, 0, 65535,
                   "The same with the port alone: --listen 127.0.0.1:PORT"),
    OPTION_TEXT("api-key-env", 0, api_key_env, "NAME", NULL,
                "Accept only requests with the API key in the environment variable NAME"),
    OPTION_FILE(
        "keys", 0, keys, "FILE",
        "Accept only requests with a key of FILE, which has their hashes and can be read by "
        "its owner alone; see --new-key. SIGHUP reads it again, and --policy too"),
    OPTION_TEXT("new-key", 0, new_key, "NAME", NULL,
                "Make a key, add its hash to the file of --keys, show the key, and end. It is kept "
                "nowhere else"),
    OPTION_TEXTS(
        "allow-origin", 0, allowed_origins, "ORIGIN",
        "Let pages of this origin, https://chat.example.org, use the server from browsers; "
        "may be given several times. Default: requests of pages are refused"),
    OPTION_TEXTS("allow-host", 0, allowed_hosts, "NAME",
                 "Without a key, also accept requests for this host name, as in their Host header; "
                 "may be given several times. localhost, addresses of this machine and the address "
                 "listened on are always accepted"),
    OPTION_NUMBER("timeout", 0, timeout, "SECONDS", "600", 0.01, 86400,
                  "Time limit of one request"),
    OPTION_FLAG("log", 0, log,
                "Log one line per request on standard error, even if it is not a terminal"),
    OPTION_FLAG(
        "log-json", 0, log_json,
        "The same as a line of JSON, with the model, the name of the key and the admission; "
        "without prompt, reply and key"),
    {0},
};

static const struct opt_group serve_groups[] = {
    {"Serving", serve_options}, {"Output", options_telling}, {0}};

static const struct example serve_examples[] = {
    {"Serve the built-in model on this machine until Ctrl-C", "rederive serve"},
    {"Use a free port and log the requests", "rederive serve --listen 127.0.0.1:0 --log"},
    {"Serve a model of llama.cpp, Ollama or vLLM, whose replies are checked where the request is "
     "for rederive/check/qwen",
     "rederive serve -M qwen=http://localhost:8000/v1#qwen"},
    {"Accept requests for the name of a proxy in front of the server too",
     "rederive serve --allow-host models.example.org"},
    {0},
};

static const struct opt mcp_options[] = {
    OPTION_FLAG("help", 'h', help, "Show this text. -h: the part of it that fits a screen"),
    {0},
};

static const struct opt_group mcp_groups[] = {{"Output", mcp_options}, {0}};

static const struct example mcp_examples[] = {
    {"List the tools, as a client does",
     "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | rederive mcp"},
    {0},
};

static const struct opt journal_options[] = {
    OPTION_OUT("out", 'o', out, "FILE", "Export to FILE instead of standard output"),
    OPTION_FLAG("json", 0, json, "Write the counts as JSON"),
    OPTION_FLAG("batch", 0, batch.results,
                "Import results of OpenAI's Batch format, of requests that --batch-out wrote: name "
                "all files of results of a batch, also that of its errors, in one command"),
    {0},
};

static const struct opt_group journal_groups[] = {
    {"Journal", journal_options}, {"Output", options_telling}, {0}};

static const struct example journal_examples[] = {
    {"Count the replies and tokens of each stage", "rederive journal info checked.jsonl.journal"},
    {"Write every prompt and reply as lines of JSON",
     "rederive journal export checked.jsonl.journal --out replies.jsonl"},
    {"Copy a journal",
     "rederive journal export checked.jsonl.journal | rederive journal import copy.journal"},
    {"Take in the results of a batch, whose requests --batch-out wrote",
     "rederive journal import --batch checked.jsonl.journal results.jsonl errors.jsonl"},
    {"Make one journal of those of two workers",
     "rederive journal merge all.journal worker-1.journal worker-2.journal"},
    {"Make a journal of an earlier version smaller",
     "rederive journal compact checked.jsonl.journal"},
    {"Repeat a check from stored replies, without a server",
     "rederive check -m selfcheck -M transcript:replies.jsonl chains.jsonl"},
    {0},
};

/* ---- vote ------------------------------------------------------------------------------------ */

static const struct opt vote_options[] = {
    OPTION_TEXT("weight", 'w', weight, "WHAT", "majority",
                "The weight of a chain's vote. majority: 1; confidence: the confidence of its last "
                "check; confidence:METHOD: that of its check by METHOD; scores:NAME: the aggregate "
                "of its scores of that name; combined:FILE: the probability by several scorers "
                "that 'eval --scorers --fit-out FILE' fitted together",
                .words = "majority|confidence|confidence:|scores:|combined:"),
    OPTION_CHOICE("select", 's', select, "HOW", "weighted|best|random|perplexity", "weighted",
                  "Which answer wins. weighted: the one with the largest sum of weights; best: the "
                  "one of the chain with the largest weight; random: the one of a random chain; "
                  "perplexity: the one of the chain with the lowest perplexity"),
    OPTION_TEXT("stop", 0, stop, "WHEN", "none",
                "Use chains in their order only until the vote is settled. certain: no further "
                "chain can change the result; the answers of all chains are known and only their "
                "weights are not (with --weight majority, neither are the answers); posterior:P: "
                "the probability that it changes is at most P",
                .words = "none|certain|posterior:"),
    OPTION_NATURAL("subset-size", 0, subset_size, "M", NULL, 1, 1000000,
                   "The number of chains of each question that may vote. Default: all"),
    OPTION_CHOICE(
        "subset-by", 0, subset_by, "WHAT", "random|perplexity|weight", "random",
        "How the M chains are selected: at random, by lowest perplexity, or by largest weight"),
    OPTION_NATURAL(
        "seed", 0, seed, "N", "0", 0, 0,
        "Seed of --select random and --subset-by random; the same seed draws the same chains"),
    OPTION_FLAG("view", 0, view,
                "Write a table of the questions instead of records, with the answer of the "
                "majority beside the selected one. This is the default on a terminal, without "
                "--json and --out"),
    OPTION_FLAG("json", 0, json, "Write records even on a terminal, and the summary as JSON"),
    OPTION_THREADS(""),
    {0},
};

static const struct opt_group vote_groups[] = {
    {"Voting", vote_options},
    {"Step scores", options_aggregating},
    {"Answers and correctness", options_judging},
    {"Reading and writing", options_files},
    {"Report", options_html},
    {"Output", options_telling},
    {0},
};

static const struct example vote_examples[] = {
    {"Majority voting", "rederive vote chains.jsonl"},
    {"Weight every chain by the confidence of a check",
     "rederive check chains.jsonl | rederive vote -w confidence"},
    {"Show beside the majority's answers those that the weights select",
     "rederive check -q chains.jsonl | rederive vote --view -w confidence"},
    {"Weight every chain by the product of a reward model's step scores",
     "rederive vote -w scores:prm -a product chains.jsonl"},
    {"Self-consistency over the three chains with the best scores of a verifier",
     "rederive check -q -m math --math native chains.jsonl | rederive vote -w confidence "
     "--subset-size 3 --subset-by weight"},
    {"Count how many chains are needed", "rederive vote --stop certain chains.jsonl | "
                                         "jq -c '[.question_id, .n_chains_used, .n_chains]'"},
    {0},
};

/* ---- eval ------------------------------------------------------------------------------------ */

static const struct opt eval_options[] = {
    OPTION_NUMBER("threshold", 't', threshold, "T", NULL, 0, 1,
                  "A chain is accepted if its confidence is at least T. Default: the rule of the "
                  "method of the check, which the output states. What a method that decides "
                  "exactly, such as calculations, contradicts is not accepted whatever T is"),
    OPTION_TEXT("weight", 'w', weight, "WHAT", "confidence",
                "What is evaluated, and used as the weight of votes. confidence: the last check; "
                "confidence:METHOD: the check by METHOD; scores:NAME: the scores of that name",
                .words = "confidence|confidence:|scores:"),
    OPTION_TEXT("recipe", 0, recipe, "NAME", NULL,
                "Compute a table or figure of a paper instead; 'list' lists them. Those of "
                "selfcheck: use the checks of selfcheck (table2 and fig6 also those of its "
                "variants), unless --weight names another; those of general: the checks of the "
                "verifiers; those of mistakes: all checks",
                .words = "list", .names = OPT_RECIPES),
    OPTION_TEXT("group", 0, group, "MEMBER", "dataset",
                "Make separate rows of a recipe for each value of this member of the records"),
    OPTION_CHOICE("profile", 0, profile, "WHICH", "robust|paper", "robust",
                  "With a recipe of general: about answers, how step scores become those of a "
                  "chain. robust: with a --floor of 0.01, perplexity over all tokens; paper: "
                  "without a floor, perplexity over steps"),
    OPTION_TEXT(
        "baseline", 0, baseline, "CHECK", NULL,
        "The check to whose figures on the same chains the difference of each other check is "
        "given: in selfcheck:table1, table2, fig2, fig5 and fig6, mistakes:table4, table5, "
        "table7, table9 and fig1. In general:table1, table2 and table4 a list of verifiers, "
        "or none. Default, in mistakes:table7: the best by a zero-shot prompt",
        .words = "direct-trace-0shot|direct-step-0shot|cot-step-0shot"),
    OPTION_FILE("fit", 0, fit, "FILE",
                "Fit settings on the chains in FILE and use them for the input: the weights of "
                "verdicts (unless --lambda sets them), the aggregate of step scores, and the "
                "threshold; with a general: recipe, the weights of the verifiers. FILE and the "
                "input may not share questions, unless --split separates them"),
    OPTION_FILE("compare", 0, compare, "FILE",
                "Compare the input with an earlier run over the same questions, in FILE: which "
                "questions are fixed, broken, or only in one run, and the paired difference of "
                "each figure with its interval. Both are chains, or the records of vote or solve"),
    OPTION_TEXT(
        "split", 0, split, "K|half", NULL,
        "Fit on some questions of the input (or of --fit FILE) and report on others. half: fit on "
        "one half, report on the other; K: divide the questions into K parts, and report on each "
        "with the settings fitted on the others. A question's part depends on its id and --seed",
        .words = "half"),
    OPTION_TEXT(
        "scorers", 0, scorers, "LIST", NULL,
        "Fit these scorers together (with --fit or --split), and compare votes weighted by all of "
        "them with votes by each alone and with the majority. Separated by commas: scores:NAME, "
        "confidence, confidence:METHOD, perplexity, majority (how many chains agree), length"),
    OPTION_OUT("fit-out", 0, fit_out, "FILE",
               "With --scorers, write what was fitted to FILE, for vote --weight combined:FILE. "
               "With --split K it is fitted on all parts"),
    OPTION_NUMBER(
        "p", 0, p, "P", NULL, 0, 1,
        "With --recipe selfcheck:v2bound: the chance that a chain's answer is right. With "
        "--p and --q no chains are read"),
    OPTION_TEXT("q", 0, q, "Q[,Q]...", NULL,
                "The same of each wrong answer; what remains to 1 are unreadable answers"),
    OPTION_TEXT("n", 0, n, "FROM:TO", NULL,
                "With --recipe selfcheck:v2bound: the numbers of chains. Default: 1:20"),
    OPTION_FLAG("curves", 0, curves,
                "Also print the curves: accuracy against the number of chains, rates against the "
                "threshold, ROC. --json always includes them"),
    OPTION_NATURAL("seed", 0, seed, "N", "0", 0, 0,
                   "Seed of the random subsets, of the bootstrap and of --split"),
    OPTION_FLAG("json", 0, json, "Write one JSON object instead of tables"),
    OPTION_THREADS(""),
    OPTION_OUT_FOLDER(
        "tables", 0, tables, "DIR",
        "Also write the tables to the folder DIR, which is made if it is missing: "
        "table.txt, table.csv, table.json and table.html, and, where a figure belongs to "
        "the table, figure.svg and figure.csv. Files of these names are replaced, and "
        "further ones of an earlier run (table-*.csv, figure-*) are removed"),
    {0},
};

static const struct opt_group eval_groups[] = {
    {"Evaluating", eval_options},
    {"Combining verifiers", options_combining},
    {"Confidence", options_integrating},
    {"Step scores", options_aggregating},
    {"Answers and correctness", options_judging},
    {"Reading and writing", options_files},
    {"Report", options_html},
    {"Output", options_telling},
    {0},
};

static const struct example eval_examples[] = {
    {"Evaluate answers and checks", "rederive check chains.jsonl | rederive eval"},
    {"Evaluate a vote", "rederive vote chains.jsonl | rederive eval"},
    {"Compare a run with an earlier one",
     "rederive check -q chains.jsonl > after.jsonl; rederive eval --compare chains.jsonl "
     "after.jsonl"},
    {"All figures and curves as JSON",
     "rederive check -q chains.jsonl | rederive eval --json --out figures.json"},
    {"A figure of a paper, computed from another method's checks",
     "rederive check -q chains.jsonl | rederive eval --recipe selfcheck:fig2 -w "
     "confidence:calculations"},
    {"Fit two scores together, test them on unseen questions, and vote with them",
     "rederive eval --scorers scores:prm,scores:orm --split 5 --fit-out all.json "
     "scored.jsonl; rederive vote -w combined:all.json others.jsonl"},
    {"How often majority voting fails if a right answer has 60 %",
     "rederive eval --recipe selfcheck:v2bound --p 0.6 --q 0.4 --n 1:20"},
    {"Simulate verifiers that correlate with human scores",
     "rederive eval --recipe general:table6"},
    {"The same as files: the table as text, CSV, JSON and a page, and the figure",
     "rederive eval --recipe general:table6 --tables simulation"},
    {0},
};

/* ---- lists, help ----------------------------------------------------------------------------- */

static const struct opt methods_options[] = {
    OPTION_FILE("method-dir", 0, method_dir, "DIR", "List the methods of DIR too"),
    {0},
};

static const struct opt_group methods_groups[] = {
    {"Methods", methods_options}, {"Output", options_telling}, {0}};

static const struct opt_group list_groups[] = {{"Output", options_telling}, {0}};

static const struct example methods_examples[] = {
    {"The methods, one per line", "rederive methods"},
    {"With the methods of your own folder", "rederive methods --method-dir examples/methods"},
    {0}};

static const struct opt rules_options[] = {
    OPTION_FLAG("json", 0, json, "Write one JSON object, with all examples"),
    {0},
};

static const struct opt_group rules_groups[] = {{"Listing", rules_options},
                                                {"Rules of language", options_rules},
                                                {"Output", options_telling},
                                                {0}};

static const struct example rules_examples[] = {
    {"The rules, one per line", "rederive rules"},
    {"A rule as it is written, with its examples", "rederive rules denied-that"},
    {"With those of your own folder", "rederive rules --rules-dir examples/rules"},
    {0}};

static const struct example formats_examples[] = {{"The formats, one per line", "rederive formats"},
                                                  {0}};

static const struct example completion_examples[] = {
    {"Enable completion in this shell", "eval \"$(rederive completion bash)\""},
    {"A completion script for fish, to be put into ~/.config/fish/completions",
     "rederive completion fish > rederive.fish"},
    {0}};

const struct command commands[] = {
    {"check", "find wrong steps in chains of reasoning", "[FILE]...",
     "Reads chains (a question and the steps of a solution), checks each step, and writes the "
     "chains in input order, with a verdict for every step, the chain's confidence, and the first "
     "wrong step. On a terminal a step is right, wrong, not read, undecided (with the reason), or "
     "has nothing to check; records have the papers' terms: support, contradict, unknown, "
     "unrelated.\n\nA record that "
     "cannot be read is replaced by a record with its \"error\" and reported on standard error; "
     "processing continues.\n\nMethods that compute need no model; the others use the model that "
     "--model or --checker names. Every reply is kept in the journal as it arrives: after Ctrl-C, "
     "a crash or the end of a budget, the same command resumes the run and repeats no request. A "
     "record that an early end leaves unfinished has \"partial\":true, and its open steps are "
     "unknown.",
     check_groups, check_examples, true,
     .often =
         "method|model|html|view|list|list-unread|fail-on-wrong|question|check-reasoning|json|out",
     .first = true},
    {"solve", "answer questions with many checked solutions", "[FILE]...",
     "Reads questions, lets a model write several solutions for each, checks them, lets them vote "
     "with the confidence of their checks, and writes one record per question, in input order. If "
     "the input has chains, only their questions are used.\n\nSolutions count in their own order, "
     "whatever the order in which they arrive. Once the vote is settled, the remaining solutions "
     "are not requested. Every reply is kept in the journal as it arrives, and the same command "
     "resumes an interrupted run.",
     solve_groups, solve_examples, true,
     .often = "model|method|chains|html|dry-run|max-cost|journal|out", .first = true},
    {"repair", "rewrite chains from their first error", "[FILE]...",
     "Reads chains, locates the first error of each with the locator, and goes back to it: the "
     "steps before it are kept, the step is sampled again, samples that equal the old step are "
     "dropped, the most probable of the others is used, and the rest of the chain is regenerated. "
     "A chain without a located error is not changed. Every record describes the repair in "
     "\"repair\" and \"repairs\".\n\nEach step is one call, and the prompt shows the steps as "
     "\"Thought 1:\" and so on. The journal keeps every reply, and the same command resumes an "
     "interrupted run.",
     repair_groups, repair_examples, true,
     .often = "model|locator|html|dry-run|max-cost|journal|out", .first = true},
    {"vote", "choose an answer from several chains", "[FILE]...",
     "Groups chains by \"question_id\" (without one, by the question's text), lets every chain "
     "vote for its answer, and writes one record per question, in the order in which the questions "
     "first appear. The chains of a question need not be adjacent. Answers count as the same if "
     "they are equal as mathematics, options or words, depending on the answer type.",
     vote_groups, vote_examples, true, .often = "weight|select|html|view|json|out", .first = true},
    {"grade", "decide whether answers are the same as their gold answers", "[FILE]...",
     "Reads answers, or whole replies, with their gold answers: lines of JSON with \"gold\" and "
     "\"answer\", \"text\" or \"response\", a table with such columns, or chains in any format. "
     "Writes each, in input order, with \"correct\": true, false, or null where it cannot be told; "
     "\"same_as\", \"why\", and how both were read (docs/answers.md).\n\nA record that cannot be "
     "read or graded is replaced by one with its \"error\" and reported on standard error; "
     "processing continues. With --answer or --text, and --gold, it grades these, and the exit "
     "status is 0 if they are the same, 4 if not, and 5 if it cannot be told.",
     grade_groups, grade_examples, true, .often = "answer|gold|text|kind|json|out", .first = true},
    {"eval", "measure answers and checks against gold data", "[FILE]...",
     "Reads chains with gold answers, labels of first wrong steps and checks, or the records of "
     "vote, and computes every figure for which they have data, each with the number of "
     "observations, its standard error and a 95 % confidence interval.",
     eval_groups, eval_examples, true, .often = "weight|compare|html|group|json|out",
     .first = true},
    {"audit", "list labels that contradict what is proven", "[FILE]...",
     "Reads labelled chains, checks them with a method that decides exactly, and lists each label "
     "that contradicts what is proven, one a line with its proof: FILE:LINE:COLUMN: ID step N: "
     "what "
     "the label says, the calculation or step, and its exact value. First come labels of a step "
     "behind one that is proven wrong, then labelled steps that are proven right, then chains "
     "labelled free of errors with a step that is proven wrong, then steps with labels of their "
     "own.\n\nNothing is changed: whether the label or the data is to be mended is for a person to "
     "decide. What could not be read or decided is never listed.",
     audit_groups, audit_examples, true},
    {"tasks", "generate questions with known answers and solutions", "",
     "Generates questions of the five tasks of BIG-Bench Mistake, coin flips and last letters, "
     "with their answers, and with --traces or --mistakes also their stepwise solutions, with the "
     "label of the first wrong step. All words and wordings are Rederive's own.",
     tasks_groups, tasks_examples, false},
    {"sample", "draw questions from data sets", "[FILE]...",
     "Reads records and writes those of a seeded choice of questions of each data set, in input "
     "order, each with its \"dataset\". The choice takes the questions with the smallest hashes of "
     "their id (without one, of their text) and --seed, so it does not depend on the order of the "
     "input, and a larger choice contains a smaller one.",
     sample_groups, sample_examples, true},
    {"reproduce", "make the papers' tables and figures from data and a model", "[NAME]...",
     "Generates chains, checks them with every method that the tables need, and computes the "
     "tables and figures that are named, such as selfcheck:table2, selfcheck:all or all "
     "(docs/reproduce.md). Each stage is a command of this program; commands.sh has them all. "
     "Tables that need the same chains share them.\n\nA stage that is complete is not run again, "
     "and no reply is asked for twice: after Ctrl-C or a crash the same command goes on. Other "
     "settings need another folder. Without --data, questions and traces are generated, and "
     "annotators are simulated.",
     reproduce_groups, reproduce_examples, true, .often = "data|model|limit|out|dry-run",
     .first = true},
    {"train", "train a step classifier on labelled chains", "[FILE]...",
     "Reads chains whose first wrong step is known, computes features of each step from the "
     "question and the earlier steps, and trains boosted trees that estimate the probability that "
     "the step is wrong. A rule, fitted on chains that the trees had not seen, derives the "
     "location of the first error from these probabilities. Prints the accuracy on unseen chains "
     "by task, the calibration of the probabilities, and the importance of features.\n\nUse the "
     "model with --method reward:FILE. Training runs on one core of this machine; the same chains, "
     "options and seed give the same model.",
     train_groups, train_examples, true},
    {"convert", "write chains in the formats of other tools", "[FILE]...",
     "Reads chains, checked or not, and writes them in the format that --to names "
     "(docs/convert.md): training data for TRL or in PRM800K's shape, a log of inspect_ai, tasks "
     "for Label Studio, annotations for Phoenix, or a table.\n\nThe verdicts of a checked record "
     "become labels, ratings, scores or spans. A step that is unknown never becomes a right one. A "
     "record that cannot be converted is reported on standard error and left out.",
     convert_groups, convert_examples, true, .often = "to|method|out", .first = true},
    {"annotate", "prepare and import step annotations by people; measure agreement",
     "sample|guidelines|sheet|merge|export|agreement [FILE]...",
     "Annotators mark the steps of a chain, up to the first wrong one (docs/annotate.md). sample "
     "draws traces of each task, a given share of them with the right answer; guidelines writes "
     "the annotators' instructions; sheet writes a table for them to fill in; merge adds their "
     "marks to the chains as \"step_labels\", and the majority's first wrong step as \"label\"; "
     "export writes the marks of chains as lines of JSON; agreement computes the agreement between "
     "annotators by task: Krippendorff's alpha, kappa, and the agreement of each "
     "pair.\n\nAnnotations come from the chains' own step_labels and from the files that --labels "
     "names. An annotation that cannot be used is reported with its file and line, and counts as "
     "failed.",
     annotate_groups, annotate_examples, true, "sample|guidelines|sheet|merge|export|agreement"},
    {"models", "show the capabilities of a model's server", "",
     "Makes about a dozen small calls and shows the capabilities of the server, and the requests "
     "that have to be adapted. For a transcript, it shows the models whose replies it contains. "
     "Several servers of one model are shown one after the other, as JSON each on a line.",
     models_groups, models_examples, false, .often = "model|api-key-env|json", .first = true},
    {"serve", "serve models over HTTP, and check their replies", "",
     "Stands in front of the servers of models, and passes on chat completions, completions, "
     "Responses and Messages, streamed and not. Where a request is for rederive/check/NAME, or the "
     "rule of --policy says so, the reply's calculations are checked, and the response says in its "
     "member rederive what was found, and whether the reply is admitted (docs/serve.md). Without "
     "--model it serves the built-in model with OpenAI's protocol: n, stop, seed, logprobs, "
     "streams, and the scoring of given texts; its replies to all clients are generated together. "
     "On Ctrl-C, SIGTERM or SIGHUP the server "
     "finishes the active requests, for at most five seconds, and ends.",
     serve_groups, serve_examples, false, .often = "port|model|api-key-env|log"},
    {"mcp", "give agents tools that check, grade and calculate", "",
     "Answers the Model Context Protocol on standard input and output, for agents that start it: "
     "three tools, check, grade and calculate (docs/mcp.md). They ask no model, read no file and "
     "execute nothing. A call takes at most 1 MiB of text and a second; what is undecided never "
     "reads as right. It ends with its input.",
     mcp_groups, mcp_examples, false},
    {"journal", "inspect, export, import, merge and compact stored replies",
     "export|import|info|merge|compact FILE...",
     "A journal is the file in which commands that use models keep every reply (docs/journal.md). "
     "info counts the replies and tokens of each stage; export writes the replies as lines of "
     "JSON; import adds such lines, from files or standard input, to a journal, which is created "
     "if it does not exist. Existing replies are not replaced. merge writes the replies of several "
     "journals or exports, named after it, into the new journal FILE, which appears when it is "
     "complete; of two replies to one request the one of the journal named first is kept. compact "
     "stores the parts that requests share once, in a journal of an earlier version, and gives "
     "back "
     "space that the file does not use; all replies stay. --model transcript:FILE answers "
     "from a journal or from an export.",
     journal_groups, journal_examples, true, "info|export|import|merge|compact"},
    {"methods", "list the checking methods", "", "Prints the name and purpose of each method.",
     methods_groups, methods_examples, false},
    {"rules", "list the rules of language", "[ID]...",
     "Prints the rules by which a calculation counts as denied, supposed, quoted, asked or taken "
     "back: the id, what it says, file and line, and the first example (docs/rules.md). With ids, "
     "prints these rules as they are written.",
     rules_groups, rules_examples, true},
    {"formats", "list the input formats", "",
     "Prints the name and source of each format that --format accepts.", list_groups,
     formats_examples, false},
    {"completion", "print a completion script for a shell", "bash|zsh|fish",
     "Prints a script with which the shell completes commands, options and their values.",
     list_groups, completion_examples, true, "bash|zsh|fish"},
    {0},
};
