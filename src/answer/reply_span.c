/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/reply_span.h"

#include "answer/announcement.h"
#include "answer/answer_cue.h"
#include "base/str.h"
#include "text/think.h"

/* How the templates of chats mark that a turn ends or the user's begins; all begin with '<' or '['.
 */
static const char *const ends[] = {
    "<|im_end|>",
    "<|im_start|>",
    "<|eot_id|>",
    "<|start_header_id|>user",
    "<|end|>",
    "<|user|>",
    "<|endoftext|>",
    "</s>",
    "[INST]",
    "<end_of_turn>",
    "<eos>",
    "<start_of_turn>u",
    "<|end_of_text|>",
    ("<\xef\xbd\x9c"
     "User"),
    ("<\xef\xbd\x9c"
     "end"),
};

/* How they mark that the reply begins. */
static const char *const replies[] = {
    "<|im_start|>assistant",
    "<|start_header_id|>assistant<|end_header_id|>",
    "[/INST]",
    "<|assistant|>",
    "<start_of_turn>model",
    ("<\xef\xbd\x9c"
     "Assistant\xef\xbd\x9c>"),
    "\nassistant\n",
};

/* How the prompt of a whole chat begins. */
static const char *const prompts[] = {
    "<|im_start|>",
    "<|begin_of_text|>",
    "<|start_header_id|>",
    "<s>",
    "[INST]",
    "<|system|>",
    "<|user|>",
    "<bos>",
    "system\n",
    "user\n",
    "<start_of_turn>",
};

/* A decoder that drops the marks of gpt-oss leaves "analysis" and this. */
#define BARE_FINAL "assistantfinal"

