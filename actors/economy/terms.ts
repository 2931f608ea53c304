/** The terms of the economy: the policies of the paper, and the choices that its text leaves open. */
export const POLICIES = ['FCFS', 'RES', 'ECON'] as const
export type PolicyName = (typeof POLICIES)[number]

export const PRESETS = ['paper', 'literal'] as const
export type PresetName = (typeof PRESETS)[number]

/** The rules of a pass. */
export type Policy = {
  /** Which job is next: the one with the best offer, or the first that arrived. */
  readonly choice: 'offer' | 'arrival'
  /** Whether the next job gets a reservation if it does not fit. If not, all others wait behind it. */
  readonly reserves: boolean
  /** `stands`: the reservation is kept until its job starts. `rescans`: it is dropped whenever a job ends or fails. */
  readonly reservation: 'stands' | 'rescans'
  /** The order of backfill: which jobs fill the time before a reservation first. */
  readonly backfill: 'offer' | 'arrival'
  /** Whether processors that the reservation leaves over may be used beyond its start. */
  readonly surplus: boolean
  /** Whether wasted processor time counts as work in an offer (equation 3). */
  readonly waste: boolean
  /**
   * Whether an offer counts the income to come at the present rate, and until when (equation 1). After the start a job
   * receives nothing unless running jobs are paid.
   */
  readonly future: 'start' | 'end' | null
}

const BY_ARRIVAL = { choice: 'arrival', backfill: 'arrival', surplus: true, waste: true, future: null } as const

/** The policies of section 4. The presets are two readings of sections 2.2 and 2.5, which disagree about reservations. */
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

/** How the bank divides a user's income among jobs. */
export type Sharing = {
  /** The divisor of a job's weighted work: the weighted work of all paid jobs (equation 4), or their unweighted work. */
  readonly rates: 'weighted' | 'unweighted'
  /** Whether running jobs are paid, too. */
  readonly running: boolean
}

/** The time until which a job receives income from a bank with these terms. */
export const futureOf = ({ running }: Sharing): Policy['future'] => (running ? 'end' : 'start')

/** How the bank of the paper divides incomes. */
export const STANDARD_SHARING: Sharing = { rates: 'weighted', running: false }

/** Whether an actor persists what a later incarnation needs. */
export type Durability = { readonly durable: boolean }
