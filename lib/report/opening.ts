/** Where the page of a run opens, if nothing is selected. */
import { coversOf, fullestIn } from './cover.ts'
import { binsOf } from './density.ts'
import type { Graph } from './graph.ts'
import { beyondOf, linkIn, momentOf, sightOf } from './moments.ts'
import { BROKE } from './types.ts'

/** A page opens with at least this part of its run in sight, so that bars can be seen. */
export const PARTS = 50

/** Says whether something went wrong in an event: a fault, a death or a broken promise. */
export const isWrong = (graph: Graph, event: number): boolean =>
  ['fault', 'died'].includes(graph.kind(event)) || ((graph.flags[event] ?? 0) & BROKE) > 0

/**
 * The instant to open at if nothing went wrong: when the grid is fullest; or else at the end of the first object that the story names; or
 * else in the part of the run where most bars begin and end. Undefined for a run without any of these.
 */
export function openingOf(graph: Graph): number | undefined {
  const { run } = graph
  if (run.grid) return fullestIn(coversOf(run), { from: graph.begins, to: run.seen })
  const [told] = run.story.flat().flatMap((part) => (typeof part === 'string' ? [] : endOf(graph, part[1])))
  return told ?? busiest(graph)
}

/**
 * When the object ends that a link leads to. Nothing for other links, beyond the events of the page, and for an object such as a user
 * that lives for most of the run.
 */
function endOf(graph: Graph, fragment: string): number[] {
  const link = linkIn(fragment)
  if (!link || !('object' in link) || beyondOf(graph, link) !== '') return []
  const life = sightOf(graph, link.object)
  if (!life || life.to - life.from > graph.run.until / 2) return []
  return [graph.at[momentOf(graph, link)] ?? []].flat()
}

/** The middle of the part of the run with the most beginnings and ends of bars; of several the first. */
function busiest({ begins, run: { bars, seen } }: Graph): number | undefined {
  const changes = bars.from.flatMap((from, bar) => [from, from + (bars.length[bar] ?? 0)])
  if (changes.length === 0) return undefined
  const bins = binsOf(changes, () => 1, { from: begins, to: seen }, PARTS)
  return begins + ((bins.indexOf(Math.max(...bins)) + 0.5) * (seen - begins)) / PARTS
}
