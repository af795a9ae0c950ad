/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of conclusions. There is one reader; each kind of conclusion is a table of the words for
 * and against a step. */
#include "reply/reply.h"

#include "base/str.h"
#include "reply/paper.h"
#include "reply/sentences.h"
#include "reply/words.h"

/* ---- kinds of conclusions -------------------------------------------------------------------- */

/* Meanings of words; for a sentence, a set of them. */
enum {
    GOOD = 1,     /* for the step */
    BAD = 2,      /* against the step */
    NEITHER = 4,  /* "unrelated", "unsure" */
    NOT_GOOD = 8, /* GOOD, denied */
    NOT_BAD = 16,
    YES = 32,
    NO = 64,
    RELATED = 128,   /* has a meaning only when denied */
    PREDICATE = 256, /* of a word: it counts only as a statement about the step: "is correct" */
    COPULA = 512,    /* counts only after "is": "Right" alone is an opening word */
    NOUN = 1024, /* counts only after an article, so that "contradiction" in French is not read */
};

typedef struct meaning {
    unsigned is;
    const char *words;
} meaning;

typedef struct conclusion {
    meaning words[8];
    bool answers; /* the prompt asks for "yes" or "no" */
    bool front;   /* the conclusion comes first, and nothing after it may contradict it */
    rdv_verdict_kind not_good; /* the verdict of a denial; RDV_UNKNOWN: none */
    rdv_verdict_kind not_bad;
    bool weak; /* a denial counts only if nothing else was claimed */
    int (*paper)(rdv_str reply, rdv_verdict_kind *out);
} conclusion;

#define JUDGEMENTS                                                                                 \
    {GOOD | PREDICATE, "correct"}, {GOOD | PREDICATE | COPULA, "right valid sound accurate"},      \
        {BAD | PREDICATE, "wrong incorrect"},                                                      \
        {BAD | PREDICATE | COPULA, "invalid false erroneous flawed inaccurate unsound faulty"},    \
        {NEITHER | PREDICATE, "unsure uncertain"},                                                 \
    {                                                                                              \
        RELATED | PREDICATE, "sure"                                                                \
    }
#define CONTRADICTION                                                                              \
    {BAD, "contradict contradicts contradicted contradicting contradictory"},                      \
        {BAD | NOUN, "contradiction contradictions"},                                              \
    {                                                                                              \
        NOT_BAD, "noncontradictory uncontradicted"                                                 \
    }

static const conclusion comparison = {
    .words = {{GOOD, "support supports supported supporting supportive"},
              CONTRADICTION,
              {NOT_GOOD, "unsupported unsupportive nonsupporting"},
              {NEITHER, "unrelated irrelevant"},
              {RELATED, "related relevant"}},
    .not_good = RDV_UNRELATED,
    .not_bad = RDV_UNRELATED,
    .weak = true,
    .paper = paper_comparison};
static const conclusion judgement = {.words = {JUDGEMENTS},
                                     .not_good = RDV_CONTRADICT,
                                     .not_bad = RDV_UNKNOWN,
                                     .paper = paper_conclusion};
static const conclusion yes_no = {.words = {JUDGEMENTS},
                                  .answers = true,
                                  .not_good = RDV_CONTRADICT,
                                  .not_bad = RDV_UNKNOWN,
                                  .paper = paper_yes_no};
static const conclusion relevance = {.words = {{GOOD, "relevant"}, {BAD, "irrelevant unrelated"}},
                                     .answers = true,
                                     .front = true,
                                     .not_good = RDV_CONTRADICT,
                                     .not_bad = RDV_UNKNOWN,
                                     .paper = paper_relevance};
static const conclusion consistency = {
    .words = {{GOOD, "consistent agreement compatible"},
              CONTRADICTION,
              {BAD,
               "inconsistent inconsistency inconsistencies conflicts conflicting incompatible"},
              {BAD | NOUN, "conflict"}},
    .front = true,
    .not_good = RDV_CONTRADICT,
    .not_bad = RDV_SUPPORT,
    .paper = paper_consistency};

