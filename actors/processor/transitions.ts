/** The transitions of a processor's processes: each function changes one process in a turn of the node. */
import { cancel, type Time, timer } from '../../lib/actor.ts'
import { BASE } from './currencies.ts'
import type { Exited } from './jobs.ts'
import type { Return } from './messages.ts'
import { begun, limitOf, nextOf, type Process } from './process.ts'
import { awake, end, expireBy, fallAsleep, give } from './sleep.ts'
import { CALL, type Turn } from './turn.ts'

const wakeUp = (name: string) => `wake ${name}`

type Newcomer = Pick<Process, 'name' | 'employer' | 'task' | 'funding' | 'borrows' | 'program'>

export function admit(turn: Turn, { name, employer, task, funding, borrows, program }: Newcomer): void {
  const tickets = funding.currency === BASE ? funding.amount : 0
  // written out, because spreading the newcomer took a tenth of the time of a whole run.
  const process: Process = {
    name,
    employer,
    task,
    funding,
    borrows,
    program,
    order: turn.created,
    tickets,
    extra: 0,
    pass: 0,
    lag: turn.sharing.start === 'stride' ? turn.sharing.stride1 : 0,
    since: turn.now,
    doing: { type: 'computing', left: 0 },
    grants: [],
    bursts: 0,
    cpu: 0,
    burst: 0,
    asleepSince: null,
    suspended: false,
  }
  turn.created += 1
  turn.resident += tickets
  turn.enter(begun(process, turn.speed))
  turn.revalue(funding.currency)
}

/** Completes the burst of the running process: it exits, arrives at its barrier, or sleeps. */
export function complete(turn: Turn, returned: Return = {}): void {
  const process = turn.charged()
  if (!process || process.doing.type === 'waiting' || (process.doing.type === 'computing' && process.doing.left !== 0))
    return
  const next = nextOf(process, turn.now)
  if (next.type === 'exit') return exit(turn, process, 'done', returned)
  if (next.type === 'arrive') return arrive(turn, process)
  if (next.lasts === 0) return turn.giveWay(begun(process, turn.speed))
  turn.do(timer(wakeUp(process.name), next.lasts, { type: 'woke', job: process.name }, 'arrival'))
  fallAsleep(turn, process)
}

function arrive(turn: Turn, process: Process): void {
  const { program, name, bursts } = process
  if (program.kind !== 'parallel') return
  const waiting = turn.renew({ ...process, doing: { type: 'waiting', since: turn.now, released: false } })
  turn.tell(program.barrier, { type: 'arrive', job: name, rank: program.rank, round: bursts })
  if (program.spin === 0) fallAsleep(turn, waiting)
}

/** Ends the quantum of the running process, or its time for spinning. */
export function expired(turn: Turn): void {
  const process = turn.charged()
  if (!process) return
  if (turn.now >= limitOf(process)) fallAsleep(turn, process)
  else if (turn.isQuantumOver) turn.giveWay(process)
}

/** Wakes a sleeper. */
export function wake(turn: Turn, name: string): void {
  const process = turn.away.get(name)
  if (!process || process.asleepSince === null) return
  const gone = turn.remove(process, 'asleep')
  const slept = turn.now - process.asleepSince
  turn.enter(awake(turn, begun(gone, turn.speed), slept, process.burst))
  if (turn.sharing.credit.policy === 'none') turn.revalue(process.funding.currency)
}

/** Releases a process that waits at the barrier of round `round`. */
export function release(turn: Turn, name: string, round: number): void {
  const process = turn.find(name)
  if (process?.doing.type !== 'waiting' || process.bursts !== round) return
  if (process.asleepSince !== null) wake(turn, name)
  else if (turn.isRunning(process)) {
    turn.spun(process)
    turn.renew(begun(process, turn.speed))
  } else turn.renew({ ...process, doing: { ...process.doing, released: true } })
}

export function suspend(turn: Turn, name: string, suspended: boolean): void {
  const process = turn.find(name)
  if (process && process.suspended !== suspended) {
    turn.enter({ ...turn.remove(process, 'suspended'), suspended })
  }
}

export function fund(turn: Turn, name: string, amount: number): void {
  const process = turn.find(name)
  if (!process) return
  const { currency } = process.funding
  turn.revise((one) => {
    if (one.name !== name) return one
    return { ...one, funding: { currency, amount }, tickets: currency === BASE ? amount : one.tickets }
  })
  turn.revalue(currency)
}

export function grant(turn: Turn, name: string, extra: number, lasts: Time): void {
  const until = turn.now + lasts
  give(turn, (process) => (process.name === name && process.asleepSince === null ? { extra, until, of: name } : null))
  expireBy(turn, until)
}

/** Ends a process in any state. */
export function exit(turn: Turn, process: Process, why: Exited['why'], returned: Return = {}): void {
  const { name, employer, cpu, task, since, funding, doing } = process
  if (doing.type === 'calling' && why === 'withdrawn') turn.do(cancel(CALL))
  if (process.asleepSince !== null) turn.do(cancel(wakeUp(name)))
  turn.remove(process, why)
  if (turn.last === name) turn.last = null
  if (turn.sharing.credit.policy === 'loan') end(turn, ({ of }) => of === name)
  turn.resident = turn.processes.length > 0 ? turn.resident - process.tickets : 0
  if (!task) turn.tell(employer, { type: 'exited', job: name, why, cpu })
  else {
    const attempt = { task: task.task, attempt: task.attempt }
    if (why === 'done') turn.done = attempt
    if (why === 'done') turn.tell(employer, { type: 'finished', ...attempt, ...returned })
    turn.note({ type: why === 'done' ? 'finished' : 'aborted', ...attempt, busy: turn.now - since })
  }
  turn.revalue(funding.currency)
}
