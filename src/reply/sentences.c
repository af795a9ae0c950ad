/* SPDX-License-Identifier: Apache-2.0 */
#include "reply/sentences.h"

#include "base/str.h"
#include "reply/words.h"

#include <string.h>
#include <threads.h>

/* ---- words and phrases that change the status of others -------------------------------------- */

/* How far unclaimed text extends. */
enum aside { CLAIMED, POSSIBLE, TASK, CONTENTS, ELSEWHERE };

typedef enum mood {
    NOTHING,
    NEUTRAL,   /* ignored: "no doubt" */
    DENIES,    /* in addition to words_is_not() */
    PARTLY,    /* "partially" */
    MAY_BE,    /* possible only; to the end of the clause */
    IS_TASK,   /* a task; to a comma followed by a conclusion */
    IS_SAID,   /* attributed to somebody; see is_own() */
    DOUBTS,    /* denied or doubted as a whole: "it is false that" */
    CONDITION, /* for the whole sentence */
    RETRACTS,
    OBJECTS,
    CONTRASTS,
} mood;

/* Phrases between bars, in small letters. The first that matches at a word counts. */
static const struct {
    mood is;
    const char *phrases;
} moods[] = {
    {NEUTRAL, "|no doubt|without doubt|without a doubt|without any doubt|beyond doubt|"
              "beyond any doubt|no question|beyond question|not only|as asked|as required|"
              "as needed|no need|different method|different way|different approach|"
              "different order|different words|different wording|different notation|"},
    {IS_TASK, "|see if|check if|determine if|verify if|decide if|tell if|ask if|wonder if|know if|"
              "see whether|whether|let|let's|let\xe2\x80\x99s|lets|need|needs|must|have to|has to|"
              "had to|supposed to|asked|ask|asks|task|job|goal|aim|prompt|instruction|"
              "instructions|instructed|required|trying|try|tries|want|wants|please|choose|decide|"
              "in order to|to see|to check|to verify|to determine|to confirm|going to|will|"
              "options|choices|choice|"},
    {CONDITION, "|if|unless|assuming|suppose|supposing|provided that|providing|on condition|"
                "conditional|conditionally|in case|as long as|as far as|insofar|to the extent|so "
                "long as|only when|only where|"
                "in the event|depends|depending|contingent|otherwise|as though|hypothetical|"
                "hypothetically|granted that|under the assumption|on the assumption|whenever|"
                "assumption|lest|imagine|pretend|pretending|had it|were it|were the|were this|"},
    {RETRACTS, "|wait|scratch that|strike that|second thought|second thoughts|take that back|"
               "take it back|took that back|took it back|take this back|take back|i retract|"
               "retract|retracted|i withdraw|i was wrong|i was mistaken|"
               "i am wrong|i'm wrong|i made a mistake|i made an error|i have made|my mistake|"
               "my error|my bad|i misread|i misjudged|i miscounted|i miscalculated|i erred|oops|"
               "never mind|nevermind|hold on|disregard|correction:|on reflection|just kidding|"
               "stand corrected|reconsider|rethink|recheck|re-check|double-check|"
               "check again|look again|looking again|ignore that|ignore my|ignore the above|"
               "forget that|forget it|forget what|sorry|apologies|apologize|apologise|or not|"
               "not really|change my mind|changed my mind|upon further|on further|closer look|"
               "closer inspection|not so fast|spoke too soon|too hasty|too soon|i mean not|i was "
               "too|too fast|correct myself|misspoke|i misunderstood|i mixed up|i confused|"
               "got it wrong|got that wrong|spoke too|take it all back|hm|hmm|oh|uh|er|"
               "that was wrong|that was false|i overlooked|i have overlooked|hang on|not quite|"},
    {IS_SAID, "|says|say|said|saying|claims|claim|claimed|claiming|write|states that|states|stated|"
              "stating|writes|wrote|written|writing|thinks|think|he thought|she thought|"
              "they thought|i thought|we thought|people thought|one thought|believes|believe|"
              "believed|argues|argue|argued|asserts|assert|asserted|insists|insist|insisted|"
              "maintains|maintain|maintained|suggests|suggest|suggested|reports|reported|"
              "announces|tells|told|replies|replied|answered|heard|quotes|quoted|quote|quoting|"
              "reads:|read:|answers:|according to|opinion of|view of|eyes of|opinion|"
              "point of view|supposes|supposed|assumes|assumed|alleges|alleged|print|prints|"
              "output|respond|reply with|reply:|ignore|repeat|rumour|rumor|feels|considers|"
              "would have us|hopes|hope|wishes|wish|expects|expected|declares|declared|concludes|"
              "concluded|student:|user:|teacher:|author:|human:|quotation:|example:|system:|"
              "the line|last line|puts it|eyes|typical|words:|to the student|to the author|for the "
              "student|to him|to them|"
              "previous steps are|earlier steps are|everything that|all that|as an example|for "
              "example|e.g.|the phrase|the word|the words|the sentence|"
              "the text|words like|"},
    {DOUBTS, "|by no means|in no way|no way|under no "
             "circumstances|doubt|doubts|doubted|doubtful|dubious|deny|denies|denied|denying|"
             "dispute|disputes|"
             "disputed|disagree|disagrees|reject|rejects|rejected|refute|refutes|refuted|far from|"
             "anything but|nowhere near|unlikely|impossible|improbable|contrary to|the opposite|"
             "hard to|difficult to|myth|misconception|untrue|unclear|questionable|unproven|"
             "unproved|wrong to|wrong that|incorrect to|incorrect that|false that|false to|"
             "mistaken to|mistake to|an error to|a lie|lie that|nonsense that|nonsense to|"
             "absurd to|absurd that|ridiculous|question that|short of|not sure that|too early|"
             "premature|skeptical|sceptical|unconvinced|illusion|fallacy|is false:|are false:|"
             "false:|untrue:|"},
    {MAY_BE, "|may|might|could|would|should|ought|maybe|perhaps|possibly|probably|likely|"
             "presumably|seemingly|supposedly|allegedly|ostensibly|apparently|initially|"
             "originally|previously|formerly|at first|first glance|first sight|on the surface|"
             "used to|tempting|tempted|in theory|hopefully|once|possible that|possible "
             "for|possibility|chance that|no longer|not yet|"},
    {PARTLY, "|more or less|as much as|some parts|some of|parts of|part "
             "of|partially|partly|somewhat|mostly|largely|mainly|half|almost|nearly|weakly|vaguely|"
             "loosely|in part|to some extent|to some degree|to a degree|to an extent|up to a point|"
             "at best|superficially|roughly|less than|too little|little|"},
    {DENIES, "|from supporting|from being|rather than|instead of|absence of|free of|free "
             "from|devoid of|zero|"},
    {CONTRASTS, "|but|however|except|yet|although|though|unfortunately|nevertheless|nonetheless|"
                "only|until|apart from|aside from|save for|actually|alas|even so|that said|"},
    {OBJECTS, "|wrong|incorrect|false|mistake|mistakes|mistaken|error|errors|flaw|flaws|flawed|"
              "invalid|nonsense|lie|absurd|not so|nope|opposite|contrary|reverse|different|differ|"
              "differs|mismatch|another|elsewhere|inconsistent|missing|lacking|absent|"},
};

