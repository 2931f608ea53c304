/** The transitions of a processor's processes: each function changes one process in a turn of the node. */
import { cancel, now, type Time, tell } from '../../lib/actor.ts'
import { charge, enter, find, giveWay, remove, renew, revalue, revise, spun } from './competition.ts'
import { BASE } from './currencies.ts'
import { CALL } from './dispatcher.ts'
import type { Exited, Fund, Grant, Release } from './jobs.ts'
import type { Return } from './messages.ts'
import { isRunning, type NodeTurn, observe, processesOf, timer } from './node.ts'
import { begun, limitOf, nextOf, type Process } from './process.ts'
import { awake, end, expireBy, fallAsleep, give } from './sleep.ts'

const wakeUp = (name: string) => `wake ${name}`

type Newcomer = Pick<Process, 'name' | 'employer' | 'task' | 'funding' | 'borrows' | 'program'>

export function admit(it: NodeTurn, { name, employer, task, funding, borrows, program }: Newcomer): void {
  const { context } = it
  const tickets = funding.currency === BASE ? funding.amount : 0
  // written out, because spreading the newcomer took a tenth of the time of a whole run.
  const process: Process = {
    name,
    employer,
    task,
    funding,
    borrows,
    program,
    order: context.created,
    tickets,
    extra: 0,
    pass: 0,
    lag: context.sharing.start === 'stride' ? context.sharing.stride1 : 0,
    since: now(),
    doing: { type: 'computing', left: 0 },
    grants: [],
    bursts: 0,
    cpu: 0,
    burst: 0,
    asleepSince: null,
    suspended: false,
  }
  context.created += 1
  context.resident += tickets
  enter(it, begun(process, context.speed))
  revalue(it, funding.currency)
}

/** Completes the burst of the running process: it exits, arrives at its barrier, or sleeps. */
export function complete(it: NodeTurn, returned: Return = {}): void {
  const process = charge(it.context)
  if (!process || process.doing.type === 'waiting' || (process.doing.type === 'computing' && process.doing.left !== 0))
    return
  const next = nextOf(process, now())
  if (next.type === 'exit') return exit(it, process, 'done', returned)
  if (next.type === 'arrive') return arrive(it, process)
  if (next.lasts === 0) return giveWay(it, begun(process, it.context.speed))
  it.do(timer(wakeUp(process.name), next.lasts, { type: 'woke', job: process.name }, 'arrival'))
  fallAsleep(it, process)
}

function arrive(it: NodeTurn, process: Process): void {
  const { program, name, bursts } = process
  if (program.kind !== 'parallel') return
  const waiting = renew(it.context, { ...process, doing: { type: 'waiting', since: now(), released: false } })
  const { rank } = program
  it.do(
    tell(program.barrier, { type: 'arrive', job: name, rank, round: bursts }),
    observe({ type: 'arrived', job: name, rank, round: bursts }),
  )
  if (program.spin === 0) fallAsleep(it, waiting)
}

/** Ends the quantum of the running process, or its time for spinning. */
export function expired(it: NodeTurn): void {
  it.context.alarm = null
  const process = charge(it.context)
  const { slice } = it.context
  if (!process || !slice) return
  if (now() >= limitOf(process)) fallAsleep(it, process)
  else if (now() >= slice.ends) giveWay(it, process)
}

/** Wakes a sleeper. */
export function wake(it: NodeTurn, name: string): void {
  const process = it.context.away.get(name)
  if (!process || process.asleepSince === null) return
  const gone = remove(it, process, 'asleep')
  // a clock that has jumped back since shows no sleep
  const slept = Math.max(0, now() - process.asleepSince)
  enter(it, awake(it, begun(gone, it.context.speed), slept, process.burst))
  if (it.context.sharing.credit.policy === 'none') revalue(it, process.funding.currency)
}

/** Releases a process that waits at the barrier of this round. */
export function release(it: NodeTurn, { job, round }: Release): void {
  const { context } = it
  const process = find(it, job)
  if (process?.doing.type !== 'waiting' || process.bursts !== round) return
  if (process.asleepSince !== null) wake(it, job)
  else if (isRunning(context, process)) {
    spun(it, process)
    renew(context, begun(process, context.speed))
  } else renew(context, { ...process, doing: { ...process.doing, released: true } })
}

export function suspend(it: NodeTurn, job: string, suspended: boolean): void {
  const process = find(it, job)
  if (process && process.suspended !== suspended) {
    enter(it, { ...remove(it, process, 'suspended'), suspended })
  }
}

export function fund(it: NodeTurn, { job, amount }: Fund): void {
  const process = find(it, job)
  if (!process) return
  const { currency } = process.funding
  revise(it, (one) => {
    if (one.name !== job) return one
    return { ...one, funding: { currency, amount }, tickets: currency === BASE ? amount : one.tickets }
  })
  revalue(it, currency)
}

export function grant(it: NodeTurn, { job, extra, lasts }: Grant): void {
  const until: Time = now() + lasts
  give(it, ({ name, asleepSince }) => (name === job && asleepSince === null ? { extra, until, of: name } : null))
  expireBy(it, until)
}

/** Withdraws a process in any state, if it is here. */
export function withdraw(it: NodeTurn, name: string): void {
  const process = find(it, name)
  if (process) exit(it, process, 'withdrawn')
}

function exit(it: NodeTurn, process: Process, why: Exited['why'], returned: Return = {}): void {
  const { context } = it
  const { name, employer, cpu, task, since, funding, doing } = process
  if (doing.type === 'calling' && why === 'withdrawn') it.do(cancel(CALL))
  if (process.asleepSince !== null) it.do(cancel(wakeUp(name)))
  remove(it, process, why)
  if (context.last === name) context.last = null
  if (context.sharing.credit.policy === 'loan') end(it, ({ of }) => of === name)
  context.resident = processesOf(context).length > 0 ? context.resident - process.tickets : 0
  if (!task) it.do(tell(employer, { type: 'exited', job: name, why, cpu }))
  else {
    const attempt = task.attempt
    const busy = now() - since
    if (why === 'done') {
      context.done = { task: task.task, attempt }
      const finished = { type: 'finished', task: task.task, attempt } as const
      it.do(tell(employer, returned.outcome ? { ...finished, ...returned } : finished))
    }
    it.do(observe({ type: why === 'done' ? 'finished' : 'aborted', task: task.task, attempt, busy }))
  }
  revalue(it, funding.currency)
}
