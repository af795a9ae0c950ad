#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chains a second from 1 to 8 workers of Ray, against a scripted server with a given latency.

    RDV_SOURCE=. RDV_PROGRAM=build/cli/rederive PYTHON bench/ray.py [LATENCY [CHAINS]]      seconds; 0.5 and 60

PYTHON has rederive and ray[data]. Each worker has one call in flight, so that the server's latency bounds the
run and n workers can be n times as fast. CHAINS is the number for each worker. What is counted are the calls
between the first and the last moment at which every worker had one in flight: the time in which Ray starts its
processes, which this machine bounds and no latency, stands beside it.
"""
import json
import os
import sys
import tempfile
import time

os.environ.update(RAY_USAGE_STATS_ENABLED='0', RAY_DATA_DISABLE_PROGRESS_BARS='1',
                  RAY_raylet_start_wait_time_s='240', RAY_agent_register_timeout_ms='240000')
sys.path.append(os.path.join(os.environ['RDV_SOURCE'], 'tests/integration'))

import ray

import rederive.ray
from scripted import Server

BATCH = 8


def full(times, workers, latency):
    """When calls began at these times: the first and last moment at which `workers` of them were in flight."""
    moments = [at for i, at in enumerate(times) if i + 1 >= workers and at - times[i + 1 - workers] < latency]
    if not moments or moments[-1] == moments[0]:
        sys.exit('the workers never asked all at once: give more CHAINS')
    return moments[0], moments[-1]


def measured(workers, latency, each, folder):
    """Seconds until all workers asked, and calls a second since then."""
    lines = [json.dumps({'id': f'c{i}', 'question': f'What is {i} + 1?', 'steps': [f'{i} + 1 = {i + 1}.']})
             for i in range(workers * each)]
    rows = ray.data.from_items([{'text': line} for line in lines]).repartition(len(lines) // BATCH).materialize()
    with Server(rules=[{'reply': 'No', 'delay': latency}]) as server:
        begun = time.monotonic()
        stage = rederive.ray.check(rows, 'direct-trace', server.url, column='text', concurrency=workers,
                                   batch_size=BATCH, jobs=1, num_cpus=0.1, journals=tempfile.mkdtemp(dir=folder))
        failed = sum(row['error'] is not None for row in stage.take_all())
        assert not failed, failed
        times = [request['at'] for request in server.requests()]
    assert len(times) == len(lines), len(times)
    first, last = full(times, workers, latency)
    return first - begun, sum(first <= at < last for at in times) / (last - first)


def main(latency='0.5', each='60'):
    with tempfile.TemporaryDirectory(prefix='rdv-bench') as folder:
        ray.init(num_cpus=2, include_dashboard=False, logging_level='ERROR', log_to_driver=False, _temp_dir=folder)
        print(f'{each} chains for each worker, one call each, {latency} s a call, load {os.getloadavg()[0]:.1f}')
        print('workers  chains/s  of what the latency allows  seconds until all workers ask')
        for workers in (1, 2, 4, 8):
            start, rate = measured(workers, float(latency), int(each), folder)
            print(f'{workers:7}  {rate:8.2f}  {rate * float(latency) / workers:26.0%}  {start:29.1f}', flush=True)
        ray.shutdown()


if __name__ == '__main__':
    main(*sys.argv[1:])
