/** The longest time that a job can wait (section 3). */

/** The parameters of the bound. */
export interface Circumstances {
  /** Processors of the machine. */
  readonly total: number
  /** Processors that the job needs, and its minutes of service. */
  readonly processors: number
  readonly service: number
  /** The longest service of any job, in minutes. */
  readonly longest: number
  /** The sum of all users' incomes, in dollars per minute. */
  readonly incomes: number
  /** The least income of the job, in dollars per minute; > 0. */
  readonly rate: number
  /**
   * The money that all others can spend besides their incomes when the job can first afford its price: their savings, and the
   * balances of their expense accounts, which the paper forgets.
   */
  readonly funds: number
  /** The margin of the job's offer over those of the others, in dollars per processor-minute; > 0. */
  readonly margin: number
}

export interface Bound {
  /** Dollars per processor-minute that the others cannot keep paying. */
  readonly price: number
  /** Minutes until the job can afford it at the worst moment (equation 6). */
  readonly saving: number
  /** Minutes until the others have spent their funds (equation 7). */
  readonly spending: number
  /** The most minutes from the submission to the start. */
  readonly total: number
}

export function boundOf(of: Circumstances): Bound {
  const others = of.total - of.processors + 1
  const price = of.incomes / others + of.margin
  const saving = (price * (of.processors * of.service + (of.processors - 1) * of.longest)) / of.rate
  const spending = of.funds / (of.rate + of.margin * others)
  return { price, saving, spending, total: saving + of.longest + spending }
}
