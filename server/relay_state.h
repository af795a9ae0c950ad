/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The state of a relay, and what all files that work on it need: relay.c (all of it), relay_ask.c
 * (its request), relay_cost.c (what it uses), relay_stream.c and relay_body.c (its reply),
 * relay_judge.c and relay_strict.c (the judgement of that), relay_repair.c (what takes the place of
 * rejected steps). */
#include "base/buf.h"
#include "model/events.h"
#include "server/check_cost.h"
#include "server/convert/reply_conversion.h"
#include "server/held_events.h"
#include "server/judging.h"
#include "judge/repaired_text.h"
#include "server/relay.h"
#include "server/reasoning_drop.h"
#include "server/relay_request.h"
#include "server/reported_tokens.h"
#include "server/sent_stream.h"
#include "server/source.h"
#include "server/step_draw.h"

/* What a bound stream of chat completions says of itself, for the chunk that is added. */
typedef struct chunk_head {
    rdv_str id, created, model; /* JSON; p == NULL: not said yet */
} chunk_head;

/* The repair of a stream by JUDGE_STRICT: its steps are drawn one by one in place of its server. */
typedef struct relay_repair {
    sent_stream sent; /* what the client has had; kept where the rule has repairs */
    step_draw *draw;  /* NULL: it has not begun */
    bool drawing;     /* a step is being drawn */
    repaired_text style, style_before; /* the latter: without the last step */
    judged_repairs done;
    judged_repair *rounds; /* done.rounds */
    size_t cap_rounds;
    size_t n_steps, most_steps; /* that stand, and may */
    size_t n_text;              /* bytes of the text with these */
    rdv_str step;               /* that was drawn and is being judged; in the draw */
    bool answers;               /* it is the last one, with the answer */
} relay_repair;

struct relay {
    relay_ctx *ctx;
    void *owner;
    access_holder *holder;
    usage_amount reserved; /* valid if it has `sent_bytes` */
    size_t sent_bytes;     /* of the body; 0: nothing was sent */
    size_t checker;        /* the place in options->models of the model that checks */
    check_cost check;      /* of a model that is asked about the reply */
    reported_tokens tokens;
    rdv_arena *arena;   /* as long as the relay */
    rdv_arena *scratch; /* for one event */
    rdv_arena *sent;    /* holds `out` and `held` */
    relay_request asked;
    source from;
    reply_protocol server;        /* the protocol of the model's server */
    reply_conversion *conversion; /* NULL: the client's is the same */
    char *in;                     /* bytes that were not processed, from `in_at` on */
    size_t in_at, in_len, in_cap;
    event_cutter cutter;
    rdv_buf out; /* to the client, from `at` on */
    size_t at;
    rdv_buf held; /* JUDGE_WHOLE: a stream until it was judged */
    held_events events;                   /* JUDGE_STRICT: those whose text was not judged */
    size_t text_seen[REPLY_MOST_CHOICES]; /* of each choice, with the last of its events */
    relay_repair repair;
    size_t n_unread;                      /* remarks on what was not read, of all choices */
    unsigned status;
    rdv_str headers;
    const char *type;
    judging *judging;     /* NULL: it is not judged */
    reply_choices *reply; /* what was read of it; of `judging` */
    reasoning_drop dropped; /* JUDGE_REASONING_DROP */
    stream_event last;    /* the event that waits for the judgement; in `arena` */
    rdv_str body;         /* the reply that does, where it is no stream */
    chunk_head chunk;
    uint64_t beaten; /* when the last comment was sent, or the stream began; 0: never */
    bool headed, streams, waiting, judged, over, begun;
    bool chosen;    /* the model that checks */
    bool at_end;    /* what is judged is the reply, and not its steps so far */
    bool counting;  /* the server was asked to count a stream, which the client did not ask */
    bool refused;   /* the model's server wrote no reply, and says so */
    bool rejected;  /* it was not admitted by the rule, perhaps before its end */
    bool converted; /* the conversion was told that the stream has ended */
};

