/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Rules of language: rows of rules/ *.rules, each with its cues and examples (docs/rules.md). */
#include "base/str.h"
#include "language/row.h"

#include <rederive/rules.h>

/* What a rule says of a claim. */
typedef enum rule_effect {
    EFFECT_NOTHING, /* a pseudo-cue: no other cue may take its words */
    EFFECT_CLAUSE,  /* the claim's clause begins behind it */
    EFFECT_DENIED,
    EFFECT_SUPPOSED,
    EFFECT_QUOTED,
    EFFECT_REPORTED,
    EFFECT_REPLACED,
    EFFECT_LOGIC,
    EFFECT_TRIED,
    EFFECT_ASKED,
    EFFECT_RETRACTED,
    /* These do not withdraw the claim by themselves. */
    EFFECT_REFUTED,     /* later words deny it or an equation like it */
    EFFECT_EQUATION,    /* an equality of letters that is to be solved, or that no value fulfils */
    EFFECT_APPROXIMATE, /* its numbers are approximate */
    EFFECT_ROUNDED_UP,  /* its result is the next larger whole number */
    EFFECT_ROUNDED_DOWN,
    EFFECT_RELATED,  /* of a number: it is compared, or listed, with the one before, "7 < 13" */
    EFFECT_STATED,   /* of a number: it is said of something, "she has 13 left" */
    EFFECT_ASSERTED, /* a pseudo-cue where an answer is announced, and nothing elsewhere */
    /* Of a sentence before the claim. */
    EFFECT_HYPOTHESIS,    /* it begins with what is supposed, "Now suppose that" */
    EFFECT_CONTRADICTION, /* what it supposes is to be refuted, "for contradiction" */
    /* Of rows of answers.rules (answer/announcement.h), which are about no claim. */
    EFFECT_ANNOUNCED, /* the answer of a reply follows */
    EFFECT_NO_ANSWER, /* the reply says that it has none */
    EFFECT_NO_VALUE,  /* what is announced is none */
    EFFECT_REFERENCE, /* a number only names a place */
    EFFECT_CONCLUDED, /* a number that the reply comes to */
    EFFECT_PARTED,    /* a number that is one part of what is said */
    EFFECT_TURNED,    /* a word beside a number turns its value, to the side `says` */
    EFFECT_PLAIN,     /* it says nothing of it */
    EFFECT_CLASS,     /* single words of one meaning, which the row's id names */
    EFFECT_SCALE,     /* it multiplies the number before it by `says` */
    /* Of rows without cues, which have no bit in a set of effects. */
    EFFECT_READ, /* a row of verbal.rules: it reads a claim in words (claims/verbal_grammar.h) */
    EFFECT_EXPLAINED, /* a row of explanations.rules: the claim may be no error
                         (explain/explanation.h) */
    EFFECT_REPLY, /* a row of replies.rules: what a sentence of a reply says (reply/grammar.h) */
    N_RULE_EFFECTS
} rule_effect;

_Static_assert(EFFECT_SCALE < 32, "each effect of a cue has a bit");

/* Where the cue stands. */
typedef enum rule_where {
    WHERE_AT,     /* the cue holds the claim, "_" */
    WHERE_BEFORE, /* before the claim, in `unit` */
    WHERE_BEHIND, /* behind it */
    WHERE_AROUND  /* anywhere in the sentence or the next one */
} rule_where;

typedef enum rule_unit {
    UNIT_CLAUSE,
    UNIT_FRAME, /* the clause, or the words that lead to it: "By mistake, _" */
    UNIT_SENTENCE,
    UNIT_NEXT, /* the sentence or the next one */
    UNIT_STEP  /* the text of the step */
} rule_unit;

/* What no cue can say; a function of language/assertion.c finds it. */
typedef enum rule_shape { SHAPE_NONE, SHAPE_QUOTATION, SHAPE_SERIES, N_RULE_SHAPES } rule_shape;

typedef struct rule {
    rdv_str id, file;
    size_t line;  /* of its heading in the file, from 1 */
    rdv_str text; /* the row as it is written */
    rule_effect effect;
    rule_where where;
    rule_unit unit;
    const cue_words *gap;  /* only these words stand between the cue and the claim; NULL: any */
    const cue_words *last; /* the word right before the claim; NULL: any */
    bool last_not;         /* none of `last` */
    bool not_counting;     /* it says nothing of a claim that counts things: "3 * 4 = 13 pages" */
    bool not_right;        /* it says nothing of a claim that is true: "3 * 4 = 12. Hmm." */
    rule_shape shape;
    rdv_str *fires, *silent; /* examples */
    size_t n_fires, cap_fires, n_silent, cap_silent;
    bool added;      /* by a user: it may excuse, never support */
    bool off;        /* switched off */
    const char *why; /* of EFFECT_EXPLAINED: the reason; else NULL */
    rdv_str says;    /* of EFFECT_TURNED: "era before"; of EFFECT_SCALE: "1000" */
} rule;

typedef struct rule_cue {
    cue pattern;
    size_t rule;
} rule_cue;

/* Where a word is an anchor: the cues that are found by it, by its bucket. */
typedef struct rule_anchor {
    rdv_str word;     /* as in cue_words */
    uint32_t effect;  /* a bit for that of its rule */
    uint32_t effects; /* with those of the ones behind it, as `next` leads to them */
    size_t cue;
    size_t next; /* of the same bucket, from 1 on; 0: none */
    size_t of;   /* its rule_word */
    uint64_t before, behind; /* of the cue */
} rule_anchor;