/* ---- position of a judgement ----------------------------------------------------------------- */

/* Words that lead to a conclusion: "Therefore, the student's solution is". */
static bool is_lead(rdv_str word)
{
    return words_in(word,
                    "a actually also am and answer appears are as assessment at be but by check "
                    "conclusion completely current does did do draft each end entirely "
                    "evaluation final finally from fully given hence here hmm however i i'm in "
                    "indeed is it it's judgement judgment logically looks mathematically my "
                    "next of okay ok overall perfectly process provided quite really reasoning "
                    "result s say seem seems so solution statement step still student "
                    "student's summary that the therefore this thought thus to totally very "
                    "verdict well whole your yes absolutely calculation calculations "
                    "exactly above first only") ||
           words_in(word, "i\xe2\x80\x99m it\xe2\x80\x99s student\xe2\x80\x99s");
}

/* State of reading a sentence: may a judgement follow? */
typedef struct lead {
    bool plain;   /* only lead words in this sentence or clause */
    bool whole;   /* since the beginning of the sentence */
    bool subject; /* it names what is judged, or announces a conclusion */
    bool copula;
    bool entry;  /* "Step 1:": an entry of a list */
    bool labels; /* a label may follow: "Step 1" */
} lead;

static bool begins_clause(const sentence_word *w)
{
    return words_has_any(w->gap, ",;:()") ||
           rdv_find(w->gap, RDV_STR("\xe2\x80"), 0) != RDV_NOT_FOUND ||
           words_in(w->before, "so therefore thus hence that because since and but as");
}

/* Call with each word before it is judged. */
static void follow_lead(lead *l, const sentence_word *w)
{
    l->entry = words_has_any(w->gap, ":") ? l->labels : l->entry && !begins_clause(w);
    if (begins_clause(w) && !l->whole) {
        l->plain = true;
        l->copula = false;
        l->subject =
            words_in(w->before, "so therefore thus hence answer conclusion verdict judgement "
                                "judgment overall evaluation assessment result that");
    }
}

/* Call with each word after it is judged. */
static void pass_lead(lead *l, const sentence_word *w)
{
    bool ok = is_lead(w->text) || words_is_not(w->text);
    l->labels = words_in(w->text, "step thought solution information line point part");
    l->subject |=
        words_in(w->text, "it it's step solution reasoning process thought answer conclusion "
                          "statement verdict so therefore thus hence overall");
    l->copula |= words_in(w->text, "is are seems looks appears be it's isn't") ||
                 words_is_not(w->text) || words_in(w->text, "it\xe2\x80\x99s isn\xe2\x80\x99t");
    l->plain = l->plain && ok;
    l->whole = l->whole && ok;
}

/* True if the text after the word is a reason, as in "Correct: the sum is that of both"; in
 * "Correct: 5" the word labels a value. */
static bool is_reason(rdv_str rest)
{
    size_t at = 0, n = 0;
    rdv_str word;
    while (words_next(rest, &at, &word, NULL))
        n++;
    return n > 2 && !words_has_any(rest, "0123456789");
}

/* True if the word is not an attribute of the next word ("the correct value"). */
static bool stands_alone(const sentence_word *w)
{
    static const char after[] = "and as based because given overall since here it this that i the";
    bool content = words_has_any(w->next_gap, "=0123456789<>/") ||
                   (words_has_any(w->next_gap, ":") && words_in(w->text, "correct right") &&
                    !is_reason(w->rest));
    if (content || words_in(w->next, "except if only or until up is isn't was means"))
        return false;
    return w->next.len == 0 || words_has_any(w->next_gap, ",.;:!?()\"-*'") ||
           rdv_find(w->next_gap, RDV_STR("\xe2\x80"), 0) != RDV_NOT_FOUND ||
           words_in(w->next, after);
}

