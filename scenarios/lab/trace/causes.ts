/** The causes of an envelope or a timer: everything that happened before it, in order. */
import { quoted } from '../../../lib/core/format.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import { Causality } from '../../../lib/trace/causality.ts'
import { atName, systemEventName } from '../../../lib/trace/names.ts'
import { type Run, type Step, type SystemEvent, thingOf } from '../../../lib/trace/run.ts'
import { listed, parts, type Report } from './report.ts'
import { STEP_HEAD, stepResult, stepRow } from './step.ts'

interface Origin {
  /** The step or system event that sent it; for a timer, the step that handled it. */
  readonly by: Step | SystemEvent
  readonly title: string
}

/** @throws UsageError for an envelope or timer that is not in the run */
export function causesReport(run: Run, id: string, most: number): Report {
  const { by, title } = originOf(run, id)
  const causality = new Causality(run)
  const past = [...causality.past(by), ...('on' in by ? [by] : [])]
  const system = run.system.slice(0, causality.systemKnown(by))
  const chain = chainOf(run, 'on' in by ? by : null)
  const events = [...past.map(stepEvent(chain)), ...system.flatMap(systemEvent)].sort((a, b) => a.line - b.line)
  // the nearest events are shown, since they tell most
  const cut = Math.max(0, events.length - most)
  const rows = events.slice(cut).map(({ row }) => row)
  return {
    results: {
      thing: id,
      steps: past.map(stepResult),
      chain: [...chain].map((link) => thingOf(link)),
      ofSteps: run.steps.length,
    },
    ...parts([
      [
        title,
        `${past.length} of ${run.steps.length} steps lead to it; * marks the chain of messages`,
        ...(cut > 0 ? [`... ${cut} earlier events are not shown (--most ${most})`] : []),
      ].join('\n'),
      listed(['', ...STEP_HEAD], rows, most, 'events'),
    ]),
  }
}

function originOf({ where, steps, sends, system }: Run, id: string): Origin {
  const sent = sends.get(id)
  const by = sent?.step === null ? system.find((event) => event.line === sent.line) : steps[sent?.step ?? -1]
  if (sent && by) {
    const { message, from, to } = sent
    return { by, title: `${id}: ${message.type} from ${from} to ${to}, sent at ${atName(sent)}` }
  }
  const step = steps.find((one) => thingOf(one) === id)
  if (step) return { by: step, title: `${id}: handled by ${step.who} at ${atName(step)}` }
  throw new UsageError(`unknown envelope or timer ${quoted(id)} in ${where}; their names are such as 7.0.3 and 7.0.t2`)
}

/** The steps on the chain of messages that ends in `last`, back to a start, a timer or the system. */
function chainOf({ steps, sends }: Run, last: Step | null): ReadonlySet<Step> {
  const chain = new Set<Step>()
  for (let step = last; step; ) {
    chain.add(step)
    const sender = step.on.what === 'mail' ? sends.get(step.on.id)?.step : undefined
    step = sender === undefined || sender === null ? null : (steps[sender] ?? null)
  }
  return chain
}

interface Row {
  readonly line: number
  readonly row: readonly string[]
}

const stepEvent =
  (chain: ReadonlySet<Step>) =>
  (step: Step): Row => ({ line: step.line, row: [chain.has(step) ? '*' : '', ...stepRow(step)] })

/** The row of a system event. Spawns and starts are omitted, because they come before everything. */
const systemEvent = (event: SystemEvent): Row[] =>
  event.type === 'spawn' || event.type === 'begin'
    ? []
    : [{ line: event.line, row: ['', atName(event), 'system', '', '', systemEventName(event)] }]
