"""The DSP market by SimPy 2.3, as the same protocol: client, contractors and processors are processes with mailboxes.

A client asks all contractors for bids. Who is free bids, who is busy puts the request off and says so; when all have
answered, the earliest completion gets the task, or else the first that bids on becoming free, which it does for the
shortest task that it knows of until one is not placed yet. The result is told to all, so that they forget the task.

Arguments: a file with an arrival and a work in each line, both in millionths of a unit; the speeds.
"""
import sys
from bisect import insort

from SimPy.Simulation import Process, Simulation, Store, get, hold, put

from timed import jobs_in, timed


class Actor(Process):
    """Handles one message at a time; what it sends is a list of (to, message)."""

    def __init__(self, sim):
        Process.__init__(self, sim=sim)
        self.box = Store(sim=sim)

    def act(self):
        while True:
            yield get, self, self.box, 1
            for to, message in self.handle(*self.got[0]):
                yield put, self, to.box, [message]


class Client(Actor):
    def __init__(self, sim, contractors):
        Actor.__init__(self, sim)
        self.contractors = contractors
        self.tasks = {}

    def handle(self, kind, number, *rest):
        return getattr(self, kind)(number, *rest)

    def arrive(self, number, arrival, work):
        self.tasks[number] = {"arrival": arrival, "work": work, "answers": 0, "offers": [], "placed": False}
        return [(one, ("rfb", number, arrival, work, self)) for one in self.contractors]

    def bid(self, number, completion, contractor):
        task = self.tasks[number]
        if task["placed"]:
            return [(contractor, ("placed", number))]
        task["offers"].append((completion, contractor.index, contractor))
        return self.answered(task, number)

    def ack(self, number):
        return self.answered(self.tasks[number], number)

    def answered(self, task, number):
        task["answers"] += 1
        if task["answers"] < len(self.contractors) or not task["offers"]:
            return []
        task["placed"] = True
        return [(min(task["offers"])[2], ("task", number, task["work"], self))]

    def result(self, number):
        self.sim.flow += self.sim.now() - self.tasks.pop(number)["arrival"]
        return [(one, ("cancel", number)) for one in self.contractors]


class Contractor(Actor):
    def __init__(self, sim, index, speed):
        Actor.__init__(self, sim)
        self.index, self.speed = index, speed
        self.processor = Processor(sim, self)
        self.executing = False
        self.queue = []

    def handle(self, kind, number, *rest):
        return getattr(self, kind)(number, *rest)

    def rfb(self, number, arrival, work, client):
        if self.executing:
            insort(self.queue, (work, arrival, number, client))
            return [(client, ("ack", number))]
        return [self.offer(number, work, client)]

    def offer(self, number, work, client):
        return client, ("bid", number, self.sim.now() + round(work / self.speed), self)

    def task(self, number, work, client):
        self.executing = True
        self.forget(number)
        return [(self.processor, ("run", number, round(work / self.speed), client))]

    def finished(self, number, client):
        self.executing = False
        return [(client, ("result", number)), *self.bid_for_head()]

    def placed(self, number):
        self.forget(number)
        return [] if self.executing else self.bid_for_head()

    def bid_for_head(self):
        for work, _, number, client in self.queue[:1]:
            return [self.offer(number, work, client)]
        return []

    def cancel(self, number):
        self.forget(number)
        return []

    def forget(self, number):
        self.queue = [entry for entry in self.queue if entry[2] != number]


class Processor(Actor):
    def __init__(self, sim, contractor):
        Actor.__init__(self, sim)
        self.contractor = contractor

    def act(self):
        while True:
            yield get, self, self.box, 1
            _, number, took, client = self.got[0]
            yield hold, self, took
            yield put, self, self.contractor.box, [("finished", number, client)]


class Source(Process):
    def send(self, jobs, client):
        for number, (arrival, work) in enumerate(jobs):
            yield hold, self, arrival - self.sim.now()
            yield put, self, client.box, [("arrive", number, arrival, work)]


jobs = jobs_in(sys.argv[1])
sim = Simulation()
sim.initialize()
sim.flow = 0.0
contractors = [Contractor(sim, i, float(speed)) for i, speed in enumerate(sys.argv[2].split(","))]
client = Client(sim, contractors)
for actor in [client, *contractors, *(one.processor for one in contractors)]:
    sim.activate(actor, actor.act())
source = Source(sim=sim)
sim.activate(source, source.send(jobs, client))
timed(sim, lambda: sim.flow, len(jobs))