/* True if the word is a statement about the step. */
static bool is_predicate(const lead *l, const sentence_word *w, unsigned is)
{
    bool place = l->plain && !l->entry && (l->whole || l->subject || (is & (RELATED | NEITHER)));
    if (!place || ((is & COPULA) && !l->copula))
        return false;
    bool goes_on = (is & BAD) && l->copula && words_in(w->next, "in for about with when at but");
    return stands_alone(w) || goes_on;
}

/* ---- statements of a sentence ---------------------------------------------------------------- */

typedef struct says {
    unsigned is;   /* its claims */
    unsigned asks; /* its claims if it were not a question */
    bool answered; /* "yes" or "no" comes first, or after "answer" */
    bool formula;  /* after "answer" */
    bool choice;   /* "or" stands between its claims: it repeats the choices */
    bool retracts; /* it retracts what was claimed before it */
    bool amiss;    /* it objects, and claims nothing after that */
    bool objects;
    bool denies; /* it denies something other than an objection; or it is about the writer */
} says;

static unsigned meaning_of(const conclusion *c, const sentence_word *w)
{
    for (size_t i = 0; i < 8 && c->words[i].words; i++)
        if (words_in(w->text, c->words[i].words))
            return c->words[i].is;
    return 0;
}

/* "contradicts nothing", "supports none of it" */
static bool denied_behind(const sentence_word *w)
{
    return words_in(w->next, "no none nothing neither nobody") &&
           !words_has_any(w->next_gap, ",.;:!?");
}

static unsigned turned(unsigned is, const sentence_word *w)
{
    bool denied = w->denied != denied_behind(w);
    switch (is & (GOOD | BAD | NEITHER | NOT_GOOD | NOT_BAD | RELATED)) {
    case GOOD:
        return denied || w->partly ? NOT_GOOD : GOOD;
    case BAD:
        return denied ? NOT_BAD : BAD;
    case RELATED:
        return w->denied ? NEITHER : 0;
    case NOT_GOOD:
    case NOT_BAD:
    case NEITHER:
        return w->denied ? 0 : is & (NEITHER | NOT_GOOD | NOT_BAD);
    default:
        return 0;
    }
}

/* "Yes, I understand", "Yes, let me check", "Yes, you can": addressed to the user. */
static bool is_to_asker(rdv_str rest)
{
    size_t at = 0;
    rdv_str first, second = {0};
    if (!words_next(rest, &at, &first, NULL))
        return false;
    words_next(rest, &at, &second, NULL);
    bool is = words_in(second, "is was are");
    if (is && words_in(first, "that this it here"))
        return words_next(rest, &at, &second, NULL) && words_in(second, "the my what how hard");
    return words_in(first, "you let here i'll i\xe2\x80\x99ll") ||
           (words_in(first, "i") && !words_in(second, "agree think believe conclude find confirm "
                                                      "would can say am"));
}

/* "Yes" or "no" as an answer. */
static unsigned answer_of(const lead *l, const sentence_word *w)
{
    unsigned is = words_in(w->text, "yes") ? YES : words_in(w->text, "no") ? NO : 0;
    bool behind = l->plain && (l->whole || l->subject) && !l->entry;
    return is && behind && stands_alone(w) && !(is == YES && is_to_asker(w->rest)) ? is : 0;
}

/* True for "is relevant", "adds relevant information"; false for "the relevant price", "Relevant:
 * the price". */
static bool is_of_step(const sentence_word *w)
{
    bool noun = w->next.len > 0 && rdv_str_eq(w->next_gap, RDV_STR(" ")) &&
                !words_in(w->next, "to for because since as and in but when if here or nor");
    if (w->before.len == 0 && words_has_any(w->next_gap, ":"))
        return false;
    return !noun ||
           words_in(w->before, "add adds provide provides give gives contain contains offer "
                               "offers introduce introduces is a some new more any no");
}

