/** The cluster of figure 4, and runs of it that keep every fact. */
import * as assert from 'uvu/assert'
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import { type Message, machineOf } from '../../lib/actor.ts'
import { type Time, units } from '../../lib/core/time.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { FactAbout, SystemInit } from '../../lib/system.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { type Cluster, runs, type Said } from '../../scenarios/shares/model.ts'
import { periods, type Usage } from '../../scenarios/shares/usage.ts'
import { network } from '../system/harness.ts'
import { Entitlement } from './entitlement.ts'

export const PERIOD = units(1000)
export const LATENCY = units(1)
export const TICK = { every: PERIOD, patience: 0 }
/** Switches cost no time, so usage can be compared with fluid shares. */
export const PLAIN: Sharing = { ...STANDARD, switching: 0, credit: { policy: 'none' } }
export const FUNDING = { A: 100, B: 100, C: 100, D: 100, E: 100 }
export const COOPERATING: Sharing = { ...PLAIN, funding: FUNDING, tick: TICK }
export const INDEPENDENT: Sharing = { ...PLAIN, funding: FUNDING }

/** A job is named by its user and machine. */
export const run = (user: string, machine: string, at = 0): Said =>
  runs(`${user}-${machine}`, machine, { currency: user, at: units(at) })
export const userOf = (job: string) => job.slice(0, job.indexOf('-'))

export const MACHINES = ['m1', 'm2', 'm3', 'm4']
export const OTHERS: readonly Said[] = [run('B', 'm1'), run('C', 'm2'), run('D', 'm3'), run('E', 'm4')]
/** Figure 4: A runs a job on every machine, each of the others one on a machine of her own. */
export const FIGURE_4: readonly Said[] = [...MACHINES.map((machine) => run('A', machine)), ...OTHERS]

const SMALL: SystemInit = { memoryMB: 8, actors: 31, network: { ...network(0), latency: LATENCY } }

export interface Seen {
  readonly usage: Usage
  readonly entitled: Entitlement
  readonly facts: readonly (Message & FactAbout)[]
}

interface Course {
  readonly until: Time
  readonly faults?: readonly Fault[]
}

export async function watch(cluster: Cluster, options: SystemInit, { until, faults }: Course): Promise<Seen> {
  const entitled = new Entitlement()
  const facts: (Message & FactAbout)[] = []
  const whole = { ...cluster, until, cuts: periods(PERIOD / 2, until) }
  const { crashes, broken, missed, oracle } = await sharesCluster.run(whole, { ...SMALL, ...options }, faults, {
    onSystem: (system) => {
      system.onFact((fact, about) => {
        entitled.fold(fact, about)
        facts.push({ ...fact, ...about })
      })
      system.onDeath(({ address, at }) => {
        if (address.startsWith('processor@')) entitled.died(machineOf(address), at)
      })
    },
  })
  assert.equal(crashes, [])
  assert.equal(broken, [])
  assert.equal(oracle.refusals, [])
  assert.equal(missed, [])
  return { usage: oracle.usage, entitled, facts }
}

export const figure4 = (sharing: Sharing): Cluster => ({ machines: 4, sharing, orders: FIGURE_4 })
