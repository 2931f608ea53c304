/** What barriers, placers, ticket servers and users of fair shares say in every turn; puppets play the partners of each. */
import { test } from 'uvu'
import type { BarrierInput } from '../../actors/shares/barrier.ts'
import type { GangInput } from '../../actors/shares/gang.ts'
import type { PlacerInput } from '../../actors/shares/placer/state.ts'
import type { TicketServerInput } from '../../actors/shares/tickets/ticket-server.ts'
import type { UserInput } from '../../actors/shares/user.ts'
import { ref, units } from '../../lib/actor.ts'
import { dialoguesIn } from '../system/dialogues.ts'

const actors = (name: string) => new URL(`../../actors/shares/${name}.ts`, import.meta.url)
const file = (name: string) => new URL(`dialogues/${name}.txt`, import.meta.url)

const PROCESSORS = ['processor@m1', 'processor@m2', 'processor@m3'].map((one) => ref(one))
const barrier: BarrierInput = {
  job: 'j',
  members: PROCESSORS,
  membership: { patience: units(100), timeout: units(20) },
}
dialoguesIn(file('barrier'), {
  actor: 'barrier@j',
  module: actors('barrier'),
  inputs: {
    'three members': barrier,
    'members to be enlisted': { ...barrier, members: [] },
    'no patience': { ...barrier, membership: null },
  },
})

const compute = { kind: 'compute', work: units(60) } as const
const parallel = {
  kind: 'parallel',
  barrier: ref('barrier@p'),
  size: 2,
  granularity: units(10),
  imbalance: 0,
  spin: null,
} as const
const placer: PlacerInput = {
  processors: PROCESSORS,
  ask: null,
  balance: 'tickets',
  timeout: units(4),
  funding: { alice: 200 },
}
dialoguesIn(file('placer'), {
  actor: 'placer@hub',
  module: actors('placer/placer'),
  names: { COMPUTE: compute, SPREAD: parallel },
  inputs: {
    'its own book': placer,
    'questions to two': { ...placer, ask: 2 },
    'questions to one': { ...placer, ask: 1 },
  },
})

const ticketServer: TicketServerInput = { keep: units(30), funding: { alice: 200, bob: 100 } }
dialoguesIn(file('ticket-server'), {
  actor: 'ticket-server@m1',
  module: actors('tickets/ticket-server'),
  inputs: { 'two users': ticketServer },
})

const user: UserInput = {
  orders: [
    { at: 0, to: 'processor@m1', message: { type: 'withdraw', job: 'a' } },
    { at: 0, to: 'processor@m1', message: { type: 'withdraw', job: 'b' } },
    { at: units(2), to: 'processor@m2', message: { type: 'suspend', job: 'c' } },
    { at: units(5), to: 'processor@m2', message: { type: 'resume', job: 'c' } },
  ],
}
dialoguesIn(file('user'), { actor: 'user@u', module: actors('user'), inputs: { 'four orders': user } })

const { size: _, ...program } = parallel
const gang: GangInput = {
  slot: units(10),
  jobs: [
    { job: 'a', tickets: 2, program, members: PROCESSORS.slice(0, 2) },
    { job: 'b', tickets: 1, program, members: PROCESSORS.slice(1, 3) },
  ],
}
dialoguesIn(file('gang'), {
  actor: 'gang@g',
  module: actors('gang'),
  names: { PROGRAM: program },
  inputs: { 'two jobs': gang, 'no jobs': { ...gang, jobs: [] } },
})

test.run()
