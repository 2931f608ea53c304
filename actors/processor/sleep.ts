/** Credit for sleepers (paper, section 3.2), and the expiry of exhaustible tickets. */
import { observe, type Time, timer } from '../../lib/actor.ts'
import { adaptiveCatchUp, systemCredit } from './credit.ts'
import { canCompete, type Grant, type Process } from './process.ts'
import { competitors } from './stride.ts'
import type { Turn } from './turn.ts'

const EXPIRY = 'expiry'

const holding = (process: Process, grants: readonly Grant[]): Process => ({
  ...process,
  grants,
  extra: grants.reduce((sum, { extra }) => sum + extra, 0),
})

/** Gives a process the grant that `gives` returns for it; null gives it nothing. */
export const give = (turn: Turn, gives: (process: Process) => Grant | null): void =>
  turn.revise((process) => {
    const grant = gives(process)
    return grant ? holding(process, [...process.grants, grant]) : process
  })

/** Ends all grants that `isOver` selects. */
export const end = (turn: Turn, isOver: (grant: Grant) => boolean): void =>
  turn.revise((process) =>
    process.grants.some(isOver)
      ? holding(
          process,
          process.grants.filter((grant) => !isOver(grant)),
        )
      : process,
  )

/** Puts a process to sleep: its exhaustible tickets vanish, and under loan & borrow its own are lent. */
export function fallAsleep(turn: Turn, process: Process): void {
  const { policy } = turn.sharing.credit
  // a sleeper that has not been repaid in full gives up the rest, on both sides.
  if (policy === 'loan' && process.grants.length > 0) end(turn, ({ of }) => of === process.name)
  const gone = turn.remove(turn.find(process.name) ?? process, 'asleep')
  if (turn.last === process.name) turn.last = null
  turn.enter({ ...holding(gone, []), asleepSince: turn.now })
  if (policy === 'loan') lend(turn, gone)
  if (policy === 'none') turn.revalue(process.funding.currency)
}

/** Lends the sleeper's tickets to the processes that borrow, in proportion to their own: T stays as it was. */
function lend(turn: Turn, { name, tickets }: Process): void {
  const willing = competitors(turn.queue).filter(({ borrows }) => borrows)
  const total = willing.reduce((sum, borrower) => sum + borrower.tickets, 0)
  if (total === 0) return
  give(turn, (process) =>
    process.borrows && canCompete(process)
      ? { extra: (tickets * process.tickets) / total, until: null, of: name }
      : null,
  )
}

/** Wakes a process, with its credit for the time that it slept. */
export function awake(turn: Turn, process: Process, slept: Time, ran: Time): Process {
  const { credit } = turn.sharing
  const woken = { ...process, asleepSince: null }
  if (credit.policy === 'loan') return repaid(turn, woken, slept, credit.catchUp)
  if (credit.policy === 'none' || woken.tickets === 0) return woken
  const { cap, competing } = credit
  const { tickets } = woken
  const total =
    competing === 'resident'
      ? turn.resident
      : competitors(turn.queue).reduce((sum, competitor) => sum + competitor.tickets + competitor.extra, tickets)
  const claim = { tickets, total, slept, cap }
  const catchUp = credit.catchUp === 'adaptive' ? adaptiveCatchUp(claim, ran) : credit.catchUp * slept
  const { extra, lasts } = systemCredit({ ...claim, catchUp })
  if (extra === 0) return woken
  const until = turn.now + Math.round(lasts)
  const share = (tickets + extra) / (total + extra)
  turn.do(observe({ type: 'credited', job: woken.name, extra, share, until }))
  expireBy(turn, until)
  return holding(woken, [{ extra, until, of: woken.name }])
}

/** Ends the loans of a sleeper; each borrower pays back as much, over the catch-up time. */
function repaid(turn: Turn, process: Process, slept: Time, catchUp: number): Process {
  const until = turn.now + Math.round(catchUp * slept)
  let sum = 0
  turn.revise((borrower) => {
    const loan = borrower.grants.find(({ of }) => of === process.name)
    if (!loan) return borrower
    const extra = loan.extra / catchUp
    sum += extra
    const others = borrower.grants.filter((grant) => grant !== loan)
    return holding(borrower, [...others, { extra: -extra, until, of: process.name }])
  })
  if (sum === 0) return process
  expireBy(turn, until)
  return holding(process, [{ extra: sum, until, of: process.name }])
}

/** Sets the expiry timer, if no earlier one is set. */
export function expireBy(turn: Turn, until: Time): void {
  if (turn.expiresAt !== null && turn.expiresAt <= until) return
  turn.expiresAt = until
  turn.do(timer(EXPIRY, until - turn.now, { type: 'lapsed' }))
}

/** Ends all grants that expire by an instant. */
export function expire(turn: Turn, by: Time): void {
  if (turn.expiresAt === null || turn.expiresAt > by) return
  turn.expiresAt = null
  end(turn, ({ until }) => until !== null && until <= by)
  const left = turn.processes.flatMap(({ grants }) => grants.flatMap(({ until }) => until ?? []))
  if (left.length > 0) expireBy(turn, Math.min(...left))
}
