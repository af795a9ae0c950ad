/* SPDX-License-Identifier: Apache-2.0 */
#include "language/assertion.h"

#include "base/str.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define BEFORE 200 /* bytes looked at before the equality */
#define AFTER 120  /* after it */
#define QUOTED 60  /* between a quotation mark and the equality inside */
#define ASKED 50   /* between the equality and its question mark */
#define NEAR 60    /* on each side of an equation that is spoken of */

/* ---- the text beside the equality ------------------------------------------------------------ */

static bool ends_sentence(rdv_str s, size_t i)
{
    char c = s.p[i];
    if (c == '\n' || c == ';')
        return true;
    return (c == '.' || c == '?' || c == '!') && i + 1 < s.len &&
           (rdv_is_space(s.p[i + 1]) || s.p[i + 1] == '"' || s.p[i + 1] == ')');
}

/* From the beginning of the sentence to byte `at`. */
static rdv_str sentence_before(rdv_str s, size_t at)
{
    size_t least = at > BEFORE ? at - BEFORE : 0, i = at;
    while (i > least && !ends_sentence(s, i - 1))
        i--;
    return rdv_slice(s, i, at);
}

static bool has_more_words_than(rdv_str s, size_t n)
{
    size_t words = 0;
    for (size_t i = 0; i < s.len && words <= n; i++)
        words += rdv_is_alpha(s.p[i]) && (i == 0 || !rdv_is_alpha(s.p[i - 1]));
    return words > n;
}

/* "Assume, for once, that ..."; but "that means ..." begins a clause. */
static bool goes_on_with_that(rdv_str clause)
{
    static phrase_list verbs = {"that means;that is;that gives;that leaves;that makes;that would"};
    return rdv_istarts(clause, RDV_STR("that ")) && !phrase_in(rdv_slice(clause, 0, 12), &verbs);
}

/* The byte after the last comma that divides clauses: a word or two ("Hypothetically, ...") are no
 * clause, and "that" goes on with the clause before ("Assume, for once, that"). */
static size_t last_clause_begin(rdv_str s)
{
    for (size_t i = s.len; i-- > 0;) {
        if (s.p[i] != ',' && s.p[i] != ':')
            continue;
        rdv_str clause = rdv_trim(rdv_slice(s, i + 1, s.len));
        bool digits = i + 1 < s.len && rdv_is_digit(s.p[i + 1]);
        if (!digits && !goes_on_with_that(clause) && has_more_words_than(rdv_slice(s, 0, i), 2))
            return i + 1;
    }
    return 0;
}

/* ---- before it ------------------------------------------------------------------------------- */

/* What the words of a sentence do, in the order of their classes in sentence_words. */
enum {
    CONCLUDES,
    DENIES_ALL,
    DENIES,
    IS_VERB,
    SAYS_THAT,
    SUPPOSES,
    OFFERS_CHOICE,
    SETS_CONDITION,
    SAYS_IF,
    SAYS,
    NOTES,
    REPORTS,
    LABELS,
    TRIES,
    SETS_TASK,
    TELLS,
    CHANGES
};

