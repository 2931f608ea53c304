/** What the leader of a job tells the allocator, its user, its neighbours and processors in every turn; puppets play these. */
import { test } from 'uvu'
import type { JobInput } from '../../actors/mesh/job/book.ts'
import { BASELINE, type Detail } from '../../actors/mesh/model.ts'
import { ref, type Time, units } from '../../lib/actor.ts'
import { dialoguesIn } from '../system/dialogues.ts'

const leaderOf = (detail: Detail, patience: Time | null = null, m = 2): JobInput => ({
  allocator: ref('allocator@a'),
  model: { ...BASELINE, mesh: { m, n: m } },
  mapping: 'simple',
  detail,
  patience,
})

dialoguesIn(new URL('dialogues/leader.txt', import.meta.url), {
  actor: 'job@j1',
  module: new URL('../../actors/mesh/job.ts', import.meta.url),
  inputs: {
    'calculated times': leaderOf('coarse'),
    'a patience of 2': leaderOf('coarse', units(2)),
    'threads on processors': leaderOf('moves', null, 1),
    'threads that compute': leaderOf('fine', null, 1),
  },
})

test.run()