static unsigned claim_of(const conclusion *c, const lead *l, const sentence_word *w)
{
    unsigned is = meaning_of(c, w);
    if ((is & PREDICATE) && !is_predicate(l, w, is))
        return 0;
    if (c == &relevance && (is & GOOD) && !is_of_step(w))
        return 0;
    if ((is & NOUN) &&
        !words_in(w->before,
                  "a any clear direct in no the this without of obvious logical mathematical"))
        return 0;
    return turned(is, w);
}

static bool is_amiss(rdv_str word)
{
    return words_in(word, "wrong incorrect false mistake mistakes error errors different differ "
                          "difference differences contradict contradiction inconsistent missing "
                          "fail fails failed");
}

/* True if the word only opens the sentence: "No step failed", "Although it is short, ..." */
static bool begins_only(const sentence_word *w)
{
    rdv_str word = {0};
    if (w->before.len > 0)
        return false;
    if (words_in(w->text, "although though while"))
        return words_has_any(w->rest, ",");
    for (size_t at = 0; !is_amiss(word) && words_next(w->rest, &at, &word, NULL);)
        continue;
    return words_in(w->text, "no none nothing") && is_amiss(word);
}

/* True for words after a claim that cancel it: "supports nothing", "supports the opposite". */
static bool undoes(unsigned claimed, const sentence_word *w, unsigned since)
{
    bool near = since <= 3 && !words_has_any(w->gap, ",;:") && !(claimed & NOT_BAD) &&
                words_in(w->text, "no none nothing neither nobody little few not");
    bool condition = since > 0 && words_in(w->text, "when where once should would could might");
    return ((near || w->does == WORD_CONTRASTS) && !begins_only(w)) || condition ||
           w->does == WORD_OBJECTS || w->does == WORD_HEDGES;
}

static void end_of_sentence(says *s, const sentence_word *last)
{
    if ((s->is & (GOOD | NOT_BAD)) && !(s->is & NO) && words_in(last->text, "not no") &&
        !s->answered)
        s->amiss = true; /* "Correct, not." */
}

static says what_is_said(const conclusion *c, reply_sentence *sentence)
{
    says s = {0};
    lead l = {.plain = true, .whole = true};
    sentence_word w, last = {0};
    unsigned since = 0; /* words since the last claim */
    while (sentence_next_word(sentence, &w)) {
        bool formula =
            words_in(w.before, "answer") || (words_in(w.before, "is") && l.subject && l.plain);
        follow_lead(&l, &w);
        unsigned answer = answer_of(&l, &w);
        bool only = words_in(w.before, "only") && !sentence->not_only;
        unsigned is = answer || only ? 0 : claim_of(c, &l, &w);
        s.asks |= is;
        if (w.does == WORD_RETRACTS) {
            s = (says){.retracts = true};
        } else if (answer == YES && w.denied) {
            s.is |= GOOD | NOT_GOOD; /* "I cannot answer yes" */
        } else if (answer && !w.idle) {
            s.is |= answer;
            s.answered = true;
            s.amiss = false;
            s.formula |= formula;
        } else if (is && !w.idle) {
            s.is |= is;
            s.amiss = s.objects && c->not_bad == RDV_SUPPORT;
            since = 0;
        } else if (undoes(s.is, &w, since) && !is) {
            s.objects |= w.does == WORD_OBJECTS;
            s.amiss |= s.is != 0 || w.does == WORD_OBJECTS || !last.text.len;
        }
        s.denies |=
            words_is_not(w.text) && !words_in(w.text, "no none nothing neither nor without");
        s.denies = s.denies && !(w.denied && w.does == WORD_PLAIN && is_amiss(w.text));
        s.denies |= !last.text.len && words_in(w.text, "i");
        s.choice |= (s.is != 0 || s.asks != 0) && words_in(w.text, "or");
        since++;
        pass_lead(&l, &w);
        last = w;
    }
    end_of_sentence(&s, &last);
    return s;
}

