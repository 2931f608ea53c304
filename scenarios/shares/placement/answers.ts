/** What users hear of the jobs that they ask a placer to run. */
import { type Address, type Message, machineOf, type Plain, roleOf, type Time } from '../../../lib/actor.ts'

/** The answers that a user received about a job. */
export interface Heard {
  /** The machines by rank, each time the placer named them. */
  readonly placed: readonly string[][]
  readonly refused: string | null
  /** How the process on each machine ended. */
  readonly ended: ReadonlyMap<string, string>
  /** When the last answer came. */
  readonly at: Time
}

const UNHEARD: Heard = { placed: [], refused: null, ended: new Map(), at: 0 }

const machines = (processors: Plain | undefined): string[] =>
  Array.isArray(processors) ? processors.map((processor) => machineOf(String(processor))) : []

function hear(before: Heard, fact: Message, at: Time): Heard {
  switch (fact.type) {
    case 'placed':
      return { ...before, placed: [...before.placed, machines(fact['processors'])], at }
    case 'refused':
      return { ...before, refused: String(fact['reason']), at }
    case 'exited':
    case 'missing': {
      const how = fact.type === 'missing' ? 'missing' : String(fact['why'])
      return { ...before, ended: new Map(before.ended).set(machineOf(String(fact['processor'])), how), at }
    }
    case 'found': {
      const ended = new Map(before.ended)
      ended.delete(machineOf(String(fact['processor'])))
      return { ...before, ended, at }
    }
    default:
      return before
  }
}

/** The answers about each job, folded from the facts of users. */
export class Answers {
  readonly all = new Map<string, Heard>()

  fold(fact: Message, who: Address, at: Time): void {
    const { job } = fact
    if (roleOf(who) !== 'user' || typeof job !== 'string') return
    this.all.set(job, hear(this.all.get(job) ?? UNHEARD, fact, at))
  }
}

/** How a job of one process stands, as its user knows it. */
export interface Standing {
  /** The machine where it is or was; null: the placer named none. */
  readonly machine: string | null
  /** How it ended, why it was refused, or that it is missing; null while it runs. */
  readonly end: string | null
}

/** A process may end before its job is told to be placed. */
export function standingOf({ placed, refused, ended }: Heard): Standing {
  const machine = placed.at(-1)?.[0] ?? [...ended.keys()].at(-1) ?? null
  return { machine, end: refused ?? ended.get(machine ?? '') ?? null }
}
