/** What jobs have answered when they were asked what they have. */
import { type Address, type Effect, observe, tell } from '../../../lib/actor.ts'
import type { Report } from '../fold/gather.ts'
import type { Answer, Attempt, Cells } from '../messages.ts'
import { textOf } from '../rectangle.ts'

type Answers = ReadonlyMap<Address, Answer>

/** Who answers as the one that was let in. */
export const membersOf = (members: ReadonlyMap<Address, Attempt>, answers: Answers): ReadonlyMap<Address, Attempt> =>
  new Map(
    [...members].filter(([leader, { job, attempt }]) => {
      const of = answers.get(leader)?.of
      return of?.job === job && of.attempt === attempt
    }),
  )

/** For whoever folds a run: it has not answered for too long, and is taken for dead. */
export type GaveUp = { readonly type: 'gave-up'; readonly leader: Address }

/** Should it live after all, it hears that it has failed. */
export const givenUp = (leaders: readonly Address[], change: number): readonly Effect[] =>
  leaders.flatMap((leader) => [
    observe({ type: 'gave-up', leader } satisfies GaveUp),
    tell(leader, { type: 'vacate', change, isFailed: true }),
  ])

/** Whether those who answered have what they were to get, and nothing of it is on its way. */
export function isAsPlanned(
  answers: Answers,
  members: ReadonlyMap<Address, Attempt>,
  planned: readonly { readonly job: Address; readonly cells: Cells }[],
): boolean {
  const expected = new Map(planned.map(({ job, cells }) => [job, cells.map(textOf).join(' ')]))
  return [...answers].every(([leader, { of, holds }]) => {
    const [member, cells = ''] = [members.get(leader), expected.get(leader)]
    const isThere = cells === '' || (of !== null && member?.job === of.job && member.attempt === of.attempt)
    return isThere && !holds.offered && holds.cells.map(textOf).join(' ') === cells
  })
}

/** A cell that was offered is whose it has become: if nobody has taken it, it is still his who offered it. */
export function reportsOf(members: ReadonlyMap<Address, Attempt>, answers: Answers): readonly Report[] {
  const owners = new Map<string, number>()
  for (const leader of members.keys()) {
    for (const cell of answers.get(leader)?.holds.cells ?? [])
      owners.set(textOf(cell), 1 + (owners.get(textOf(cell)) ?? 0))
  }
  return [...members.keys()].flatMap((job) => {
    const holds = answers.get(job)?.holds
    if (!holds) return []
    const { cells, offered, next } = holds
    const taken = offered !== null && (owners.get(textOf(offered)) ?? 0) > 1 ? textOf(offered) : null
    return [{ job, next, cells: cells.filter((cell) => textOf(cell) !== taken) }]
  })
}
