/** What a stage's actors are, from one run of it: only where they are all that acts can what they do be foretold. */

import { Directory } from '../actor/directory.ts'
import { inputOf } from '../actor/incarnation.ts'
import { DeviationScheduler } from '../actor/schedule.ts'
import type { Address } from '../core/address.ts'
import { actorNamed, NOT_REGISTERED } from '../core/code-registry.ts'
import { quoted } from '../core/format.ts'
import { UsageError } from '../core/usage-error.ts'
import { engineOf } from '../runtime/engine-cache.ts'
import type { Specification } from '../scenario/specification.ts'
import { complete } from '../system/options.ts'
import { traced } from './traced.ts'
import type { ActorSet } from './world.ts'

/** The strategy as errors name it. */
const EXHAUSTIVE = '--strategy exhaustive'

/** @throws UsageError for a stage in which something else acts, or whose actors come and go */
export async function actorSetOf(stage: Specification): Promise<ActorSet> {
  const { seed, network, order, reliable, engine } = complete(stage.options)
  if (stage.faults.length > 0) throw UsageError.conflicts(EXHAUSTIVE, 'faults')
  if (order === 'causal') throw UsageError.conflicts(EXHAUSTIVE, '--order causal')
  if (reliable) throw UsageError.conflicts(EXHAUSTIVE, '--reliable')
  const { run } = await traced(stage, new DeviationScheduler({ holds: [], lost: [], doubled: [] }))
  const late = run.incarnations.find(({ at, incarnation }) => at > 0 || incarnation > 0)
  if (late) throw UsageError.requires(EXHAUSTIVE, `actors that are there from the start, but ${late.who} comes later`)
  const sent = run.system.find(({ type }) => type === 'send')
  if (sent) throw UsageError.requires(EXHAUSTIVE, 'a scenario that sends no messages itself')
  const addresses: Address[] = ['']
  for (const { who, slot } of run.incarnations) addresses[slot] = who
  const directory = Directory.of(addresses)
  const actors = run.incarnations.map(async ({ slot, who, module, input }) => ({
    slot,
    address: who,
    input: inputOf(input, []),
    engine: await engineOf(registered(module), engine),
  }))
  return { seed, network, directory, until: stage.until ?? Number.POSITIVE_INFINITY, actors: await Promise.all(actors) }
}

function registered(module: string): string {
  const url = actorNamed(module)
  if (url === undefined) throw new UsageError(`${EXHAUSTIVE}: ${quoted(module)} is not ${NOT_REGISTERED}`)
  return url
}
