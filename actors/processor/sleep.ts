/** Credit for sleepers (paper, section 3.2), and the expiry of exhaustible tickets. */
import { now, type Time } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { enter, find, remove, revalue, revise } from './competition.ts'
import { adaptiveCatchUp, systemCredit } from './credit.ts'
import { type NodeTurn, observe, processesOf, timer } from './node.ts'
import { canCompete, type Grant, type Process } from './process.ts'
import { competitors } from './stride.ts'

const EXPIRY = 'expiry'

const holding = (process: Process, grants: readonly Grant[]): Process => ({
  ...process,
  grants,
  extra: sum(grants, ({ extra }) => extra),
})

/** Gives a process the grant that `gives` returns for it; null gives it nothing. */
export const give = (it: NodeTurn, gives: (process: Process) => Grant | null): void =>
  revise(it, (process) => {
    const grant = gives(process)
    return grant ? holding(process, [...process.grants, grant]) : process
  })

/** Ends all grants that `isOver` selects. */
export const end = (it: NodeTurn, isOver: (grant: Grant) => boolean): void =>
  revise(it, (process) =>
    process.grants.some(isOver)
      ? holding(
          process,
          process.grants.filter((grant) => !isOver(grant)),
        )
      : process,
  )

/** Puts a process to sleep: its exhaustible tickets vanish, and under loan & borrow its own are lent. */
export function fallAsleep(it: NodeTurn, process: Process): void {
  const { policy } = it.context.sharing.credit
  // a sleeper that has not been repaid in full gives up the rest, on both sides.
  if (policy === 'loan' && process.grants.length > 0) end(it, ({ of }) => of === process.name)
  const gone = remove(it, find(it, process.name) ?? process, 'asleep')
  if (it.context.last === process.name) it.context.last = null
  enter(it, { ...holding(gone, []), asleepSince: now() })
  if (policy === 'loan') lend(it, gone)
  if (policy === 'none') revalue(it, process.funding.currency)
}

/** Lends the sleeper's tickets to the processes that borrow, in proportion to their own: T stays as it was. */
function lend(it: NodeTurn, { name, tickets }: Process): void {
  const willing = competitors(it.context.queue).filter(({ borrows }) => borrows)
  const total = sum(willing, (borrower) => borrower.tickets)
  if (total === 0) return
  give(it, (process) =>
    process.borrows && canCompete(process)
      ? { extra: (tickets * process.tickets) / total, until: null, of: name }
      : null,
  )
}

/** Wakes a process, with its credit for the time that it slept. */
export function awake(it: NodeTurn, process: Process, slept: Time, ran: Time): Process {
  const { credit } = it.context.sharing
  const woken = { ...process, asleepSince: null }
  if (credit.policy === 'loan') return repaid(it, woken, slept, credit.catchUp)
  if (credit.policy === 'none' || woken.tickets === 0) return woken
  const { cap, competing } = credit
  const { tickets } = woken
  const total =
    competing === 'resident'
      ? it.context.resident
      : competitors(it.context.queue).reduce((sum, competitor) => sum + competitor.tickets + competitor.extra, tickets)
  const claim = { tickets, total, slept, cap }
  const catchUp = credit.catchUp === 'adaptive' ? adaptiveCatchUp(claim, ran) : credit.catchUp * slept
  const { extra, lasts } = systemCredit({ ...claim, catchUp })
  if (extra === 0) return woken
  const until = now() + Math.round(lasts)
  const share = (tickets + extra) / (total + extra)
  it.do(observe({ type: 'credited', job: woken.name, extra, share, until }))
  expireBy(it, until)
  return holding(woken, [{ extra, until, of: woken.name }])
}

/** Ends the loans of a sleeper; each borrower pays back as much, over the catch-up time. */
function repaid(it: NodeTurn, process: Process, slept: Time, catchUp: number): Process {
  const until = now() + Math.round(catchUp * slept)
  let sum = 0
  revise(it, (borrower) => {
    const loan = borrower.grants.find(({ of }) => of === process.name)
    if (!loan) return borrower
    const extra = loan.extra / catchUp
    sum += extra
    const others = borrower.grants.filter((grant) => grant !== loan)
    return holding(borrower, [...others, { extra: -extra, until, of: process.name }])
  })
  if (sum === 0) return process
  expireBy(it, until)
  return holding(process, [{ extra: sum, until, of: process.name }])
}

/** Sets the expiry timer, if no earlier one is set. */
export function expireBy(it: NodeTurn, until: Time): void {
  if (it.context.expiresAt !== null && it.context.expiresAt <= until) return
  it.context.expiresAt = until
  it.do(timer(EXPIRY, until - now(), { type: 'lapsed' }))
}

/** Ends all grants that expire by an instant. */
export function expire(it: NodeTurn, by: Time): void {
  if (it.context.expiresAt === null || it.context.expiresAt > by) return
  it.context.expiresAt = null
  end(it, ({ until }) => until !== null && until <= by)
  const left = processesOf(it.context).flatMap(({ grants }) => grants.flatMap(({ until }) => until ?? []))
  if (left.length > 0) expireBy(it, Math.min(...left))
}
