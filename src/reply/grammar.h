/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The grammar of replies: rows of rules/replies.rules that describe whole sentences
 * (docs/rules.md). A sentence says what a row says that describes it from its first word to its
 * last; a sentence that no row describes says nothing. */
#include "language/row.h"

/* Who reads, as bits. */
typedef enum grammar_reader {
    READS_COMPARISON = 1,
    READS_CORRECTNESS = 2,
    READS_YES_NO = 4,
    READS_RELEVANCE = 8,
    READS_CONSISTENCY = 16,
    READS_LOCATION = 32,
    READS_BOX = 64,    /* the index in a box */
    READS_NO_BOX = 128 /* an index of -1, which says that there is no mistake */
} grammar_reader;

/* What a row says. */
typedef enum grammar_says {
    SAYS_NOTHING,
    SAYS_SUPPORT,     /* location and box: there is no mistake */
    SAYS_CONTRADICT,  /* location and box: there is one, at the number */
    SAYS_UNRELATED,   /* or not sure */
    SAYS_PRAISES,     /* what the step does is done rightly: support, if nothing else is said */
    SAYS_NOT_AGAINST, /* comparison: it does not contradict, which is no support */
    SAYS_YES,         /* "Yes.": what it says depends on the question before it */
    SAYS_NO,
    SAYS_CLEARS,     /* location: a thought is right */
    SAYS_LOCATES,    /* location: a label names the step of the first mistake */
    SAYS_NUMBER,     /* location: a number alone */
    SAYS_UNCLEAR,    /* one thing and its opposite: nothing, whatever other rows say */
    SAYS_REMARK,     /* what may stand behind a conclusion */
    SAYS_FACT,       /* the same, where no word of it turns what is said */
    SAYS_TELLS,      /* the same, of a sentence that no other row describes: nothing in it turns */
    SAYS_LABEL,      /* what may stand before one: "Conclusion:" */
    SAYS_SUPPOSES,   /* what makes the sentence behind it a supposition */
    SAYS_ASKS_RIGHT, /* a question whose "yes" supports */
    SAYS_ASKS_WRONG, /* a question whose "no" supports */
    SAYS_FAULT,      /* a phrase, not a sentence: no "..." holds it */
    SAYS_TURN,       /* a phrase that no "<why>" holds either */
    SAYS_DIFFERS,    /* the same, and it says that two things differ: none beside it endorses */
    SAYS_AGREES,     /* a phrase: they agree after all */
    SAYS_REPORT,     /* a phrase that neither "..." nor "<any>" holds */
    SAYS_CONDITION,  /* a phrase that nothing holds but "<all>" */
    SAYS_CUT_OFF,    /* a phrase at the end of a reply that breaks off */
    SAYS_MILD,       /* a phrase that turns the sentence of a verdict, and none beside it */
    SAYS_HARMLESS,   /* a phrase that turns nothing, though words of it would */
    N_GRAMMAR_SAYS
} grammar_says;

typedef enum element_kind {
    ELEMENT_WORDS,  /* one of the words of a list */
    ELEMENT_OTHER,  /* "!": one word that is none of a list */
    ELEMENT_PLAIN,  /* "+": one of a list that turns nothing */
    ELEMENT_PHRASE, /* a phrase, or a group */
    ELEMENT_NUMBER, /* "#" */
    ELEMENT_NEW,    /* "<new>": a number that does not stand before it in the sentence */
    ELEMENT_STEP,   /* "<step>": the number that the sentence is about */
    ELEMENT_BOX,    /* "<box>": a \boxed{} */
    ELEMENT_TEXT,   /* "...": words none of which turns what is said */
    ELEMENT_WHY,    /* "<why>": words that may deny, but judge, contrast, report, suppose nothing */
    ELEMENT_TOLD,   /* "<told>": words that turn nothing, and mild phrases */
    ELEMENT_ANY,    /* "<any>": words that may deny and contrast, but report and suppose nothing */
    ELEMENT_REST,   /* "<rest>": words that suppose and ask nothing */
    ELEMENT_ALL     /* "<all>": any words */
} element_kind;

typedef struct grammar_element {
    element_kind kind;
    bool optional;
    size_t of; /* the list or phrase */
} grammar_element;

typedef struct grammar_way {
    grammar_element *elements;
    size_t n, cap;
} grammar_way;

/* A phrase is one of its ways. Those that it names stand above it, so none holds itself. */
typedef struct grammar_phrase {
    rdv_str id;    /* empty: a group */
    rdv_str group; /* what stands between its brackets; empty: no such group */
    grammar_way *ways;
    size_t n, cap;
} grammar_phrase;

typedef struct grammar_row {
    rdv_str id;
    size_t line;
    unsigned read_by; /* a set of grammar_reader */
    grammar_says says;
    size_t phrase;
    rdv_str *fires, *silent; /* examples: replies that are read so, and that are not */
    size_t n_fires, cap_fires, n_silent, cap_silent;
} grammar_row;

#define GRAMMAR_LISTS_MOST 2200
#define GRAMMAR_PHRASES_MOST 2000

typedef struct reply_grammar {
    rdv_arena *arena;
    word_lists named; /* lists of words */
    cue_words *lists; /* what single elements ask for */
    size_t n_lists, cap_lists;
    grammar_phrase *phrases;
    size_t n_phrases, cap_phrases;
    grammar_row *rows;
    size_t n, cap;
} reply_grammar;

/* The built-in grammar: read once, by the first caller; from any thread. NULL: out of memory; a
 * later call tries again. */
const reply_grammar *grammar_built_in(void);
/* An empty grammar in `arena`; NULL: out of memory. */
reply_grammar *grammar_new(rdv_arena *arena);
/* Add the rows of a file, whose text lives as long. RDV_E_INPUT: "FILE:LINE: ROW: what is wrong";
 * RDV_E_LIMIT, RDV_E_NOMEM. */
int grammar_add(reply_grammar *g, rdv_str file, rdv_str text, rdv_error *err);
/* "support": a static string. */
const char *grammar_says_name(grammar_says says);
