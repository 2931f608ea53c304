/** What every allocator of partitions is given and remembers, and what it makes of processors that die. */
import { type Address, type Effect, type Mail, type Time, tell } from '../../../lib/actor.ts'
import { healthyOf } from '../fold/healthy.ts'
import type { Place } from '../mapping.ts'
import { type Mesh, wholeOf } from '../mesh.ts'
import type { Attempt, ProcessorDown } from '../messages.ts'
import type { Rectangle } from '../rectangle.ts'
import type { Admission } from './admission.ts'
import { type Entry, wrote } from './log.ts'

export type Terms = Admission & {
  readonly mesh: Mesh
  /** Hears when nothing is under way; null: nobody does. */
  readonly operator: Address | null
  /** Who does not answer is told again, every so often, and in the end taken for dead; null: everybody is waited for. */
  readonly patience: Time | null
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

/** By leader; who has been there longest comes first. */
export type Members = ReadonlyMap<Address, Attempt>

export type Machine = Pick<Terms, 'mesh' | 'patience'> & { readonly down: readonly Place[] }

/** What is left of it; null: nothing. */
export const areaIn = ({ mesh, down }: Machine): Rectangle | null => healthyOf(wholeOf(mesh), down)

/** The processor that is down, if that is news; it is noted in any case. */
export function losing(
  machine: Machine,
  { from, row, column }: Mail<ProcessorDown>,
): readonly [Place | null, ...Effect[]] {
  const noted = tell(from, { type: 'noted', row, column })
  if (machine.down.some((place) => place.row === row && place.column === column)) return [null, noted]
  return [{ row, column }, ...wrote(machine, { type: 'down', row, column }), noted]
}
