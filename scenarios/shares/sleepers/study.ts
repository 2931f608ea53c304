/** Five equal clients of one processor, of whom some run and sleep in turn. Studies of `sweep`. */
import type { Burst as Work } from '../../../actors/processor/jobs.ts'
import { unfairness } from '../../../actors/shares/fairness.ts'
import { Ledger } from '../../../actors/shares/ledger.ts'
import { type Time, toUnits, units } from '../../../lib/actor.ts'
import { choiceIn, numberIn } from '../../../lib/experiment/fields.ts'
import type { Plain } from '../../../lib/plain.ts'
import { runCluster, type Said } from '../run.ts'
import { Lives } from './lives.ts'
import { type Policy, POLICIES, sharingOf } from './policies.ts'

export const RUNTIMES = ['threads', 'inline'] as const
export type Runtime = (typeof RUNTIMES)[number]

const CLIENTS = 5
export const STANDING = { tickets: 1, total: CLIENTS }

const nameOf = (i: number) => `c${i + 1}`

interface Setting {
  readonly policy: Policy
  readonly runtime: Runtime
  /** How many of the five sleep. */
  readonly sleepers: number
  readonly work: Work
  readonly until: (lives: Lives) => Time
}

const submit = (job: string, work: Work | null): Said => ({
  ...{ at: 0, user: 'user@m1', to: 'processor@m1' },
  message: {
    ...{ type: 'submit', job, currency: 'base', amount: 1 },
    program: work ? { kind: 'bursts', bursts: [work], cycles: null } : { kind: 'compute', work: null },
  },
})
