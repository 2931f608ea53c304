/** Explains why a bid won or lost, from the facts that its client observed afterwards. */
import type { ClientFact } from '../../../actors/bidding/messages.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { plainIn } from '../../../lib/core/decode.ts'
import { printUnits } from '../../../lib/core/format.ts'
import { percent } from '../../../lib/core/table.ts'
import { atName } from '../../../lib/trace/names.ts'
import type { Run } from '../../../lib/trace/run.ts'
import type { ObservedFact, TaskStory, TracedBid } from './story.ts'

type Placing = Extract<ClientFact, { type: 'awarded' | 'replaced' }>
type Moved = Extract<ClientFact, { type: 'moved' }>

const isPlacing = (fact: ClientFact): fact is Placing => fact.type === 'awarded' || fact.type === 'replaced'
const isOver = ({ fact }: ObservedFact): boolean => fact.type === 'done' || fact.type === 'ended'

/** The fate of a bid as one sentence, such as `won` or `lost: contractor@m3 promised 189.5, 22.8 earlier`. */
export function fateOf(run: Run, story: TaskStory, offered: TracedBid): string {
  const { bid, sent, heard } = offered
  if (!heard) {
    const dead = run.deadLetters.find(({ id }) => id === sent.id)
    return `never received: ${dead ? dead.reason : 'still under way when the run ended'}`
  }
  const before = story.facts.filter(({ step }) => step.index < heard.index)
  const over = before.find(isOver)
  if (over) return `too late: the task was over at ${atName(over.step)}`
  const newest = before.reduce((most, { fact }) => Math.max(most, fact.attempt), 0)
  if (newest > bid.attempt) return `ignored: the task had been announced again (attempt ${newest})`
  const after = story.facts.filter(({ step, fact }) => step.index >= heard.index && fact.attempt === bid.attempt)
  const verdict = after.find(({ fact }) => isVerdictOn(fact, offered))
  return lateFate(run, verdict) ?? placedFate(run, story, offered, before, after)
}

const isVerdictOn = (fact: ClientFact, { bid, sent }: TracedBid): boolean =>
  (fact.type === 'moved' || fact.type === 'rejected') &&
  fact.contractor === sent.from &&
  fact.completion === bid.completion

/** The fate of a bid that came after its task had been placed. */
function lateFate(run: Run, verdict: ObservedFact | undefined): string | undefined {
  const fact = verdict?.fact
  if (fact?.type !== 'moved' && fact?.type !== 'rejected') return undefined
  const saves = savingOf(fact.improvement)
  if (fact.type === 'moved') return `won late: takes the task over from ${fact.previous}, ${saves}`
  const criterion = termIn(run, 'i0')
  if (criterion === null) return `late and rejected: no late bid wins in this run (${saves})`
  return `late and rejected: ${saves}, must save more than ${typeof criterion === 'number' ? percent(criterion) : 'I0'}`
}

const savingOf = (share: number | null): string => {
  if (share === null) return 'the current promise is overdue'
  return share < 0 ? `takes ${percent(-share)} longer` : `saves ${percent(share)} of the remaining time`
}

/** A term of the market; undefined if the head of the trace lacks it. */
const termIn = ({ head }: Run, name: string): Plain | undefined =>
  plainIn(plainIn(plainIn(head, 'about'), 'terms'), name)

/** The fate of a bid that came in time to be compared with others. */
function placedFate(
  run: Run,
  story: TaskStory,
  offered: TracedBid,
  before: readonly ObservedFact[],
  after: readonly ObservedFact[],
): string {
  const { bid, sent } = offered
  const holder = holderAfter(before, bid.attempt)
  if (holder)
    return holder.contractor === sent.from ? 'ignored: it has the task' : `too late: ${holder.contractor} has the task`
  const placing = after.find(({ fact }) => isPlacing(fact))
  if (!placing || !isPlacing(placing.fact))
    return `not taken: ${after.length > 0 ? 'the task ended otherwise' : 'the client did not decide'}`
  const { fact, step } = placing
  const compared = story.bids.filter(
    ({ heard }) => heard && heard.index <= step.index && heard.index >= firstIndex(before),
  )
  const own = compared.filter((one) => one.sent.from === sent.from && one.bid.attempt === bid.attempt)
  if (own[own.length - 1] !== offered) return 'replaced by a later bid of the same contractor'
  const ties = compared.filter((one) => one.bid.completion === bid.completion).length > 1
  const by = termIn(run, 'ties') === 'index' ? 'by its place in the market' : 'by draw'
  if (fact.contractor === sent.from) return ties ? `won the tie ${by}` : 'won'
  const late = bid.completion - fact.completion
  if (late === 0) return `lost the tie with ${fact.contractor} ${by}`
  const promised = `${fact.contractor} promised ${printUnits(fact.completion)}`
  return late > 0
    ? `lost: ${promised}, ${printUnits(late)} earlier`
    : `lost, though ${promised}, ${printUnits(-late)} later`
}

/** The fact that placed the task of an attempt with its present holder; undefined while the task is up for bids. */
function holderAfter(facts: readonly ObservedFact[], attempt: number): Placing | Moved | undefined {
  let holder: Placing | Moved | undefined
  for (const { fact } of facts) {
    if (fact.attempt !== attempt) continue
    if (isPlacing(fact) || fact.type === 'moved') holder = fact
    if (fact.type === 'bumped') holder = undefined
  }
  return holder
}

/** The index of the step of the last announcement or bump; earlier bids do not count. */
const firstIndex = (before: readonly ObservedFact[]): number =>
  before.reduce(
    (index, { fact, step }) => (fact.type === 'announced' || fact.type === 'bumped' ? step.index : index),
    0,
  )
