/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The readers of the public formats, one file a family; data/format/formats.c has the table. Each
 * makes chain number m->index of the record. A name in _chains counts them, one in _is recognises.
 */
#include "data/chain_builder.h"

/* labelled.c: one chain, its first wrong step known */
void rdv_read_bigbench_mistake(rdv_chain_builder *m);
void rdv_read_bigbench_trace(rdv_chain_builder *m);
void rdv_read_processbench(rdv_chain_builder *m);
void rdv_read_stepverify(rdv_chain_builder *m);
void rdv_read_mr_ben(rdv_chain_builder *m);
void rdv_read_mr_gsm8k(rdv_chain_builder *m);
void rdv_read_reasoneval(rdv_chain_builder *m);

/* errors.c: errors with their kinds */
void rdv_read_parc(rdv_chain_builder *m);
void rdv_read_prmbench(rdv_chain_builder *m);
void rdv_read_eic(rdv_chain_builder *m);
size_t rdv_eic_chains(rdv_chain_builder *m);
void rdv_read_perturbation(rdv_chain_builder *m);
size_t rdv_perturbation_chains(rdv_chain_builder *m);

/* judged.c: whole chains or calculations judged by people */
void rdv_read_autorace(rdv_chain_builder *m);
void rdv_read_factool(rdv_chain_builder *m);
void rdv_read_verify_cot_human(rdv_chain_builder *m);

/* pools.c: several chains a record */
void rdv_read_pool(rdv_chain_builder *m);
size_t rdv_pool_chains(rdv_chain_builder *m);
void rdv_read_verify_cot(rdv_chain_builder *m);
size_t rdv_verify_cot_chains(rdv_chain_builder *m);
void rdv_read_tree_of_thoughts(rdv_chain_builder *m);
size_t rdv_tree_of_thoughts_chains(rdv_chain_builder *m);
void rdv_read_math_rm(rdv_chain_builder *m);
size_t rdv_math_rm_chains(rdv_chain_builder *m);
void rdv_read_mot_cascade(rdv_chain_builder *m);
size_t rdv_mot_cascade_chains(rdv_chain_builder *m);
void rdv_read_esc(rdv_chain_builder *m);
size_t rdv_esc_chains(rdv_chain_builder *m);
void rdv_read_faithful_cot(rdv_chain_builder *m);
size_t rdv_faithful_cot_chains(rdv_chain_builder *m);

/* solutions.c: worked solutions by models or by people */
bool rdv_gsm8k_kind(const rdv_members *in);
void rdv_read_gsm8k(rdv_chain_builder *m);
void rdv_read_gsm8k_models(rdv_chain_builder *m);
size_t rdv_gsm8k_models_chains(rdv_chain_builder *m);
void rdv_read_zeroeval(rdv_chain_builder *m);
size_t rdv_zeroeval_chains(rdv_chain_builder *m);
void rdv_read_cot_uq(rdv_chain_builder *m);
void rdv_read_bigbench_hard_output(rdv_chain_builder *m);

/* api.c: responses of OpenAI's and Anthropic's APIs, alone or in a batch */
bool rdv_is_openai_chat(const rdv_members *in);
bool rdv_is_openai_responses(const rdv_members *in);
bool rdv_is_anthropic_message(const rdv_members *in);
bool rdv_is_api_error(const rdv_members *in);
void rdv_read_api(rdv_chain_builder *m);
size_t rdv_api_chains(rdv_chain_builder *m);
bool rdv_is_batch_result(const rdv_members *in);
void rdv_read_batch(rdv_chain_builder *m);
size_t rdv_batch_chains(rdv_chain_builder *m);
bool rdv_is_batch_request(const rdv_members *in);
void rdv_read_batch_request(rdv_chain_builder *m);

/* agents.c: sessions of coding agents */
bool rdv_is_claude_code(const rdv_members *in);
void rdv_read_claude_code(rdv_chain_builder *m);
size_t rdv_claude_code_chains(rdv_chain_builder *m);
bool rdv_is_codex(const rdv_members *in);
bool rdv_is_codex_exec(const rdv_members *in);
void rdv_read_codex(rdv_chain_builder *m);
size_t rdv_codex_chains(rdv_chain_builder *m);

