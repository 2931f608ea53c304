/** Mistakes in the economy of a parallel machine. */
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import type { Bug } from './bug.ts'

const may = (...faults: string[]) => faults.map((fault) => parseAllowed(fault, 'allowed'))
const COMMON = {
  scenario: 'economy/run',
  args: '--policy ECON --processors 4 --users 2 --load 2 --span 300 --jobs 6 --latency 1 --patience 14',
  within: 60,
} as const

export const ECONOMY_BUGS: readonly Bug[] = [
  {
    ...COMMON,
    name: 'instruction carried out twice',
    what: 'the bank carries out its last instruction again when a restarted scheduler repeats it',
    file: 'economy/bank.ts',
    find: 'if (n <= book.done) {',
    replace: 'if (n < book.done) {',
    allowed: may('restart any scheduler'),
    property: 'a start is charged once',
  },
  {
    ...COMMON,
    name: 'job accepted again after its end',
    what: 'the scheduler accepts a job that is over when its restarted user submits it again',
    file: 'economy/jobs.ts',
    find: "  if (has(book.over, job))\n    return it.do(tell(userAt(user), book.unfinished.get(job) ?? { type: 'ended', job, why: 'finished' }))\n",
    replace: '',
    allowed: may('restart any user'),
    property: 'a job is accepted once',
  },
  {
    ...COMMON,
    name: 'refund forgotten',
    what: 'the payment of a job that lost a processor is not refunded, so the job cannot pay for its next attempt',
    file: 'economy/jobs.ts',
    find: "  instruct(it, { type: 'refund', job, user })\n",
    replace: '',
    allowed: may('restart any processor'),
    property: 'every job of a living user ends',
  },
  {
    ...COMMON,
    name: 'part that is done begun again',
    what: 'a restarted scheduler fails a job although a processor says that its part is done',
    file: 'economy/inspection.ts',
    find: 'if (answer.done) finished(it, processor, answer)\n  else if (',
    replace: 'if (',
    allowed: may('restart any scheduler'),
    property: 'an attempt fails only if a processor of it is lost, dies or does not run it',
  },
]
