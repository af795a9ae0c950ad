# SPDX-License-Identifier: Apache-2.0
"""The engine of the built-in model (rederive/lm.h), called from Python through the shared library that the
environment variable RDV_LIBRARY names. Only what the tests beside it need."""
import ctypes
import os
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p


class Error(Structure):
    _fields_ = [("code", c_int), ("msg", ctypes.c_char * 512)]


class Str(Structure):
    _fields_ = [("p", c_void_p), ("len", c_size_t)]

    def bytes(self):
        return ctypes.string_at(self.p, self.len) if self.p else b""


class Options(Structure):
    _fields_ = [("threads", c_uint32), ("sequences", c_uint32), ("chunk", c_uint32), ("cache_bytes", c_uint64),
                ("forget", c_bool)]


class Job(Structure):
    _fields_ = [("prompt", POINTER(c_uint32)), ("n_prompt", c_size_t), ("score", c_bool), ("score_from", c_size_t),
                ("max_tokens", c_uint32), ("temperature", c_double), ("top_p", c_double), ("seed", c_uint64),
                ("stop", POINTER(Str)), ("n_stop", c_size_t), ("top_logprobs", c_uint32), ("stream", c_bool),
                ("user", c_void_p)]


class Choice(Structure):
    _fields_ = [("token", c_uint32), ("logprob", c_double)]


class Token(Structure):
    _fields_ = [("token", c_uint32), ("logprob", c_double), ("top", POINTER(Choice)), ("n_top", c_size_t)]


class Event(Structure):
    _fields_ = [("kind", c_int), ("id", c_uint64), ("user", c_void_p), ("text", Str), ("tokens", POINTER(Token)),
                ("n_tokens", c_size_t), ("scored", POINTER(Token)), ("n_scored", c_size_t), ("finish", c_int),
                ("stopped_by", Str), ("prompt_tokens", c_uint64), ("cached_tokens", c_uint64),
                ("completion_tokens", c_uint64)]


class Info(Structure):
    _fields_ = [("name", Str), ("chat_template", Str), ("weights", Str), ("context", c_uint32), ("vocab", c_uint32),
                ("width", c_uint32), ("layers", c_uint32), ("heads", c_uint32), ("kv_heads", c_uint32),
                ("feed_forward", c_uint32), ("params", c_uint64), ("file_bytes", c_uint64),
                ("packed_bytes", c_uint64), ("chat", c_bool)]


class Stats(Structure):
    _fields_ = [(name, c_uint64) for name in (
        "steps", "prompt_tokens", "cached_tokens", "generated_tokens", "recomputed_tokens", "cache_bytes",
        "used_bytes", "kept_bytes", "work_bytes")] + [("running", c_uint32), ("waiting", c_uint32),
                                                      ("threads", c_uint32), ("kernels", c_char_p)]


class Reply:
    """What a job ended with. `tokens` and `scored` are lists of (token, logprob, [(token, logprob), ...])."""

    def __init__(self, event):
        self.text = event.text.bytes()
        self.tokens = [self.token(event.tokens[i]) for i in range(event.n_tokens)]
        self.scored = [self.token(event.scored[i]) for i in range(event.n_scored)]
        self.stopped = event.finish == 0
        self.cached = event.cached_tokens

    @staticmethod
    def token(t):
        return t.token, t.logprob, [(t.top[i].token, t.top[i].logprob) for i in range(t.n_top)]


class Engine:
    """A model and an engine of it."""

    def __init__(self, path, **options):
        self.library = ctypes.CDLL(os.environ["RDV_LIBRARY"])
        self.library.rdv_arena_new.restype = c_void_p
        self.error, self.model, self.engine = Error(), c_void_p(), c_void_p()
        self.call("rdv_lm_open", byref(self.model), os.fsencode(path), byref(self.error))
        self.call("rdv_lm_engine_new", byref(self.engine), self.model, byref(Options(**options)), byref(self.error))

    def call(self, name, *args):
        code = getattr(self.library, name)(*args)
        if code < 0:
            raise RuntimeError(self.error.msg.decode())
        return code

    def close(self):
        self.library.rdv_lm_engine_free(byref(self.engine))
        self.library.rdv_lm_close(byref(self.model))

    def about(self):
        info = Info()
        self.library.rdv_lm_about(self.model, byref(info))
        return info

    def stats(self):
        stats = Stats()
        self.library.rdv_lm_engine_stats(self.engine, byref(stats))
        return stats

    def tokens(self, text, begin=False):
        arena = c_void_p(self.library.rdv_arena_new(c_size_t(0)))
        items, n = POINTER(c_uint32)(), c_size_t()
        held = ctypes.create_string_buffer(text, len(text) + 1)
        self.call("rdv_lm_tokens", self.model, Str(ctypes.addressof(held), len(text)), c_bool(begin), arena,
                  byref(items), byref(n), byref(self.error))
        out = items[:n.value] if n.value else []
        self.library.rdv_arena_free(byref(arena))
        return out

    def run(self, jobs):
        """The replies to jobs, given as dicts of Job's fields with `prompt` a list, in their order."""
        replies, ids = {}, []
        for job in jobs:
            prompt = (c_uint32 * len(job["prompt"]))(*job["prompt"])
            asked = Job(**(job | {"prompt": prompt, "n_prompt": len(job["prompt"])}))
            number = c_uint64()
            self.call("rdv_lm_submit", self.engine, byref(asked), byref(number), byref(self.error))
            ids.append(number.value)
        event = Event()
        while True:
            more = self.call("rdv_lm_step", self.engine, byref(self.error)) == 0
            while self.call("rdv_lm_poll", self.engine, byref(event)) == 0:
                if event.kind == 1:
                    replies[event.id] = Reply(event)
            if not more:
                return [replies[i] for i in ids]
