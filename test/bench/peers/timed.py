"""What the SimPy programs have in common: their jobs, and what a simulation of them took."""
import json
import time


def jobs_in(path):
    with open(path) as lines:
        return [tuple(float(word) for word in line.split()) for line in lines]


def timed(sim, total, count):
    """Runs what has been activated, and says how long that took and what `total` comes to for each of `count` jobs."""
    wall, cpu = time.perf_counter(), time.process_time()
    sim.simulate(until=1e18)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"ms": 1000 * wall, "cpuMs": 1000 * cpu, "mean": total() / count}))
