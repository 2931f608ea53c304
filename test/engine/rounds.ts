/** The two parts of the differential test: the machines of the project, and random machines. */

import { stepContextOf } from '../../lib/actor/incarnation.ts'
import { compiledEngine } from '../../lib/engine/compiled.ts'
import { Comparison, emptyTally, type Tally } from './compare.ts'
import { randomMachine } from './random-machine.ts'
import { Histories } from './sequences.ts'
import type { Species } from './specimens.ts'

/** @throws EnginesDiffer */
export function compareOwn(one: Species, sequences: number, seed: number, compile = compiledEngine): Tally {
  const tally = emptyTally()
  const comparison = new Comparison(one.machine, one.module, tally, compile)
  const histories = new Histories(one, seed)
  for (let n = 0; n < sequences; n++) {
    const { incarnation, events, at } = histories.next()
    comparison.run(incarnation.input, events, stepContextOf(incarnation.seed, incarnation.who, { now: at }))
  }
  return tally
}

const SEQUENCES = 10
const EVENTS = 10

/** Compares the random machines with the numbers `from` to `from + count - 1`. @throws EnginesDiffer */
export function compareRandom(from: number, count: number, compile = compiledEngine): Tally {
  const tally = emptyTally()
  for (let seed = from; seed < from + count; seed++) {
    const { machine, event } = randomMachine(seed)
    const comparison = new Comparison(machine, `random machine ${seed}`, tally, compile)
    const ambient = stepContextOf(seed, { address: `machine-${seed}@m`, incarnation: 0 }, { now: 0 })
    for (let n = 0; n < SEQUENCES; n++)
      comparison.run(
        n,
        Array.from({ length: EVENTS }, () => ({ event: event(), from: 'other@m' })),
        ambient,
      )
  }
  return tally
}
