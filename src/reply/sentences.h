/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A reply as sentences, and how each word of a sentence stands: said as it is, denied, or not said
 * by the one who replies (asked, supposed, quoted, of somebody else). What every reader of a
 * conclusion builds on; docs/prompts.md has the rules. Linear in the part of the reply looked at.
 */
#include <rederive/base.h>

#define WINDOW_BYTES 4096
#define WINDOW_LINES 3
#define WINDOW_SENTENCES 4

/* The part of a reply that is looked at, a copy of the same length: what is quoted is blank, unless
 * it is made of words of a conclusion alone; so are lines that repeat a solution or begin with ">".
 */
typedef struct reply_window {
    rdv_str reply;
    size_t begin; /* where in the reply */
    char text[WINDOW_BYTES];
    size_t len;
    size_t at;       /* the next sentence begins here */
    bool introduced; /* that sentence is what "The student says:" introduces */
} reply_window;

/* The last WINDOW_LINES lines that are not blank, of which the last WINDOW_SENTENCES
 * sentences are given. */
void window_at_end(reply_window *w, rdv_str reply);
/* The last WINDOW_BYTES, all sentences. */
void window_of_tail(reply_window *w, rdv_str reply);
/* The first WINDOW_BYTES, all sentences. */
void window_at_front(reply_window *w, rdv_str reply);

/* What a word does besides meaning something. */
typedef enum word_role {
    WORD_PLAIN,
    WORD_RETRACTS,  /* "wait", "on second thought": what was claimed before is taken back */
    WORD_OBJECTS,   /* "wrong", "differ", "doubt", and "not true": something is amiss */
    WORD_HEDGES,    /* "perhaps", "at first sight" */
    WORD_CONTRASTS, /* "but", "only", "partly": what was claimed before does not hold as it is */
} word_role;

typedef struct sentence_word {
    rdv_str text;
    rdv_str gap;    /* between it and the word before */
    rdv_str before; /* the word before; empty for the first */
    rdv_str next, next_gap;
    rdv_str rest; /* of the sentence, behind it */
    bool denied;  /* "not", "fails to", "neither ... nor" reach it */
    bool partly;  /* "partially supports" */
    bool idle;    /* not claimed: asked for, possible, supposed, said by somebody else */
    word_role does;
} sentence_word;

typedef struct reply_sentence {
    rdv_str text; /* of the window's copy */
    bool asked;   /* it is a question */
    bool idle;    /* nothing in it is claimed: it has a condition, or was introduced */
    /* how far it was read */
    size_t at, passed; /* phrases reach to `passed` */
    rdv_str before, before_that;
    unsigned reach; /* words that a negation still reaches; 0: there is none */
    bool negated;   /* there was one */
    bool wide;      /* it reaches to the next comma */
    bool twice;     /* a negation within a negation */
    bool partly;
    bool not_only; /* "not only supports it but ..." */
    int aside;     /* how far what is not claimed reaches */
} reply_sentence;

/* The text of the next sentence that has a word: a slice of the window's copy. */
bool window_cut_sentence(reply_window *w, rdv_str *sentence);
/* The same as a sentence that no word is read of yet. */
bool sentence_next(reply_window *w, reply_sentence *s);
/* Does the line introduce what is not claimed: "The student says:"? */
bool sentence_introduces(rdv_str line);
/* The next word of the sentence. */
bool sentence_next_word(reply_sentence *s, sentence_word *word);
/* The part of the reply from where `first` begins to where `last` ends, shortened: two slices of
 * the window's text. */
rdv_str window_in_reply(const reply_window *w, rdv_str first, rdv_str last);