static phrase_list sentence_words = {
    /* "then 3 + 4 = 8": what it says begins after it */
    "then;so;thus;hence;since;but;therefore;because\n"
    /* they deny all that follows: "Nothing gives 2 + 2 = 5" */
    "nobody;no one;at no time;no way;in no case;nothing;nowhere;by no means;none;neither;"
    "nor;refuse to;refuses to;\xe2\x9d\x8c;\xe2\x9c\x97;\xe2\x9c\x98\n"
    "not;never;false;untrue;incorrect;cannot;unlike;rather than;instead of;hardly;"
    "impossible;wrong that;deny;denies;*n't;*n\xe2\x80\x99t;far from;i doubt;refut*;exclude;rule "
    "out;"
    "disprove*;avoid*;contrary to;discard*;reject*\n"
    "is;are;was;were;be;gives;equals;=\n"
    "that\n"
    "if;suppose;supposes;supposing;supposition*;assum*;imagine;imagining;pretend*;hypothe*;"
    "unless;whether;my guess;a guess;guess is;guess:;i guess;wish that;i wish;let's say;let us say;"
    "say that;as though;provided that;"
    "would imply;would mean;had to be;dream*;what about;how about;were it;were the;had it;"
    "otherwise;perhaps;maybe;possibly;in case;would force;would require;"
    "world where;world in which\n"
    /* "either 3 + 4 = 8 or 3 + 4 = 7" */
    "either\n"
    /* "If cancelling were allowed, 6/3 = 3." */
    "were allowed;were legal;were true;were correct;were right;were so\n"
    "if;were it\n"
    /* what can be said has a speaker: "he thinks that 3 * 4 = 13" */
    "thought;thinks;think that;students think;people think;some think;many think;"
    "believe*;claimed;claims;claiming;said;says;saying;told;"
    "insist*;argue*;pretended;might expect;say;might write;would write;might answer;"
    "would answer;might guess;would guess;swears;swore;assert*;declare*;announced;replied;reckon*;"
    "alleg*;contend*\n"
    /* so has what can be noted, which may be a number of things: "he wrote 3 * 4 = 13 pages" */
    "wrote;writes;often write;often writes;tend to write;like to write;"
    "is written;has written;had written;typed;typing;answered;reads;quotes;quoted;guesses;"
    "guessed;guessing\n"
    "mistake;mistakes are;mistaken*;error is;errors are;error was;wrong;wrongly;incorrect*;"
    "erroneous*;misread*;misconception*;confus*;falsely;typo;a joke;joke:;myth;slip;misprint*;"
    "absurd*;nonsense;misstated;miscalculat*;contradiction;contradicts;tempt*;careless*;naive*;"
    "faulty;broken calculator;in the puzzle;in this puzzle;in the riddle;slogan;"
    "calculator shows;excel displays;excel shows;calculator displays;on the board;"
    "on the whiteboard;answer key;in her notebook;in his notebook;i first had;i first got;"
    "at first i;erratum;errata;pupil's;paradox*;fallac*;counterexample*;miscount*;"
    "legend has it;is called;the model output;false statement;false equation;false claim;"
    "a lie that;is broken;student's work;me equivoqu\xc3\xa9;me he equivocado;"
    "me suis tromp\xc3\xa9;mich verrechnet;mich "
    "vertan;\xe5\x88\xa4\xe6\x96\xad\xe5\xaf\xb9\xe9\x94\x99;"
    "\xe9\x94\x99\xe8\xaf\xaf\n"
    /* at the beginning of a sentence alone */
    "whiteboard:;blackboard:;bad:;pupil:;kid:;child:;user:;puzzle:;riddle:;student:;todo:;"
    "according to\n"
    /* "Trial: 7 + 8 + 9 = 27" */
    "trial:;attempt:;first try:;first attempt:;1st try:;2nd try:;attempt 1:;attempt 2:;"
    "attempt 3:;try 1:;try 2:\n"
    /* for the reader to judge, or to make true */
    "true or false;prove or disprove;decide which;which of these;which of the "
    "following;true/false;t/f;"
    "one match;two matches;matchstick*;insert brackets;insert parenthes*;insert signs;"
    "put brackets;put parenthes*;place brackets;place parenthes*;to make this true;"
    "to make it true;to make it right;to make this right;to make it correct;"
    "fix the following;correct the following;spot the;find the mistake;find the error;"
    "options:;choices:\n"
    /* "Her notebook has 3 * 4 = 13", "The old version returned ...": what tells it has a verb */
    "version;program;script;build;release;compiler;chatbot;calculator;spreadsheet;software;"
    "notebook;worksheet;homework;draft;edition;textbook;slide;poster;blackboard;whiteboard;"
    "leaflet;newspaper;article;website;first answer;first guess;old answer;earlier answer;"
    "previous answer;original answer;initial answer;his answer;her answer;their answer;"
    "student's answer\n"
    /* "Replace 3 * 4 = 13 by 3 * 4 = 12", "Delete 3 * 4 = 13" */
    "replace;replaced;change;changed;correct;corrected;amend;amended;rewrite;exchange;swap;"
    "delete;deleted;erase;erased;cross out;strike out;strike"};

