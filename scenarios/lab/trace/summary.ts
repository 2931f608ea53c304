/** The summary of a run. */
import { none, noneViolated } from '../../../lib/cli/index.ts'
import { counted, printUnits } from '../../../lib/core/format.ts'
import { countsOf, groupsOf, sum } from '../../../lib/core/tally.ts'
import { atName, handledName, systemEventName } from '../../../lib/trace/names.ts'
import { incarnationName, type Run, thingOf } from '../../../lib/trace/run.ts'
import { readingOf } from '../reading.ts'
import { listed, more, parts, type Report } from './report.ts'

export function summaryReport(run: Run, most: number): Report {
  const { head, steps, sends, deadLetters, system, where } = run
  const actors = actorsOf(run)
  const types = typesOf(run)
  const lost = countsOf(deadLetters.map(({ reason }) => reason))
  const facts = countsOf(steps.flatMap((step) => step.facts.map(({ type }) => type)))
  const { tasks } = readingOf(head)
  const stories = tasks?.lines(run) ?? []
  const incidents = system.filter(({ type }) => type === 'died' || type === 'fault' || type === 'gave up')
  const incidentLines = incidents.map((event) => `  ${atName(event)} ${systemEventName(event)}`)
  const end = steps.reduce((last, { at }) => Math.max(last, at), 0)
  const size = `${counted(actors.length, 'actor')}, ${counted(steps.length, 'step')}, ${counted(sends.size, 'message')}, until ${printUnits(end)}`
  return {
    results: {
      head,
      steps: steps.length,
      end,
      actors,
      messages: types,
      facts: Object.fromEntries(facts),
      tasks: stories,
      deadLetters: Object.fromEntries(lost),
      brokenPromises: steps.flatMap(({ broken, at, who, n }) =>
        broken.map((promise) => ({ promise, at, who, step: n })),
      ),
      incidents: incidents.map((event) => ({ at: event.at, what: systemEventName(event) })),
    },
    checks: [
      ...(stories.length > 0 ? [noneViolated(tasks?.violations(run) ?? [])] : []),
      none(
        'steps that crashed',
        steps.flatMap(({ who, crash }) => (crash ? [`${who}: ${crash.message}`] : [])),
      ),
    ],
    messages: sends.size,
    ...parts(
      [`${where}: ${size}`, `seed ${head['seed']}, ${head['time']} time`],
      [
        'actors',
        listed(
          ...columns(asTree(actors), ['who', 'module', 'incarnations', 'handled', 'unhandled', 'sent', 'end']),
          most,
          'actors',
        ),
      ],
      ['messages', listed(...columns(types, ['type', 'sent', 'handled', 'unhandled', 'lost']), most, 'types')],
      ['facts', [...facts].map(([type, count]) => `  ${type} ${count}`).join('\n')],
      ['tasks', [...stories.slice(0, most), ...more(stories.length - most, 'tasks', most)].join('\n')],
      ['dead letters', [...lost].map(([reason, count]) => `  ${count} ${reason}`).join('\n')],
      ['broken promises', brokenLines(run).join('\n')],
      [
        'deaths and faults',
        [...incidentLines.slice(0, most), ...more(incidentLines.length - most, 'incidents', most)].join('\n'),
      ],
    ),
  }
}

const brokenLines = ({ steps }: Run): string[] =>
  steps.flatMap((step) =>
    step.broken.map(
      (promise) =>
        `  ${atName(step)} ${incarnationName(step)} breaks '${promise}' as it handles ${handledName(step)} (${thingOf(step)})`,
    ),
  )

/** Records as the head and the rows of a table. */
const columns = <K extends string>(
  records: readonly Readonly<Record<K, string | number>>[],
  keys: readonly K[],
): [head: readonly K[], rows: string[][]] => [keys, records.map((record) => keys.map((key) => String(record[key])))]

function actorsOf({ incarnations }: Run) {
  return [...groupsOf(incarnations, ({ who }) => who)].map(([who, own]) => {
    const last = own.at(-1)
    const steps = own.flatMap((incarnation) => incarnation.steps)
    const sent = sum(steps, (step) => step.sends.length)
    const unhandled = steps.filter((step) => step.unhandled).length
    const handled = steps.length - unhandled
    const end = last?.end ? `${last.end.type} at ${atName(last.end)}` : ''
    const [parent, module] = [last?.parent ?? null, last?.module ?? '']
    return { who, parent, module, incarnations: own.length, handled, unhandled, sent, end }
  })
}

type Listed = ReturnType<typeof actorsOf>[number]

/** Each child below its parent and indented, in the order of spawning. */
function asTree(actors: readonly Listed[], parent: string | null = null, depth = 0): Listed[] {
  const own = actors.filter((actor) => actor.parent === parent)
  return own.flatMap((actor) => [
    { ...actor, who: '  '.repeat(depth) + actor.who },
    ...asTree(actors, actor.who, depth + 1),
  ])
}

function typesOf({ sends, steps, deadLetters }: Run) {
  const sent = countsOf([...sends.values()].map(({ message }) => message.type))
  const countOf = (isUnhandled: boolean) =>
    countsOf(steps.flatMap((step) => (step.on.what === 'mail' && step.unhandled === isUnhandled ? [step.on.type] : [])))
  const [handled, unhandled] = [countOf(false), countOf(true)]
  const lost = countsOf(deadLetters.map(({ type }) => type))
  const types = new Set([...sent.keys(), ...handled.keys(), ...unhandled.keys(), ...lost.keys()])
  return [...types].map((type) => ({
    type,
    sent: sent.get(type) ?? 0,
    handled: handled.get(type) ?? 0,
    unhandled: unhandled.get(type) ?? 0,
    lost: lost.get(type) ?? 0,
  }))
}
