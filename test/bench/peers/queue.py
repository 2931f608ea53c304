"""M/M/8 by SimPy 2.3: a process for each customer, and a resource of so many servers, first come first served.

Arguments: a file with an arrival and a service in each line, both in millionths of a unit; how many servers.
"""
import sys

from SimPy.Simulation import Process, Resource, Simulation, hold, release, request

from timed import jobs_in, timed


class Customer(Process):
    def visit(self, arrival, service, servers):
        yield request, self, servers
        self.sim.waited += self.sim.now() - arrival
        yield hold, self, service
        yield release, self, servers


class Source(Process):
    def send(self, jobs, servers):
        for arrival, service in jobs:
            yield hold, self, arrival - self.sim.now()
            customer = Customer(sim=self.sim)
            self.sim.activate(customer, customer.visit(arrival, service, servers))


jobs = jobs_in(sys.argv[1])
sim = Simulation()
sim.initialize()
sim.waited = 0.0
source = Source(sim=sim)
sim.activate(source, source.send(jobs, Resource(capacity=int(sys.argv[2]), sim=sim)))
timed(sim, lambda: sim.waited, len(jobs))
