/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"
#include "settings.h"

#define AT(member) .offset = offsetof(struct settings, member)

/* ---- check ----------------------------------------------------------------------------------- */

static const struct opt check_options[] = {
    {.name = "method",
     .letter = 'm',
     .type = OPT_TEXT,
     AT(method),
     .argument = "NAME[,NAME]",
     .initial = "calculations",
     .help = "How steps are checked; with several methods the last one's verdicts stand at the top "
             "of the record. 'rederive methods' lists them"},
    {.name = "threshold",
     .letter = 't',
     .type = OPT_NUMBER,
     AT(threshold),
     .argument = "T",
     .least = 0,
     .most = 1,
     .help = "Add \"accepted\" to each record: whether its confidence is at least T"},
    {.name = "view",
     AT(view),
     .help =
         "Write every chain for people to read instead of records; this is what a terminal gets "
         "when neither --json nor --out is given"},
    {.name = "json", AT(json), .help = "Write records on a terminal too, and the summary as JSON"},
    {0},
};

static const struct opt_group check_groups[] = {
    {"Checking", check_options},
    {"Confidence", options_integrating},
    {"Step range", options_extent},
    {"Verifiers", options_verifying},
    {"Combining verifiers", options_combining},
    {"Methods that ask a model", options_checker},
    {"Model", options_model},
    {"Budget", options_budget},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

static const struct example check_examples[] = {
    {"Check every calculation in a file of chains and read what was found",
     "rederive check chains.jsonl --view"},
    {"Write the chains with their verdicts", "rederive check chains.jsonl --out checked.jsonl"},
    {"The ids of the chains that have a wrong step",
     "rederive check -q chains.jsonl | jq -r 'select(.first_error | numbers).id'"},
    {"Check in a pipe, then vote", "rederive check < chains.jsonl | rederive vote -w confidence"},
    {"What SelfCheck would ask, before anything is spent",
     "rederive check --method selfcheck --dry-run chains.jsonl"},
    {"SelfCheck by a model that is served here; run again, it goes on",
     "rederive check -m selfcheck -M http://localhost:8000/v1#qwen chains.jsonl -o checked.jsonl"},
    {"General-purpose verification; each verifier's check stands there too",
     "rederive check -m general -M http://localhost:8000/v1#qwen chains.jsonl -o checked.jsonl"},
    {"Its calculations and perplexities alone, which need no model",
     "rederive check -m general --verifiers math,perplexity --math native chains.jsonl"},
    {"Let a wrong step cost more, and an undecided one the confidence",
     "rederive check --lambda 3,0.1 --unknown null chains.jsonl --out checked.jsonl"},
    {0},
};

/* ---- solve ----------------------------------------------------------------------------------- */

static const struct opt solve_options[] = {
    {.name = "chains",
     .letter = 'n',
     .type = OPT_NATURAL,
     AT(chains),
     .argument = "N",
     .initial = "10",
     .least = 1,
     .most = 100000,
     .help = "Solutions to generate for each question, at most"},
    {.name = "stop",
     .type = OPT_TEXT,
     AT(stop),
     .argument = "WHEN",
     .initial = "certain",
     .help = "Generate and check no further solutions once the vote is settled. certain: nothing "
             "still to come can change it; posterior:P: the chance that it changes is at most P; "
             "none: all are wanted"},
    {.name = "select",
     .letter = 's',
     .type = OPT_CHOICE,
     AT(select),
     .argument = "HOW",
     .choices = "weighted|majority|best",
     .initial = "weighted",
     .help = "Whose answer is taken. weighted: that with the largest sum of confidences; majority: "
             "that of the most solutions; best: that of the solution with the largest confidence"},
    {.name = "generate",
     .letter = 'g',
     .type = OPT_CHOICE,
     AT(generate),
     .argument = "HOW",
     .choices = "steps|thoughts|zero-shot",
     .initial = "steps",
     .help = "How a solution is written. steps: in one reply, cut into steps; thoughts: a thought "
             "a call, after three examples of the task, until the answer is said (at temperature "
             "0, where all solutions are the same: give --temperature with --chains); zero-shot: "
             "\"Let's think step by step\", a step a line"},
    {.name = "max-steps",
     .type = OPT_NATURAL,
     AT(thoughts),
     .argument = "N",
     .initial = "200",
     .least = 1,
     .most = 100000,
     .help = "The most steps a solution gets, with --generate thoughts and with --beam-search"},
    {.name = "chains-out",
     .type = OPT_FILE,
     AT(chains_out),
     .argument = "FILE",
     .help = "Write every solution that counted, with its checks, to FILE, in order"},
    {.name = "method",
     .letter = 'm',
     .type = OPT_TEXT,
     AT(method),
     .argument = "NAME[,NAME]",
     .initial = "calculations",
     .help = "How solutions are checked; the last method's confidence is the weight. none: they "
             "are not, and each weighs 1. 'rederive methods' lists them"},
    {.name = "json", AT(json), .help = "Write the summary, or the estimate, as JSON"},
    {0},
};

static const struct opt_group solve_groups[] = {
    {"Solving", solve_options},
    {"Beam search", options_online},
    {"Confidence", options_integrating},
    {"Verifiers", options_verifying},
    {"Combining verifiers", options_combining},
    {"Methods that ask a model", options_checker},
    {"Model", options_model},
    {"Budget", options_budget},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

static const struct example solve_examples[] = {
    {"What it would cost at the most",
     "rederive solve --dry-run --stop none --price-in 0.15 --price-out 0.6 questions.jsonl"},
    {"Generate up to ten solutions a question, check their calculations, and vote",
     "rederive solve -M http://localhost:8000/v1#qwen questions.jsonl --out answers.jsonl"},
    {"Let one model solve and another check, and keep the solutions too",
     "rederive solve -M http://localhost:8000/v1#small --checker http://localhost:8000/v1#large "
     "-m selfcheck questions.jsonl --out a.jsonl --chains-out solutions.jsonl"},
    {"Spend half a dollar at most, then go on with the same command",
     "rederive solve -M http://localhost:8000/v1#qwen --max-cost 0.5 --price-in 0.15 "
     "--price-out 0.6 questions.jsonl --out b.jsonl"},
    {"Beam search: the best prefixes of solutions are continued",
     "rederive solve --beam-search --beam-width 4 --expansions 4 -m general "
     "-M http://localhost:8000/v1#qwen questions.jsonl"},
    {0},
};

/* ---- repair ---------------------------------------------------------------------------------- */

static const struct opt repair_options[] = {
    {.name = "locator",
     .letter = 'l',
     .type = OPT_TEXT,
     AT(locator),
     .argument = "WHO",
     .initial = "calculations",
     .help = "Who says where the first mistake is: a method of 'rederive methods'; gold: the "
             "chain's label; random: any step, or none; simulated:X: the label with chance X, else "
             "a wrong location as they are among the labels"},
    {.name = "locations",
     .type = OPT_FILE,
     AT(locations),
     .argument = "FILE",
     .help = "Labelled chains that simulated:X draws its wrong locations from. Default: the input"},
    {.name = "resamples",
     .type = OPT_NATURAL,
     AT(resamples),
     .argument = "N",
     .initial = "8",
     .least = 1,
     .most = 1000,
     .help = "How often the wrong step is sampled anew"},
    {.name = "choose",
     .type = OPT_CHOICE,
     AT(choose),
     .argument = "BY",
     .choices = "sum|mean",
     .initial = "sum",
     .help = "Which sample is taken: that with the largest sum, or mean, of its tokens' "
             "log-probabilities; where the server gives none, the most frequent one"},
    {.name = "rounds",
     .type = OPT_NATURAL,
     AT(rounds),
     .argument = "N",
     .initial = "1",
     .least = 1,
     .most = 100,
     .help = "Look and repair again, so often at the most. gold, random and simulated:X know "
             "nothing of a changed chain: always 1"},
    {.name = "accept",
     .type = OPT_CHOICE,
     AT(accept),
     .argument = "WHICH",
     .choices = "better|new",
     .initial = "better",
     .help = "Which trace stands after a round. better: that with the larger confidence of the "
             "locator's check; new: the new one"},
    {.name = "max-steps",
     .type = OPT_NATURAL,
     AT(max_steps),
     .argument = "N",
     .least = 1,
     .most = 100000,
     .help = "No chain gets more steps. Default: 64 more than it came with"},
    {.name = "json", AT(json), .help = "Write the summary, or the estimate, as JSON"},
    {0},
};

static const struct opt_group repair_groups[] = {
    {"Repairing", repair_options},
    {"Confidence", options_integrating},
    {"Methods that ask a model", options_checker},
    {"Model", options_model},
    {"Budget", options_budget},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

static const struct example repair_examples[] = {
    {"What it would cost at the most", "rederive repair --dry-run chains.jsonl"},
    {"Write chains again from the first wrong calculation, up to three times",
     "rederive repair --rounds 3 -M http://localhost:8000/v1#qwen chains.jsonl -o better.jsonl"},
    {"Backtracking from the labels, as in the paper, and what it changes",
     "rederive repair --locator gold -M http://localhost:8000/v1#qwen chains.jsonl | "
     "rederive eval --recipe mistakes:table6"},
    {"From a reward model that would be right two times of three",
     "rederive repair --locator simulated:0.67 -M http://localhost:8000/v1#qwen chains.jsonl -o "
     "s67.jsonl"},
    {0},
};

/* ---- models, journal ------------------------------------------------------------------------- */

static const struct opt models_options[] = {
    {.name = "model",
     .letter = 'M',
     .type = OPT_TEXT,
     AT(model),
     .argument = "SPEC",
     .help = "The model: openai:NAME, http://HOST:PORT/v1#NAME, builtin, builtin:FILE or "
             "transcript:FILE"},
    {.name = "api-key-env",
     .type = OPT_TEXT,
     AT(api_key_env),
     .argument = "NAME",
     .help = "The environment variable that holds the API key, instead of OPENAI_API_KEY"},
    {.name = "timeout",
     .type = OPT_NUMBER,
     AT(timeout),
     .argument = "SECONDS",
     .initial = "60",
     .least = 0.01,
     .most = 86400,
     .help = "How long one call may take"},
    {.name = "retries",
     .type = OPT_NATURAL,
     AT(retries),
     .argument = "N",
     .initial = "2",
     .least = 0,
     .most = 1000,
     .help = "How often a call is tried again when the server is busy or fails"},
    {.name = "json", AT(json), .help = "Write one JSON object instead of a table"},
    {0},
};

static const struct opt_group models_groups[] = {
    {"Probing", models_options}, {"Output", options_telling}, {0}};

static const struct example models_examples[] = {
    {"What a server on this machine can do",
     "rederive models --model http://localhost:8000/v1#qwen"},
    {"What the built-in model is", "rederive models --model builtin"},
    {"Whether it gives the log-probabilities of its replies",
     "rederive models -M http://localhost:8000/v1#qwen --json | jq -r .capabilities.logprobs"},
    {0},
};

static const struct opt serve_options[] = {
    {.name = "model",
     .letter = 'M',
     .type = OPT_TEXT,
     AT(model),
     .argument = "SPEC",
     .initial = "builtin",
     .help = "The model that is served: builtin, or builtin:FILE, a GGUF file"},
    {.name = "listen",
     .letter = 'l',
     .type = OPT_TEXT,
     AT(listen),
     .argument = "HOST:PORT",
     .initial = "127.0.0.1:8080",
     .help = "Where to listen: an address of this machine and a port, 0 being any that is free. "
             "The first line of standard output says which"},
    {.name = "api-key-env",
     .type = OPT_TEXT,
     AT(api_key_env),
     .argument = "NAME",
     .help = "Take requests only with the API key that the environment variable NAME holds"},
    {.name = "timeout",
     .type = OPT_NUMBER,
     AT(timeout),
     .argument = "SECONDS",
     .initial = "600",
     .least = 0.01,
     .most = 86400,
     .help = "How long one request may take"},
    {.name = "log",
     AT(log),
     .help = "A line for each request on standard error, which terminals get anyway"},
    {0},
};

static const struct opt_group serve_groups[] = {
    {"Serving", serve_options}, {"Output", options_telling}, {0}};

static const struct example serve_examples[] = {
    {"Serve the built-in model on this machine until Ctrl-C", "rederive serve"},
    {"On a port that is free, saying what is asked", "rederive serve --listen 127.0.0.1:0 --log"},
    {0},
};

static const struct opt journal_options[] = {
    {.name = "out",
     .letter = 'o',
     .type = OPT_FILE,
     AT(out),
     .argument = "FILE",
     .help = "Export to FILE instead of standard output"},
    {.name = "json", AT(json), .help = "Write the account as JSON"},
    {0},
};

static const struct opt_group journal_groups[] = {
    {"Journal", journal_options}, {"Output", options_telling}, {0}};

static const struct example journal_examples[] = {
    {"How many replies there are of each stage, and their tokens",
     "rederive journal info checked.jsonl.journal"},
    {"Every prompt and reply as lines of JSON",
     "rederive journal export checked.jsonl.journal --out replies.jsonl"},
    {"Another journal with the same replies",
     "rederive journal export checked.jsonl.journal | rederive journal import copy.journal"},
    {"Check again from what was kept, with no server",
     "rederive check -m selfcheck -M transcript:replies.jsonl chains.jsonl"},
    {0},
};

/* ---- vote ------------------------------------------------------------------------------------ */

static const struct opt vote_options[] = {
    {.name = "weight",
     .letter = 'w',
     .type = OPT_TEXT,
     AT(weight),
     .argument = "WHAT",
     .initial = "majority",
     .help = "What a chain's vote weighs. majority: 1; confidence: that of its last check; "
             "confidence:METHOD: that of its check by METHOD; scores:NAME: made of its scores of "
             "that name"},
    {.name = "select",
     .letter = 's',
     .type = OPT_CHOICE,
     AT(select),
     .argument = "HOW",
     .choices = "weighted|best|random|perplexity",
     .initial = "weighted",
     .help = "Whose answer is taken. weighted: that with the largest sum of weights; best: of the "
             "chain with the largest weight; random: of a random chain; perplexity: of the chain "
             "whose tokens were the likeliest"},
    {.name = "stop",
     .type = OPT_TEXT,
     AT(stop),
     .argument = "WHEN",
     .initial = "none",
     .help = "Take chains in their order only until the vote is settled. certain: nothing still to "
             "come can change it, where the answers of all chains are known and only weights are "
             "still to come (with --weight majority: answers too); posterior:P: the chance that it "
             "changes is at most P"},
    {.name = "subset-size",
     .type = OPT_NATURAL,
     AT(subset_size),
     .argument = "M",
     .least = 1,
     .most = 1000000,
     .help = "Only M chains of each question may vote. Default: all"},
    {.name = "subset-by",
     .type = OPT_CHOICE,
     AT(subset_by),
     .argument = "WHAT",
     .choices = "random|perplexity|weight",
     .initial = "random",
     .help = "Which M chains: random ones; those whose tokens were the likeliest; those with the "
             "largest weight"},
    {.name = "seed",
     .type = OPT_NATURAL,
     AT(seed),
     .argument = "N",
     .initial = "0",
     .help = "Seed of --select random and --subset-by random; the same seed draws the same chains"},
    {.name = "json", AT(json), .help = "Write the summary as JSON"},
    {0},
};

static const struct opt_group vote_groups[] = {
    {"Voting", vote_options},
    {"Step scores", options_aggregating},
    {"Answers and correctness", options_judging},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

static const struct example vote_examples[] = {
    {"Majority voting", "rederive vote chains.jsonl"},
    {"Weigh every chain with what a check said of it",
     "rederive check chains.jsonl | rederive vote -w confidence"},
    {"Weigh with the step scores of a reward model, multiplied",
     "rederive vote -w scores:prm -a product chains.jsonl"},
    {"Self-consistency over the three chains that a verifier scores best",
     "rederive check -q -m math --math native chains.jsonl | rederive vote -w confidence "
     "--subset-size 3 --subset-by weight"},
    {"How many chains would have been enough", "rederive vote --stop certain chains.jsonl | "
                                               "jq -c '[.question_id, .n_chains_used, .n_chains]'"},
    {0},
};

/* ---- eval ------------------------------------------------------------------------------------ */

static const struct opt eval_options[] = {
    {.name = "threshold",
     .letter = 't',
     .type = OPT_NUMBER,
     AT(threshold),
     .argument = "T",
     .least = 0,
     .most = 1,
     .initial = "0.5",
     .help = "A chain is accepted when its confidence is at least T"},
    {.name = "weight",
     .letter = 'w',
     .type = OPT_TEXT,
     AT(weight),
     .argument = "WHAT",
     .initial = "confidence",
     .help = "What is judged and weighs a vote. confidence: the last check; confidence:METHOD: the "
             "check by METHOD; scores:NAME: the scores of that name"},
    {.name = "recipe",
     .type = OPT_TEXT,
     AT(recipe),
     .argument = "NAME",
     .help =
         "Compute a paper's table or figure instead; 'list' lists them. Those of selfcheck: look "
         "at the checks that the paper's do (selfcheck; of table2 and fig6 the variants too) "
         "unless --weight names another, those of general: at the checks of the verifiers, "
         "those of mistakes: at all checks"},
    {.name = "group",
     .type = OPT_TEXT,
     AT(group),
     .argument = "MEMBER",
     .initial = "dataset",
     .help = "With a general: recipe: rows of their own for each value of this member of the "
             "records"},
    {.name = "fit",
     .type = OPT_FILE,
     AT(fit),
     .argument = "FILE",
     .help = "Fit settings on the chains in FILE and use them on those read: the weights of "
             "verdicts (unless --lambda gives them), how step scores are aggregated, and the "
             "threshold; with a general: recipe the weights of the verifiers. The two may not "
             "share a question, unless --split keeps it apart"},
    {.name = "split",
     .type = OPT_TEXT,
     AT(split),
     .argument = "K|half",
     .help = "Fit on some of the questions read (or of those in --fit FILE), report on others. "
             "half: on one half for the other; K: each of K parts with what was fitted on the "
             "rest. A question's part comes from its id and --seed"},
    {.name = "curves",
     AT(curves),
     .help = "Show the curves too: accuracy against the number of chains, rates against the "
             "threshold, ROC. --json always has them"},
    {.name = "seed",
     .type = OPT_NATURAL,
     AT(seed),
     .argument = "N",
     .initial = "0",
     .help = "Seed of the drawn subsets, of the bootstrap and of --split"},
    {.name = "json", AT(json), .help = "Write one JSON object instead of tables"},
    {0},
};

static const struct opt_group eval_groups[] = {
    {"Evaluating", eval_options},
    {"Combining verifiers", options_combining},
    {"Confidence", options_integrating},
    {"Step scores", options_aggregating},
    {"Answers and correctness", options_judging},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

static const struct example eval_examples[] = {
    {"How good are the answers, and the checks", "rederive check chains.jsonl | rederive eval"},
    {"The accuracy of a vote", "rederive vote chains.jsonl | rederive eval"},
    {"All figures and curves as JSON",
     "rederive check -q chains.jsonl | rederive eval --json --out figures.json"},
    {"A paper's figure from checks by another method",
     "rederive check -q chains.jsonl | rederive eval --recipe selfcheck:fig2 -w "
     "confidence:calculations"},
    {"What a verifier is worth that agrees with people a little, by simulation",
     "rederive eval --recipe general:table6"},
    {0},
};

/* ---- lists, help ----------------------------------------------------------------------------- */

static const struct opt_group list_groups[] = {{"Output", options_telling}, {0}};

static const struct example methods_examples[] = {{"The methods, one a line", "rederive methods"},
                                                  {0}};

static const struct example formats_examples[] = {{"The formats, one a line", "rederive formats"},
                                                  {0}};

static const struct example completion_examples[] = {
    {"Complete commands and options in this shell", "eval \"$(rederive completion bash)\""}, {0}};

const struct command commands[] = {
    {"check", "find wrong steps in chains of reasoning", "[FILE]...",
     "Reads chains (a question and the steps of a solution), checks each step, and writes the "
     "chains in the order they came in, with a verdict for every step (support, unrelated, "
     "contradict, or unknown and why), the chain's confidence, and the first wrong step.\n\n"
     "A record that cannot be read gives a record with its \"error\" and a line on standard "
     "error; the others go on.\n\n"
     "Methods that compute need nothing else; those that ask a model ask the one that --model or "
     "--checker names. What is answered is kept in the journal as it comes: after Ctrl-C, a crash "
     "or the end of a budget the same command goes on and asks nothing twice. A record that such "
     "an end leaves unfinished has \"partial\":true, and its open steps are unknown.",
     check_groups, check_examples, true},
    {"solve", "answer questions with many checked solutions", "[FILE]...",
     "Reads questions, lets a model write several solutions for each, checks them, lets them vote "
     "with the confidence of their checks, and writes one record a question, in the order they "
     "came in. Of a chain only the question is looked at.\n\n"
     "Solutions count in their own order, whatever the order in which they arrive. As soon as "
     "the vote is settled the rest is not asked. What is answered is kept in the journal as it "
     "comes, and the same command goes on where it ended.",
     solve_groups, solve_examples, true},
    {"repair", "write chains again from their first mistake", "[FILE]...",
     "Reads chains, lets the locator say where the first mistake of each is, and goes back there: "
     "the steps before it are kept, the step is sampled anew, samples that equal the old one are "
     "dropped and the most probable of the others is taken, and the rest of the chain is written "
     "again. A chain in which the locator sees no mistake is not touched. Every record says what "
     "was done in \"repair\" and \"repairs\".\n\n"
     "Each step is one call, shown as \"Thought 1:\" and on; the journal keeps what is answered, "
     "and the same command goes on where it ended.",
     repair_groups, repair_examples, true},
    {"vote", "choose an answer from several chains", "[FILE]...",
     "Groups chains by \"question_id\" (without one, by the question's text), lets every chain "
     "vote for its answer, and writes one record a question, in the order in which the questions "
     "first appear. Chains of one question need not stand together. Answers are counted as the "
     "same when they are equal as mathematics, options or words, by the kind of the question.",
     vote_groups, vote_examples, true},
    {"eval", "measure answers and checks against what is known", "[FILE]...",
     "Reads chains with gold answers, labels of first wrong steps and checks, or the records that "
     "vote wrote, and computes every figure that they allow, each with the number of "
     "observations, its standard error and a 95 % interval.",
     eval_groups, eval_examples, true},
    {"tasks", "make questions with known answers and solutions", "",
     "Makes questions of the five kinds of BIG-Bench Mistake, of coin flips and of last letters, "
     "with their answers, and with --traces or --mistakes their solutions step by step, with the "
     "label of the first wrong step. All words and wordings are Rederive's own.",
     tasks_groups, tasks_examples, false},
    {"train", "train a judge of steps on labelled chains", "[FILE]...",
     "Reads chains whose first wrong step is known, measures each step against the question and "
     "the steps before it, and trains boosted trees that say how likely it is wrong. What they say "
     "becomes the location of the first mistake by a rule, fitted on chains that its trees had not "
     "seen. Prints how good the judgements on unseen chains were, by task, how far the chances "
     "can be trusted, and what the trees look at.\n\n"
     "The model is used with --method reward:FILE. Everything is computed here, on one core; the "
     "same chains, options and seed give the same model.",
     train_groups, train_examples, true},
    {"annotate", "take in what people say of steps, and measure how they agree",
     "sheet|merge|export|agreement [FILE]...",
     "People mark the steps of a chain, up to the first wrong one (docs/annotate.md). sheet "
     "writes a table for them to fill in; merge puts their marks into the chains, as "
     "\"step_labels\", and the majority's first wrong step as \"label\"; export writes the marks "
     "of chains as lines of JSON; agreement measures how well people agree, by task: "
     "Krippendorff's alpha, kappa, and each two of them.\n\n"
     "Annotations come from the chains' own step_labels and from the files that --labels names. "
     "One that cannot be used is reported with its file and line, and counts as failed.",
     annotate_groups, annotate_examples, true},
    {"models", "show what the server behind a model can do", "",
     "Makes about a dozen small calls and shows what the server can do and what has to be asked "
     "in another way. Of a transcript it shows the models that it has replies of.",
     models_groups, models_examples, false},
    {"serve", "serve the built-in model over OpenAI's protocol", "",
     "Runs a model file and answers chat completions and completions over HTTP, as OpenAI's "
     "protocol has them: n, stop, seed, logprobs, streams, and the scoring of given texts "
     "(docs/serve.md). The replies to all clients are written together. It ends on Ctrl-C or "
     "SIGTERM, when what is under way is done, or after five seconds.",
     serve_groups, serve_examples, false},
    {"journal", "look into, export and import kept replies", "export|import|info FILE [LINES]...",
     "A journal is the file in which check and solve keep every reply (docs/journal.md). info "
     "counts the replies and tokens of each stage; export writes them as lines of JSON; import "
     "takes such lines, from files or standard input, into a journal, which is made where it is "
     "missing. A reply that is already there stays as it is. --model transcript:FILE answers "
     "from a journal or from an export.",
     journal_groups, journal_examples, true},
    {"methods", "list the methods of checking", "", "Prints the name and purpose of each method.",
     list_groups, methods_examples, false},
    {"formats", "list the formats that are read", "",
     "Prints the name and source of each format that --format takes.", list_groups,
     formats_examples, false},
    {"completion", "print a completion script for a shell", "bash|zsh",
     "Prints the script that lets the shell complete commands, options and their values.",
     list_groups, completion_examples, true},
    {0},
};