#define MOST_PHRASES 1024 /* more than there are */

/* The phrases by their first letter, each letter's in the order above. */
static struct {
    rdv_str text;
    mood is;
} phrases[MOST_PHRASES];
static size_t first_phrase[26 + 1]; /* of each letter; then the end */
static once_flag phrases_are_sorted = ONCE_FLAG_INIT;

static void sort_phrases(void)
{
    size_t n = 0;
    for (char letter = 'a'; letter <= 'z'; letter++) {
        for (size_t i = 0; i < sizeof moods / sizeof *moods; i++)
            for (const char *p = moods[i].phrases, *end; p[1]; p = end) {
                end = strchr(p + 1, '|');
                if (p[1] != letter || n == MOST_PHRASES)
                    continue;
                phrases[n].text = (rdv_str){p + 1, (size_t)(end - p - 1)};
                phrases[n++].is = moods[i].is;
            }
        first_phrase[letter - 'a' + 1] = n;
    }
}

/* Whether the phrase begins `rest` and ends there as words do. */
static bool begins_with(rdv_str rest, rdv_str phrase)
{
    bool ends = rest.len <= phrase.len || !rdv_is_alnum(rest.p[phrase.len]) ||
                !rdv_is_alnum(phrase.p[phrase.len - 1]);
    return ends && rdv_istarts(rest, phrase);
}

