#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a server can do wrong, one by one: the run goes on, and nothing counts that did not come."""
import json
import pathlib
import tempfile
import time

from driver_support import KEY, Server, TestCase, ask, main

# Of three works, the second meets the fault.
BAD = "work 1 ask 0"


def once(**rule):
    """The fault happens twice, then the server is well."""
    return Server(rules=[{"contains": BAD, "times": 2, **rule}])


def always(**rule):
    return Server(rules=[{"contains": BAD, **rule}])


class Passing(TestCase):
    """Faults that may go better are tried again, and leave no trace in the replies."""

    def check(self, **rule):
        with Server() as server:
            well = ask(3, 2, url=server.url)
        with once(**rule) as server:
            outcome = ask(3, 2, url=server.url, idle=300, timeout=2000)
        self.assertEqual(outcome.works, well.works)
        self.assertEqual(outcome.end, "done")
        self.assertEqual(outcome.totals["retries"], 2)
        self.assertEqual(outcome.totals["sent"], 8)
        self.assertEqual(outcome.totals["failed"], 0)

    def test_too_many_requests(self):
        self.check(status=429)

    def test_internal_error(self):
        self.check(status=500)

    def test_bad_gateway(self):
        self.check(status=502, body="<html>Bad Gateway</html>")

    def test_unavailable(self):
        self.check(status=503)

    def test_time_outs_of_a_slow_server_shrink_the_window(self):
        """A call's time counts its time in the server's queue: 33 calls became 162."""
        with Server(slots=1, delay=0.1) as server:
            outcome = ask(33, 1, url=server.url, jobs=64, timeout=1000, retries=8)
            sent = len(server.requests())
        self.assertEqual(outcome.totals["failed"], 0)
        self.assertLessEqual(sent, 40)

    def test_a_streamed_reply_is_timed_from_its_first_byte(self):
        """Each reply begins after 0.45 s and takes 0.66 s from there: more than the time-out, even
        without its wait for the slot."""
        reply = " ".join("abcdefgh")
        with Server(slots=1, delay=0.45, pieces=0.06, rules=[{"reply": reply}]) as server:
            outcome = ask(7, 1, url=server.url, jobs=2, timeout=1000, retries=8)
            asked = [r["body"]["messages"][-1]["content"] for r in server.requests()
                     if "stream" in r["body"]]
        self.assertEqual(outcome.totals["failed"], 0)
        self.assertEqual(outcome.works, [[reply]] * 7)
        self.assertGreaterEqual(len(asked), 5)
        self.assertEqual(len(asked), len(set(asked)), "a streamed call timed out")

    def test_a_server_that_stops_sending_times_out(self):
        """Waiting for the first byte ends too, where nobody is answered."""
        rules = [{"contains": "work 0", "delay": 0.6}, {"delay": 0.2, "times": 2}, {"delay": 30}]
        with Server(pieces=0.01, rules=rules) as server:
            outcome = ask(6, 1, url=server.url, jobs=4, timeout=700, retries=1)
        self.assertEqual(outcome.totals["answered"], 3)
        self.assertEqual(outcome.totals["failed"], 3)

    def test_a_server_that_refuses_streams_is_asked_without(self):
        for differences in (["no-stream"], []):
            with self.subTest(differences), \
                    Server(slots=1, delay=0.3, differences=differences) as server:
                outcome = ask(6, 1, url=server.url, jobs=2, timeout=1000, retries=8)
                asked = server.requests()
            self.assertEqual(outcome.totals["failed"], 0)
            self.assertTrue(any("stream" in request["body"] for request in asked))

    def test_gateway_timeout(self):
        self.check(status=504)

    def test_reset(self):
        """curl itself tries once more where a connection that was used before is reset."""
        with Server() as server:
            well = ask(3, 2, url=server.url)
        with once(do="reset") as server:
            outcome = ask(3, 2, url=server.url)
            self.assertEqual(len(server.requests()), 8)
        self.assertEqual(outcome.works, well.works)
        self.assertIn(outcome.totals["retries"], (1, 2))

    def test_reset_mid_body(self):
        self.check(do="reset-mid-body")

    def test_stalled_body(self):
        self.check(do="stall-mid-body")

    def test_no_response(self):
        with once(do="stall") as server:
            outcome = ask(3, 2, url=server.url, timeout=300)
        self.assertEqual(outcome.totals["retries"], 2)
        self.assertEqual(outcome.totals["failed"], 0)

    def test_html_with_200(self):
        self.check(do="html")

    def test_truncated_json(self):
        self.check(do="truncated")

    def test_malformed_json(self):
        self.check(do="malformed")

    def test_deep_json(self):
        self.check(do="deep")

    def test_no_choices(self):
        self.check(do="no-choices")

    def test_empty_body(self):
        self.check(do="empty-body")

    def test_invalid_utf8(self):
        self.check(do="invalid-utf8")

    def test_error_in_200(self):
        self.check(do="error-in-200")

    def test_wrong_content_type_does_not_matter(self):
        with once(headers={"Content-Type": "text/plain"}) as server:
            self.assertEqual(ask(3, 2, url=server.url).totals["retries"], 0)


