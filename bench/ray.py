#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chains a second from 1 to 8 workers of Ray, against a scripted server with a given latency.

    RDV_SOURCE=. RDV_PROGRAM=build/cli/rederive PYTHON bench/ray.py [LATENCY [CHAINS]]      seconds; 0.2 and 64

PYTHON has rederive and ray[data]. Each worker has one call in flight, so that the server's latency bounds the
run and n workers can be n times as fast; the rest is what Ray, the sessions and this machine take. The first
run of each number of workers, which starts their processes, is not counted.
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

BATCH = 4


def seconds(rows, workers, url, folder):
    begun = time.monotonic()
    stage = rederive.ray.check(rows, 'direct-trace', url, column='text', concurrency=workers, batch_size=BATCH,
                               jobs=1, num_cpus=0.1, journals=tempfile.mkdtemp(dir=folder))
    failed = sum(row['error'] is not None for row in stage.take_all())
    assert not failed, failed
    return time.monotonic() - begun


def main(latency='0.2', chains='64'):
    n = int(chains)
    lines = [json.dumps({'id': f'c{i}', 'question': f'What is {i} + 1?', 'steps': [f'{i} + 1 = {i + 1}.']})
             for i in range(n)]
    script = {'rules': [{'reply': 'No', 'delay': float(latency)}]}
    with tempfile.TemporaryDirectory(prefix='rdv-bench') as folder, Server(**script) as server:
        ray.init(num_cpus=2, include_dashboard=False, logging_level='ERROR', log_to_driver=False, _temp_dir=folder)
        rows = ray.data.from_items([{'text': line} for line in lines]).repartition(n // BATCH).materialize()
        ideal = n * float(latency)
        print(f'{n} chains, one call each, {latency} s a call, load {os.getloadavg()[0]:.1f}')
        print('workers  seconds  chains/s  of the server\'s latency alone')
        for workers in (1, 2, 4, 8):
            seconds(rows, workers, server.url, folder)
            took = seconds(rows, workers, server.url, folder)
            print(f'{workers:7}  {took:7.1f}  {n / took:8.2f}  {ideal / workers / took:6.0%}', flush=True)
        ray.shutdown()


if __name__ == '__main__':
    main(*sys.argv[1:])
