/** Two runs side by side, which move together. */
import { counterpart } from '../counterpart.ts'
import type { Store } from './store.ts'

/** A selection in one run selects the corresponding event in the other one. Both have one filter and one window of time. */
export function lock(one: Store, other: Store): void {
  // a listener is called at once, and what it chooses in the other store calls the listener of that one
  let isMoving = true
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.listen(({ event, filter, object, isWhole, axis, moment }, graph) => {
      if (isMoving) return
      isMoving = true
      const other = event < 0 ? event : counterpart(graph, event, to.graph)
      to.choose({ filter, object, isWhole, axis, moment, event: other })
      isMoving = false
    })
  }
  isMoving = false
  for (const [from, to] of [
    [one.sight, other.sight],
    [other.sight, one.sight],
  ] as const) {
    from.onPoint((at) => to.point(at))
    from.onWindow(() => {
      if (isMoving) return
      isMoving = true
      to.look(from.window)
      isMoving = false
    })
  }
}
