/** How busy a run was over its time, from its trace alone: pictures for every protocol, also for one that draws none itself. */
import { shortUnits } from '../core/format.ts'
import { add, sum } from '../core/tally.ts'
import { type Time, UNIT } from '../core/time.ts'
import type { Picture, PicturePoint, PictureSeries } from '../scenario/page.ts'
import { Windows } from '../scenario/windows.ts'
import { frequentTypes } from './colored-types.ts'
import { Graph } from './graph.ts'
import type { ReadRun } from './model.ts'
import { shownPictures } from './pictures.ts'
import type { ShownLoad, ShownRun } from './types.ts'

/** The most windows of a picture: each window has an element that says its values. */
const WINDOWS_MAX = 30
/** With more rows the picture of the utilisation has only their mean, the busiest and the least busy one. */
const ROWS_MAX = 4
/** The tones of bars without work. */
const IDLE = new Set(['down', 'idle', 'waiting'])

/** The load of all runs of a page, side by side; undefined if nothing happened. */
export function shownLoad(runs: readonly ReadRun[], isOpen: boolean): ShownLoad | undefined {
  const types = frequentTypes(runs.map(({ run }) => run))
  // windows of different widths would compare peaks with means
  const longest = Math.max(0, ...runs.map(({ run }) => run.until))
  const pictures = shownPictures(
    runs.map(({ run, pictures, hasWork }) => ({ ...pictures, pictures: loadPictures(run, types, hasWork, longest) })),
  )
  const notes = runs.flatMap(({ run: { name, seen, until } }) =>
    seen < until
      ? [`${name === '' ? '' : `${name}: `}messages are drawn up to time ${shortUnits(seen)} of ${shortUnits(until)}.`]
      : [],
  )
  if (pictures.length === 0) return undefined
  const width = `Each step covers ${shortUnits(windowsOf(longest).width)} ${runs[0]?.run.unit ?? ''}${runs.length > 1 ? ', in all runs' : ''}.`
  return { pictures, isOpen, notes: [width, ...notes] }
}

/**
 * The pictures of one run: its utilisation if the timeline has work, its messages of these types, and its mailboxes. Their windows
 * are as wide as those of the `longest` run of the page.
 */
export function loadPictures(
  run: ShownRun,
  types: readonly string[],
  hasWork: boolean,
  longest: Time = run.until,
): readonly Picture[] {
  const graph = new Graph(run)
  return [
    ...(hasWork ? utilisation(run, longest) : []),
    ...messages(graph, types, longest),
    ...mailboxes(graph, longest),
  ]
}

/** The share of each row's time that has a bar. On a grid rows are jobs and not machines, so there it would mean nothing. */
function utilisation({ bars, rows, grid, texts, until }: ShownRun, longest: Time): Picture[] {
  const windows = windowsOf(longest)
  const work = new Map(rows.map((row) => [row, 0]))
  for (const [bar, from] of bars.from.entries()) {
    const [row = '', length = 0] = [rows[bars.row[bar] ?? 0], bars.length[bar]]
    if (length === 0 || IDLE.has(texts[bars.tone[bar] ?? 0] ?? '')) continue
    windows.span(row, from, from + length)
    add(work, row, length)
  }
  if (grid || sum(work.values()) === 0) return []
  const shares = rows.map((name) => stepsOf(name, windows.rates(name, until)))
  const heights = shares.map(({ points }) => points.map(({ y }) => y))
  const mean = windows.edges(until).map((x, i) => ({ x, y: sum(heights, (own) => own[i] ?? 0) / rows.length }))
  const inOrder = rows.toSorted((one, other) => (work.get(other) ?? 0) - (work.get(one) ?? 0))
  const [busiest, idlest] = [inOrder[0], inOrder.at(-1)].map((row) => shares[rows.indexOf(row ?? '')])
  const series =
    rows.length <= ROWS_MAX
      ? shares
      : [
          stepsOf(`mean of ${rows.length}`, mean),
          ...(busiest ? [{ ...busiest, name: `the busiest: ${busiest.name}` }] : []),
          ...(idlest ? [{ ...idlest, name: `the least busy: ${idlest.name}` }] : []),
        ]
  return [{ title: 'Utilisation', y: { label: 'share of the time', min: 0, max: 1 }, series }]
}