static mood mood_at(rdv_str s, size_t at, size_t *passed)
{
    rdv_str rest = rdv_slice(s, at, s.len);
    char first = rdv_lower(rest.p[0]);
    if (first < 'a' || first > 'z')
        return NOTHING;
    call_once(&phrases_are_sorted, sort_phrases);
    for (size_t i = first_phrase[first - 'a']; i < first_phrase[first - 'a' + 1]; i++)
        if (begins_with(rest, phrases[i].text)) {
            *passed = at + phrases[i].text.len;
            return phrases[i].is;
        }
    return NOTHING;
}

/* ---- a sentence as a whole ------------------------------------------------------------------- */

/* True for a question or a condition by word order, "Is the step ...", "Had it been ...", and for
 * "To be correct, it would have to". */
static bool is_inverted(rdv_str s)
{
    size_t at = 0;
    rdv_str first, second, third = {0};
    if (!words_next(s, &at, &first, NULL))
        return false;
    if (words_in(first, "why how who what whose"))
        return true;
    if (!words_next(s, &at, &second, NULL))
        return false;
    if (words_in(first, "to") && words_in(second, "be"))
        return words_next(s, &at, &third, NULL) &&
               words_in(third, "correct right valid sound accurate relevant consistent");
    return words_in(first, "is are was were does do did has have had can could should would will "
                           "shall may might") &&
           words_in(second, "it this that these those there the a an solution step thought he she "
                            "they i we you my your both either everything all any one answer "
                            "conclusion student reasoning calculation anything something");
}

static bool ends_with_question(rdv_str s)
{
    while (s.len > 0 && words_is_any(s.p[s.len - 1], "\"'*_)` !?") && s.p[s.len - 1] != '?')
        s.len--;
    return rdv_ends(s, RDV_STR("?")) || rdv_ends(s, RDV_STR("\xef\xbc\x9f"));
}

static bool has_condition(rdv_str s)
{
    rdv_str word, gap;
    size_t passed = 0;
    for (size_t at = 0; words_next(s, &at, &word, &gap);) {
        size_t begin = (size_t)(word.p - s.p);
        if (begin >= passed && mood_at(s, begin, &passed) == CONDITION)
            return true;
    }
    return false;
}

/* True if the sentence introduces something that is not claimed: "The student says:", "It is false
 * that". */
static bool introduces(const reply_sentence *s)
{
    rdv_str end = s->text;
    while (end.len > 0 && words_is_any(end.p[end.len - 1], "*_ "))
        end.len--;
    return s->aside == ELSEWHERE && end.len > 0 && end.p[end.len - 1] == ':';
}

bool sentence_introduces(rdv_str line)
{
    reply_sentence s = {.text = line};
    sentence_word word;
    while (sentence_next_word(&s, &word))
        continue;
    return introduces(&s);
}

bool sentence_next(reply_window *w, reply_sentence *s)
{
    *s = (reply_sentence){0};
    if (!window_cut_sentence(w, &s->text))
        return false;
    s->asked = ends_with_question(s->text) || is_inverted(s->text);
    s->idle = w->introduced || has_condition(s->text);
    w->introduced = sentence_introduces(s->text);
    return true;
}