/* A word that is an anchor, whatever it is one of: most words of a text are none. */
typedef struct rule_word {
    rdv_str word;     /* as in cue_words */
    uint32_t effects; /* a bit for each of its rules' */
    uint32_t next;    /* of the same bucket, from 1 on; 0: none */
} rule_word;

#define RULE_BUCKETS 8192

/* Rules that stand one after the other. */
typedef struct rule_span {
    size_t first, n;
} rule_span;

typedef struct rule_set {
    rdv_arena *arena;
    rule *rules;
    size_t n, cap;
    word_lists lists;
    rule_cue *cues;
    size_t n_cues, cap_cues;
    rule_anchor *anchors;
    size_t n_anchors, cap_anchors;
    rule_word *words;
    size_t n_words, cap_words;
    uint32_t first[RULE_BUCKETS];            /* an anchor, from 1 on; 0: none */
    uint32_t first_word[RULE_BUCKETS];       /* the same of `words` */
    rule_span verbal, explanations, replies; /* its rules that other rooms read */
    uint32_t shaped;                         /* a bit for each effect of a row with a shape */
    bool adding;                             /* the rows that are read are a user's */
    bool any_added;
} rule_set;

/* The built-in rules of context.rules: read once, by the first caller; from any thread. NULL: out
 * of memory; a later call tries again. */
const rule_set *rule_set_built_in(void);

/* An empty set in `arena`, which must live as long; NULL: out of memory. */
rule_set *rule_set_new(rdv_arena *arena);
/* Add the rows of a file called `file`, whose text must live as long as the set. RDV_E_INPUT and
 * RDV_E_LIMIT: with "FILE:LINE: ROW: what is wrong". RDV_E_NOMEM. The set is unchanged on failure.
 */
int rule_set_add(rule_set *set, rdv_str file, rdv_str text, rdv_error *err);
/* The same for built-in rows that another room reads, EFFECT_READ, EFFECT_EXPLAINED or
 * EFFECT_REPLY: they are listed and can be switched off; claims/verbal_grammar.c and
 * explain/explanation_read.c know what they mean, reply/grammar.c of EFFECT_REPLY. Files of one
 * effect are added one after the other. EFFECT_ANNOUNCED: rows of answers.rules, each with its own
 * effect; answer/announcement.c reads them. */
int rule_set_list(rule_set *set, rule_effect effect, rdv_str file, rdv_str text, rdv_error *err);
/* The rule of that id; NULL: there is none. */
rule *rule_set_find(const rule_set *set, rdv_str id);
/* RDV_E_INPUT: there is no rule of that id, and which one is nearest. */
int rule_unknown(const rule_set *set, rdv_str id, rdv_error *err);

/* What is wrong with the k-th of the rule's examples, of which those where it fires come first:
 * "it does not fire in"; NULL: nothing. Examples are about "3 * 4 = 13". */
const char *rule_example_fault(const rule_set *set, const rule *r, size_t k);

/* A bit for each of the effects from one to another. */
static inline uint32_t rule_effects(rule_effect least, rule_effect most)
{
    return ((uint32_t)2 << most) - ((uint32_t)1 << least);
}
/* "denied": a static string. */
const char *rule_effect_name(rule_effect effect);
/* Why a claim is not asserted, in one line: a static string; NULL: the effect takes none back. */
const char *rule_effect_reason(rule_effect effect);
/* The bucket of a word, in upper or lower case: of its first two bytes and its third letter. */
static inline size_t rule_bucket(rdv_str word)
{
    unsigned a = (unsigned char)rdv_lower(rdv_char_at(word, 0));
    unsigned b = (unsigned char)rdv_lower(rdv_char_at(word, 1));
    unsigned third = rdv_is_alpha(rdv_char_at(word, 2)) ? word.p[2] & 31 : 0;
    return (a * 37 + b * 101) % (RULE_BUCKETS / 32) * 32 + third;
}
/* Is the word one by which a cue of one of the effects is found? */
static inline bool rule_has_anchor(const rule_set *s, rdv_str word, uint32_t effects)
{
    for (size_t i = s->first_word[rule_bucket(word)]; i; i = s->words[i - 1].next)
        if ((s->words[i - 1].effects & effects) && cue_is_word(word, s->words[i - 1].word))
            return true;
    return false;
}
/* May the cue stand between tokens that begin so? */
static inline bool rule_stands_between(const rule_anchor *anchor, uint64_t before, uint64_t behind)
{
    return (anchor->before & before) && (anchor->behind & behind);
}
/* The same, between such tokens. */
static inline bool rule_is_anchor(const rule_set *s, rdv_str word, uint32_t effects,
                                  uint64_t before, uint64_t behind)
{
    for (size_t i = s->first[rule_bucket(word)]; i; i = s->anchors[i - 1].next) {
        const rule_anchor *anchor = &s->anchors[i - 1];
        if (!(anchor->effects & effects)) /* nor those behind it */
            return false;
        if ((anchor->effect & effects) && rule_stands_between(anchor, before, behind) &&
            cue_is_word(word, anchor->word))
            return true;
    }
    return false;
}