/* promptfoo.c */
bool rdv_is_promptfoo(const rdv_members *in);
void rdv_read_promptfoo(rdv_chain_builder *m);
bool rdv_is_promptfoo_results(const rdv_members *in);
void rdv_read_promptfoo_results(rdv_chain_builder *m);
size_t rdv_promptfoo_results_chains(rdv_chain_builder *m);

/* traces.c: what tools of observability export */
bool rdv_is_langfuse(const rdv_members *in);
void rdv_read_langfuse(rdv_chain_builder *m);
size_t rdv_langfuse_chains(rdv_chain_builder *m);
bool rdv_is_langfuse_trace(const rdv_members *in);
void rdv_read_langfuse_trace(rdv_chain_builder *m);
size_t rdv_langfuse_trace_chains(rdv_chain_builder *m);
bool rdv_is_langfuse_score(const rdv_members *in);
void rdv_read_langfuse_score(rdv_chain_builder *m);
size_t rdv_langfuse_score_chains(rdv_chain_builder *m);
bool rdv_is_langsmith(const rdv_members *in);
void rdv_read_langsmith(rdv_chain_builder *m);
size_t rdv_langsmith_chains(rdv_chain_builder *m);
bool rdv_is_weave(const rdv_members *in);
void rdv_read_weave(rdv_chain_builder *m);
size_t rdv_weave_chains(rdv_chain_builder *m);

/* openinference.c: spans of OpenInference */
bool rdv_is_openinference(const rdv_members *in);
void rdv_read_openinference(rdv_chain_builder *m);
size_t rdv_openinference_chains(rdv_chain_builder *m);

/* events.c: streams of APIs */
bool rdv_is_events(const rdv_members *in);
void rdv_read_events(rdv_chain_builder *m);
size_t rdv_events_chains(rdv_chain_builder *m);

/* request_reply.c: a question beside its reply; chats */
bool rdv_is_request_reply(const rdv_members *in);
void rdv_read_request_reply(rdv_chain_builder *m);
size_t rdv_request_reply_chains(rdv_chain_builder *m);
bool rdv_is_chat(const rdv_members *in);
void rdv_read_chat(rdv_chain_builder *m);
void rdv_read_preference(rdv_chain_builder *m);

/* step_labelled.c: training data of process reward models */
void rdv_read_trl_stepwise(rdv_chain_builder *m);
bool rdv_is_prm800k(const rdv_members *in);
void rdv_read_prm800k(rdv_chain_builder *m);
bool rdv_is_math_shepherd(const rdv_members *in);
void rdv_read_math_shepherd(rdv_chain_builder *m);

/* otel.c: traces by OpenTelemetry */
void rdv_read_otel(rdv_chain_builder *m);
size_t rdv_otel_chains(rdv_chain_builder *m);

/* lm_eval.c: samples of lm-evaluation-harness */
void rdv_read_lm_eval(rdv_chain_builder *m);
size_t rdv_lm_eval_chains(rdv_chain_builder *m);

/* questions.c: questions with their right answer */
void rdv_read_math(rdv_chain_builder *m);
void rdv_read_mathqa(rdv_chain_builder *m);
void rdv_read_aqua(rdv_chain_builder *m);
void rdv_read_svamp(rdv_chain_builder *m);
void rdv_read_addsub(rdv_chain_builder *m);
void rdv_read_commonsense_qa(rdv_chain_builder *m);
void rdv_read_strategyqa(rdv_chain_builder *m);
void rdv_read_bigbench(rdv_chain_builder *m);
void rdv_read_input_target(rdv_chain_builder *m);
void rdv_read_question_answer(rdv_chain_builder *m);

/* inspect.c: samples of inspect_ai's logs */
bool rdv_is_inspect(const rdv_members *in);
void rdv_read_inspect(rdv_chain_builder *m);
