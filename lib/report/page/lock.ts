/** Two runs side by side, which move together. */
import { counterpart, twinsOf } from '../counterpart.ts'
import { around, spanning, type Viewport } from '../viewport.ts'
import type { Store } from './store.ts'

/** How much longer the first window may go on after the selected event than it shows before it: a failing run may end much later. */
const AFTER = 3

/**
 * A selection in one run selects the corresponding event in the other one. Both have one filter, and always one window of time, in
 * which both selected events are.
 */
export function lock(one: Store, other: Store): void {
  // a listener is called at once, and what it chooses in the other store calls the listener of that one
  let isMoving = true
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const twins = twinsOf(from.graph, to.graph)
    from.compare(twins)
    from.listen(({ event, filter, object, isWhole, axis, moment }, graph) => {
      if (isMoving) return
      isMoving = true
      const twin = event < 0 ? event : counterpart(twins, event, graph, to.graph)
      to.choose({ filter, object, isWhole, axis, moment, event: twin })
      meet(from, to)
      isMoving = false
    })
    from.sight.onPoint((at) => to.sight.point(at))
    from.sight.onWindow(() => {
      if (isMoving) return
      isMoving = true
      to.sight.look(from.sight.window)
      isMoving = false
    })
  }
  begin(one, other)
  isMoving = false
}

/** Shows both runs in the first window of the first one. */
function begin(one: Store, other: Store): void {
  const { from, to } = one.sight.window
  const last = Math.max(...timesOf(one), ...timesOf(other))
  if (last > from) one.sight.look({ from, to: Math.min(to, last + AFTER * (last - from)) })
  meet(one, other)
}

/** Gives both runs the window of the first one, which is moved, or made longer, if the selected events need it. */
function meet(one: Store, other: Store): void {
  const { window, bounds } = one.sight
  const times = [...timesOf(one), ...timesOf(other)]
  if (times.some((at) => at < window.from || at > window.to)) {
    const both: Viewport = { from: Math.min(...times), to: Math.max(...times) }
    const length = window.to - window.from
    const isLong = both.to - both.from > 0.9 * length
    one.sight.look(isLong ? spanning(both, bounds) : around((both.from + both.to) / 2, length, bounds))
  }
  other.sight.look(one.sight.window)
}

/** The time of the selected event, if there is one. */
const timesOf = ({ choice: { event }, graph }: Store): readonly number[] => (event < 0 ? [] : [graph.at[event] ?? 0])