/* ---- its words ------------------------------------------------------------------------------- */

#define REACH 6 /* words in reach of a negation */

static bool concludes(rdv_str word)
{
    return words_in(word, "so therefore thus hence consequently accordingly overall");
}

/* True if the word ends a negation: a conjunction or a new subject; for a wide negation, the next
 * comma. */
static bool ends_negation(const reply_sentence *s, const sentence_word *w)
{
    bool comma = words_has_any(w->gap, ",");
    if (words_has_any(w->gap, ";:") || concludes(w->text) ||
        words_in(w->text, "but because since while as whereas which and only just yet merely "
                          "then") ||
        (comma && words_in(w->text, "it")))
        return true;
    if (s->wide)
        return comma;
    return rdv_str_ieq(w->text, RDV_STR("solution")) ||
           (comma && w->text.len > 3 && rdv_ends(w->text, RDV_STR("ing")));
}

static bool begins_wide(rdv_str word)
{
    return words_in(word, "no none nothing neither nor nobody nowhere absence zero");
}

static bool ends_aside(const reply_sentence *s, const sentence_word *w)
{
    bool comma =
        words_has_any(w->gap, ",") || rdv_find(w->gap, RDV_STR("\xe2\x80\x94"), 0) != RDV_NOT_FOUND;
    bool result = comma && w->text.len > 3 && rdv_ends(w->text, RDV_STR("ing")) &&
                  !words_in(w->text, "nothing anything everything something");
    switch (s->aside) {
    case POSSIBLE:
        return words_has_any(w->gap, ";:") || concludes(w->text) ||
               words_in(w->text, "but which because since") || result ||
               (comma && words_in(w->text, "and then both"));
    case TASK:
        return words_has_any(w->gap, ";:") || concludes(w->text) ||
               (comma && words_in(w->text, "and but then it both solution"));
    case CONTENTS:
        return words_has_any(w->gap, ";") || comma || concludes(w->text);
    case ELSEWHERE:
        return words_has_any(w->gap, ";") ||
               (comma && words_in(w->text, "but yet however whereas while"));
    default:
        return false;
    }
}

/* True for the writer's own view: "I think", "we can say", "I would say", "it is safe to say", "be
 * said to". */
static bool is_own(const reply_sentence *s, rdv_str word)
{
    rdv_str b = s->before, bb = s->before_that;
    if (rdv_str_ieq(word, RDV_STR("said")))
        return rdv_str_ieq(b, RDV_STR("be"));
    if (!words_in(word, "say think believe claim argue assert maintain suggest"))
        return false;
    bool self = words_in(b, "i we i'd i'll") || rdv_str_ieq(b, RDV_STR("i\xe2\x80\x99\x64"));
    return self || (words_in(b, "would can therefore thus so do also") && words_in(bb, "i we")) ||
           (rdv_str_ieq(b, RDV_STR("to")) && words_in(bb, "safe fair reasonable"));
}

static void set_aside(reply_sentence *s, int how)
{
    if (s->aside < how)
        s->aside = how;
}

static void follow_said(reply_sentence *s, const sentence_word *w)
{
    if (is_own(s, w->text)) {
        s->aside = s->aside == POSSIBLE ? CLAIMED : s->aside;
        return;
    }
    bool contents = words_in(s->before, "solution solutions both step they which it") &&
                    !words_has_any(w->next_gap, ":");
    set_aside(s, contents ? CONTENTS : ELSEWHERE);
}

static void begin_negation(reply_sentence *s, rdv_str word)
{
    bool nor = words_in(word, "nor neither or");
    s->twice = s->twice || (s->reach > 0 && !nor);
    s->reach = REACH + 1;
    s->negated = true;
    s->wide = begins_wide(word);
}

