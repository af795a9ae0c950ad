/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Options as data: one table per command, from which parsing, --help, man pages and shell
 * completion are made. Values go into a struct settings by offset. Defaults are written in the
 * table as on the command line and parsed the same way, so --help always shows the real ones. */
#include <rederive/base.h>

typedef enum opt_type {
    OPT_FLAG,    /* bool */
    OPT_TEXT,    /* const char * */
    OPT_FILE,    /* const char *, completed as a file */
    OPT_FILES,   /* struct list; may be given several times */
    OPT_TEXTS,   /* the same, of texts that are not files */
    OPT_CHOICE,  /* const char *, one of `choices` */
    OPT_NATURAL, /* uint64_t */
    OPT_NUMBER,  /* struct number, within [least, most] */
    OPT_PAIR     /* struct pair, both at least `least` */
} opt_type;

/* Lists elsewhere in the program whose names are values of an option. */
typedef enum opt_names { OPT_NO_NAMES, OPT_METHODS, OPT_FORMATS, OPT_RECIPES } opt_names;

/* Whether an option names what the command writes. */
typedef enum opt_writes { OPT_READS, OPT_WRITES_FILE, OPT_WRITES_FOLDER } opt_writes;

struct list {
    const char **items;
    size_t n;
};

struct number {
    double is;
    bool given;
};

struct pair {
    double first, second;
    bool given;
};

/* One option. A table ends with an option without a name. */
struct opt {
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    opt_type type;
    size_t offset;        /* in struct settings */
    const char *argument; /* name of the value in help; NULL for flags */
    const char *choices;  /* "auto|always|never" */
    const char *words;    /* as `choices`, but other values are accepted too; for completion */
    opt_names names;      /* the same */
    const char *alone;    /* OPT_CHOICE: the value of the option alone, which takes another one as
                             --NAME=VALUE only; NULL: it needs a value */
    const char *initial;  /* the default; NULL: off, absent, or as `help` says */
    double least, most;   /* OPT_NUMBER, OPT_PAIR, OPT_NATURAL; natural: most 0 is no limit */
    opt_writes writes;    /* OPT_FILE: what is written, see output_names.h */
    const char *help;     /* a sentence without its full stop */
};

/* Rows of a table of options. `member_` is of struct settings; letter 0 and initial NULL: none. */
#define OPTION(type_, name_, letter_, member_, ...)                                                \
    {                                                                                              \
        .name = (name_), .letter = (letter_), .type = OPT_##type_,                                 \
        .offset = offsetof(struct settings, member_), __VA_ARGS__                                  \
    }
#define OPTION_FLAG(name_, letter_, member_, help_)                                                \
    OPTION(FLAG, name_, letter_, member_, .help = (help_))
#define OPTION_FILE(name_, letter_, member_, argument_, help_)                                     \
    OPTION(FILE, name_, letter_, member_, .argument = (argument_), .help = (help_))
/* A file, or a folder, that the command writes. */
#define OPTION_OUT(name_, letter_, member_, argument_, help_)                                      \
    OPTION(FILE, name_, letter_, member_, .argument = (argument_), .writes = OPT_WRITES_FILE,      \
           .help = (help_))
#define OPTION_OUT_FOLDER(name_, letter_, member_, argument_, help_)                               \
    OPTION(FILE, name_, letter_, member_, .argument = (argument_), .writes = OPT_WRITES_FOLDER,    \
           .help = (help_))
#define OPTION_FILES(name_, letter_, member_, argument_, help_)                                    \
    OPTION(FILES, name_, letter_, member_, .argument = (argument_), .help = (help_))
#define OPTION_TEXTS(name_, letter_, member_, argument_, help_, ...)                               \
    OPTION(TEXTS, name_, letter_, member_, .argument = (argument_), .help = (help_), ##__VA_ARGS__)
/* `...`: .words and .names, if some values are known. */
#define OPTION_TEXT(name_, letter_, member_, argument_, initial_, help_, ...)                      \
    OPTION(TEXT, name_, letter_, member_, .argument = (argument_), .initial = (initial_),          \
           .help = (help_), ##__VA_ARGS__)
#define OPTION_CHOICE(name_, letter_, member_, argument_, choices_, initial_, help_)               \
    OPTION(CHOICE, name_, letter_, member_, .argument = (argument_), .choices = (choices_),        \
           .initial = (initial_), .help = (help_))
/* A choice that may be left out: then it is `alone_`. */
#define OPTION_CHOICE_OR(name_, letter_, member_, choices_, alone_, help_)                         \
    OPTION(CHOICE, name_, letter_, member_, .argument = "FORM", .choices = (choices_),             \
           .alone = (alone_), .help = (help_))
#define OPTION_NATURAL(name_, letter_, member_, argument_, initial_, least_, most_, help_)         \
    OPTION(NATURAL, name_, letter_, member_, .argument = (argument_), .initial = (initial_),       \
           .least = (least_), .most = (most_), .help = (help_))
#define OPTION_NUMBER(name_, letter_, member_, argument_, initial_, least_, most_, help_)          \
    OPTION(NUMBER, name_, letter_, member_, .argument = (argument_), .initial = (initial_),        \
           .least = (least_), .most = (most_), .help = (help_))
#define OPTION_PAIR(name_, letter_, member_, argument_, least_, help_)                             \
    OPTION(PAIR, name_, letter_, member_, .argument = (argument_), .least = (least_),              \
           .help = (help_))

struct opt_group {
    const char *title;
    const struct opt *options;
};

struct example {
    const char *says;    /* what the command does, without a full stop */
    const char *command; /* as typed; run by tests/integration/examples.py */
};

/* One command of the program. Lists end with an entry of zeros. */
struct command {
    const char *name;
    const char *summary;     /* one line */
    const char *arguments;   /* text after the options in the synopsis */
    const char *description; /* paragraphs, separated by blank lines */
    const struct opt_group *groups;
    const struct example *examples;
    bool takes_arguments; /* words that are not options go to settings.in */
    const char *words;    /* the first of these: "sheet|merge"; NULL: a file */
    const char *often;    /* the options that the short help shows, "method|html" */
    bool first;           /* the short help of the program has a line for it */
};

struct settings;

/* Read a command's arguments into *settings, after setting the defaults. Lists are allocated in
 * `arena`. RDV_OK; RDV_E_ARGUMENT with a one-line message that names the error and the remedy;
 * RDV_E_NOMEM. */
int opt_parse(const struct command *command, int argc, char **argv, rdv_arena *arena,
              struct settings *settings, rdv_error *err);
/* Whether the option of that name was given. */
bool opt_given(const struct settings *settings, const char *name);
/* The word of `words` (n of them) that `text` is a misspelling or the beginning of, or NULL: at
 * most one edit in every three characters, where swapping two neighbours is one edit. */
const char *opt_nearest(const char *text, const char *const *words, size_t n);
/* Whether the option takes the next word as its value. */
bool opt_takes_word(const struct opt *o);
/* "=" in brackets or a space before the value, as help writes it: "--list[=text|sarif]". */
const char *opt_before_argument(const struct opt *o);
/* What closes that bracket, or "". */
const char *opt_behind_argument(const struct opt *o);
/* The text for the option's value in help: its choices, its argument, or "". */
const char *opt_argument(const struct opt *o);
/* The command's option of that name; NULL: it has none. */
const struct opt *opt_named(const struct command *command, rdv_str name);
/* Cut the next word off a list such as "auto|always|never"; false at its end. */
bool opt_next_choice(const char **choices, rdv_str *word);