/* The sentence before an equality, its last clause, and what its words do. */
typedef struct said_before {
    rdv_str sentence, clause;
    phrase_places at; /* in the sentence */
    size_t begin;     /* of the clause in it */
    bool counts;      /* the equality counts things, "3 * 4 = 13 pages" */
} said_before;

static bool in_sentence(const said_before *s, unsigned class)
{
    return s->at.said >> class & 1;
}

static bool in_clause(const said_before *s, unsigned class)
{
    return in_sentence(s, class) && s->at.begin[class] >= s->begin;
}

/* The byte of the clause after the last such word; 0: there is none. */
static size_t end_in_clause(const said_before *s, unsigned class)
{
    return in_clause(s, class) ? s->at.end[class] - s->begin : 0;
}

/* Look at the sentence. Its last clause is what stands after the last comma, or after a word that
 * concludes; but "it is not so that". */
static void look_before(rdv_str text, size_t begin, said_before *out)
{
    out->sentence = sentence_before(text, begin);
    phrase_places_in(out->sentence, &sentence_words, &out->at);
    out->begin = last_clause_begin(out->sentence);
    out->counts = false;
    size_t concluded = out->begin + end_in_clause(out, CONCLUDES);
    if (!rdv_istarts(rdv_slice(out->sentence, concluded, out->sentence.len), RDV_STR(" that")))
        out->begin = concluded;
    out->clause = rdv_slice(out->sentence, out->begin, out->sentence.len);
}

/* The text without the signs that begin a formula at its end. */
static rdv_str trim_opening(rdv_str s)
{
    while (s.len && (rdv_is_space(s.p[s.len - 1]) || strchr("$\\([{*\"'", s.p[s.len - 1])))
        s.len--;
    return s;
}

static bool ends_clause(const said_before *s, size_t end)
{
    return end && end == trim_opening(s->clause).len;
}

/* The word at byte `i`; empty: none begins there. */
static rdv_str word_at(rdv_str s, size_t i)
{
    size_t end = i;
    while (end < s.len && (rdv_is_alpha(s.p[end]) || (end > i && s.p[end] == '\'')))
        end++;
    return rdv_slice(s, i, end);
}

/* "3 * 4 = 13 pages a day": does a unit or a noun say what the numbers count? */
static bool counts_things(rdv_str s, size_t begin, size_t end)
{
    static phrase_list
        units = {"\\text*;\\mathrm*"},
        others = {
            "and;or;but;so;which;that;is;was;are;were;as;in;on;at;for;to;from;by;with;when;while;"
            "because;since;if;then;instead;again;here;there;not;without;after;before;where;who;"
            "whereas;yet;equals;he;she;they;it;we;you;i;this;these;no;has;does;cannot;can;would"};
    size_t i = end;
    while (i < s.len && (s.p[i] == ' ' || s.p[i] == '$'))
        i++;
    rdv_str word = word_at(s, i);
    bool is = rdv_is_alpha(s.p[end - 1]) || phrase_in(rdv_slice(s, begin, end + 8), &units) ||
              (word.len && !phrase_in(word, &others));
    return is && rdv_find_char(rdv_slice(s, begin, end), '=', 0) != RDV_NOT_FOUND;
}

static bool denied(const said_before *s)
{
    size_t verb = end_in_clause(s, IS_VERB), denial = end_in_clause(s, DENIES);
    rdv_str rest = rdv_slice(s->clause, denial, s->clause.len);
    /* "what is not finished is 1 - 3/5": the denial belongs to the subject; but "never is". */
    bool subject = denial && verb > denial && ends_clause(s, verb) &&
                   end_in_clause(s, SAYS_THAT) < denial &&
                   has_more_words_than(rdv_slice(s->clause, denial, verb), 1);
    /* "he did not wash 3 * 4 = 13 shirts": how many it is not done to */
    bool counted =
        s->counts && end_in_clause(s, SAYS_THAT) < denial && has_more_words_than(rest, 0);
    return (denial && !subject && !counted) || in_clause(s, DENIES_ALL);
}

