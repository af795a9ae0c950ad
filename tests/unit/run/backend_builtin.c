/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in model's thread: what comes back, what is cancelled, and when it ends. */
#include "../lm/tiny.h"
#include "base/buf.h"
#include "run/backend_builtin.h"
#include "run/builtin_text.h"
#include "run/run.h"

#include <math.h>
#include <stdatomic.h>
#include <unistd.h>
#include <uv.h>

#define MANY 40

/* An event loop of straw: a semaphore that wake() posts. */
typedef struct world {
    rdv_lm *lm;
    backend *b;
    uv_sem_t news;
    bool waits;     /* the model's thread waits, at its next news, */
    uv_sem_t go_on; /* for this */
} world;

/* A call and its request; `owner` is the test's. */
typedef struct asked {
    backend_call call;
    rdv_request request;
    void *owner;
} asked;

static void wake(void *of)
{
    world *w = of;
    uv_sem_post(&w->news);
    if (w->waits) {
        w->waits = false;
        uv_sem_wait(&w->go_on);
    }
}

/* The linker puts this in the place of rdv_lm_step(): once, after a test has set the flag, the step
 * of the engine fails as it does without memory, or what it made cannot be handed over. */
static atomic_bool step_fails, piece_fails;
int __real_rdv_lm_step(rdv_lm_engine *engine, rdv_error *err);
int __wrap_rdv_lm_step(rdv_lm_engine *engine, rdv_error *err);