/* ---- relay_state.c --------------------------------------------------------------------------- */

/* Take what has come from the model's server into r->in. False: out of memory, or it would be more
 * than 16 MiB. */
bool relay_read(relay *r);
/* A reply of the built-in model that is neither judged nor converted is sent as it is written; else
 * NULL. */
const completion *relay_as_written(const relay *r);
/* End with an error: as a status if no byte was sent, else as an event. `more`: of its body. */
void relay_end_with(relay *r, const api_error *e, rdv_str more);
/* End since the reply of the model's server `why`; err: NULL: without details. */
void relay_fail(relay *r, const char *why, const rdv_error *err);
void relay_fail_memory(relay *r);
/* End since the model's server reports an error in `root`, in place of a reply. */
void relay_fail_reported(relay *r, const json_t *root);
/* Whether reasoning was read, though the rule drops it: it stands where it was not looked for. */
bool relay_shows_reasoning(const relay *r);
/* Whether its rule has repairs, so that what is sent is to be noted. */
bool relay_repairs(const relay *r);
/* Take note of events that were sent. */
void relay_note_sent(relay *r, rdv_str bytes);
/* False, and the error of it. */
bool relay_no_memory(api_error *e);

/* ---- relay_ask.c, relay_cost.c --------------------------------------------------------------- */

/* Ask the model that r->asked names. False: *e is the error. */
bool relay_ask(relay *r, rdv_str body, const http_request *request, api_error *e);
/* Reserve what a request of so many bytes may use. False: *e is the error. */
bool relay_reserve(relay *r, size_t bytes, api_error *e);
/* Reserve what the check of the reply may use. False: *e is the error. */
bool relay_reserve_check(relay *r, api_error *e);
/* Count what both used in place of what was reserved. */
void relay_settle(relay *r);

/* What may be asked of the model that checks or repairs, within the limits of the rule. */
model_run_options relay_model_run(const relay *r);

/* ---- relay_judge.c --------------------------------------------------------------------------- */

/* Judge what was read, `at_end` all of it; nothing more is read until relay_take_judgement(). */
void relay_judge(relay *r, bool at_end);
/* By JUDGE_STRICT: send what has passed; `all`: everything. */
void relay_release(relay *r, bool all);
typedef enum relay_judged {
    RELAY_PASSED,    /* so far, or at its end */
    RELAY_REFUSED,   /* by the rule, nothing more of it is sent */
    RELAY_NOT_JUDGED /* and the relay is over */
} relay_judged;
/* Once it was judged: send what has passed of a stream by JUDGE_STRICT. */
relay_judged relay_take_judgement(relay *r);

/* The reply is not sent, or no more of it: by the judgement. */
void relay_refuse(relay *r);
/* Something was done on another thread, of the relay `of`. */
void relay_done(void *of);

/* ---- relay_repair.c ------------------------------------------------------------------------- */

/* A step was rejected: draw another one in its place. False: nothing is repaired (any more). */
bool relay_repair_step(relay *r);
/* The step that was drawn was judged: send it, and unless it is the last one go on. */
void relay_repair_stands(relay *r);
/* A step was drawn. */
void relay_take_step(relay *r);
/* The end of a stream that was repaired, with its judgement. */
void relay_send_repaired_end(relay *r, rdv_str json);

/* ---- relay_strict.c: streams that are judged step by step ------------------------------------ */

/* Hold an event that was read, and send or judge what can be. */
void relay_hold_event(relay *r, const stream_event *event, const json_t *parsed);
/* Judge the reply, by any mode; nothing more of it comes. */
void relay_judge_end(relay *r);

/* ---- relay_stream.c, relay_body.c ------------------------------------------------------------ */

/* Whether a stream, or its present step, is held until it was judged. */
bool relay_holds(const relay *r);
void relay_work_on_stream(relay *r);
void relay_work_on_body(relay *r);
/* The end of a stream, or the reply, with its judgement. */
void relay_send_last_event(relay *r, rdv_str json);
void relay_send_body(relay *r, rdv_str json);
