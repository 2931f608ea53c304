/** What processors, users, sentries, clocks and operators of a mesh say in every turn; puppets play the partners of each. */
import { test } from 'uvu'
import type { ClockInput } from '../../actors/mesh/clock.ts'
import { BASELINE, type Model } from '../../actors/mesh/model.ts'
import type { OperatorInput } from '../../actors/mesh/operator.ts'
import type { SentryInput } from '../../actors/mesh/sentry.ts'
import type { UserInput } from '../../actors/mesh/user.ts'
import { ref, units } from '../../lib/actor.ts'
import { dialoguesIn } from '../system/dialogues.ts'

const cast = (name: string) => new URL(`../../actors/mesh/${name}.ts`, import.meta.url)
const file = (name: string) => new URL(`dialogues/${name}.txt`, import.meta.url)

const allocator = ref('allocator@a')
const leaders = ['job@j1', 'job@j2'].map((one) => ref(one))

const model: Model = { ...BASELINE, mesh: { m: 1, n: 1 } }
dialoguesIn(file('processor'), {
  actor: 'processor@r0c1',
  module: cast('processor'),
  inputs: {
    'the baseline': { model },
    'transfers that take no time': { model: { ...model, charged: false } },
    'varying times': { model: { ...model, delta: units(0.05) } },
  },
})

const user: UserInput = {
  jobs: [0, 0, 1, 40].map((arrival, i) => ({ job: i + 1, arrival: units(arrival), work: units(9), minimum: 1 })),
  leaders,
  allocator,
  patience: units(2),
  attempts: 2,
}
dialoguesIn(file('user'), {
  actor: 'user@u',
  module: cast('user'),
  inputs: { 'two leaders': user, 'two leaders and no patience': { ...user, patience: null } },
})

const sentry: SentryInput = {
  outages: [
    { row: 0, column: 1, at: units(1) },
    { row: 1, column: 1, at: units(5) },
    { row: 1, column: 0, at: units(40) },
  ],
  allocator,
  patience: units(2),
}
dialoguesIn(file('sentry'), {
  actor: 'sentry@w',
  module: cast('sentry'),
  inputs: { 'three outages': sentry, 'no patience': { ...sentry, patience: null } },
})

const clock: ClockInput = { allocator, interval: units(10), isPerJob: false }
dialoguesIn(file('clock'), {
  actor: 'clock@c',
  module: cast('clock'),
  inputs: { 'an interval of ten': clock, 'an interval of ten for each job': { ...clock, isPerJob: true } },
})

const operator: OperatorInput = {
  script: [{ type: 'arrive', job: 1 }, { type: 'arrive', job: 2 }, { type: 'rotate' }, { type: 'depart', job: 1 }],
  jobs: leaders,
  allocator,
}
dialoguesIn(file('operator'), { actor: 'operator@o', module: cast('operator'), inputs: { 'four steps': operator } })

test.run()
