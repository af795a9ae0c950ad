#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs files of requests in OpenAI's Batch format at a server, as a provider or `vllm run-batch` does.

    tests/fake/batch_runner.py SERVER RESULTS REQUESTS...

SERVER is "http://127.0.0.1:8080". RESULTS gets a line for each request, in the documented form:

    {"id": "batch_req_1", "custom_id": ..., "error": null,
     "response": {"status_code": 200, "request_id": "...", "body": {...}}}
"""
import concurrent.futures
import json
import sys
import urllib.error
import urllib.request


def check_request(request):
    """A line of a file of requests, by OpenAI's documentation."""
    if set(request) != {"custom_id", "method", "url", "body"}:
        raise ValueError(f"members {sorted(request)}")
    if not (isinstance(request["custom_id"], str) and 0 < len(request["custom_id"]) <= 64):
        raise ValueError("custom_id is not 1 to 64 characters")
    if request["method"] != "POST" or request["url"] != "/v1/chat/completions":
        raise ValueError(f"{request['method']} {request['url']}")
    if not (isinstance(request["body"], dict) and request["body"].get("model") and request["body"].get("messages")):
        raise ValueError("body without model or messages")


def requests_of(path):
    """The requests in a file, which has to be one that a provider takes."""
    with open(path, encoding="utf-8") as file:
        requests = [json.loads(line) for line in file]
    for request in requests:
        check_request(request)
    if len({r["custom_id"] for r in requests}) != len(requests):
        raise ValueError(f"{path}: a custom_id is there twice")
    if len({r["body"]["model"] for r in requests}) > 1:
        raise ValueError(f"{path}: more than one model")
    return requests


def ask(server, request, change=None):
    """The line of the result of a request. change: of the body that is sent."""
    body = change(request) if change else request["body"]
    call = urllib.request.Request(server + request["url"], json.dumps(body).encode(),
                                  {"Content-Type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(call, timeout=600) as reply:
            status, body = reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        status, body = error.code, json.loads(error.read() or b"null")
    except OSError as error:
        return {"id": None, "custom_id": request["custom_id"], "response": None,
                "error": {"code": "server_error", "message": str(error)}}
    name = request["custom_id"][:16]
    return {"id": f"batch_req_{name}", "custom_id": request["custom_id"],
            "response": {"status_code": status, "request_id": f"req_{name}", "body": body}, "error": None}


def run(server, paths, change=None, jobs=4):
    """The results of all requests in the files, in their order."""
    requests = [request for path in paths for request in requests_of(path)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda request: ask(server, request, change), requests))


def main(server, results, *paths):
    with open(results, "w", encoding="utf-8") as file:
        for result in run(server, paths):
            file.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
