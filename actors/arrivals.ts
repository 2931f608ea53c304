/** Arrivals: an actor that was spawned with a list of tasks begins each of them at its time. */
import { type Effect, type Message, now, type Time, type Turn, timer } from '../lib/actor.ts'

/** Sets the timer of the next event of a list; none after the last one. */
export const awaitNext = (at: Time | undefined, event: Message = { type: 'arrive' }, id = 'arrival'): Effect[] =>
  at === undefined ? [] : [timer(id, Math.max(0, at - now()), event, 'arrival')]

/** Begins all tasks that have arrived by now, in order of arrival, and awaits the next one. */
export function beginArrived<Task extends { readonly arrival: Time }>(
  it: Turn<{ readonly arrived: number }>,
  tasks: readonly Task[],
  begin: (task: Task) => void,
): void {
  let next = tasks[it.context.arrived]
  for (; next && next.arrival <= now(); next = tasks[++it.context.arrived]) begin(next)
  it.do(...awaitNext(next?.arrival))
}