int __wrap_rdv_lm_step(rdv_lm_engine *engine, rdv_error *err)
{
    if (atomic_exchange(&step_fails, false))
        return rdv_no_memory(err);
    int rc = __real_rdv_lm_step(engine, err);
    if (atomic_exchange(&piece_fails, false))
        rdv_alloc_fail_once(1);
    return rc;
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    rdv_error err = {0};
    if (!w || uv_sem_init(&w->news, 0) != 0 || uv_sem_init(&w->go_on, 0) != 0)
        return -1;
    w->lm = tiny_open("f32");
    backend_builtin_options options = {.lm = w->lm, .wake = wake, .payload = w};
    if (backend_builtin_new(&w->b, &options, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    uv_sem_post(&w->go_on); /* a test that failed leaves the thread waiting */
    backend_free(&w->b);
    rdv_lm_close(&w->lm);
    uv_sem_destroy(&w->news);
    uv_sem_destroy(&w->go_on);
    free(w);
    return 0;
}

static bool any(world *w, backend_event *event)
{
    return w->b->ops->next(w->b, NULL, event, NULL) == RDV_OK;
}

static backend_event next(world *w)
{
    backend_event event;
    while (!any(w, &event))
        uv_sem_wait(&w->news);
    return event;
}

static const rdv_message hello[] = {{RDV_USER, {"Tom and the apples", 18}}};

static asked ask_of(uint64_t seed, uint32_t max_tokens)
{
    asked a = {.request = {.messages = hello,
                           .n_messages = 1,
                           .sampling = {NAN, NAN, max_tokens, NULL, 0, true, 2}}};
    a.request.key[7] = (unsigned char)seed;
    return a;
}

static void start(world *w, asked *what, void *owner)
{
    rdv_error err = {0};
    what->owner = owner;
    what->call.request = &what->request;
    if (w->b->ops->start(w->b, &what->call, &err) != RDV_OK)
        fail_msg("%s", err.msg);
}

static rdv_str text_of(world *w, uint64_t seed, rdv_arena *arena)
{
    asked what = ask_of(seed, 12);
    start(w, &what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_REPLY);
    assert_null(what.call.state);
    rdv_str text = rdv_str_copy(arena, event.reply.text);
    rdv_arena_free(&event.arena);
    return text;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_reply__the_same_alone_and_in_company(void **state)
{
    world *w = *state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str alone[MANY];
    for (size_t i = 0; i < MANY; i++)
        alone[i] = text_of(w, i, arena);
    asked what[MANY];
    for (size_t i = 0; i < MANY; i++) {
        what[i] = ask_of(i, 12);
        start(w, &what[i], &alone[i]);
    }
    for (size_t i = 0; i < MANY; i++) {
        backend_event event = next(w);
        const rdv_str *expected = ((asked *)event.call)->owner;
        assert_true(rdv_str_eq(event.reply.text, *expected));
        assert_true(event.reply.n_tokens <= 12);
        assert_int_equal(event.reply.tokens[0].n_other, 2);
        rdv_arena_free(&event.arena);
    }
    assert_false(rdv_str_eq(alone[0], alone[1]));
    rdv_arena_free(&arena);
}

/* Start a call whose first piece is returned; then the model's thread waits for `go_on`. */
static backend_event start_and_hold(world *w, asked *what)
{
    what->call.extras = BACKEND_PIECES;
    w->waits = true;
    start(w, what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_PIECE);
    return event;
}

static void test_pieces__make_up_the_reply(void **state)
{
    world *w = *state;
    rdv_arena *arena = rdv_arena_new(0);
    asked what = ask_of(3, 12);
    what.call.extras = BACKEND_PIECES;
    start(w, &what, NULL);
    rdv_buf said;
    rdv_buf_init(&said, arena, 0);
    backend_event event;
    while ((event = next(w)).kind == BACKEND_PIECE) {
        rdv_buf_add(&said, event.reply.text);
        rdv_arena_free(&event.arena);
    }
    assert_int_equal(event.kind, BACKEND_REPLY);
    assert_true(rdv_str_eq(event.reply.text, rdv_buf_str(&said)));
    rdv_arena_free(&event.arena);
    rdv_arena_free(&arena);
}

static void test_cancel__new_out_and_ended(void **state)
{
    world *w = *state;
    asked many[MANY];
    for (size_t i = 0; i < MANY; i++) {
        many[i] = ask_of(i, i % 2 ? 1 : 0);
        many[i].call.extras = i % 3 == 0 ? BACKEND_PIECES : 0;
        start(w, &many[i], NULL);
    }
    uv_sem_wait(&w->news); /* some have ended by now, some are out, some wait */
    for (size_t i = 0; i < MANY; i++)
        w->b->ops->cancel(w->b, &many[i].call);
    backend_event event;
    assert_false(any(w, &event));
    asked last = ask_of(1, 1);
    start(w, &last, NULL);
    event = next(w);
    assert_ptr_equal(event.call, &last.call);
    rdv_arena_free(&event.arena);
}

/* What the model's thread has not taken yet is as if it had never been started. */
static void test_cancel__what_is_new(void **state)
{
    world *w = *state;
    asked many[5];
    for (size_t i = 0; i < 5; i++)
        many[i] = ask_of(i, i ? 1 : 2);
    backend_event event = start_and_hold(w, &many[0]);
    rdv_arena_free(&event.arena);
    for (size_t i = 1; i < 5; i++)
        start(w, &many[i], NULL);
    for (size_t i = 1; i < 5; i += i == 1 ? 1 : 2)
        w->b->ops->cancel(w->b, &many[i].call);
    uv_sem_post(&w->go_on);
    for (size_t n_replies = 0; n_replies < 2;) {
        event = next(w);
        assert_true(event.call == &many[0].call || event.call == &many[3].call);
        n_replies += event.kind == BACKEND_REPLY;
        rdv_arena_free(&event.arena);
    }
    assert_false(any(w, &event));
}

static void test_cancel__what_has_ended(void **state)
{
    world *w = *state;
    asked what = ask_of(1, 1);
    start(w, &what, NULL);
    backend_event event = next(w);
    rdv_arena_free(&event.arena);
    w->b->ops->cancel(w->b, &what.call);
    assert_null(what.call.state);
    assert_false(any(w, &event));
}

static void test_free__with_jobs_under_way(void **state)
{
    world *w = *state;
    static asked many[MANY];
    for (size_t i = 0; i < MANY; i++) {
        many[i] = ask_of(i, 0);
        start(w, &many[i], NULL);
    }
    uv_sem_wait(&w->news);
}

static void test_failure__a_prompt_that_does_not_fit(void **state)
{
    world *w = *state;
    char words[4000];
    memset(words, 'x', sizeof words);
    rdv_message message = {RDV_USER, {words, sizeof words}};
    asked what = ask_of(1, 1);
    what.request.messages = &message;
    start(w, &what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_FAILED);
    assert_int_equal(event.failure, RDV_FAIL_REFUSED);
    assert_int_equal(event.fault, RDV_E_LIMIT);
    assert_non_null(strstr(event.why, "tokens"));
    rdv_arena_free(&event.arena);
}

/* An engine that fails takes its jobs with it, those that have begun and those that have not: each
 * is told so. The next job has a new engine. */
static void test_engine__that_fails(void **state)
{
    world *w = *state;
    rdv_arena *arena = rdv_arena_new(0);
    asked many[4];
    for (size_t i = 0; i < 4; i++) {
        many[i] = ask_of(i, 0);
        many[i].call.extras = BACKEND_PIECES;
    }
    backend_event event = start_and_hold(w, &many[0]);
    rdv_str begun = rdv_str_copy(arena, event.reply.text);
    rdv_arena_free(&event.arena);
    for (size_t i = 1; i < 4; i++)
        start(w, &many[i], NULL);
    atomic_store(&step_fails, true);
    uv_sem_post(&w->go_on);
    for (size_t n_failed = 0; n_failed < 4;) {
        event = next(w);
        if (event.kind != BACKEND_PIECE) {
            assert_int_equal(event.kind, BACKEND_FAILED);
            assert_int_equal(event.fault, RDV_E_NOMEM);
            assert_string_equal(event.why, "out of memory");
            assert_null(event.call->state);
            n_failed++;
        }
        rdv_arena_free(&event.arena);
    }
    assert_false(any(w, &event));
    assert_true(begun.len && rdv_starts(text_of(w, 0, arena), begun));
    rdv_arena_free(&arena);
}

/* A reply of which a piece was lost is not told as if it were whole. */
static void test_piece__lost_without_memory(void **state)
{
    world *w = *state;
    asked what = ask_of(1, 0);
    backend_event event = start_and_hold(w, &what);
    atomic_store(&piece_fails, true);
    uv_sem_post(&w->go_on);
    while (event.kind == BACKEND_PIECE) {
        rdv_arena_free(&event.arena);
        event = next(w);
    }
    assert_false(atomic_load(&piece_fails));
    assert_int_equal(event.kind, BACKEND_FAILED);
    assert_int_equal(event.fault, RDV_E_NOMEM);
    rdv_arena_free(&event.arena);
}

static void test_score__the_text_alone_or_the_whole_prompt(void **state)
{
    world *w = *state;
    asked what = {.request = {.kind = RDV_REQUEST_SCORE,
                              .messages = hello,
                              .n_messages = 1,
                              .text = RDV_STR("the apples")}};
    start(w, &what, NULL);
    backend_event text = next(w);
    what.call.extras = BACKEND_PROMPT_LOGPROBS;
    start(w, &what, NULL);
    backend_event all = next(w);
    assert_text(text.reply.text, "the apples");
    assert_ptr_equal(text.reply.tokens, text.scored.items);
    assert_true(all.scored.n > text.scored.n && text.scored.n > 0);
    assert_true(isnan(all.scored.items[0].logprob));
    for (size_t i = 0; i < text.scored.n; i++) {
        size_t k = all.scored.n - text.scored.n + i;
        assert_true(text.scored.items[i].logprob == all.scored.items[k].logprob);
    }
    assert_int_equal(all.reply.completion_tokens, 0);
    rdv_arena_free(&text.arena);
    rdv_arena_free(&all.arena);
}

static void test_no_reply__only_the_prompt_is_scored(void **state)
{
    world *w = *state;
    asked what = ask_of(1, 5);
    what.call.extras = BACKEND_PROMPT_LOGPROBS | BACKEND_NO_REPLY;
    start(w, &what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_REPLY);
    assert_int_equal(event.reply.text.len, 0);
    assert_int_equal(event.reply.completion_tokens, 0);
    assert_true(event.scored.n == event.reply.prompt_tokens && event.scored.stride == 3);
    rdv_arena_free(&event.arena);
}

static void test_reward__cannot_be_done(void **state)
{
    world *w = *state;
    rdv_error err = {0};
    asked what = {.request = {.kind = RDV_REQUEST_REWARD}};
    what.call.request = &what.request;
    assert_int_equal(w->b->ops->start(w->b, &what.call, &err), RDV_NONE);
    assert_string_equal(err.msg, "this built-in model has no step head, so it gives no rewards");
}

static void test_reward__of_what_does_not_fit(void **state)
{
    world *w = *state;
    static char words[4000];
    memset(words, 'x', sizeof words);
    static const rdv_str steps[] = {{"one", 3}, {"two", 3}};
    rdv_request request = {
        .kind = RDV_REQUEST_REWARD, .text = {words, sizeof words}, .steps = steps, .n_steps = 2};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm *judge = tiny_open("steps");
    rdv_lm_job job;
    rdv_error err = {0};
    assert_int_equal(builtin_text_job(judge, &request, 0, arena, &job, &err), RDV_E_LIMIT);
    assert_non_null(strstr(err.msg, "the question with its first step has more than"));
    request.text.len = 5;
    assert_int_equal(builtin_text_job(judge, &request, 0, arena, &job, &err), RDV_OK);
    assert_int_equal(job.n_step_ends, 2);
    assert_int_equal(job.step_ends[1] + 1, job.n_prompt); /* nothing comes behind the last step */
    assert_int_equal(builtin_text_job(w->lm, &request, 0, arena, &job, &err), RDV_NONE);
    assert_string_equal(err.msg, "this model has no step head");
    rdv_lm_close(&judge);
    rdv_arena_free(&arena);
}

static void test_job__is_made_of_the_request(void **state)
{
    world *w = *state;
    static const rdv_message half[] = {{RDV_USER, {"q", 1}}, {RDV_ASSISTANT, {"The", 3}}};
    rdv_request request = {.kind = RDV_REQUEST_CONTINUE,
                           .messages = half,
                           .n_messages = 2,
                           .key = {1, 2, 3, 4, 5, 6, 7, 8}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm_job open, scored;
    assert_int_equal(builtin_text_job(w->lm, &request, 0, arena, &open, NULL), RDV_OK);
    assert_true(open.seed == 0x0102030405060708 && open.max_tokens && !open.score);
    request.kind = RDV_REQUEST_SCORE;
    assert_int_equal(builtin_text_job(w->lm, &request, 0, arena, &scored, NULL), RDV_OK);
    assert_true(scored.score && !scored.max_tokens);
    assert_int_equal(scored.n_prompt, open.n_prompt);
    rdv_arena_free(&arena);
}

/* A default of temperature and top_p is 1; a limit of 0 is the end of the context; a score writes
 * nothing; alternatives are counted where tokens are told. */
static void test_job__settings_of_every_request(void **state)
{
    world *w = *state;
    rdv_str stops[] = {RDV_STR("."), RDV_STR("apple")};
    rdv_arena *arena = rdv_arena_new(0);
    for (unsigned i = 0; i < 2 * 3 * 3 * 2 * 16; i++) {
        unsigned extras = i / 36 % 16, tops[] = {0, 2, 1000};
        bool scores = i % 2, told = i / 18 % 2;
        rdv_request r = {.kind = scores ? RDV_REQUEST_SCORE : RDV_REQUEST_CONTINUE,
                         .text = RDV_STR("the apples"),
                         .sampling = {i % 5 ? 0.5 : NAN, i % 7 ? 0.9 : NAN, i / 2 % 3 * 3, stops,
                                      i % 3, told, tops[i / 6 % 3]}};
        const rdv_sampling *s = &r.sampling;
        rdv_lm_job job;
        assert_int_equal(builtin_text_job(w->lm, &r, extras, arena, &job, NULL), RDV_OK);
        bool scored = scores || extras & (BACKEND_TEXT_LOGPROBS | BACKEND_PROMPT_LOGPROBS);
        bool writes = !scores && !(extras & BACKEND_NO_REPLY);
        unsigned top = s->top_logprobs < RDV_LM_MAX_TOP ? s->top_logprobs : RDV_LM_MAX_TOP;
        assert_true(job.temperature == (i % 5 ? 0.5 : 1) && job.top_p == (i % 7 ? 0.9 : 1));
        assert_int_equal(job.score, scored);
        assert_int_equal(job.max_tokens, !writes         ? 0
                                         : s->max_tokens ? s->max_tokens
                                                         : RDV_LM_TO_THE_END);
        assert_int_equal(job.top_logprobs, scored || told ? top : 0);
        assert_true(job.stop == stops && job.n_stop == s->n_stop);
        assert_int_equal(job.stream, (extras & BACKEND_PIECES) != 0);
        assert_int_equal(job.score_from == 0, (extras & BACKEND_PROMPT_LOGPROBS) != 0);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

/* The thread of the model has a copy that stays whole when the request's own texts are gone. */
static void test_copy__outlives_the_request(void **state)
{
    char texts[] = "question the apples . step one step two";
    rdv_message messages[] = {{RDV_SYSTEM, {texts, 8}}, {RDV_ASSISTANT, {texts + 9, 10}}};
    rdv_str stops[] = {{texts + 20, 1}, {texts + 9, 3}},
            steps[] = {{texts + 22, 8}, {texts + 31, 8}};
    rdv_request copy, r = {.kind = RDV_REQUEST_CONTINUE,
                           .messages = messages,
                           .n_messages = 2,
                           .text = {texts + 9, 10},
                           .steps = steps,
                           .n_steps = 2,
                           .sampling = {0.5, 0.9, 7, stops, 2, true, 3},
                           .key = {1, 2, [31] = 9}};
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    assert_int_equal(builtin_text_copy(&r, arena, &copy), RDV_OK);
    memset(texts, 'x', sizeof texts);
    memset(messages, 0, sizeof messages);
    memset(stops, 0, sizeof stops);
    memset(steps, 0, sizeof steps);
    assert_int_equal(copy.kind, RDV_REQUEST_CONTINUE);
    assert_true(copy.n_messages == 2 && copy.n_steps == 2 && copy.sampling.n_stop == 2);
    assert_true(copy.messages[0].role == RDV_SYSTEM && copy.messages[1].role == RDV_ASSISTANT);
    assert_text(copy.messages[0].text, "question");
    assert_text(copy.messages[1].text, "the apples");
    assert_text(copy.text, "the apples");
    assert_text(copy.sampling.stop[0], ".");
    assert_text(copy.sampling.stop[1], "the");
    assert_text(copy.steps[0], "step one");
    assert_text(copy.steps[1], "step two");
    assert_true(copy.sampling.temperature == 0.5 && copy.sampling.top_p == 0.9);
    assert_true(copy.sampling.max_tokens == 7 && copy.sampling.logprobs);
    assert_int_equal(copy.sampling.top_logprobs, 3);
    assert_memory_equal(copy.key, r.key, sizeof r.key);
    r.text = (rdv_str){0};
    assert_int_equal(builtin_text_copy(&r, arena, &copy), RDV_OK);
    assert_null(copy.text.p); /* absent is not empty */
    rdv_arena_free(&arena);
}

/* The reply is the one without stop texts, as far as the first of them. */
static void test_reply__ends_before_a_stop(void **state)
{
    world *w = *state;
    rdv_arena *arena = rdv_arena_new(0);
    size_t shorter = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        rdv_str whole = text_of(w, seed, arena);
        size_t k = whole.len / 3;
        while (k < whole.len && (signed char)whole.p[k] < 0) /* a character of one byte */
            k++;
        if (k == whole.len)
            continue;
        rdv_str stops[] = {RDV_STR("\x01\x02"), rdv_slice(whole, k, k + 1)};
        asked what = ask_of(seed, 12);
        what.request.sampling.stop = stops;
        what.request.sampling.n_stop = 2;
        start(w, &what, NULL);
        backend_event event = next(w);
        size_t at = rdv_find(whole, stops[1], 0);
        assert_true(rdv_str_eq(event.reply.text, rdv_slice(whole, 0, at)));
        assert_int_equal(event.reply.finish, RDV_FINISH_STOP);
        shorter += at < whole.len;
        rdv_arena_free(&event.arena);
    }
    assert_true(shorter > 0);
    rdv_arena_free(&arena);
}

/* The longest prompt can be scored, and leaves no room for a reply. */
static void test_job__a_prompt_that_fills_the_context(void **state)
{
    world *w = *state;
    static char text[400];
    rdv_request request = {.kind = RDV_REQUEST_SCORE};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm_info info;
    rdv_lm_job job = {0};
    rdv_error err = {0};
    rdv_lm_about(w->lm, &info);
    for (size_t n = 1; n < sizeof text && job.n_prompt < info.context; n++) {
        text[n - 1] = "xyzw"[n % 4];
        request.text = (rdv_str){text, n};
        assert_int_equal(builtin_text_job(w->lm, &request, 0, arena, &job, &err), RDV_OK);
    }
    assert_int_equal(job.n_prompt, info.context);
    assert_int_equal(job.max_tokens, 0);
    request.kind = RDV_REQUEST_CONTINUE;
    assert_int_equal(builtin_text_job(w->lm, &request, 0, arena, &job, &err), RDV_E_LIMIT);
    assert_non_null(strstr(err.msg, "with the reply the model takes"));
    rdv_arena_free(&arena);
}

/* A text of which nothing was scored has no log-probabilities, rather than an empty list of them.
 */
static void test_score__of_nothing(void **state)
{
    world *w = *state;
    rdv_request request = {.kind = RDV_REQUEST_SCORE, .text = RDV_STR("x")};
    rdv_lm_event nothing = {.kind = RDV_LM_DONE};
    backend_event event = {0};
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(builtin_text_event(w->lm, &request, &nothing, arena, &event), RDV_OK);
    assert_null(event.reply.tokens);
    assert_int_equal(event.reply.n_tokens, 0);
    assert_text(event.reply.text, "x");
    rdv_arena_free(&arena);
}

/* ---- files that lack something ----------------------------------------------------------------
 */

#define ALIGNMENT 32 /* of the tensors in the file */
#define TEXT 8       /* types of values in a file */
#define ARRAY 9
#define WHOLE 4

/* A model file, and places in it. */
typedef struct model_file {
    char *bytes, path[32];
    size_t size;
    rdv_builtin model;
    rdv_arena *arena;
} model_file;

static model_file read_file(void)
{
    model_file f = {.path = "/tmp/rdv-model-XXXXXX", .arena = rdv_arena_new(0)};
    f.bytes = tiny_bytes("f32", &f.size);
    return f;
}

static void replace(model_file *f, const char *from, const char *to)
{
    char *at = memmem(f->bytes, f->size, from, strlen(from));
    assert_int_equal(strlen(from), strlen(to));
    assert_non_null(at);
    memcpy(at, to, strlen(to));
}

/* A flag: its type has four bytes, and its value one. */
static void unset(model_file *f, const char *name)
{
    char *at = memmem(f->bytes, f->size, name, strlen(name));
    assert_non_null(at);
    assert_int_equal(at[strlen(name) + 4], true);
    at[strlen(name) + 4] = false;
}

static void add_number(rdv_buf *b, uint64_t n, size_t size)
{
    for (size_t i = 0; i < size; i++)
        rdv_buf_add_char(b, (char)(n >> 8 * i));
}

static void add_text(rdv_buf *b, rdv_str text)
{
    add_number(b, text.len, 8);
    rdv_buf_add(b, text);
}

/* Write the member "rederive.prompts" before all others, and one that pads it. */
static void insert_prompts(model_file *f, uint64_t type, rdv_str value)
{
    rdv_buf b;
    uint64_t n;
    rdv_buf_init(&b, f->arena, 0);
    rdv_buf_add(&b, (rdv_str){f->bytes, 16});
    memcpy(&n, f->bytes + 16, sizeof n);
    add_number(&b, n + 2, 8);
    add_text(&b, RDV_STR("rederive.prompts"));
    add_number(&b, type, 4);
    rdv_buf_add(&b, value);
    add_text(&b, RDV_STR("padding"));
    add_number(&b, TEXT, 4);
    size_t pad = (ALIGNMENT - (b.len + 8 - 24) % ALIGNMENT) % ALIGNMENT;
    add_text(&b, rdv_slice(RDV_STR("................................"), 0, pad));
    rdv_buf_add(&b, (rdv_str){f->bytes + 24, f->size - 24});
    assert_true(rdv_buf_ok(&b));
    free(f->bytes);
    f->size = b.len;
    f->bytes = malloc(f->size);
    assert_non_null(f->bytes);
    memcpy(f->bytes, rdv_buf_str(&b).p, f->size);
}

static void open_file(model_file *f)
{
    rdv_error err = {0};
    int fd = mkstemp(f->path);
    assert_true(fd >= 0 && write(fd, f->bytes, f->size) == (ssize_t)f->size && close(fd) == 0);
    if (rdv_builtin_open(f->path, (rdv_str){0}, f->arena, &f->model, &err) != RDV_OK)
        fail_msg("%s", err.msg);
}

static void close_file(model_file *f)
{
    rdv_builtin_close(&f->model);
    unlink(f->path);
    free(f->bytes);
    rdv_arena_free(&f->arena);
}

static void test_file__without_a_first_token(void **state)
{
    model_file f = read_file();
    rdv_request request = {.kind = RDV_REQUEST_CONTINUE, .text = RDV_STR("")};
    rdv_lm_job job;
    rdv_error err = {0};
    unset(&f, "add_bos_token");
    open_file(&f);
    assert_int_equal(builtin_text_job(f.model.lm, &request, 0, f.arena, &job, &err),
                     RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "the prompt is empty");
    close_file(&f);
}

static void test_file__without_a_name(void **state)
{
    model_file f = read_file();
    replace(&f, "general.name", "general.nome");
    open_file(&f);
    assert_true(rdv_starts(f.model.name, RDV_STR("unnamed@")));
    close_file(&f);
}

static void test_file__without_turns(void **state)
{
    model_file f = read_file();
    rdv_request request = {.messages = hello, .n_messages = 1};
    rdv_lm_job job;
    rdv_error err = {0};
    replace(&f, "<|assistant|>", "<|assistance>");
    open_file(&f);
    assert_int_equal(rdv_builtin_abilities(&f.model).chat, RDV_CANNOT);
    assert_int_equal(rdv_builtin_abilities(&f.model).system, RDV_CANNOT);
    assert_int_equal(builtin_text_job(f.model.lm, &request, 0, f.arena, &job, &err), RDV_NONE);
    assert_string_equal(err.msg, "this model knows no turns, only texts");
    close_file(&f);
}

/* Of a token that is not all valid UTF-8, the characters stay, and each other byte is U+FFFD. */
static void test_token__valid_in_part(void **state)
{
    model_file f = read_file();
    rdv_request request = {.kind = RDV_REQUEST_CHAT, .sampling.logprobs = true};
    rdv_lm_info info;
    rdv_lm_token token = {0};
    backend_event event = {0};
    replace(&f, "caf\xc3\xa9", "caf\xc3(");
    open_file(&f);
    rdv_lm_about(f.model.lm, &info);
    while (token.token < info.vocab &&
           !rdv_str_eq(rdv_lm_piece(f.model.lm, token.token), RDV_STR("caf\xc3(")))
        token.token++;
    assert_true(token.token < info.vocab);
    rdv_lm_event news = {.kind = RDV_LM_DONE, .tokens = &token, .n_tokens = 1};
    assert_int_equal(builtin_text_event(f.model.lm, &request, &news, f.arena, &event), RDV_OK);
    assert_text(event.reply.tokens[0].text, "caf\xef\xbf\xbd(");
    close_file(&f);
}

/* What is no list of texts says nothing of prompts: the model counts as trained on any. */
static void test_file__prompts(void **state)
{
    for (int i = 0; i < 4; i++) {
        model_file f = read_file();
        rdv_buf value;
        rdv_buf_init(&value, f.arena, 0);
        size_t n = i == 1 ? 2 : 1001;
        if (i == 0) {
            add_text(&value, RDV_STR("check"));
        } else if (i < 3) {
            add_number(&value, TEXT, 4);
            add_number(&value, n, 8);
            for (size_t k = 0; k < n; k++)
                add_text(&value, k ? RDV_STR("solve") : RDV_STR("check"));
        } else {
            add_number(&value, WHOLE, 4);
            add_number(&value, 1, 8);
            add_number(&value, 7, 4);
        }
        insert_prompts(&f, i == 0 ? TEXT : ARRAY, rdv_buf_str(&value));
        open_file(&f);
        assert_int_equal(f.model.n_prompts, i == 1 ? 2 : 0);
        assert_true(rdv_builtin_trained_on(&f.model, RDV_STR("solve")));
        assert_int_equal(rdv_builtin_trained_on(&f.model, RDV_STR("other")), i != 1);
        close_file(&f);
    }
}

/* ---- runs -------------------------------------------------------------------------------------
 */

/* It takes part in as many calls as it can, beside a server, whichever of the two is the checker.
 */
static void test_run__beside_a_server(void **state)
{
    model_file f = read_file();
    rdv_run_options options;
    rdv_run *run;
    rdv_server_totals totals;
    rdv_probe found;
    open_file(&f);
    rdv_endpoint builtin = {.builtin = &f.model};
    rdv_endpoint server = {.spec = {.url = RDV_STR("http://127.0.0.1:1/v1"),
                                    .name = RDV_STR("m"),
                                    .host = RDV_STR("http://127.0.0.1:1")}};
    for (int turned = 0; turned < 2; turned++) {
        rdv_run_options_default(&options, sizeof options);
        options.jobs = 10 * BACKEND_BUILTIN_SEQUENCES;
        options.generator = turned ? server : builtin;
        options.checker = turned ? builtin : server;
        assert_int_equal(rdv_run_new(&options, &run, NULL), RDV_OK);
        assert_int_equal(rdv_run_server_totals(run, 0, &totals), RDV_OK);
        assert_int_equal(totals.url.p == NULL, !turned);
        assert_int_equal(rdv_run_server_totals(run, 1, &totals), RDV_OK);
        assert_int_equal(totals.url.p == NULL, turned);
        assert_int_equal(rdv_run_server_totals(run, 2, &totals), RDV_NONE);
        rdv_run_free(&run);
    }
    assert_int_equal(rdv_run_probe(&builtin, NULL, f.arena, &found, NULL), RDV_OK);
    assert_int_equal(found.abilities.prompt_logprobs, RDV_CAN);
    assert_int_equal(found.abilities.stream, RDV_CANNOT);
    close_file(&f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* The built-in model of a run whose requests have that limit of time. */
static void open_for_run(world *w, uint32_t timeout_ms)
{
    static run_context run;
    rdv_error err = {0};
    backend_builtin_options options = {.lm = w->lm, .wake = wake, .payload = w, .run = &run};
    run = (run_context){.options.timeout_ms = timeout_ms};
    backend_free(&w->b);
    if (backend_builtin_new(&w->b, &options, &err) != RDV_OK)
        fail_msg("%s", err.msg);
}

/* A call that has begun and one that has not are late alike, and say after how long. */
static void test_run__with_a_limit_of_time(void **state)
{
    world *w = *state;
    asked many[2] = {ask_of(0, 0), ask_of(1, 0)};
    open_for_run(w, 200);
    backend_event event = start_and_hold(w, &many[0]);
    rdv_arena_free(&event.arena);
    start(w, &many[1], NULL);
    for (size_t i = 0; i < 2; i++) {
        while (!any(w, &event))
            usleep(10000);
        assert_int_equal(event.kind, BACKEND_FAILED);
        assert_int_equal(event.failure, RDV_FAIL_TIMEOUT);
        assert_ptr_equal(event.call, &many[i].call);
        assert_string_equal(event.why, "no reply within 0.2 s");
    }
    uv_sem_post(&w->go_on);
}

/* A run whose requests have no limit of time: none is late, whenever the last look was. */
static void test_run__without_a_limit_of_time(void **state)
{
    world *w = *state;
    open_for_run(w, 0);
    asked what = ask_of(1, 12);
    start(w, &what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_REPLY);
    rdv_arena_free(&event.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reply__the_same_alone_and_in_company),
        TEST(test_pieces__make_up_the_reply),
        TEST(test_cancel__new_out_and_ended),
        TEST(test_cancel__what_is_new),
        TEST(test_cancel__what_has_ended),
        TEST(test_free__with_jobs_under_way),
        TEST(test_failure__a_prompt_that_does_not_fit),
        TEST(test_engine__that_fails),
        TEST(test_piece__lost_without_memory),
        TEST(test_score__the_text_alone_or_the_whole_prompt),
        TEST(test_no_reply__only_the_prompt_is_scored),
        TEST(test_reward__cannot_be_done),
        TEST(test_reward__of_what_does_not_fit),
        TEST(test_job__is_made_of_the_request),
        TEST(test_job__settings_of_every_request),
        TEST(test_copy__outlives_the_request),
        TEST(test_reply__ends_before_a_stop),
        TEST(test_job__a_prompt_that_fills_the_context),
        TEST(test_score__of_nothing),
        TEST(test_run__with_a_limit_of_time),
        TEST(test_run__without_a_limit_of_time),
        cmocka_unit_test(test_file__without_a_first_token),
        cmocka_unit_test(test_file__without_a_name),
        cmocka_unit_test(test_file__without_turns),
        cmocka_unit_test(test_file__prompts),
        cmocka_unit_test(test_token__valid_in_part),
        cmocka_unit_test(test_run__beside_a_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