bool assertion_denied(rdv_str text, size_t begin)
{
    said_before s;
    look_before(text, begin, &s);
    return denied(&s);
}

static bool supposed(const said_before *s)
{
    rdv_str begin = rdv_trim(s->clause); /* "Say 2 + 2 = 5, ...", "Say the sum is 5" */
    return ends_clause(s, end_in_clause(s, OFFERS_CHOICE)) || in_clause(s, SUPPOSES) ||
           rdv_str_ieq(begin, RDV_STR("say")) || rdv_istarts(begin, RDV_STR("say ")) ||
           (in_sentence(s, SETS_CONDITION) && in_sentence(s, SAYS_IF));
}

/* The text before the word at its end; `word`: that word, empty without one. */
static rdv_str take_last_word(rdv_str s, rdv_str *word)
{
    s = rdv_trim_end(s);
    size_t i = s.len;
    while (i > 0 && rdv_is_alpha(s.p[i - 1]))
        i--;
    *word = rdv_slice(s, i, s.len);
    return rdv_slice(s, 0, i);
}

/* Has the phrase of the class a speaker: a word before it that is none of these, or in itself? A
 * guess is nobody's claim, nor is what is no longer said: "we first wrote". */
static bool has_speaker(const said_before *s, unsigned class)
{
    static phrase_list none = {
        "a;an;the;another;this;that;of;in;for;to;us;is;are;was;were;be;been;all;no;these;those;"
        "my;his;her;their;our;its;second;last;other;we;you;i;can;or;and"};
    static phrase_list how = {"would;might;may;could;will;often;sometimes;also;then"};
    static phrase_list at_first = {"first;initially;originally;once;wrongly;mistakenly"};
    rdv_str phrase = rdv_slice(s->sentence, s->at.begin[class], s->at.end[class]), word;
    rdv_str rest = take_last_word(rdv_slice(s->sentence, 0, s->at.begin[class]), &word);
    while (word.len && phrase_in(word, &how))
        rest = take_last_word(rest, &word);
    bool itself = rdv_find_char(phrase, ' ', 0) != RDV_NOT_FOUND && !phrase_at(phrase, 0, &how);
    return itself || rdv_ends(phrase, RDV_STR("ing")) || rdv_istarts(phrase, RDV_STR("guess")) ||
           (word.len && (phrase_in(word, &at_first) || !phrase_in(word, &none)));
}

/* Is the equality what somebody says: does it follow the verb, but for "that", a mark and words on
 * how it is said? What counts things is that only behind "that" or a mark. */
static bool is_said(const said_before *s, unsigned class)
{
    static phrase_list claims = {
        "is;are;was;were;be;equals;gives;makes;costs;takes;has;have;gets;get;needs"};
    static phrase_list how = {
        "that;us;me;them;incorrectly;wrongly;mistakenly;falsely;firmly;down;out;once;then;"
        "on the board"};
    static phrase_list tells = {
        "has;had;says;said;reads;read;states;stated;gave;shows;showed;printed;returned;displayed;"
        "reported;was"};
    if (!in_sentence(s, class))
        return false;
    size_t end = s->at.end[class] + word_at(s->sentence, s->at.end[class]).len; /* "insist|s" */
    rdv_str verb = word_at(s->sentence, end + 1);
    if (class == TELLS && !phrase_in(verb, &tells))
        return false;
    end += class == TELLS ? 1 + verb.len : 0;
    rdv_str gap = trim_opening(rdv_slice(s->sentence, end, s->sentence.len));
    bool mark = gap.len && (gap.p[gap.len - 1] == ':' || gap.p[gap.len - 1] == ',');
    rdv_str words = rdv_trim(mark ? rdv_slice(gap, 0, gap.len - 1) : gap);
    bool that = rdv_istarts(words, RDV_STR("that"));
    bool speaker = that || class == TELLS || has_speaker(s, class);
    if (!words.len || phrase_last_end(words, &how) == words.len)
        return speaker && (mark || that || !s->counts) && !has_more_words_than(words, 3);
    return class == SAYS && speaker && in_clause(s, class) &&
           (that || phrase_last_end(words, &claims) == words.len);
}

