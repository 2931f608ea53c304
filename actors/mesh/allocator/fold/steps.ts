/** What is asked for is done step by step: orders, the answers of all, and only then the next step. */
import { type Decision, type Mail, self } from '../../../../lib/actor.ts'
import { arrival } from '../../fold/arrival.ts'
import { departure } from '../../fold/departure.ts'
import { divided, undivided } from '../../fold/division.ts'
import { jobsOf } from '../../fold/fold.ts'
import { type Step, toEach } from '../../fold/orders.ts'
import { ticked } from '../../fold/rotation.ts'
import type { SizeIs } from '../../messages.ts'
import { allCame, allWent } from '../log.ts'
import { isAsPlanned } from '../reports.ts'
import { ordered } from '../round.ts'
import type { FoldBook } from './book.ts'
import { cellForPrev, sizesOfFree } from './free.ts'
import { begun, leftBy, nextOf, type Request } from './queue.ts'
import { messageOf } from './telling.ts'

/** All that a request takes, what must be done before it first. */
function stepsFor({ fold, divides }: FoldBook, request: Request): readonly Step[] {
  if (request.is === 'rotation') {
    if (jobsOf(fold).length === 0) return []
    const cut = divides ? divided(fold) : null
    return cut ? [cut, ticked(cut.fold)] : [ticked(fold)]
  }
  const joining = undivided(fold)
  const joined = joining.at(-1)?.fold ?? fold
  return [...joining, ...(request.is === 'arrival' ? arrival(joined, request.of) : departure(joined, request.of))]
}

export function plan(book: FoldBook): Decision<FoldBook> {
  const request = nextOf(book)
  return request ? [{ ...begun(book, request), steps: stepsFor(book, request) }] : [{}]
}

/** Who is told to start is a member from then on. */
export function order(book: FoldBook): Decision<FoldBook> {
  const { steps, coming, fold } = book
  const [step] = steps
  if (!step) return [{}]
  const starts = new Set(step.orders.flatMap(({ type, job }) => (type === 'start' ? [job] : [])))
  const newcomers = [...coming].filter(([job]) => starts.has(job))
  const members = new Map([...book.members, ...newcomers])
  const [changes, ...tells] = ordered(book, (change) =>
    step.orders.map((one) => [one.job, messageOf(one, change, self(), members)] as const),
  )
  return [{ ...changes, members }, ...allCame(book, newcomers), ...tells, ...sizesOfFree(fold, step, changes.change)]
}

/** For what is free it answers as a job would. */
export const onSize = ({ fold, round }: FoldBook, { from, change, size }: Mail<SizeIs>): Decision<FoldBook> =>
  change === round.change ? [{}, ...cellForPrev(fold, from, size, change)] : [{}]

/** Who has vacated and leads nothing is gone. */
export function conclude(book: FoldBook): Decision<FoldBook> {
  const { round, members } = book
  const [step, ...steps] = book.steps
  if (!step) return [{}]
  if (!isAsPlanned(round.answers, members, toEach(step.fold))) return [{ isInDoubt: true }]
  const gone = step.orders.flatMap(({ type, job }) =>
    type === 'vacate' && round.answers.get(job)?.of === null ? [job] : [],
  )
  const left = steps.length > 0 ? {} : { coming: new Map(), leaver: null }
  return [{ fold: step.fold, steps, ...left, ...leftBy(book, gone) }, ...allWent(book, gone)]
}