class Lasting(TestCase):
    """Faults that stay: the call fails, and says why; the others do not."""

    def check(self, failure, why, sent=3 + 2, idle=200, timeout=400, **rule):
        with always(**rule) as server:
            outcome = ask(3, 1, url=server.url, retries=2, idle=idle, timeout=timeout)
        self.assertEqual(outcome.end, "done")
        self.assertRegex(outcome.works[1][0], f"^failed: {failure}: .*{why}")
        self.assertEqual(outcome.totals["failed"], 1)
        self.assertEqual(outcome.totals["answered"], 2)
        self.assertEqual(outcome.totals["sent"], sent)
        for other in outcome.works[0], outcome.works[2]:
            self.assertRegex(other[0], "^reply to ")

    def test_internal_error(self):
        self.check("unreachable", "HTTP 500: said 500", status=500)

    def test_reset(self):
        self.check("unreachable", "", do="reset")

    def test_stalled_body(self):
        self.check("timed out", "stopped coming after", do="stall-mid-body")

    def test_no_response(self):
        self.check("timed out", "", do="stall")

    def test_malformed_json(self):
        self.check("unreadable", "not JSON", do="malformed")

    def test_truncated_json(self):
        self.check("unreadable", "cut off", do="truncated")

    def test_invalid_utf8(self):
        self.check("unreadable", "not UTF-8", do="invalid-utf8")

    def test_error_in_200(self):
        self.check("unreadable", "upstream is busy", do="error-in-200")

    def test_no_choices(self):
        self.check("unreadable", "no choices", do="no-choices")

    def test_huge_reply_is_cut_off_and_not_asked_for_again(self):
        # 16 MB take longer than a short limit on a busy machine, and a call that takes too long is tried again.
        self.check("unreadable", "more than 16777216 bytes", sent=3, idle=20000, timeout=20000, do="huge")

    def test_bad_request_is_not_tried_again(self):
        self.check("refused", "HTTP 400: said 400", sent=3, status=400)

    def test_unknown_model_later_on_is_not_tried_again(self):
        with Server(rules=[{"contains": "work 2", "status": 404}]) as server:
            outcome = ask(3, 1, url=server.url, jobs=1)
        self.assertRegex(outcome.works[2][0], "^failed: refused: HTTP 404")
        self.assertEqual(outcome.totals["sent"], 3)

    def test_redirection_is_not_followed(self):
        self.check("refused", "HTTP 302", sent=3, status=302,
                   headers={"Location": "http://127.0.0.1:1/"})


class Replies(TestCase):
    """Replies that say little are replies."""

    def reply(self, **rule):
        with always(**rule) as server:
            return ask(3, 1, url=server.url).works[1][0]

    def test_null_content(self):
        self.assertEqual(self.reply(do="null-content"), " {no content, read as an empty reply}")

    def test_empty_content(self):
        self.assertEqual(self.reply(do="empty-content"), "")

    def test_cut_off(self):
        self.assertRegex(self.reply(do="length"), r"^reply to \w+ \(cut off\)$")


class Waiting(TestCase):
    def seconds(self, **rule):
        with once(**rule) as server:
            start = time.monotonic()
            outcome = ask(3, 1, url=server.url)
        self.assertEqual(outcome.totals["failed"], 0)
        return time.monotonic() - start

    def test_retry_after_is_honoured(self):
        self.assertGreaterEqual(self.seconds(status=429, headers={"Retry-After": "1"}), 2)

    def test_without_it_the_wait_is_ours(self):
        """The shortest of some: a busy machine makes one long, and a wait of two seconds makes all."""
        self.assertTrue(any(self.seconds(status=429) < 2 for _ in range(10)))

    def test_a_host_that_throttles_all_is_waited_for(self):
        """One in eleven is let through at first: none fails, though all are refused very often."""
        rules = [{"times": 10, "status": 429}, {"times": 1}] * 6
        with Server(rules=rules) as server:
            outcome = ask(12, 1, url=server.url, retries=4, backoff=2)
        self.assertEqual(outcome.totals["failed"], 0)
        self.assertEqual(outcome.totals["retries"], 60)


