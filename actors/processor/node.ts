/** The state of a processor (the node), and what can be read from it. */
import { actor, type Call, type Computed, type Time, type Turn } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { amountsOf, type View, worth } from './currencies.ts'
import type { JobFact } from './jobs.ts'
import type { Attempt, FromProcessor, ProcessorFact, ToProcessor } from './messages.ts'
import type { Process } from './process.ts'
import type { Sharing } from './sharing.ts'
import type { Alarm, Slice } from './slice.ts'
import { competitors, EMPTY, type Queue } from './stride.ts'

export type ProcessorInput = {
  /** The work done per unit of time; the slowest machine of the papers has speed 1. */
  readonly speed: number
  /** How processes share the processor; by default each runs to completion. */
  readonly sharing?: Sharing
}

type Event =
  | ToProcessor
  | { type: 'completed' }
  | { type: 'expired' }
  | { type: 'lapsed' }
  | { type: 'woke'; job: string }
  | { type: 'loaded'; call: Call }
  | { type: 'tick' }
  | { type: 'unanswered' }
  | Computed

export const { createMachine, handlers, onEntry, observe, timer } = actor<{
  input: ProcessorInput
  context: Node
  event: Event
  reply: FromProcessor
  fact: JobFact | ProcessorFact
}>()

export interface Node {
  readonly speed: number
  readonly sharing: Sharing
  readonly queue: Queue<Process>
  /** Whether a process has joined the competition since the processor was last given to the first one. */
  readonly hasNewcomer: boolean
  /** The current slice; null while no process has the processor. */
  readonly slice: Slice | null
  /** What the timer of the slice is set to; null: it is not set, or it has fired. */
  readonly alarm: Alarm | null
  /** The process that had the processor last, unless it has slept since. */
  readonly last: string | null
  /** The attempt that ran to completion last. */
  readonly done: Attempt | null
  /** The processes that do not compete: asleep, suspended or without tickets. */
  readonly away: ReadonlyMap<string, Process>
  /** The base tickets of all processes here. */
  readonly resident: number
  /** The number of processes ever created. */
  readonly created: number
  /** When the next exhaustible tickets expire, at the earliest. */
  readonly expiresAt: Time | null
  readonly view: View
}

/** The handling of one event at a processor. */
export type NodeTurn = Turn<Node>

export const newNode = (speed: number, sharing: Sharing): Node => ({
  speed,
  sharing,
  queue: EMPTY,
  hasNewcomer: false,
  slice: null,
  alarm: null,
  last: null,
  done: null,
  away: new Map(),
  resident: 0,
  created: 0,
  expiresAt: null,
  view: { funding: sharing.funding, issued: {}, backing: [] },
})

/** All processes, in the order of their creation. */
export const processesOf = ({ queue, away }: Node): Process[] =>
  [...competitors(queue), ...away.values()].sort((one, other) => one.order - other.order)

export const processOf = ({ queue, away }: Node, name: string): Process | undefined =>
  away.get(name) ?? competitors(queue).find((process) => process.name === name)

export const isRunning = ({ queue }: Node, { order }: Process): boolean => queue.running?.order === order

const isAwake = ({ asleepSince }: Process): boolean => asleepSince === null

const heldBy = (processes: readonly Process[]): Record<string, number> =>
  amountsOf(processes.map(({ funding }) => funding))

/** The amounts that count as issued here, by currency; without credit, those of sleepers do not count. */
export function issuedOn(node: Node): Record<string, number> {
  const processes = processesOf(node)
  return heldBy(node.sharing.credit.policy === 'none' ? processes.filter(isAwake) : processes)
}

/** The base tickets of all processes here, as if all of them were awake. */
export function loadOf(node: Node): number {
  const processes = processesOf(node)
  if (node.sharing.credit.policy !== 'none' || processes.every(isAwake)) return node.resident
  const all = heldBy(processes)
  return sum(processes, ({ funding }) => worth(node.view, all, funding))
}