/* Where the clause begins, or what leads to it: "On the board: 3 * 4 = 13", "By mistake, ..." */
static size_t frame_begin(const said_before *s)
{
    if (!s->begin || trim_opening(s->clause).len)
        return s->begin;
    rdv_str frame = rdv_slice(s->sentence, 0, s->begin - 1);
    size_t begin = last_clause_begin(frame);
    char mark = s->sentence.p[s->begin - 1];
    bool short_frame = mark == ',' && !begin && !has_more_words_than(frame, 6);
    return mark == ':' || short_frame ? begin : s->begin;
}

/* "The wrong answers cost 3 * 4 = 13 points": what is wrong there is counted. */
static bool is_of_things(const said_before *s)
{
    static phrase_list others = {"is;was;has;as;this;thus;says"};
    size_t end = s->at.end[REPORTS];
    bool blank = end < s->sentence.len && s->sentence.p[end] == ' ';
    rdv_str next = word_at(s->sentence, end + blank);
    return blank && rdv_ends(next, RDV_STR("s")) && !phrase_in(next, &others);
}

/* "Student: 3 * 4 = 13", "According to Sam, 3 * 4 = 13" */
static bool is_labelled(const said_before *s)
{
    static phrase_list persons = {"his;her;my;their;some"};
    size_t begin = 0, end = s->at.end[LABELS];
    while (begin < s->sentence.len && rdv_is_space(s->sentence.p[begin]))
        begin++;
    if (!in_sentence(s, LABELS) || s->at.begin[LABELS] != begin)
        return false;
    rdv_str next = word_at(s->sentence, end + 1);
    return s->sentence.p[end - 1] == ':' || phrase_in(next, &persons) ||
           (next.len && next.p[0] < 'a');
}

static bool reported(const said_before *s)
{
    bool mistaken = in_sentence(s, REPORTS) && s->at.begin[REPORTS] >= frame_begin(s);
    return is_said(s, SAYS) || is_said(s, NOTES) || is_said(s, TELLS) || is_labelled(s) ||
           (mistaken && !is_of_things(s));
}

/* "p: 5 + 1 = 7; q: 3 < 4. p ∨ q is true.": a formula of logic, true or not. */
static bool stands_in_logic(rdv_str near)
{
    static phrase_list signs = {
        "\xc2\xac;\xe2\x88\xa7;\xe2\x88\xa8;\\land;\\lor;\\lnot;\\neg;proposition;"
        "propositions;truth value;vacuous*"};
    return phrase_in(near, &signs);
}

/* ---- around it ------------------------------------------------------------------------------- */

static bool is_opening_quote(rdv_str s, size_t i)
{
    return s.p[i] == '"' || rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\x9c")) ||
           rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xc2\xab"));
}

static bool is_closing_quote(rdv_str s, size_t i)
{
    return s.p[i] == '"' || rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\x9d")) ||
           rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xc2\xbb"));
}

/* Quotation marks close by on both sides. A text that is quoted as a whole is not meant: words must
 * stand outside. */
static bool quoted(rdv_str s, size_t begin, size_t end)
{
    size_t least = begin > QUOTED ? begin - QUOTED : 0, open = begin, close = end;
    while (open > least && s.p[open - 1] != '\n' && !is_opening_quote(s, open - 1))
        open--;
    if (open == least || !is_opening_quote(s, open - 1))
        return false;
    size_t most = s.len - end > QUOTED ? end + QUOTED : s.len;
    while (close < most && s.p[close] != '\n' && !is_closing_quote(s, close))
        close++;
    return close < most && is_closing_quote(s, close) &&
           (open > 1 || has_more_words_than(rdv_slice(s, close + 3, s.len), 1));
}

