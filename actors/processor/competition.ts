/**
 * The competition of processes for the processor: they join and leave it, are charged for their time, and change their
 * tickets, in a turn of the node. What a process does is in transitions.ts, its credit in sleep.ts.
 */
import { type Draft, now } from '../../lib/actor.ts'
import { BASE, worth } from './currencies.ts'
import type { JobFact, Leaving } from './jobs.ts'
import { isRunning, issuedOn, type Node, type NodeTurn, observe, processesOf, processOf } from './node.ts'
import { canCompete, type Process } from './process.ts'
import { paid, spent } from './slice.ts'
import * as stride from './stride.ts'

/** Observes a fact about the process of a job. Tasks that run to completion have facts of their own. */
function note(it: NodeTurn, { task }: Process, fact: JobFact): void {
  if (!task) it.do(observe(fact))
}

/** Brings the global pass up to date. */
function advance(node: Draft<Node>): void {
  node.queue = stride.advance(node.queue, now(), node.sharing)
}

const putAway = (node: Draft<Node>, process: Process): void => {
  node.away = new Map(node.away).set(process.name, process)
}

/** The process of a name; charged until now if it has the processor. */
export function find({ context }: NodeTurn, name: string): Process | undefined {
  if (context.queue.running?.name === name) charge(context)
  return processOf(context, name)
}

/** Charges the running process for the time until now, and returns it. */
export function charge(node: Draft<Node>): Process | null {
  const { slice, sharing } = node
  const { running } = node.queue
  if (!running || !slice || slice.charged === now()) return running
  node.slice = { ...slice, charged: now() }
  return renew(node, paid(slice, running, now(), sharing))
}

/** Replaces a process that keeps its place: its pass and its tickets must be unchanged. */
export function renew(node: Draft<Node>, process: Process): Process {
  if (isRunning(node, process)) node.queue = { ...node.queue, running: process }
  else if (node.away.has(process.name)) putAway(node, process)
  else node.queue = stride.renew(node.queue, process.order, () => process)
  return process
}

/** Puts a process that is in no queue among the ready ones, or away if it cannot compete. */
export function enter(it: NodeTurn, process: Process): void {
  const { context } = it
  if (!canCompete(process)) return putAway(context, process)
  context.hasNewcomer = true
  advance(context)
  const lag = context.sharing.clamp ? Math.max(0, process.lag) : process.lag
  const entered = stride.entering(context.queue, lag === process.lag ? process : { ...process, lag })
  context.queue = stride.join(context.queue, entered)
  const { name: job, tickets, extra, pass } = entered
  note(it, process, { type: 'joined', job, tickets, extra, total: context.queue.total, pass })
}

/** Removes a process from its queue; it is in none then. */
export function remove(it: NodeTurn, process: Process, why: Leaving): Process {
  const { context } = it
  const { name: job } = process
  const wasAway = context.away.has(job)
  let removed = process
  if (wasAway) {
    const away = new Map(context.away)
    away.delete(job)
    context.away = away
  } else {
    advance(context)
    removed = stride.leaving(context.queue, process)
    if (isRunning(context, process)) {
      endSlice(it, process)
      context.queue = stride.release(context.queue)
    } else context.queue = stride.without(context.queue, process)
  }
  if (!wasAway || why === 'withdrawn') note(it, process, { type: 'left', job, why, total: context.queue.total })
  return removed
}

/** Puts the running process back among the ready ones. */
export function giveWay(it: NodeTurn, process: Process): void {
  const { context } = it
  endSlice(it, process)
  context.queue = stride.requeue({ ...context.queue, running: process })
}

/** Observes how long the running process spun, when it stops waiting at its barrier or leaves the processor. */
export function spun(it: NodeTurn, process: Process): void {
  const { doing, name: job } = process
  const { slice } = it.context
  if (doing.type !== 'waiting' || !slice) return
  const lasted = now() - Math.max(doing.since, slice.works)
  if (lasted > 0) note(it, process, { type: 'spun', job, lasted })
}

function endSlice(it: NodeTurn, process: Process): void {
  const { context } = it
  const { slice } = context
  spun(it, process)
  context.slice = null
  if (!slice || slice.began === now()) return
  context.last = process.name
  const { used, switching } = spent(slice, now())
  note(it, process, { type: 'ran', job: process.name, used, switching, pass: process.pass })
}

/** Changes the tickets of any processes; a process that `change` returns unchanged keeps its place. */
export function revise(it: NodeTurn, change: (process: Process) => Process): void {
  const { context } = it
  advance(context)
  charge(context)
  let resident = 0
  // all places are found in one pass, because many processes change when a currency changes its value.
  const moved = new Map<number, Process>()
  for (const process of processesOf(context)) {
    const changed = change(process)
    resident += changed.tickets
    if (changed === process) continue
    const entered = reenter(it, process, changed)
    if (entered) moved.set(entered.order, entered)
  }
  if (moved.size > 0) context.queue = stride.exchanged(context.queue, moved)
  context.resident = resident
}

/**
 * Moves a process whose tickets have changed. Returns it if it stays among the ready, where its new place must be
 * found.
 */
function reenter(it: NodeTurn, process: Process, changed: Process): Process | null {
  const { context } = it
  const { name: job, tickets, extra } = changed
  const wasAway = context.away.has(job)
  if (wasAway && !canCompete(changed)) {
    renew(context, changed)
    return null
  }
  if (wasAway || !canCompete(changed)) {
    enter(it, { ...changed, lag: remove(it, process, 'insolvent').lag })
    return null
  }
  const { lag } = stride.leaving(context.queue, process)
  const entered = stride.entering(context.queue, { ...changed, lag })
  const total = context.queue.total - stride.netOf(process) + stride.netOf(changed)
  context.queue = { ...context.queue, total }
  note(it, process, { type: 'funded', job, tickets, extra, total, pass: entered.pass })
  if (!isRunning(context, process)) return entered
  context.queue = { ...context.queue, running: entered }
  return null
}

/** Revalues all base tickets after a change in the currency `touched`, or in any if it is not given. */
export function revalue(it: NodeTurn, touched?: string): void {
  if (touched === BASE) return
  const own = issuedOn(it.context)
  revise(it, (process) => {
    const tickets = worth(it.context.view, own, process.funding)
    return tickets === process.tickets ? process : { ...process, tickets }
  })
}
