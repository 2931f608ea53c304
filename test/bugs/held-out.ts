/**
 * Mutants of the protocols that need a schedule or a fault: mistakes that no strategy was chosen by. A search of the samples with seeds
 * 8 to 11 (test/mutants) took more than six runs to find them, and 60 random walks or 60 partial-order samples of the stage find them,
 * too.
 */

export interface HeldOut {
  readonly mutant: string
  /** The place of the stage among those of its family. */
  readonly stage: number
  /** The promise that it breaks there. */
  readonly property: string
}

export const HELD_OUT: readonly HeldOut[] = [
  {
    mutant:
      'contracts/site-state.ts :: enter :: comparison swapped :: booksOf(it.context.terms.heuristic).enterIn(it, entry, it.context.terms.patience !== null)',
    stage: 0,
    property: 'a task has one contract',
  },
  {
    mutant:
      "bidding/client.ts :: client.begin :: effect dropped :: it.do(observe({ type: 'announced', task: job.id, attempt }))",
    stage: 0,
    property: 'a task that is placed with a contractor is not aborted',
  },
  {
    mutant: 'contracts/client.ts :: onNoSite :: call dropped :: claim(it, order, null)',
    stage: 2,
    property: 'every contract is settled, or a claim recorded',
  },
  {
    mutant:
      "contracts/broker.ts :: onUnanswered :: effect dropped :: it.do(observe({ type: 'passed', task, round, site }))",
    stage: 0,
    property: 'a task has one contract',
  },
  {
    mutant: 'shares/placer/search.ts :: begin :: update dropped :: else histories.get(entry.job)?.entries.push(entry)',
    stage: 0,
    property: 'jobs are where their users were told',
  },
  {
    mutant: 'contracts/broker.ts :: onUnanswered :: call dropped :: pass(it, task)',
    stage: 2,
    property: 'a client learns the outcome of each task',
  },
  {
    mutant: "contracts/broker.ts :: start :: guard negated :: if (state !== 'awarded') continue",
    stage: 0,
    property: 'a client learns the outcome of each task',
  },
  {
    mutant:
      'bidding/eager/client.ts :: choose :: comparison swapped :: const mayMove = job.restartable !== false || holder === null',
    stage: 8,
    property: 'a task that may not be begun twice is begun once',
  },
  {
    mutant:
      "bidding/moves.ts :: drop :: effect dropped :: it.do(tell(ownProcessor(), { type: 'abort', task: executing.task, attempt: executing.attempt }))",
    stage: 0,
    property: 'every task of a living client ends',
  },
  {
    mutant:
      'contracts/client-state.ts :: orderChart.states.placed.on.lost.handle.deals :: update dropped :: { search: search + 1, deals: deals.map((deal) => ({ ...deal, isLost: true })) },',
    stage: 2,
    property: 'every contract is settled, or a claim recorded',
  },
  {
    mutant: 'bidding/contractor.ts :: renews :: call dropped :: if (isNewer) drop(it, task)',
    stage: 0,
    property: 'every task of a living client ends',
  },
  {
    mutant: 'economy/scheduler.ts :: skippedOf :: guard negated :: if (candidates.length === ready.length) return []',
    stage: 0,
    property: 'the machine is not idle while a job waits',
  },
  {
    mutant: 'bidding/conversation.ts :: endWithout :: call dropped :: close(it, isKept)',
    stage: 4,
    property: 'a task ends once',
  },
  {
    mutant:
      'economy/inspection.ts :: isLeft :: connective swapped :: book.running.get(task)?.of.attempt === attempt && (left.get(task)?.includes(processor) ?? false)',
    stage: 0,
    property: 'a job ends when all its processors are done',
  },
  {
    mutant:
      "economy/jobs.ts :: admit :: effect dropped :: return it.do(tell(userAt(user), book.unfinished.get(job) ?? { type: 'ended', job, why: 'finished' }))",
    stage: 2,
    property: 'a living user hears of every end',
  },
  {
    mutant: 'contracts/client.ts :: begin :: connective swapped :: if (get(open, task) || get(over, task)) return',
    stage: 2,
    property: 'a task is paid once',
  },
  {
    mutant:
      'shares/placer/placer.ts :: handOver :: call dropped :: const handOver = placing((it, answer: Standing | Refused | Exited) => toJob(it, answer.job, answer))',
    stage: 0,
    property: 'jobs are where their users were told',
  },
]