/* ---- after it -------------------------------------------------------------------------------- */

/* ", right?" */
static bool asks_for_assent(rdv_str after)
{
    static const char *const tags[] = {", right?",    ", correct?", ", no?", ", yes?",
                                       ", isn't it?", ", is it?",   ", ok?"};
    for (size_t i = 0; i < COUNT(tags) && rdv_starts(after, RDV_STR(", ")); i++)
        if (rdv_istarts(after, rdv_str_of(tags[i])))
            return true;
    return false;
}

static bool asked(rdv_str s, size_t end)
{
    rdv_str after = rdv_slice(s, end, end + ASKED);
    if (asks_for_assent(after))
        return true;
    for (size_t i = 0; i < after.len; i++) {
        char c = after.p[i];
        if (c == '?')
            return true;
        if (c == ',' || c == '\n' || c == ';' || c == ':' || c == '!' ||
            (c == '.' && !(i + 1 < after.len && rdv_is_digit(after.p[i + 1]))))
            return false;
    }
    return false;
}

/* "3 * 4 = 13. But wait, ...", "3 * 4 = 13, which is false": words that take it back, behind none
 * but those that lead to them. "13 wrong answers" are no wrong equality. */
static bool begins_retraction(rdv_str s)
{
    /* Of Chinese texts "not" is translated before they are read: "no\u5bf9" is "not right". */
    static phrase_list retractions = {
        "no,;no.;no!;no:;no wait;nope;untrue;a mistake;mistaken*;according to;not correct;"
        "not right;not true;not possible;*n't right;*n't true;*n't correct;"
        "*n't possible;never true;never so;not so;not valid;not work;*n't work;not hold;*n't hold;"
        "not match;*n't match;not fit;*n't fit;not add up;*n't add up;*n't satisfy;not satisfy;"
        "absurd*;nonsense;reject it;reject this;we reject;rejected;oops;wait,;wait.;wait!;"
        "hold on;hang on;hmm;actually,;correction;would be wrong;let me re*;let's "
        "re*;recheck*;re-check*;redo;"
        "contradict*;a joke;a typo;a slip;common slip;an error;in error;misread*;not the case;"
        "try again;*n't be.;*n't be,;*n't be right;*n't be true;*n't be so;cannot be.;cannot be,;"
        "cannot be right;cannot be true;cannot be so;were true;were the case;were to hold;"
        "impossible;fails;"
        "discard*;*n't happen;cannot happen;off by;arithmetic error;[sic];(sic);refuted;i mean;"
        "i misspoke;my bad;or rather;iff;if and only if;corrected;(no);~~;\xe2\x8a\xa5;"
        "\xe2\x9a\xa1;scratch that;strike that;sorry;not quite.;not quite,;not quite!;"
        "on second thought*;misprint*;is the bug;is a bug;was a bug;was off.;was off,;was off by;"
        "were off.;is off.;forgets;forgot;overlooks;overlooked;neglects;"
        "which it isn't;which it is not;"
        "truth value;guess;not make sense;*n't make sense;makes no sense;pero es;mais c'est;"
        "no\xe5\xaf\xb9;no\xe6\x88\x90\xe7\xab\x8b;no\xe6\xad\xa3\xe7\xa1\xae"};
    /* "He got 20 - 14 = 7 wrong.", "7 wrong answers": they may tell what is counted */
    static phrase_list adjectives = {"wrong;false;incorrect*;faulty"};
    static phrase_list leading = {
        "which;that;that's;this;it;it's;is;was;be;but;and;so;clearly;simply;also;obviously;"
        "still;plainly;just;surely;a;an;the;does;do;did;can;really;i;we;her;his;my;has;to;oh;ok;"
        "since;then;therefore;however;of;course;isn't;doesn't;can't;not"};
    bool led = false;
    for (size_t i = 0; i < s.len && !rdv_is_digit(s.p[i]);) {
        rdv_str word = word_at(s, i);
        size_t adjective = phrase_at(s, i, &adjectives);
        rdv_str next = word_at(s, i + adjective + 1);
        if (phrase_at(s, i, &retractions) ||
            (rdv_ends(word, RDV_STR("n't")) && phrase_at(s, i + word.len - 3, &retractions)))
            return true;
        if (adjective)
            return led && !(rdv_ends(next, RDV_STR("s")) && next.len > 3);
        if (word.len && !phrase_in(word, &leading))
            return false;
        led |= word.len || !strchr(" $", s.p[i]);
        i += word.len ? word.len : 1;
    }
    return false;
}

