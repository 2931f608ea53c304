"""What the DSP market comes to without delays, by SimPy 2.3 and without messages: one queue, shortest task first, and the
fastest machine that is free; a process for each execution.

Arguments: a file with an arrival and a work in each line, both in millionths of a unit; the speeds.
"""
import sys
from heapq import heappop, heappush

from SimPy.Simulation import Process, Simulation, hold

from timed import jobs_in, timed


class Execution(Process):
    def go(self, machine, arrival, work, free, queue):
        _, speed, _ = machine
        yield hold, self, round(work / speed)
        self.sim.flow += self.sim.now() - arrival
        heappush(free, machine)
        begin(self.sim, free, queue)


def begin(sim, free, queue):
    if free and queue:
        work, arrival = heappop(queue)
        execution = Execution(sim=sim)
        sim.activate(execution, execution.go(heappop(free), arrival, work, free, queue))


class Source(Process):
    def send(self, jobs, free, queue):
        for arrival, work in jobs:
            yield hold, self, arrival - self.sim.now()
            heappush(queue, (work, arrival))
            begin(self.sim, free, queue)


jobs = jobs_in(sys.argv[1])
sim = Simulation()
sim.initialize()
sim.flow = 0.0
free = sorted((-float(speed), float(speed), i) for i, speed in enumerate(sys.argv[2].split(",")))
source = Source(sim=sim)
sim.activate(source, source.send(jobs, free, []))
timed(sim, lambda: sim.flow, len(jobs))