static void follow_negation(reply_sentence *s, const sentence_word *w, mood m)
{
    if (s->reach > 0 && ends_negation(s, w)) {
        s->reach = 0;
        s->wide = s->twice = false;
    }
    if (m == DENIES || (m != NEUTRAL && words_is_not(w->text)))
        begin_negation(s, w->text);
    else if (s->reach > 0 && rdv_str_ieq(w->text, RDV_STR("that")))
        s->wide = true; /* "it is not the case that Solution 1 supports" */
}

/* True for words of agreement, whose denial objects: "not true", "does not match". */
static bool agrees(rdv_str word)
{
    return words_in(word, "same equal equals match matches agree agrees follow follows true right "
                          "hold holds correct valid so");
}

static word_role does_of(const reply_sentence *s, const sentence_word *w, mood m)
{
    bool denied = s->reach > 0;
    if (m == RETRACTS)
        return WORD_RETRACTS;
    if (m == OBJECTS && words_is_not(w->text)) /* "lacking" */
        return WORD_OBJECTS;
    if (((m == OBJECTS || m == DOUBTS) && !denied) || (denied && agrees(w->text)))
        return WORD_OBJECTS;
    bool modal = words_in(w->text, "may might could would should ought once");
    /* "not only", "not A but rather B" */
    bool corrects = s->not_only || (s->negated && words_in(w->next, "rather instead"));
    bool contrasts = m == CONTRASTS && !(corrects && rdv_str_ieq(w->text, RDV_STR("but")));
    if (m == MAY_BE && !modal)
        return WORD_HEDGES;
    return contrasts || m == PARTLY ? WORD_CONTRASTS : WORD_PLAIN;
}

/* True for "The book has it that": a clause after "that" is claimed only after words that claim
 * it. */
static bool is_reported(const reply_sentence *s, const sentence_word *w)
{
    return rdv_str_ieq(w->text, RDV_STR("that")) && s->reach == 0 && s->before.len > 0 &&
           s->aside == CLAIMED && !words_has_any(w->gap, ",;:.(") &&
           !words_in(w->next, "is was are were has had") &&
           !words_in(s->before,
                     "conclude concluded conclusion see clear clearly show shows shown mean "
                     "means follow follows find found evident obvious note know say said "
                     "think believe claim argue assert maintain suggest so given doubt "
                     "confirm confirms confirmed indicates implies imply is fact now and "
                     "but because since as in such sure certain true determined agree "
                     "verified established decide demonstrates proves question observe notice");
}

static void follow_mood(reply_sentence *s, const sentence_word *w, mood m)
{
    if (is_reported(s, w))
        set_aside(s, ELSEWHERE);
    if (m == IS_SAID)
        follow_said(s, w);
    else if (m == DOUBTS)
        set_aside(s, ELSEWHERE);
    else if (m == IS_TASK || m == MAY_BE)
        set_aside(s, m == IS_TASK ? TASK : POSSIBLE);
    s->partly |= m == PARTLY;
    s->not_only |= m == NEUTRAL && rdv_str_ieq(s->before, RDV_STR("not"));
}

bool sentence_next_word(reply_sentence *s, sentence_word *w)
{
    *w = (sentence_word){.before = s->before};
    if (!words_next(s->text, &s->at, &w->text, &w->gap))
        return false;
    size_t begin = (size_t)(w->text.p - s->text.p), behind = s->at;
    mood m = begin >= s->passed ? mood_at(s->text, begin, &s->passed) : NEUTRAL;
    w->rest = rdv_slice(s->text, behind, s->text.len);
    words_next(s->text, &behind, &w->next, &w->next_gap);
    if (s->aside && ends_aside(s, w))
        s->aside = CLAIMED;
    follow_negation(s, w, m);
    w->does = does_of(s, w, m);
    follow_mood(s, w, m);
    w->denied = s->reach > 0;
    w->partly = s->partly;
    w->idle = s->idle || s->aside || s->twice;
    s->reach -= s->reach > 0 && !s->wide;
    s->before_that = s->before;
    s->before = w->text;
    return true;
}