bool assertion_denied_behind(rdv_str text, size_t end)
{
    return begins_retraction(rdv_slice(text, end, end + AFTER));
}

/* "That 3 * 4 = 13 is what the student thought.", "3 * 4 = 13, he said." */
static bool told_behind(rdv_str after)
{
    static phrase_list verbs = {
        "thought;think;thinks;believed;believes;claimed;claims;said;says;say;wrote;writes;answered;"
        "guessed;insisted;replied;argued;announced;shouted;declared;had written;had said;"
        "had thought;put down"};
    static phrase_list author = {"we;i;you;it;which"};
    size_t i = 0, end;
    while (i < after.len && strchr(" $)\"'-", after.p[i]))
        i++;
    bool comma = i < after.len && after.p[i] == ',';
    after = rdv_trim(rdv_slice(after, i + comma, after.len));
    for (end = 0; end < after.len && !rdv_is_digit(after.p[end]) && !strchr(",:=", after.p[end]);)
        if (ends_sentence(after, end++))
            break;
    rdv_str clause = rdv_slice(after, 0, end);
    bool what = rdv_istarts(clause, RDV_STR("is what ")) ||
                rdv_istarts(clause, RDV_STR("was what ")) || rdv_istarts(clause, RDV_STR("as "));
    size_t verb = what || comma ? phrase_last_end(clause, &verbs) : 0;
    return verb && !phrase_in(clause, &author) &&
           !has_more_words_than(rdv_slice(clause, verb, end), 3) &&
           !has_more_words_than(rdv_slice(clause, 0, verb), what ? 7 : 4);
}

/* Does the rest of its sentence, behind what it counts ("13 pens, which is false"), or the next
 * sentence take it back? */
static bool taken_back(rdv_str after)
{
    static phrase_list anywhere = {
        "who is right?;who is correct?;which is right?;which is correct?;lost a point;"
        "lost a mark;crossed it out;crossed out;struck it out;struck out;rubbed it out;erased it;"
        "marked it wrong;the bug;that bug;this bug;but the correct;but the right"};
    size_t end = 0, comma;
    while (end < after.len && !ends_sentence(after, end))
        end++;
    rdv_str rest = rdv_slice(after, 0, end), next = rdv_slice(after, end, after.len);
    comma = rdv_find_char(rest, ',', 0);
    return phrase_in(after, &anywhere) || begins_retraction(after) || begins_retraction(next) ||
           (comma < ASKED && begins_retraction(rdv_slice(rest, comma, rest.len))) ||
           rdv_str_ieq(rdv_trim(after), RDV_STR("no")); /* "(13 - 8) * 5 = 24 no" */
}

/* "Trial: 7 + 8 + 9 = 27, not enough (24)": a verdict on what was tried, right after it. */
static bool misses_the_aim(rdv_str after)
{
    static const char *const verdicts[] = {"not enough (", "too small (", "too large (",
                                           "too many (",   "too few (",   "too high (",
                                           "too low (",    "too much (",  "too big ("};
    size_t i = 0;
    while (i < after.len && (rdv_is_space(after.p[i]) || after.p[i] == ','))
        i++;
    after = rdv_slice(after, i, after.len);
    bool judges = rdv_istarts(after, RDV_STR("not ")) || rdv_istarts(after, RDV_STR("too "));
    for (size_t k = 0; k < COUNT(verdicts) && judges; k++)
        if (rdv_istarts(after, rdv_str_of(verdicts[k])))
            return true;
    return false;
}