class Keys(TestCase):
    def test_right(self):
        with Server(key=KEY) as server:
            self.assertEqual(ask(2, 1, url=server.url, key=KEY).end, "done")

    def test_wrong_ends_the_run_with_one_clear_line(self):
        wrong = "sk-wrong-0123456789"
        with Server(key=KEY) as server:
            outcome = ask(50, 1, url=server.url, key=wrong, jobs=4)
            asked = len(server.requests())
        self.assertEqual(outcome.end, "refused")
        self.assertRegex(outcome.why, "refuses the API key: HTTP 401: Incorrect API key provided")
        self.assertNotIn(wrong, outcome.text)
        self.assertLessEqual(asked, 4)
        self.assertEqual(outcome.totals["retries"], 0)

    def test_missing(self):
        with Server(key=KEY) as server:
            self.assertRegex(ask(2, 1, url=server.url).why, "wants an API key")

    def test_not_in_replies_or_journal(self):
        """A server that quotes the key back: it is nowhere afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            journal = pathlib.Path(folder) / "j.db"
            with Server(key=KEY, rules=[{"reply": f"your key is {KEY}"}]) as server:
                outcome = ask(2, 1, url=server.url, key=KEY, journal=journal)
            self.assertIn("your key is ***", outcome.works[0][0])
            kept = b"".join(p.read_bytes() for p in pathlib.Path(folder).iterdir())
            self.assertNotIn(KEY.encode(), kept)

    def test_escaped_or_in_pieces(self):
        """JSON has many spellings of one text, and a reply may come in parts and tokens."""
        escaped = KEY.replace("-", "\\u002d").replace("k", "\\u006B")
        usage = '"usage":{"prompt_tokens":1,"completion_tokens":1}'

        def whole(message, logprobs="null"):
            return (f'{{"choices":[{{"index":0,"finish_reason":"stop","message":{{"role":'
                    f'"assistant","content":{message}}},"logprobs":{logprobs}}}],{usage}}}')

        def token(text):
            said = f'"token":"{text}","logprob":-0.5'
            return f'{{{said},"top_logprobs":[{{{said}}}]}}'

        parts = ",".join(f'{{"type":"text","text":"{p}"}}' for p in ("is ", KEY[:9], KEY[9:]))
        tokens_whole = ",".join(token(t) for t in ("is ", escaped))
        pieces = ",".join(token(t) for t in ("is ", KEY[:4], KEY[4:9], KEY[9:]))
        error = f'{{"error":{{"message":"{"x" * 280} {escaped} is wrong","code":"{escaped}"}}}}'
        nested = json.dumps({"error": {"message": f'upstream: {{"key":"{escaped}"}}'}})
        for status, body in ((200, whole(f'"is {escaped}"')), (200, whole(f"[{parts}]")),
                             (200, whole('"is it"', f'{{"content":[{tokens_whole}]}}')),
                             (200, whole('"is it"', f'{{"content":[{pieces}]}}')),
                             (400, error), (400, nested), (400, escaped)):
            rules = [{"status": status, "body": body}]
            with tempfile.TemporaryDirectory() as folder:
                journal = pathlib.Path(folder) / "j.db"
                with Server(key=KEY, rules=rules) as server:
                    outcome = ask(1, 1, url=server.url, key=KEY, journal=journal, logprobs=1)
                kept = b"".join(p.read_bytes() for p in pathlib.Path(folder).iterdir())
            self.assertIn("*" * 9, outcome.text + kept.decode("latin-1"), body)
            for piece in (KEY, escaped, KEY[:9], KEY[9:], KEY[4:9]):
                self.assertNotIn(piece, outcome.text, body)
                self.assertNotIn(piece.encode(), kept, body)

    def test_unknown_model_ends_the_run(self):
        with Server(models=["other"]) as server:
            outcome = ask(50, 1, url=server.url, jobs=4)
        self.assertEqual(outcome.end, "refused")
        self.assertRegex(outcome.why, "does not know this address or model: .*`fake` does not")

    def test_a_filter_holds_back_one_request_only(self):
        body = {"error": {"message": "Your input was flagged"}}
        with Server(rules=[{"times": 1}, {"times": 1, "status": 403, "body": body}, {}]) as server:
            outcome = ask(6, 1, url=server.url, key=KEY, jobs=1)
        self.assertEqual(outcome.end, "done")
        self.assertEqual([outcome.totals["answered"], outcome.totals["failed"]], [5, 1])
        self.assertRegex(outcome.text, "refused.*HTTP 403: Your input was flagged")

    def test_forbidden_from_the_start_ends_the_run(self):
        with Server(rules=[{"status": 403, "body": {"error": {"message": "No"}}}]) as server:
            self.assertEqual(ask(6, 1, url=server.url, key=KEY, jobs=1).end, "refused")

    def test_no_quota_left_is_not_waited_for(self):
        body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
        with Server(rules=[{"status": 429, "body": body}]) as server:
            outcome = ask(50, 1, url=server.url, jobs=4)
        self.assertEqual(outcome.end, "refused")
        self.assertRegex(outcome.why, "no quota left")

    def test_nobody_listens(self):
        outcome = ask(50, 1, url="http://127.0.0.1:1/v1#fake", retries=2)
        self.assertEqual(outcome.end, "unreachable")
        self.assertEqual(outcome.totals["answered"], 0)


if __name__ == "__main__":
    main()
