/** What clients, brokers and sites of the contracts market tell each other in every turn; puppets play the partners of each. */
import { test } from 'uvu'
import type { BrokerInput } from '../../actors/contracts/broker-state.ts'
import type { ClientInput } from '../../actors/contracts/client-state.ts'
import type { SiteInput } from '../../actors/contracts/site-state.ts'
import type { Task } from '../../actors/contracts/values.ts'
import { ref, units } from '../../lib/actor.ts'
import { dialoguesIn } from '../system/dialogues.ts'
import { SITE_TERMS } from './tasks.ts'

const actors = (name: string) => new URL(`../../actors/contracts/${name}.ts`, import.meta.url)
const file = (name: string) => new URL(`dialogues/${name}.txt`, import.meta.url)

/** A task of ten units, which is worth 100 dollars and loses two in every unit; its penalty is bounded for odd numbers. */
const taskOf = (task: number, arrival = 0): Task => ({
  task,
  arrival: units(arrival),
  runtime: units(10),
  worth: { shape: 'linear', value: 100, decay: 2, bound: task % 2 === 0 ? null : 20 },
})
/** The same with a runtime of two units and half of the value. */
const shortOf = (task: number): Task => ({
  ...taskOf(task),
  runtime: units(2),
  worth: { ...taskOf(task).worth, value: 50 },
})
const names = { T1: taskOf(1), T2: taskOf(2), T3: taskOf(3, 5), T4: taskOf(4), S5: shortOf(5), S6: shortOf(6) }
const SITES = ['site@s1', 'site@s2', 'site@s3'].map((site) => ref(site))

const client: ClientInput = {
  tasks: [names.T1, names.T2, names.T3],
  broker: ref('broker@b'),
  claimCap: 50,
  patience: units(3),
}
dialoguesIn(file('client'), {
  actor: 'client@c',
  module: actors('client'),
  names,
  inputs: {
    'three tasks': client,
    'two tasks and no patience': { ...client, tasks: [names.T1, names.T2], patience: null },
    'a perfect detector': { ...client, tasks: [names.T1, names.T2], detector: 'perfect' },
  },
})

const broker: BrokerInput = {
  sites: SITES,
  preference: 'earliest',
  rounds: 'one by one',
  wait: null,
  rebids: 1,
  patience: units(3),
}
dialoguesIn(file('broker'), {
  actor: 'broker@b',
  module: actors('broker'),
  names,
  inputs: {
    'earliest first': broker,
    'no patience': { ...broker, patience: null },
    'cheapest first, all rounds at once': {
      ...broker,
      preference: 'cheapest',
      rounds: 'all at once',
      wait: units(2),
      rebids: 0,
    },
  },
})

const site: SiteInput = {
  ...SITE_TERMS,
  processors: ['processor@p0', 'processor@p1'].map((one) => ref(one)),
  patience: units(3),
}
const one: SiteInput = { ...site, processors: [ref('processor@p0')] }
dialoguesIn(file('site'), {
  actor: 'site@s1',
  module: actors('site'),
  names,
  inputs: {
    'two processors': site,
    'two processors and no patience': { ...site, patience: null },
    'one processor, the shortest first': { ...one, heuristic: { ...site.heuristic, name: 'SRPT' }, preempt: 2 },
    'one processor, the highest value first': {
      ...one,
      heuristic: { ...site.heuristic, name: 'FirstPrice' },
      preempt: 1,
    },
    'one processor without patience, the shortest first': {
      ...one,
      heuristic: { ...site.heuristic, name: 'SRPT' },
      preempt: 2,
      patience: null,
    },
    'promises that must hold': { ...one, stale: 'renege', allowance: units(1) },
    'a threshold, and offers that expire': {
      ...one,
      threshold: 10,
      stale: 'renege',
      expiry: units(4),
      allowance: units(1),
    },
  },
})

test.run()