/* "1 + 4 = 5, 2 + 5 = 12, 8 + 11 = ?": the last one of a line of
 * equalities is for the reader to find, by the rule of the others. */
static bool rule_is_sought(rdv_str s, size_t end)
{
    for (size_t i = end; i + 2 < s.len && i < end + AFTER && s.p[i] != '\n' && s.p[i] != '.'; i++)
        if (s.p[i] == '=' && (s.p[i + 1] == '?' || (s.p[i + 1] == ' ' && s.p[i + 2] == '?')))
            return true;
    return false;
}

/* "Replace 3 * 4 = 13 by 3 * 4 = 12": what is to take its place, or nothing, stands behind it. */
static bool is_replaced(const said_before *s, rdv_str after)
{
    static phrase_list of = {"the line;the entry;the equation;the statement;line;entry"};
    static phrase_list others = {"by;with;to;into;for"};
    static phrase_list away = {"delete;deleted;erase;erased;cross out;strike out;strike"};
    if (!in_clause(s, CHANGES))
        return false;
    rdv_str verb = rdv_slice(s->sentence, s->at.begin[CHANGES], s->at.end[CHANGES]);
    rdv_str gap = rdv_slice(s->sentence, s->at.end[CHANGES], s->sentence.len);
    gap = rdv_trim(trim_opening(gap));
    size_t i = 0;
    while (i < after.len && strchr(" $)\"'", after.p[i]))
        i++;
    size_t by = phrase_at(after, i, &others);
    rdv_str next = rdv_trim(rdv_slice(after, i + by, i + by + 6));
    bool takes_place = by && next.len && (rdv_is_digit(next.p[0]) || strchr("$\"'(\\", next.p[0]));
    return (!gap.len || phrase_last_end(gap, &of) == gap.len) && !s->counts &&
           (takes_place || phrase_in(verb, &away));
}

const char *assertion_not(rdv_str text, size_t begin, size_t end)
{
    said_before s;
    look_before(text, begin, &s);
    s.counts = counts_things(text, begin, end);
    if (denied(&s))
        return "the words before it deny it";
    if (supposed(&s))
        return "it is only supposed";
    if (quoted(text, begin, end))
        return "it stands in quotation marks";
    if (reported(&s))
        return "it is reported as what was said or mistaken";
    if (is_replaced(&s, rdv_slice(text, end, end + AFTER)))
        return "it is to be replaced";
    if (told_behind(rdv_slice(text, end, end + AFTER)))
        return "it is reported as what was said or mistaken";
    if (stands_in_logic(rdv_slice(text, begin > NEAR ? begin - NEAR : 0, end + NEAR)))
        return "it is a formula of logic";
    if (in_sentence(&s, TRIES) || misses_the_aim(rdv_slice(text, end, end + AFTER)))
        return "it is only tried";
    if (asked(text, end) || in_sentence(&s, SETS_TASK) || rule_is_sought(text, end))
        return "it is asked, not stated";
    if (taken_back(rdv_slice(text, end, end + AFTER)))
        return "the text after it takes it back";
    return NULL;
}

bool assertion_of_equation(rdv_str text, size_t begin, size_t end)
{
    static phrase_list before = {
        "set;setting;equat*;solve;solving;no;not;satisf*;when;if;whether;would;need*;"
        "requir*;suppos*;assum*;where;want*;must;should;such;with;mistake;mistaken*;cross*"};
    static phrase_list after = {
        "never;no;not;would;impossible;cannot;contradict*;parallel;false;inconsistent;"
        "absurd;hold*;satisf*;n't;wrong;incorrect"};
    return phrase_in(rdv_slice(text, begin > NEAR ? begin - NEAR : 0, begin), &before) ||
           phrase_in(rdv_slice(text, end, end + NEAR), &after);
}
