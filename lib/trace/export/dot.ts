/** A run as a graph for Graphviz: a step is a node, and the transitive closure of the edges is happens-before. */
import { atName, handledName, remarksOf, stateName } from '../names.ts'
import { type Incarnation, incarnationName, type Run, type Step } from '../run.ts'
import type { Limit } from './limit.ts'

/** The first steps of a run, a column for each incarnation; the label of a longer one says how many are left out. */
export function toDot(run: Run, { most }: Limit): string {
  const cut = run.steps.length - most
  const shown = run.steps.slice(0, most)
  return [
    'digraph run {',
    '  graph [rankdir=TB, fontname="sans-serif"]',
    '  node [shape=box, fontname="sans-serif", fontsize=10]',
    '  edge [fontname="sans-serif", fontsize=9]',
    ...(cut > 0 ? [`  label=${quote(`${cut} more steps are not shown (--most ${most})`)}`] : []),
    ...run.incarnations.flatMap((incarnation, i) => column(incarnation, i, shown.length)),
    ...shown.flatMap((step) => mailTo(run, step)),
    '}',
    '',
  ].join('\n')
}

/** The steps of an incarnation one below the other. */
function column(incarnation: Incarnation, i: number, shown: number): string[] {
  const steps = incarnation.steps.filter(({ index }) => index < shown)
  if (steps.length === 0) return []
  const chain = steps.map(nameOf).join(' -> ')
  return [
    `  subgraph cluster_${i} {`,
    `    label=${quote(incarnationName(incarnation))}`,
    ...steps.map(
      (step) =>
        `    ${nameOf(step)} [label=${quote(labelOf(step))}${step.crash || step.broken.length > 0 ? ', color=red' : ''}]`,
    ),
    ...(steps.length > 1 ? [`    ${chain} [style=dotted]`] : []),
    '  }',
  ]
}

/** The edge from the step that sent what this one handled. */
function mailTo({ sends }: Run, step: Step): string[] {
  const { on } = step
  const sender = on.what === 'mail' ? sends.get(on.id)?.step : undefined
  if (on.what !== 'mail' || sender === undefined || sender === null) return []
  return [`  s${sender} -> ${nameOf(step)} [label=${quote(on.type)}]`]
}

const nameOf = ({ index }: Step): string => `s${index}`

const labelOf = (step: Step): string =>
  [`${atName(step)} ${handledName(step)}`, stateName(step.state), ...remarksOf(step)].join('\n')

/** JSON's quoting is also DOT's, for what stands in labels here. */
const quote = (text: string): string => JSON.stringify(text)
