#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bugs planted in a copy of the sources, one at a time: a fast test of the room must catch each.

    tests/mutants/planted.py [--only WORD] [--work DIR]

Prints the test that caught each bug, and how long the tests ran until then (processor time). A bug is a text of the
source, in whichever file it stands, and what takes its place; if no source has the text, or it stands more than once, that is
a fault, so that no bug is lost when the code changes. Exit status: 0: all were caught; 1: some were not; 2: it could not be measured."""

import argparse
import collections
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tools"))

from mutant_tree import LINK, TESTS, Change, Failed, Tree, copy_of_head, processor_seconds  # noqa: E402

TESTS["server"] = ["unit/server/"]  # a folder of which only planted bugs are tried

Planted = collections.namedtuple("Planted", "name before after")

PLANTED = [
    Planted("an unread reply is taken for support",
            "v->kind = result_is_read(r) ? r->verdict : RDV_UNKNOWN;",
            "v->kind = result_is_read(r) ? r->verdict : RDV_SUPPORT;"),
    Planted("of tied answers the last wins",
            "speaker(how, a) < speaker(how, w)",
            "speaker(how, a) > speaker(how, w)"),
    Planted("a record depends on the order of arrival",
            "while (!run->chain_open && run->decided < run->begun",
            "while (run->decided < run->begun"),
    Planted("a verdict names the next step",
            ".step = whole ? RDV_WHOLE_CHAIN : i,",
            ".step = whole ? RDV_WHOLE_CHAIN : i + 1,"),
    Planted("units are converted the wrong way",
            "(unsigned long long)f->num,\n                       (unsigned long long)f->den,",
            "(unsigned long long)f->den,\n                       (unsigned long long)f->num,"),
    Planted("a percentage is not its value",
            "rc = compare_read(p, in_answer, in_gold, &share);",
            "rc = compare_read(p, in_gold, in_answer, &share);"),
    Planted("every sample of a call has the same choice",
            "other->choice = i++;",
            "other->choice = i;"),
    Planted("requests of different prompts share a call",
            "               rdv_str_eq(a->messages[i].text, b->messages[i].text);",
            "               a->messages[i].text.len > 0;"),
    Planted("a choice that is missing is never asked for",
            "    driver_ask_alone(run, c);\n    return RDV_OK;",
            "    driver_drop(run, c);\n    return RDV_OK;"),
    Planted("a call more than the budget",
            "a->calls >= b->calls",
            "a->calls > b->calls"),
    Planted("Retry-After is not obeyed",
            "c->pool->n > 1 ? RETRY_NOT_GIVEN : event->retry_after_ms;\n    c->due",
            "RETRY_NOT_GIVEN;\n    c->due"),
    Planted("unknown verdicts cost nothing",
            "cost += cost_of_unknown(how) * (double)c.unknown;",
            "cost += 0;"),
    Planted("the seed is not part of a key",
            "if (run->plan->options.seed)",
            "if (false)"),
    Planted("the sample is not part of a key",
            "    add_text(&h, request->sample);\n",
            ""),
    Planted("a try is counted twice",
            "? 0 : c->tries + 1;",
            "? 0 : c->tries + 2;"),
    Planted("a reply is used before it is committed",
            "int rc = journal ? journal_commit(journal, err) : RDV_OK;",
            "int rc = RDV_OK;"),
    Planted("a key that the server repeats is kept",
            "    server_hide_key(s, x->data, x->len);\n    bool whole",
            "    bool whole"),
    Planted("a reply that was cut off is read",
            "    if (cut_off) {",
            "    if (false) {"),
    Planted("one request is asked twice",
            "call *c = calls_find(&run->calls, request->key);",
            "call *c = NULL;"),
    Planted("the journal is not synchronised",
            "PRAGMA synchronous = NORMAL;",
            "PRAGMA synchronous = OFF;"),
    Planted("sums are rounded before they are compared",
            "    return rdv_sum_cmp(&a->sum, &b->sum);\n",
            "    double x = rdv_sum_value(&a->sum), y = rdv_sum_value(&b->sum);\n    return (x > y) - (x < y);\n"),
    Planted("a sample that a budget left out does not weigh",
            "    if (!result_is_read(r)) {\n        sum->unread++;",
            "    if (r->run->method->method.made && !r->node->asked)\n        return;\n"
            "    if (!result_is_read(r)) {\n        sum->unread++;"),
    Planted("the time of a budget begins again",
            "    if (x->began_ms == 0)\n        x->began_ms",
            "    x->began_ms"),
    Planted("a file is seen before its journal knows of it",
            "    if (rc == RDV_OK)\n        rc = journal_commit(j, err);\n    if (rc == RDV_OK)\n        rc = batch_file_name(f, err);",
            "    if (rc == RDV_OK)\n        rc = batch_file_name(f, err);\n    if (rc == RDV_OK)\n        rc = journal_commit(j, err);"),
    Planted("what the journal answers is estimated as a call",
            "        if (r == RDV_OK)\n            r = count(e, request, &reply, err);\n    }\n",
            "    }\n    if (r == RDV_OK)\n        r = count(e, request, &reply, err);\n"),
    Planted("an unusual reading makes right",
            "{READ_PERCENT_OVER, READING_UNUSUAL,",
            "{READ_PERCENT_OVER, READING_DERIVED,"),
    Planted("of two usual readings one is enough",
            "if (b == 0 || c > t->best) {",
            "if (b == 0 || c < t->best) {"),
    Planted("a number is cut off in either direction",
            "return nearest || cut;",
            "return true;"),
    Planted("a calculation that was not read is unrelated",
            "undecided = c->n_unread > 0;",
            "undecided = false;"),
    Planted("a chain of which nothing was decided has confidence 1",
            "nothing_decided(method, counts) ? NAN :",
            "nothing_decided(method, counts) ? 1 :"),
    Planted("math that was not read is given by rule",
            "coverage_all(check->coverage) == 0;",
            "check->coverage->checked == 0;"),
    Planted("what begins as the key is the key",
            "sha256_update(&h, key.len, (const uint8_t *)(key.p ? key.p : \"\"));",
            "sha256_update(&h, key.len < 8 ? key.len : 8, (const uint8_t *)(key.p ? key.p : \"\"));"),
    Planted("a type that begins as JSON's",
            ' && strchr(" \\t;", type[16])',
            ""),
    Planted("a host that begins as an accepted one",
            "return a.len == b.len && strncasecmp(a.p, b.p, a.len) == 0;",
            "return a.len >= b.len && strncasecmp(a.p, b.p, b.len) == 0;"),
    Planted("an address that does not exist wants no key",
            "r != HTTP_ROUTE_HEALTH && !check_key",
            "r != HTTP_ROUTE_HEALTH && r != HTTP_ROUTE_NONE && !check_key"),
    Planted("a body may have a byte more",
            "return n > r->max_body - r->body.len ?",
            "return n > r->max_body + 1 - r->body.len ?"),
    Planted("a key stays in the text of a survey's fault",
            "    server_hide_key(s, x->why, sizeof x->why);\n    bool never",
            "    bool never"),
    Planted("a certificate of a chain that was checked in part",
            "    else if (decided < c->chain->n_steps && c->out->n_gaps == 0)\n"
            '        add(c, RDV_WHOLE_CHAIN, RDV_STR("not every step was checked"));\n',
            ""),
    Planted("a step that is neither right nor wrong has score 0",
            "    case RDV_UNRELATED:\n        return 0.5;",
            "    case RDV_UNRELATED:\n        return 0;"),
    Planted("without a mistake the reply is no evidence",
            "bool decisive = at || (!located && v->step == 0);",
            "bool decisive = at;"),
    Planted("4 p.m is in the morning",
            '{"p.m", true}',
            '{"p.m", false}'),
    Planted("a CR at the end of a CSV is text",
            "(peek(csv) == '\\n' || peek(csv) == END)",
            "(peek(csv) == '\\n')"),
    Planted("room is made for what a zip says that it has",
            "d.size > zip->size || d.n > d.size / ENTRY_SIZE",
            "d.size > zip->size"),
    Planted("a member of a zip may cover the next",
            "m->packed > end - m->header - HEADER_SIZE",
            "false"),
    Planted("a zip bomb is unpacked",
            "u->made > RDV_ZIP_BOMB_BYTES && u->made / RDV_ZIP_BOMB_RATIO > u->member->packed",
            "false"),
    Planted("a tab begins no formula",
            '"=+-@\\t\\r"',
            '"=+-@"'),
    Planted("a reply's limit is not reserved",
            "*out = limit + seen->over_limit;",
            "*out = 0;"),
    Planted("a call that waits for the budget is left out",
            "    if (a->n_held && (!known || !account_lacks(a, likely, false)))\n        return wait_for_budget(c);\n",
            ""),
    Planted("a cancelled call keeps what it reserved",
            "        run_release(&run->context, &c->sent.held);\n",
            ""),
    Planted("a later reply takes the place of the first",
            "INSERT OR IGNORE INTO responses",
            "INSERT OR REPLACE INTO responses"),
    Planted("a journal's checksum leaves the time out",
            "    for (int i = 0; i < n; i++)\n        hash_value(&h, values[i]);",
            "    for (int i = 0; i < n - 1; i++)\n        hash_value(&h, values[i]);"),
    Planted("top_p leaves out the token that reaches it",
            "    return used;\n}\n\nstatic size_t everything",
            "    return used > 1 ? used - 1 : used;\n}\n\nstatic size_t everything"),
    Planted("control characters of a terminal are shown",
            "(c >= 0x7f && c < 0xa0)",
            "c == 0x7f"),
    Planted("a reply that was cut off counts as whole",
            "r->finish = says == SAYS_WHOLE ? RDV_FINISH_STOP : RDV_FINISH_LENGTH;",
            "r->finish = RDV_FINISH_STOP;"),
    Planted("praise beside a sentence that denies endorses",
            "goes = may_follow(&s) && s.neutral && !s.asked;",
            "goes = may_follow(&s) && !s.asked;"),
    Planted("praise behind what is not read says that there is no mistake",
            "only_praise &= goes_with_praise(&s);",
            "only_praise |= goes_with_praise(&s);"),
    Planted("a certificate without an asserted answer",
            "    if (code == RDV_OK && !asserted)\n",
            "    if (code == RDV_OK && !asserted && false)\n"),
]


def changed(tree, bug):
    """(the file, the change)"""
    rooms = ("src", "server")
    found = [path for room in rooms for path in sorted((tree.source / room).rglob("*.c")) for _ in range(path.read_text().count(bug.before))]
    if len(found) != 1:
        raise Failed(f"{bug.name}: the sources have this {len(found)} times, not once:\n{bug.before}")
    source = str(found[0].relative_to(tree.source))
    return source, Change(tree, source, found[0].read_text().replace(bug.before, bug.after))


def catch(tree, bug):
    """Print what caught a bug; whether anything did."""
    source, change = changed(tree, bug)
    room = source.removeprefix("src/").split("/")[0]
    tree.prepare(room)
    if not change.compiles() or not change.differs():
        raise Failed(f"{bug.name}: it does not compile, or is no change")
    begun = processor_seconds()
    failed = change.first_failure(sorted(tree.tests_of(room), key=lambda name: tree.usual[name]))
    if failed and failed[1] == LINK:
        raise Failed(f"{bug.name}: {failed[0]} cannot be linked")
    by = f"{failed[0]}: {failed[1]}" if failed else "nothing"
    print(f"| {bug.name} | `{source}` | {by} | {processor_seconds() - begun:.1f} |", flush=True)
    return failed is not None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--only", default="", help="bugs whose name has this in it")
    parser.add_argument("--work", type=Path, default=PROJECT / "build" / "mutate")
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    try:
        with copy_of_head(work):
            tree = Tree(work)
            bugs = [bug for bug in PLANTED if args.only in bug.name]
            for bug in bugs:
                changed(tree, bug)
            print("| bug | planted in | caught by | seconds until then |\n| --- | --- | --- | --- |")
            caught = [catch(tree, bug) for bug in bugs]
    except Failed as fault:
        print(f"planted: {fault}", file=sys.stderr)
        return 2
    print(f"\n{sum(caught)} of {len(caught)} caught")
    return 0 if all(caught) else 1


if __name__ == "__main__":
    sys.exit(main())