/* ---- statements of a reply ------------------------------------------------------------------- */

typedef struct reading {
    rdv_verdict_kind kind; /* RDV_UNKNOWN: nothing is claimed, or it was retracted */
    bool objected;         /* an objection was made, so nothing after it counts as support */
    bool spoilt;           /* a claim was made and does not hold */
    bool denial;           /* based on a weak denial */
    rdv_str first, last;
} reading;

static void spoil(reading *r)
{
    *r = (reading){.kind = RDV_UNKNOWN,
                   .objected = r->objected,
                   .spoilt = r->spoilt || r->kind != RDV_UNKNOWN};
}

/* The meaning of a "yes" or "no" after the question before it. */
static unsigned answered(const conclusion *c, unsigned asked, unsigned answer)
{
    if (answer == YES)
        return asked & (GOOD | BAD | NOT_GOOD | NEITHER);
    unsigned is = asked & GOOD ? NOT_GOOD : asked & BAD ? NOT_BAD : 0;
    return is || asked || !c->answers ? is : BAD;
}

/* The claims of a sentence as a verdict; RDV_UNKNOWN: none, or several. */
static rdv_verdict_kind settle(const conclusion *c, unsigned is, bool *several)
{
    bool good = is & GOOD, bad = is & BAD, neither = is & NEITHER;
    bool yes = is & YES, no = is & NO;
    *several = (good + bad + neither > 1) || ((good || yes) && (is & NOT_GOOD)) ||
               (bad && (is & NOT_BAD)) || (yes && (no || bad || neither)) || (no && good);
    if (*several)
        return RDV_UNKNOWN;
    if (good || yes)
        return RDV_SUPPORT;
    if (bad || no)
        return RDV_CONTRADICT;
    if (neither)
        return RDV_UNRELATED;
    if ((is & NOT_GOOD) && c->not_good != RDV_UNKNOWN)
        return c->not_good;
    return is & NOT_BAD ? c->not_bad : RDV_UNKNOWN;
}

/* Handles a denial beside an earlier claim: "Solution 1 supports it. There is no contradiction." */
static void deny(reading *r, unsigned is, rdv_verdict_kind verdict, rdv_str first, rdv_str last)
{
    bool against = ((is & NOT_GOOD) && r->kind == RDV_SUPPORT) ||
                   ((is & NOT_BAD) && r->kind == RDV_CONTRADICT);
    if (against)
        spoil(r);
    else if ((r->kind == RDV_UNKNOWN && !r->spoilt) || r->denial)
        *r = (reading){.kind = verdict, .denial = true, .first = first, .last = last};
}

static void take(const conclusion *c, reading *r, unsigned is, rdv_str first, rdv_str last)
{
    bool several;
    rdv_verdict_kind verdict = settle(c, is, &several);
    bool claimed = is & (GOOD | BAD | NEITHER | YES | NO);
    bool opposite = r->kind != RDV_UNKNOWN && verdict != RDV_UNKNOWN && r->kind != verdict;
    if (several)
        spoil(r), r->spoilt = true;
    else if (!claimed && c->weak && verdict != RDV_UNKNOWN)
        deny(r, is, verdict, first, last);
    else if (verdict != RDV_UNKNOWN &&
             ((c->front && (opposite || r->spoilt)) || (r->objected && verdict == RDV_SUPPORT)))
        spoil(r), r->spoilt = true;
    else if (verdict != RDV_UNKNOWN)
        *r = (reading){.kind = verdict, .first = first, .last = last};
    else if ((is & NOT_BAD) && r->kind == RDV_CONTRADICT)
        spoil(r);
}

