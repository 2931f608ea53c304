/** How a parallel machine is scheduled: the policies of the paper, and what its text leaves open. */
import { type Time, units } from '../../lib/actor.ts'

export const POLICIES = ['FCFS', 'RES', 'ECON'] as const
export type PolicyName = (typeof POLICIES)[number]

export const PRESETS = ['paper', 'literal'] as const
export type PresetName = (typeof PRESETS)[number]

/** What one pass goes by. */
export type Policy = {
  /** Who is next: the best offer, or whoever came first. */
  readonly choice: 'offer' | 'arrival'
  /** Does the next one, if it does not fit, get processors for the earliest time? Otherwise all wait behind it. */
  readonly reserves: boolean
  /** `stands`: until it starts. `rescans`: whenever processors become free the choice is made again. */
  readonly reservation: 'stands' | 'rescans'
  /** In which order others may fill the time before a reservation. */
  readonly backfill: 'offer' | 'arrival'
  /** May processors that the reservation leaves over be used beyond its start? */
  readonly surplus: boolean
  /** Does an offer pay for the time that it makes others waste, too? (Equation 3.) */
  readonly waste: boolean
  /**
   * Does an offer count what is still to come in, at the present rate, and until when? (Equation 1; nothing comes in after
   * the start unless running jobs are paid, too.)
   */
  readonly future: 'start' | 'end' | null
}

const BY_ARRIVAL = { choice: 'arrival', backfill: 'arrival', surplus: true, waste: true, future: null } as const

/** Section 4's policies. The presets are two readings of sections 2.2 and 2.5, which disagree about reservations. */
export function policyOf(name: PolicyName, preset: PresetName = 'paper', given: Partial<Policy> = {}): Policy {
  switch (name) {
    case 'FCFS':
      return { ...BY_ARRIVAL, reserves: false, reservation: 'stands', ...given }
    case 'RES':
      return { ...BY_ARRIVAL, reserves: true, reservation: 'stands', ...given }
    case 'ECON':
      return preset === 'paper'
        ? { ...BY_ARRIVAL, choice: 'offer', reserves: true, reservation: 'rescans', ...given }
        : { ...BY_ARRIVAL, choice: 'offer', backfill: 'offer', reserves: true, reservation: 'stands', ...given }
  }
}

/** How the bank shares a user's income out among jobs. */
export type Sharing = {
  /** What a job's weighted work is divided by: the weighted work of all (equation 4), or their work as it is. */
  readonly rates: 'weighted' | 'unweighted'
  /** Are running jobs paid, too? */
  readonly running: boolean
}

/** What is still to come in to a job of a bank that shares like this. */
export const futureOf = ({ running }: Sharing): Policy['future'] => (running ? 'end' : 'start')

export const STANDARD_SHARING: Sharing = { rates: 'weighted', running: false }

/** How those of the economy deal with each other when somebody may be dead. */
export type Caution = {
  /** How long to wait for an answer before asking again; null: for ever. */
  readonly patience: Time | null
  /** Write down what a later incarnation needs. */
  readonly durable: boolean
}

/** Who has not been answered for so long only waits for news that somebody is back. */
export const LONGEST_PAUSE = units(1_000_000)

export const TRUSTING: Caution = { patience: null, durable: false }
