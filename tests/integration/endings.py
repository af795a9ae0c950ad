# SPDX-License-Identifier: Apache-2.0
"""How runs end: Ctrl-C, a reader that goes away, output files that appear only when complete."""
import json
import os
import select
import signal
import subprocess
import time
import unittest

from scripted import SELFCHECK, Server
from support import PROGRAM, SANITIZED, SECONDS, Case, chain, lines, rederive


def processor_time(process_id):
    """Seconds that a process has used so far."""
    with open(f"/proc/{process_id}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Interrupted(Case):
    def start(self, *args):
        return subprocess.Popen([PROGRAM, "check", *args], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def feed_and_interrupt(self, process, number):
        process.stdin.write(lines(*[chain(id=str(i)) for i in range(20)]).encode())
        process.stdin.flush()
        time.sleep(1)  # it has read them and waits for more
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        return out.decode(), err.decode()

    def test_what_was_done_is_written_whole(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start()
            out, err = self.feed_and_interrupt(process, number)
            self.assertEqual(process.returncode, 130, err)
            self.assertRegex(err, r"interrupted after reading \d+ records")
            self.assertTrue(out == "" or out.endswith("\n"))
            for i, line in enumerate(out.splitlines()):
                self.assertEqual(json.loads(line)["id"], str(i))

    def test_while_nobody_reads_a_full_pipe(self):
        """What is held back is written when somebody reads again, whole."""
        name = self.write("in.jsonl", lines(*[chain(id=str(i)) for i in range(3000)]))
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        for args in ((), ("-o", fifo)):
            process = self.start(*args, name)
            reader = open(fifo, "rb") if args else process.stdout
            time.sleep(2)  # the pipe is full
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            out = reader.read().decode()
            reader.close()
            err = process.communicate(timeout=30)[1].decode()
            self.assertEqual(process.returncode, 130, err)
            self.assertRegex(err, r"interrupted after reading \d+ records")
            self.assertNotIn("cannot be written", err)
            self.assertTrue(out.endswith("\n"))
            for i, line in enumerate(out.splitlines()):
                self.assertEqual(json.loads(line)["id"], str(i))

    def test_output_file_is_left_as_partial(self):
        name = self.write("out.jsonl", "what was there before\n")
        process = self.start("--out", name)
        _, err = self.feed_and_interrupt(process, signal.SIGINT)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(self.read("out.jsonl"), "what was there before\n")
        self.assertIn("out.jsonl.partial", err)
        for line in self.read("out.jsonl.partial").splitlines():
            json.loads(line)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.jsonl", "out.jsonl.partial"])

    def test_says_of_a_vote_that_nothing_was_written(self):
        """It reads all chains before it writes anything."""
        process = subprocess.Popen([PROGRAM, "vote", "--out", self.path("votes.jsonl")],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, err = self.feed_and_interrupt(process, signal.SIGINT)
        self.assertEqual(process.returncode, 130, err)
        self.assertRegex(err, r"interrupted after reading \d+ records; nothing was written\n")
        self.assertEqual(os.listdir(self.folder), [])


class TwoSignals(Case):
    """A call is out that will not end by itself, so that the end of the run takes its time."""

    def signals(self, server, number, apart):
        args = ["check", "-m", "selfcheck", "-M", server.url, "-o", self.path("out.jsonl"),
                self.write("in.jsonl", lines(chain(id="a")))]
        with subprocess.Popen([PROGRAM, *args], stderr=subprocess.PIPE, text=True) as process:
            while not server.asked():
                time.sleep(0.01)
            process.send_signal(number)
            time.sleep(apart)
            process.send_signal(number)
            _, err = process.communicate(timeout=SECONDS)
            return process.returncode, err

    def test_close_together_are_one(self):
        """In one of some runs: a busy machine sends the second too late."""
        for number in (signal.SIGINT, signal.SIGTERM):
            for _ in range(5):
                with Server(delay=60) as server:
                    status, err = self.signals(server, number, 0.05)
                if status == 130:
                    break
            self.assertEqual(status, 130, err)
            self.assertIn("1 line of output in %s.partial" % self.path("out.jsonl"), err)
            self.assertEqual(sorted(os.listdir(self.folder)),
                             ["in.jsonl", "out.jsonl.journal", "out.jsonl.partial"])

    def test_of_timeout(self):
        """It sends the signal to the program, and to the group that the program is in."""
        with Server(delay=60) as server:
            ended = subprocess.run(
                ["timeout", "-s", "INT", "2", PROGRAM, "check", "-m", "selfcheck", "-M", server.url,
                 "-o", self.path("out.jsonl"), self.write("in.jsonl", lines(chain(id="a")))],
                stderr=subprocess.PIPE, text=True, check=False, start_new_session=True)
        self.assertIn("interrupted after", ended.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["in.jsonl", "out.jsonl.journal", "out.jsonl.partial"])

    def test_far_apart_the_second_ends_it_at_once(self):
        """The record in hand takes long, and is not waited for twice."""
        steps = [" and ".join(f"12345 * 6789 + {6 * i + k} = 83810205 and 3/7 + 2/9 = 41/63" for k in range(6))
                 for i in range(100000)]  # as many as a chain may have
        for n, apart, used, status in ((10000, 0.05, 0, 130), (len(steps), 0.7, 2, -signal.SIGINT)):
            name = self.write("in.jsonl", lines(chain(steps=steps[:n])))
            process = subprocess.Popen([PROGRAM, "check", "-q", "-o", self.path("out"), name],
                                       stderr=subprocess.DEVNULL)
            while not os.path.exists(self.path("out.writing")):
                time.sleep(0.01)
            time.sleep(0.1)
            while processor_time(process.pid) < used:  # it is read, and half checked
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            time.sleep(apart)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(SECONDS), status)


class Killed(Case):
    def test_leaves_what_is_documented(self):
        """And the next run leaves only its own."""
        name = self.write("in.jsonl", lines(*[chain(id=str(i)) for i in range(40)]))
        args = ["check", "-q", "-m", "selfcheck", "-j", "2", "-o", self.path("out.jsonl"), name]
        documented = {"in.jsonl", "out.jsonl.writing", "out.jsonl.journal",
                      "out.jsonl.journal-wal", "out.jsonl.journal-journal"}
        with Server(rules=SELFCHECK, delay=0.005) as server:
            for delay in (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8):
                process = subprocess.Popen([PROGRAM, *args, "-M", server.url],
                                           stderr=subprocess.DEVNULL)
                time.sleep(delay * (3 if SANITIZED else 1))
                process.kill()
                process.wait()
                self.assertLessEqual(set(os.listdir(self.folder)) - {"out.jsonl"}, documented)
            self.assert_ended(rederive(*args, "-M", server.url), 0)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["in.jsonl", "out.jsonl", "out.jsonl.journal"])
        self.assertEqual(len(self.read("out.jsonl").splitlines()), 40)

    def test_what_was_left_is_no_way_to_write_elsewhere(self):
        """A link that lies where the output is written is taken away, not followed."""
        other = self.write("other", "mine\n")
        os.symlink(other, self.path("out.jsonl.writing"))
        self.assert_ended(rederive("check", "-q", "-o", self.path("out.jsonl"),
                                   stdin=lines(chain())), 0)
        self.assertEqual(self.read("other"), "mine\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["other", "out.jsonl"])

    def test_two_do_not_write_one_output(self):
        out = self.path("out.jsonl")
        with subprocess.Popen([PROGRAM, "check", "-q", "-o", out], stdin=subprocess.PIPE) as first:
            while not os.path.exists(out + ".writing"):
                time.sleep(0.01)
            second = rederive("check", "-q", "-o", out, stdin=lines(chain()))
            first.communicate(lines(chain(id="first")).encode(), timeout=SECONDS)
        self.assert_ended(second, 3)
        self.assertIn("out.jsonl: another run is writing to it", second.err)
        self.assertEqual(first.returncode, 0)
        self.assertEqual(json.loads(self.read("out.jsonl"))["id"], "first")


class SlowPipe(Case):
    def test_records_leave_while_more_are_waited_for(self):
        process = subprocess.Popen([PROGRAM, "check", "-q"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        for i in range(3):
            process.stdin.write(lines(chain(id=str(i))).encode())
            process.stdin.flush()
            if i:  # the record before is known to be whole when the next one begins
                self.assertTrue(select.select([process.stdout], [], [], 30)[0])
                self.assertEqual(json.loads(process.stdout.readline())["id"], str(i - 1))
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)


class NobodyReads(Case):
    def test_is_quiet(self):
        name = self.write("in.jsonl", lines(*[chain(id=str(i)) for i in range(20000)]))
        for command in ("check", "vote"):
            done = subprocess.run(
                ["bash", "-c", '"$0" "$1" "$2" | head -n 1; echo "${PIPESTATUS[0]}"', PROGRAM,
                 command, name], capture_output=True, text=True, timeout=120, check=True)
            if command == "check":
                self.assertEqual(done.stdout.split()[-1], "141")
            self.assertEqual(done.stderr.count("rederive:"), 0, done.stderr)


class OutputFile(Case):
    def test_appears_complete_with_ordinary_permissions(self):
        name = self.path("out.jsonl")
        ended = rederive("check", "-q", "--out", name, stdin=lines(chain(), chain()))
        self.assert_ended(ended, 0)
        self.assertEqual(ended.out, "")
        self.assertEqual(len(self.read("out.jsonl").splitlines()), 2)
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(os.stat(name).st_mode & 0o777, 0o666 & ~mask)
        self.assertEqual(os.listdir(self.folder), ["out.jsonl"])

    def test_link_stays_a_link(self):
        self.write("real.jsonl", "")
        os.symlink(self.path("real.jsonl"), self.path("link.jsonl"))
        self.assert_ended(rederive("check", "-q", "-o", self.path("link.jsonl"),
                                   stdin=lines(chain())), 0)
        self.assertTrue(os.path.islink(self.path("link.jsonl")))
        self.assertEqual(len(self.read("real.jsonl").splitlines()), 1)

    def test_that_cannot_be_written_is_said_first(self):
        ended = rederive("check", "--out", self.path("no/such/folder"), stdin=lines(chain()))
        self.assert_ended(ended, 3)
        self.assertIn("no/such/folder", ended.err)

    def test_full_device(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        text = lines(*[chain() for _ in range(2000)])
        ended = rederive("check", "--out", "/dev/full", stdin=text)
        self.assert_ended(ended, 3)
        self.assertIn("cannot be written", ended.err)


    def test_lists_on_a_full_device(self):
        """What is printed and lost is a failure, and said."""
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        for args in (("help",), ("help", "check"), ("--version",), ("formats",), ("methods",), ("completion", "bash"),
                     ("eval", "--recipe", "list"), ("reproduce", "--list")):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
            self.assertEqual(done.returncode, 3, args)
            self.assertRegex(done.stderr, r"\Arederive: standard output cannot be written.*\n\Z", args)


class Told(Case):
    def test_quiet_is_quiet_and_json_is_json(self):
        text = lines(chain(), chain(steps=["2 + 3 = 6"]))
        self.assertEqual(rederive("check", "-q", stdin=text).err, "")
        summary = json.loads(rederive("check", "--json", stdin=text).err)
        self.assertEqual([summary["n_chains"], summary["n_contradict"], summary["n_failed"]], [2, 1, 0])
        summary = json.loads(rederive("vote", "--json", stdin=text).err)
        self.assertEqual([summary["n_questions"], summary["n_chains"]], [1, 2])

    def test_no_progress_where_nobody_looks(self):
        text = lines(*[chain() for _ in range(3000)])
        self.assertNotIn("\r", rederive("check", stdin=text).err)


if __name__ == "__main__":
    unittest.main()