/** The messages sent per unit of time, by type. */
function messages({ run, sender, at }: Graph, types: readonly string[], longest: Time): Picture[] {
  const windows = windowsOf(longest)
  const others = othersThan(types)
  for (const [send, event] of sender.entries()) {
    const type = run.texts[run.sends.type[send] ?? 0] ?? ''
    windows.add(types.includes(type) ? type : others, at[event] ?? 0)
  }
  const series = [...types, others]
    .filter((name) => windows.names.includes(name))
    .map((name): PictureSeries => {
      const points = windows.rates(name, run.seen).map(({ x, y }) => ({ x, y: y * UNIT }))
      // a type may be called like a tone of timelines
      return { name, shape: 'area', tone: `message ${name}`, points }
    })
  return [{ title: 'Messages sent', y: { label: `messages per ${singular(run.unit)}`, min: 0 }, series }]
}

/** The name of all other types, which none of these types has. */
function othersThan(types: readonly string[]): string {
  let name = 'others'
  while (types.includes(name)) name = `all ${name}`
  return name
}

/** The messages that were sent and not yet handled: the most in each window, in all mailboxes and in the fullest one. */
function mailboxes(graph: Graph, longest: Time): Picture[] {
  const { run } = graph
  const edges = windowsOf(longest).edges(run.seen)
  const total = edges.map(() => 0)
  const fullest = edges.map(() => 0)
  const depths = run.lanes.map(() => 0)
  let [window, all] = [0, 0]
  const note = (lane: number): void => {
    total[window] = Math.max(total[window] ?? 0, all)
    fullest[window] = Math.max(fullest[window] ?? 0, depths[lane] ?? 0)
  }
  /** Moves to the window of an instant. What waits when a window begins is of that window too. */
  const reach = (at: Time): void => {
    while (window < edges.length - 2 && (edges[window + 1] ?? 0) <= at) {
      window++
      for (const lane of depths.keys()) note(lane)
    }
  }
  const change = (send: number, amount: number): void => {
    if (!waits(graph, send)) return
    const lane = run.sends.to[send] ?? 0
    depths[lane] = (depths[lane] ?? 0) + amount
    all += amount
    note(lane)
  }
  for (const [event, at] of graph.at.entries()) {
    reach(at)
    change(graph.mail[event] ?? -1, -1)
    for (const send of graph.sentBy(event)) change(send, 1)
  }
  reach(run.seen)
  const pointsOf = (values: readonly number[]): PicturePoint[] =>
    edges.map((x, i) => ({ x, y: values[Math.min(i, edges.length - 2)] ?? 0 }))
  const series = [stepsOf('all mailboxes', pointsOf(total)), stepsOf('the fullest mailbox', pointsOf(fullest))]
  return [{ title: 'Messages sent and not yet handled', y: { label: 'messages at most', min: 0, max: 1 }, series }]
}

/** Says whether a message is in a mailbox. Lost mail is not, nor an answer that stands before its sending in the trace. */
function waits(graph: Graph, send: number): boolean {
  const [sender = -1, handler = -1] = [graph.sender[send], graph.handler[send]]
  if (handler >= 0) return handler > sender
  return sender >= 0 && !graph.isLost(send) && graph.run.sends.way[send] !== -1
}

const stepsOf = (name: string, points: readonly PicturePoint[]): PictureSeries => ({ name, shape: 'steps', points })

/** The name of one unit of time, such as `minute`; abbreviations such as `ms` stay. */
const singular = (unit: string): string => unit.replace(/(?<=\w{2})s$/, '')

/** Windows up to the end of a run. */
function windowsOf(until: Time): Windows {
  const windows = new Windows(WINDOWS_MAX)
  windows.edges(until)
  return windows
}
