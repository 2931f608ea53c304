/** How long a job can wait at most (section 3). */

export interface Circumstances {
  /** Of the machine. */
  readonly total: number
  /** Of the job, and its minutes of service. */
  readonly processors: number
  readonly service: number
  /** No job takes longer, in minutes. */
  readonly longest: number
  /** All users' incomes, in dollars per minute. */
  readonly incomes: number
  /** The job receives at least so much, in dollars per minute; > 0. */
  readonly rate: number
  /**
   * What all others can spend besides their incomes, when the job can first afford its price: savings and, which the paper
   * forgets, the balances of their expense accounts.
   */
  readonly funds: number
  /** By how much it outbids them, in dollars per processor-minute; > 0. */
  readonly margin: number
}

export interface Bound {
  /** Dollars per processor-minute that nobody else can keep up. */
  readonly price: number
  /** Minutes until the job can afford it at the worst moment (equation 6). */
  readonly saving: number
  /** Minutes until the others have spent their funds (equation 7). */
  readonly spending: number
  /** Minutes from its submission until it starts, at most. */
  readonly total: number
}

export function boundOf(of: Circumstances): Bound {
  const others = of.total - of.processors + 1
  const price = of.incomes / others + of.margin
  const saving = (price * (of.processors * of.service + (of.processors - 1) * of.longest)) / of.rate
  const spending = of.funds / (of.rate + of.margin * others)
  return { price, saving, spending, total: saving + of.longest + spending }
}