/* Labels of a question that the model asks itself after its answer. */
static const char *const questions[] = {"q:", "question", "human:", "user:", "problem:"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool starts_with_one(rdv_str s, const char *const *list, size_t n)
{
    if (s.len < 2)
        return false;
    for (size_t i = 0; i < n; i++) /* two bytes first: most texts hold no mark, but many signs */
        if (s.p[0] == list[i][0] && s.p[1] == list[i][1] && rdv_starts(s, rdv_str_of(list[i])))
            return true;
    return false;
}

/* Where the last reply of a whole chat begins; 0: it is none. */
static size_t chat_reply(rdv_str text)
{
    size_t begin = 0;
    if (!starts_with_one(rdv_trim(text), prompts, COUNT(prompts)))
        return 0;
    for (size_t i = 0; i < COUNT(replies); i++) {
        size_t at = rdv_find_last(text, rdv_str_of(replies[i]));
        if (at != RDV_NOT_FOUND && at + strlen(replies[i]) > begin)
            begin = at + strlen(replies[i]);
    }
    return begin;
}

/* The first mark that ends the reply, at or after byte `from`, or RDV_NOT_FOUND. */
static size_t turn_end(rdv_str text, size_t from)
{
    size_t less = rdv_find_char(text, '<', from), bracket = rdv_find_char(text, '[', from);
    for (size_t i; (i = less < bracket ? less : bracket) != RDV_NOT_FOUND;) {
        if (think_may_go_on(rdv_char_at(text, i + 1)) &&
            starts_with_one(rdv_slice(text, i, text.len), ends, COUNT(ends)))
            return i;
        less = less == i ? rdv_find_char(text, '<', i + 1) : less;
        bracket = bracket == i ? rdv_find_char(text, '[', i + 1) : bracket;
    }
    return RDV_NOT_FOUND;
}

/* Is a line, without marks before it, the label of a question: "Q:", "Question 5:", "Human:"? */
static bool is_question(rdv_str line)
{
    rdv_str bullet = RDV_STR("\xe2\x97\x8f");
    while (line.len && (rdv_is_space(line.p[0]) || strchr("#*>-", line.p[0])) && line.p[0])
        line = rdv_slice(line, 1, line.len);
    if (rdv_starts(line, bullet))
        line = rdv_trim(rdv_slice(line, bullet.len, line.len));
    if (line.len < 2 || !strchr("qhup", rdv_lower(line.p[0])) || !line.p[0])
        return false; /* what the labels begin with */
    for (size_t i = 0; i < COUNT(questions); i++) {
        rdv_str label = rdv_str_of(questions[i]);
        if (!rdv_istarts(line, label))
            continue;
        size_t at = label.len;
        while (at < line.len && (line.p[at] == ' ' || rdv_is_digit(line.p[at])))
            at++;
        return rdv_ends(label, RDV_STR(":")) || (at < line.len && line.p[at] == ':');
    }
    return false;
}

/* Does a line announce an answer, by a box, a mark or a phrase? */
static bool announces(rdv_str line)
{
    rdv_str span;
    announcement phrase;
    size_t mark = line.len, before = line.len;
    return answer_last_box(line, false, &span) || answer_last_tag(line, &span) ||
           answer_prev_mark(line, &mark, &span) ||
           (announcement_before(line, &before, &phrase) && phrase.span.len > 0);
}

/* The first line that asks a question after an answer was announced, or RDV_NOT_FOUND. */
static size_t asked_again(rdv_str text, size_t from, bool *announced)
{
    rdv_str rest = rdv_slice(text, from, text.len), line;
    while (rdv_next_line(&rest, &line)) {
        if (*announced && is_question(line))
            return (size_t)(line.p - text.p);
        *announced = *announced || announces(line);
    }
    return RDV_NOT_FOUND;
}

rdv_str reply_span_step(const reply_span *reply, size_t i)
{
    return rdv_slice(reply->steps[i], i == 0 ? reply->begin : 0,
                     i + 1 == reply->n ? reply->end : reply->steps[i].len);
}

/* Does any line ask a question? Only then it matters which lines announce an answer. A label ends
 * in the first colon of its line, so lines without one are not looked at. */
static bool asks(const reply_span *reply)
{
    for (size_t i = 0; i < reply->n; i++) {
        rdv_str step = reply_span_step(reply, i);
        for (size_t begin = 0, colon; (colon = rdv_find_char(step, ':', begin)) != RDV_NOT_FOUND;) {
            size_t before = rdv_find_last(rdv_slice(step, begin, colon), RDV_STR("\n"));
            size_t end = rdv_find_char(step, '\n', colon);
            begin = before == RDV_NOT_FOUND ? begin : begin + before + 1;
            if (is_question(rdv_slice(step, begin, end)))
                return true;
            if (end == RDV_NOT_FOUND)
                break;
            begin = end + 1;
        }
    }
    return false;
}

/* Begin at the final channel of gpt-oss, if there is one: marks end turns of thinking before it. */
static void skip_channels(reply_span *reply)
{
    rdv_str final = RDV_STR("<|channel|>final");
    for (size_t i = reply->n; i-- > 0;) {
        size_t at = rdv_find_last(reply->steps[i], final);
        if (at == RDV_NOT_FOUND)
            continue;
        rdv_str message = RDV_STR("<|message|>");
        size_t begin = at + final.len;
        if (rdv_starts(rdv_slice(reply->steps[i], begin, reply->steps[i].len), message))
            begin += message.len;
        *reply = (reply_span){reply->steps + i, reply->n - i, begin, RDV_NOT_FOUND, i};
        return;
    }
}

/* The next byte from `at` on that may begin a mark of thinking, or the end. next: where each of
 * these bytes stands next, plus one; all 0 at first. */
static size_t next_mark(rdv_str s, size_t at, size_t next[3])
{
    static const char begins[] = {'<', '[', '\xe2'};
    size_t least = s.len;
    for (size_t k = 0; k < 3; k++) {
        size_t found = next[k] > at ? next[k] - 1 : rdv_find_char(s, begins[k], at);
        next[k] = found == RDV_NOT_FOUND ? SIZE_MAX : found + 1;
        least = found < least ? found : least;
    }
    return least;
}

/* Leave out what was thought: the turn begins after the last mark that ends thinking, and ends
 * where thinking begins that is not finished. */
static void skip_thinking(reply_span *reply)
{
    size_t first = 0, begin = reply->begin, n = reply->n, end = reply->end;
    bool analysis = reply->n && rdv_starts(rdv_trim(reply->steps[0]), RDV_STR("analysis"));
    for (size_t i = 0; i < reply->n; i++) {
        rdv_str step =
            rdv_slice(reply->steps[i], 0, i + 1 == reply->n ? reply->end : RDV_NOT_FOUND);
        size_t next[3] = {0};
        for (size_t at = i == 0 ? reply->begin : 0; at < step.len; at++) {
            if (!analysis && (at = next_mark(step, at, next)) == step.len)
                break;
            rdv_str rest = rdv_slice(step, at, step.len);
            think_mark mark = {sizeof BARE_FINAL - 1, true, false};
            bool bare = analysis && rdv_istarts(rest, RDV_STR(BARE_FINAL));
            if (!bare && !think_mark_at(rest, false, &mark))
                continue;
            if (mark.closing) {
                first = i;
                begin = at + mark.len;
                n = reply->n;
                end = reply->end;
            } else if (n == reply->n && end == reply->end) {
                n = i + 1;
                end = at;
            }
        }
    }
    *reply = (reply_span){reply->steps + first, n - first, begin, end, reply->skipped + first};
}

/* End the part at the first mark, or question of the model's own, that something stands before. */
static void end_turn(reply_span *reply, bool asked)
{
    bool announced = false, begun = false;
    for (size_t i = 0; i < reply->n; i++) {
        size_t from = i == 0 ? reply->begin : 0;
        rdv_str step =
            rdv_slice(reply->steps[i], 0, i + 1 == reply->n ? reply->end : RDV_NOT_FOUND);
        size_t end = asked ? asked_again(step, from, &announced) : turn_end(step, from);
        begun = begun || rdv_trim(rdv_slice(step, from, end)).len > 0;
        if (end != RDV_NOT_FOUND && begun) {
            reply->n = i + 1;
            reply->end = end;
            return;
        }
    }
}

/* May a mark of a turn or of thinking stand in one of the steps? */
static bool may_be_marked(const rdv_str *steps, size_t n)
{
    static const char begins[] = {'<', '[', '\xe2'};
    if (n && rdv_starts(rdv_trim(steps[0]), RDV_STR("analysis")))
        return true;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < COUNT(begins); k++)
            for (size_t at = 0; (at = rdv_find_char(steps[i], begins[k], at)) != RDV_NOT_FOUND;)
                if (think_may_go_on(rdv_char_at(steps[i], ++at)))
                    return true;
    return false;
}

reply_span reply_span_of(const rdv_str *steps, size_t n)
{
    reply_span reply = {steps, n, n ? chat_reply(steps[0]) : 0, RDV_NOT_FOUND, 0};
    if (may_be_marked(steps, n)) {
        skip_channels(&reply);
        end_turn(&reply, false);
        skip_thinking(&reply);
    }
    if (asks(&reply))
        end_turn(&reply, true);
    return reply;
}
