/* SPDX-License-Identifier: Apache-2.0 */
#include "data/format/formats.h"
#include "base/str.h"
#include "data/format/native.h"
#include "data/format/readers.h"

static void read_error(rdv_chain_builder *m)
{
    m->out->kind = RDV_RECORD_ERROR;
    m->out->error = rdv_build_text(m, "error");
}

static bool has_error(const rdv_members *in)
{
    return !rdv_str_eq(rdv_members_raw(in, "error"), RDV_STR("null"));
}

static bool has_no_question(const rdv_members *in)
{
    return !rdv_members_have(in, "question") && !rdv_members_have(in, "prompt");
}

static bool has_no_gold(const rdv_members *in)
{
    return !rdv_members_have(in, "gold");
}

/* clang-format off */
/* In the order in which they are tried, from the most to the least distinctive members. Of a row's
 * members those that few records have stand first, so that most records are asked for no other. */
static const rdv_format formats[] = {
    {"events", "a reply saved as its stream of events (chat, Responses, Messages)",
     {"stream", "stream_ended"}, rdv_is_events, rdv_events_chains, rdv_read_events, true},
    {"claude-code", "Claude Code: a session's transcript, and what claude -p prints as JSON",
     {"type"}, rdv_is_claude_code, rdv_claude_code_chains, rdv_read_claude_code, true},
    {"codex", "Codex: a session's rollout", {"timestamp", "payload", "type"},
     rdv_is_codex, rdv_codex_chains, rdv_read_codex, true},
    {"codex-exec", "Codex: what codex exec --json prints", {"type"},
     rdv_is_codex_exec, rdv_codex_chains, rdv_read_codex, true},
    {"promptfoo", "promptfoo: a row of its results", {"provider", "vars", "prompt"},
     rdv_is_promptfoo, NULL, rdv_read_promptfoo, true},
    {"promptfoo-results", "promptfoo: a file of its results", {"results", "config"},
     rdv_is_promptfoo_results, rdv_promptfoo_results_chains, rdv_read_promptfoo_results, true},
    {"langfuse", "Langfuse: an observation; generations are read", {"type", "id"},
     rdv_is_langfuse, rdv_langfuse_chains, rdv_read_langfuse, true},
    {"langfuse-trace", "Langfuse: a trace with its observations", {"observations", "id"},
     rdv_is_langfuse_trace, rdv_langfuse_trace_chains, rdv_read_langfuse_trace, true},
    {"langfuse-score", "Langfuse: a score, which is no reply", {"name", "traceId", "value", "id"},
     rdv_is_langfuse_score, rdv_langfuse_score_chains, rdv_read_langfuse_score, true},
    {"langsmith", "LangSmith: a run; those of models are read", {"run_type", "inputs", "id"},
     rdv_is_langsmith, rdv_langsmith_chains, rdv_read_langsmith, true},
    {"weave", "W&B Weave: a call; those of models are read", {"op_name", "inputs"},
     rdv_is_weave, rdv_weave_chains, rdv_read_weave, true},
    {"openinference", "OpenInference, as Phoenix exports it: a span; those of models are read",
     {NULL}, rdv_is_openinference, rdv_openinference_chains, rdv_read_openinference, true},
    {"inspect", "inspect_ai: a sample of a log (.json or .eval), an epoch a chain",
     {"epoch", "target", "id", "input"}, rdv_is_inspect, NULL, rdv_read_inspect, true},
    {"big-bench-mistake", "BIG-Bench Mistake (Tyen and others 2024)",
     {"target", "mistake_index", "steps", "input"}, NULL, NULL, rdv_read_bigbench_mistake},
    {"big-bench-trace", "traces as BIG-Bench Mistake's, of which no mistake is known",
     {"target", "steps", "input"}, NULL, NULL, rdv_read_bigbench_trace},
    {"processbench", "ProcessBench (Zheng and others 2024)",
     {"problem", "final_answer_correct", "steps", "label"}, NULL, NULL, rdv_read_processbench},
    {"mr-gsm8k", "MR-GSM8K (Zeng and others 2023)",
     {"model_output_steps", "model_output_solution_first_error_step", "question"},
     NULL, NULL, rdv_read_mr_gsm8k},
    {"mr-ben", "MR-Ben (Zeng and others 2024)",
     {"Question", "Model_Solution_Steps", "Model_Solution_First_Error_Step"},
     NULL, NULL, rdv_read_mr_ben},
    {"prmbench", "PRMBench (Song and others 2025)",
     {"original_question", "modified_process", "error_steps", "classification"},
     NULL, NULL, rdv_read_prmbench},
    {"parc", "PARC (Mukherjee and others 2025)",
     {"premise_annotation", "error_annotation", "steps", "question"}, NULL, NULL, rdv_read_parc},
    {"eic", "EIC (Li and others 2024): the original solution and the transformed one",
     {"original_solution", "transformed_solution", "wrong_step", "wrong_type", "question"},
     NULL, rdv_eic_chains, rdv_read_eic},
    {"stepverify", "StepVerify (Daheim and others 2024)",
     {"problem", "student_incorrect_solution", "incorrect_index"},
     NULL, NULL, rdv_read_stepverify},
    {"reasoneval", "ReasonEval (Xia and others 2024): MR-MATH",
     {"model_output_step_format", "question"}, NULL, NULL, rdv_read_reasoneval},
    {"reasoneval-perturbation", "ReasonEval: the reference solution and the perturbed one",
     {"reference_steps", "hypothesis_steps", "error_type", "question"},
     NULL, rdv_perturbation_chains, rdv_read_perturbation},
    {"autorace", "AutoRace (Hao and others 2024): chains judged by people",
     {"reasoning_chain", "human_label", "question"}, NULL, NULL, rdv_read_autorace},
    {"factool", "FacTool (Chern and others 2023): calculations judged one by one",
     {"response", "claims", "prompt"}, NULL, NULL, rdv_read_factool},
    {"verify_cot-human", "Natural Program (Ling and others 2023): chains judged by people",
     {"final_answer", "flag", "answer", "question"}, NULL, NULL, rdv_read_verify_cot_human},
    {"verify_cot", "Natural Program: sampled chains, with or without their verification",
     {"final_answer", "model_outputs", "pred_answers", "question"},
     NULL, rdv_verify_cot_chains, rdv_read_verify_cot},
    {"pool", "sampled candidates with their steps (StrictPRMBench)",
     {"problem_id", "candidates"}, NULL, rdv_pool_chains, rdv_read_pool},
    {"qwen-math-rm", "Qwen2.5-Math: sampled solutions with scores of an outcome reward model",
     {"gt", "code", "pred", "score", "pred_score", "question"},
     NULL, rdv_math_rm_chains, rdv_read_math_rm},
    {"tree-of-thoughts", "Tree of Thoughts (Yao and others 2023): logs of game of 24",
     {"idx", "ys", "usage_so_far"}, NULL, rdv_tree_of_thoughts_chains, rdv_read_tree_of_thoughts},
    {"mot-cascade", "MoT cascade (Yue and others 2024): sampled solutions",
     {"generated", "results", "question"}, NULL, rdv_mot_cascade_chains, rdv_read_mot_cascade},
    {"esc", "ESC (Li and others 2024): sampled solutions",
     {"generated_answer", "question"}, NULL, rdv_esc_chains, rdv_read_esc},
    {"faithful-cot", "Faithful CoT (Lyu and others 2023): predictions; join their questions",
     {"completions", "id"}, has_no_question, rdv_faithful_cot_chains, rdv_read_faithful_cot},
    {"zeroeval", "ZeroEval: solutions wrapped in JSON",
     {"session_id", "output", "answer", "question"},
     NULL, rdv_zeroeval_chains, rdv_read_zeroeval},
    {"cot-uq", "CoT-UQ: solutions with token probabilities",
     {"llm response", "llm answer", "question"}, NULL, NULL, rdv_read_cot_uq},
    {"bbh-outputs", "BIG-Bench Hard: recorded model outputs",
     {"prediction", "target", "input"}, NULL, NULL, rdv_read_bigbench_hard_output},
    {"gsm8k-models", "GSM8K: example_model_solutions, four chains a question",
     {"ground_truth", "6b_finetuning", "175b_verification", "question"},
     NULL, rdv_gsm8k_models_chains, rdv_read_gsm8k_models},
    {"openai-batch", "results of OpenAI's Batch API; join the requests",
     {"custom_id", "response"}, rdv_is_batch_result, rdv_batch_chains, rdv_read_batch, true},
    {"anthropic-batch", "results of Anthropic's Message Batches; join the requests",
     {"custom_id", "result"}, rdv_is_batch_result, rdv_batch_chains, rdv_read_batch, true},
    {"batch-requests", "requests of a batch (OpenAI, Anthropic): questions",
     {"custom_id"}, rdv_is_batch_request, NULL, rdv_read_batch_request, true},
    {"openai-chat", "OpenAI chat completions, also of other servers: a chain for each choice",
     {"choices"}, rdv_is_openai_chat, rdv_api_chains, rdv_read_api, true},
    {"openai-responses", "OpenAI Responses",
     {"object", "output"}, rdv_is_openai_responses, rdv_api_chains, rdv_read_api, true},
    {"anthropic-message", "Anthropic Messages",
     {"role", "content", "type"}, rdv_is_anthropic_message, rdv_api_chains, rdv_read_api, true},
    {"otel-genai", "OpenTelemetry: spans of generative AI with their messages",
     {"resourceSpans"}, NULL, rdv_otel_chains, rdv_read_otel, true},
    {"lm-eval", "lm-evaluation-harness: logged samples, a chain for each reply",
     {"doc", "arguments", "resps"}, NULL, rdv_lm_eval_chains, rdv_read_lm_eval, true},
    {"prm800k", "PRM800K (Lightman and others 2023)",
     {"label", "question"}, rdv_is_prm800k, NULL, rdv_read_prm800k, true},
    {"trl-stepwise", "TRL stepwise supervision: completions with a label each",
     {"completions", "labels", "prompt"}, NULL, NULL, rdv_read_trl_stepwise, true},
    {"math-shepherd", "Math-Shepherd (Wang and others 2024)",
     {"task", "label", "input"}, rdv_is_math_shepherd, NULL, rdv_read_math_shepherd, true},
    {"preference", "pairs of preferred and rejected replies: not read, as they are no solutions",
     {"chosen", "rejected"}, NULL, NULL, rdv_read_preference, true},
    {"request-reply", "a question or request beside its reply: prompt and completion, Alpaca, logs",
     {NULL}, rdv_is_request_reply, rdv_request_reply_chains, rdv_read_request_reply, true},
    {"chat", "a chat (messages of OpenAI's form, ShareGPT) that ends in the solution",
     {NULL}, rdv_is_chat, NULL, rdv_read_chat, true},

    {"commonsenseqa", "CommonsenseQA (Talmor and others 2019)",
     {"answerKey", "question"}, NULL, NULL, rdv_read_commonsense_qa},
    {"strategyqa", "StrategyQA (Geva and others 2021)",
     {"qid", "answer", "question"}, NULL, NULL, rdv_read_strategyqa},
    {"math", "MATH (Hendrycks and others 2021)",
     {"problem", "solution"}, NULL, NULL, rdv_read_math},
    {"mathqa", "MathQA (Amini and others 2019)",
     {"Problem", "options", "correct"}, NULL, NULL, rdv_read_mathqa},
    {"aqua", "AQuA (Ling and others 2017)",
     {"options", "rationale", "correct", "question"}, NULL, NULL, rdv_read_aqua},
    {"svamp", "SVAMP (Patel and others 2021)",
     {"Body", "Question", "Answer"}, NULL, NULL, rdv_read_svamp},
    {"addsub", "AddSub (Hosseini and others 2014), and MultiArith",
     {"sQuestion", "lSolutions"}, NULL, NULL, rdv_read_addsub},
    {"big-bench", "BIG-bench: a question with the scores of its options",
     {"target_scores", "input"}, NULL, NULL, rdv_read_bigbench},
    {"bbh", "BIG-Bench Hard, Date Understanding: a question with its answer",
     {"target", "input"}, NULL, NULL, rdv_read_input_target},

    {RDV_OWN "chain", "Rederive: a question with steps", {"steps", "question"},
     NULL, NULL, rdv_native_read},
    {RDV_OWN "solution", "Rederive: a question with a solution to be split",
     {"solution", "question"}, NULL, NULL, rdv_native_solution},
    {RDV_OWN "chain-only", "Rederive: steps for a question of which only the id is known",
     {"question_id", "steps"}, NULL, NULL, rdv_native_read},
    {RDV_OWN "solution-only", "Rederive: a solution for a question of which only the id is known",
     {"question_id", "solution"}, NULL, NULL, rdv_native_read},
    {RDV_OWN "steps", "Rederive: steps alone", {"steps"}, NULL, NULL, rdv_native_read},
    {RDV_OWN "solution-alone", "Rederive: a solution alone", {"solution"}, NULL, NULL,
     rdv_native_read},
    {RDV_OWN "result", "Rederive: what vote or solve found for a question",
     {"question_id", "answers", "n_chains"}, NULL, NULL, rdv_native_result},

    {"gsm8k", "GSM8K (Cobbe and others 2021): a question with its worked solution",
     {"answer", "question"}, rdv_gsm8k_kind, NULL, rdv_read_gsm8k, false, true},
    {"question-answer", "a question with its answer: coin flip, last letters, CommonsenseQA 2",
     {"answer", "question"}, has_no_gold, NULL, rdv_read_question_answer, false, true},

    {RDV_OWN "question", "Rederive: a question", {"question"}, NULL, NULL, rdv_native_read},
    {"api-error", "an error of OpenAI's or Anthropic's API",
     {"error"}, rdv_is_api_error, NULL, rdv_read_api, true},
    {RDV_OWN "error", "Rederive: an earlier command's error", {"error"}, has_error, NULL,
     read_error},
};
/* clang-format on */
#define N_FORMATS (sizeof formats / sizeof *formats)

static bool is_of(const rdv_format *format, const rdv_members *in)
{
    for (size_t i = 0; i < RDV_FORMAT_MEMBERS && format->members[i]; i++)
        if (!rdv_members_have(in, format->members[i]))
            return false;
    return !format->is || format->is(in);
}

const rdv_format *rdv_format_of(const rdv_members *in)
{
    bool own = rdv_members_have(in, RDV_VERSION_MEMBER);
    for (size_t i = 0; i < N_FORMATS; i++)
        if (!(own && formats[i].foreign) && is_of(&formats[i], in))
            return &formats[i];
    return NULL;
}

bool rdv_format_is_foreign(const rdv_members *in)
{
    const rdv_format *format = rdv_format_of(in);
    return format && format->foreign;
}

const rdv_format *rdv_format_named(const char *name)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

bool rdv_format_is_native(const rdv_format *format)
{
    return rdv_starts(rdv_str_of(format->name), RDV_STR(RDV_OWN));
}

const char *rdv_format_name(size_t i, const char **about)
{
    if (i >= N_FORMATS)
        return NULL;
    if (about)
        *about = formats[i].about;
    return formats[i].name;
}