/* True if a bare "yes" follows an accusation. */
static bool is_odd(const conclusion *c, const reading *r, const says *s)
{
    return c->answers && !s->formula && (s->is & YES) && r->kind == RDV_CONTRADICT;
}

typedef struct question {
    rdv_str text;
    unsigned asks;
    bool open;
} question;

static void follow(const conclusion *c, reading *r, question *q, reply_sentence *sentence)
{
    rdv_str text = sentence->text;
    bool asked = sentence->asked;
    says s = what_is_said(c, sentence);
    bool several = (s.is & GOOD) + (s.is & BAD) / BAD + (s.is & NEITHER) / NEITHER > 1;
    question before = *q;
    *q = (question){text, s.asks, asked};
    if (s.retracts)
        spoil(r);
    if (asked) {
        if (r->kind == RDV_SUPPORT)
            spoil(r);
        return;
    }
    if (several && s.choice)
        return;
    unsigned answer = s.is & (YES | NO);
    if (answer && before.open && !s.formula && answer != (YES | NO)) {
        unsigned is = answered(c, before.asks, answer) | (s.is & ~(unsigned)(YES | NO));
        if (s.amiss && (is & GOOD))
            is = 0;
        take(c, r, is, before.text, text);
        return;
    }
    if (!c->answers) {
        if ((s.is & NO) && r->kind == RDV_SUPPORT)
            spoil(r); /* "Solution 1 supports Solution 2. No." */
        s.is &= ~(unsigned)(YES | NO);
    }
    if (s.amiss && settle(c, s.is, &several) == RDV_SUPPORT) {
        spoil(r), r->spoilt = true;
        return;
    }
    bool denies = s.denies && (!c->front || s.amiss);
    /* "a false statement. There is no contradiction": support by denial needs more */
    r->objected |= s.amiss && !s.is && c->not_bad == RDV_SUPPORT;
    if ((s.amiss || denies) && !s.is && r->kind == RDV_SUPPORT)
        spoil(r);
    if (is_odd(c, r, &s))
        spoil(r), r->spoilt = true;
    else if (s.is)
        take(c, r, s.is, text, text);
}

static int robust(const conclusion *c, rdv_str reply, rdv_verdict_kind *out, rdv_str *why)
{
    reply_window w;
    reply_sentence sentence;
    reading r = {.kind = RDV_UNKNOWN};
    question q = {0};
    if (c->front)
        window_at_front(&w, reply);
    else
        window_at_end(&w, reply);
    while (sentence_next(&w, &sentence))
        follow(c, &r, &q, &sentence);
    if (r.kind == RDV_UNKNOWN)
        return RDV_NONE;
    *out = r.kind;
    *why = window_in_reply(&w, r.first, r.last);
    return RDV_OK;
}

static int paper(const conclusion *c, rdv_str reply, rdv_verdict_kind *out, rdv_str *why)
{
    rdv_str rest = reply, line = reply;
    int rc = c->paper(reply, out);
    rdv_next_line(&rest, &line);
    if (rc == RDV_OK)
        *why = words_shortened(c->front ? line : words_last_line(reply));
    return rc;
}

static int read_verdict(const conclusion *c, rdv_str reply, rdv_profile profile,
                        rdv_verdict_kind *out, rdv_str *why)
{
    reply = words_spoken(reply);
    if (reply.len == 0)
        return RDV_NONE;
    return profile == RDV_ROBUST ? robust(c, reply, out, why) : paper(c, reply, out, why);
}

int reply_comparison(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why)
{
    return read_verdict(&comparison, reply, profile, out, why);
}

int reply_correctness(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why)
{
    return read_verdict(&judgement, reply, profile, out, why);
}

int reply_yes_no(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why)
{
    return read_verdict(&yes_no, reply, profile, out, why);
}

int reply_relevance(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why)
{
    return read_verdict(&relevance, reply, profile, out, why);
}

int reply_consistency(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why)
{
    return read_verdict(&consistency, reply, profile, out, why);
}
