/** The dispatcher of a processor: at the end of every turn it gives the processor to the first process. */
import { compute, now } from '../../lib/actor.ts'
import { charge, giveWay, renew } from './competition.ts'
import { isCall } from './messages.ts'
import { type NodeTurn, timer } from './node.ts'
import { begun, type Process } from './process.ts'
import { alarmOf, armed, sliceFor } from './slice.ts'
import * as stride from './stride.ts'

/** The id of the timer for loading a call, and of the computation. There is one at a time. */
export const CALL = 'call'

/** Gives the processor to the first process, and sets the timer of its slice. */
export function dispatch(it: NodeTurn): void {
  const { context } = it
  preempt(it)
  if (!context.queue.running) select(it)
  const { running } = context.queue
  if (running?.doing.type === 'calling') call(it, running)
  const { slice, alarm } = context
  context.alarm = slice && running && alarmOf(slice, running)
  it.do(...armed(alarm, context.alarm, now()))
}

/** Lets the running process give way to one that has joined, or to any at the instant when its slice began. */
function preempt(it: NodeTurn): void {
  const { context } = it
  const mayPreempt = (context.hasNewcomer && context.sharing.preempt) || context.slice?.began === now()
  context.hasNewcomer = false
  if (!mayPreempt || !context.queue.running || !context.queue.ready) return
  const running = charge(context)
  if (running && stride.isOvertaken(context.queue)) giveWay(it, running)
}

function select({ context }: NodeTurn): void {
  context.queue = stride.dispatch(context.queue)
  const { running } = context.queue
  if (!running) return
  context.slice = sliceFor(running, context.last, now(), context.sharing)
  if (running.doing.type === 'waiting' && running.doing.released) renew(context, begun(running, context.speed))
}

/** Begins a call: its setup, or at once the call. */
function call(it: NodeTurn, process: Process): void {
  const { program, doing } = process
  if (program.kind !== 'task' || !isCall(program.work) || doing.type !== 'calling' || doing.begun) return
  renew(it.context, { ...process, doing: { type: 'calling', begun: true } })
  if (program.setup > 0) it.do(timer(CALL, program.setup, { type: 'loaded', call: program.work }, 'completion'))
  else it.do(compute(CALL, program.work))
}
