/** The tasks of a market in its trace: a line for each, and a report on one task with the fate of every bid. */

import type { Message, Plain } from '../../../lib/actor.ts'
import { printUnits, quoted } from '../../../lib/core/format.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import { remarksOf } from '../../../lib/trace/names.ts'
import { eventOf, incarnationName, type Run, type Step } from '../../../lib/trace/run.ts'
import { listed, parts, type Report, type TaskReader } from '../../lab/trace/report.ts'
import { isClientFact, Ledger } from '../oracle/ledger.ts'
import { fateOf } from './fate.ts'
import { clientSays, messageSays, otherSays, storyLine } from './sentences.ts'
import { isAttempt, storiesOf, type TaskStory, type TracedBid } from './story.ts'

export const marketTasks: TaskReader = {
  lines: (run) => [...storiesOf(run).values()].map(storyLine),
  violations,
  report: taskReport,
}

/** The violations that the ledger of a market finds in the facts and deaths of a run, in the order of the trace. */
function violations({ steps, system }: Run): readonly string[] {
  const ledger = new Ledger()
  const deaths = system.flatMap((event) => (event.type === 'died' ? [event] : []))
  let next = 0
  for (const { line, at, who, facts } of steps) {
    for (let death = deaths[next]; death && death.line < line; death = deaths[++next]) {
      ledger.died(death.incarnation.who, death.at)
    }
    for (const fact of facts) ledger.fold(fact, who, at)
  }
  return ledger.violations
}

/** @throws UsageError for a task that no client announced */
function taskReport(run: Run, id: string): Report {
  const story = storyIn(run, id)
  const fates = new Map(story.bids.map((offered) => [offered, fateOf(run, story, offered)]))
  const events = eventsOf(run, story, fates)
  const bids = [...fates].map(([{ bid, sent, heard }, fate]) => ({
    from: sent.from,
    sent: sent.at,
    heard: heard?.at ?? null,
    attempt: bid.attempt,
    start: bid.start,
    completion: bid.completion,
    fate,
  }))
  return {
    results: { task: story.task, client: story.client, bids, events },
    ...parts(
      [
        storyLine(story),
        listed(
          ['bid of', 'sent', 'heard', 'start', 'completion', 'fate'],
          bids.map(({ from, sent, heard, start, completion, fate }) => [
            ...[from, printUnits(sent), heard === null ? '' : printUnits(heard)],
            ...[printUnits(start), printUnits(completion), fate],
          ]),
        ),
      ],
      [
        'in order',
        listed(
          ['at', 'actor', 'what it does'],
          events.map(({ at, who, said }) => [printUnits(at), who, said]),
        ),
      ],
    ),
  }
}

function storyIn(run: Run, id: string): TaskStory {
  const stories = storiesOf(run)
  const story = /^\d{1,9}$/.test(id) ? stories.get(Number(id)) : undefined
  if (story) return story
  const numbers = [...stories.keys()]
  if (numbers.length === 0) throw UsageError.invalid(run.where, 'the trace of a market with announced tasks')
  throw new UsageError(
    `unknown task ${quoted(id)} in ${run.where}; tasks ${numbers[0]} to ${numbers[numbers.length - 1]} were announced`,
  )
}

/** The part of one step that concerns the task. */
interface Event {
  readonly [key: string]: Plain
  readonly at: number
  readonly who: string
  readonly said: string
}

function eventsOf(run: Run, { task }: TaskStory, fates: ReadonlyMap<TracedBid, string>): Event[] {
  const fateBySend = new Map([...fates].map(([{ sent }, fate]) => [sent.id, fate]))
  const lost = new Map(run.deadLetters.map(({ id, reason }) => [id, reason]))
  const isOfTask = (message: Message): boolean => isAttempt(message) && message['task'] === task
  return run.steps.flatMap((step) => {
    const about = handledOf(step)
    const said = [
      ...(about && isOfTask(about) ? [heardOf(step, about, fateBySend)] : []),
      ...step.facts.filter(isOfTask).map((fact) => (isClientFact(fact, step.who) ? clientSays(fact) : otherSays(fact))),
      ...sentOf(step, isOfTask, lost),
    ]
    if (said.length === 0) return []
    return [{ at: step.at, who: incarnationName(step), said: [...said, ...remarksOf(step)].join('; ') }]
  })
}

function handledOf({ on }: Step): Message | null {
  if (on.what === 'mail') return on.message
  return on.what === 'timer' ? on.event : null
}

function heardOf(step: Step, message: Message, fates: ReadonlyMap<string, string>): string {
  const { on } = step
  if (on.what !== 'mail') return `timer ${eventOf(step)}`
  const fate = fates.get(on.id)
  return `hears ${messageSays(message)} from ${on.from}${fate === undefined ? '' : `: ${fate}`}`
}

/**
 * The messages about the task that a step sent: copies to several recipients in one sentence, lost ones in their own.
 */
function sentOf({ sends }: Step, isOfTask: (message: Message) => boolean, lost: ReadonlyMap<string, string>): string[] {
  const to = new Map<string, string[]>()
  const said: string[] = []
  for (const { id, to: recipient, message } of sends) {
    if (!isOfTask(message)) continue
    const reason = lost.get(id)
    const what = messageSays(message)
    if (reason !== undefined) said.push(`sends ${what} to ${recipient}, which is lost: ${reason}`)
    else to.set(what, [...(to.get(what) ?? []), recipient])
  }
  return [...[...to].map(([what, whos]) => `sends ${what} to ${whos.join(', ')}`), ...said]
}
