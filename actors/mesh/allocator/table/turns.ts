/** Turn by turn: those whose time is over make room, and then those whose time it is begin. */
import { type Decision, now, observe, type Time, timer } from '../../../../lib/actor.ts'
import { areEqual } from '../../rectangle.ts'
import { slotsOf } from '../../timetable.ts'
import { ordered } from '../round.ts'
import { type Granted, type TableBook, type TableFact, wanted } from './book.ts'

const boundary = (delay: Time) => timer('boundary', delay, { type: 'boundary' })

/** Those who come at the same instant are in the first period. */
export const awaitFirst = (): Decision<TableBook> => [{}, boundary(0)]

/** Until somebody's time is over or begins, or the period is over. */
export function awaitNext({ since, slots, period }: TableBook): Decision<TableBook> {
  const passed = now() - since
  const next = Math.min(period, ...slots.flatMap(({ from, to }) => [from, to]).filter((at) => at > passed))
  return [{}, boundary(Math.max(0, next - passed))]
}

/** Who comes or goes changes the table of the next period. */
export function tabulate({ period, since, slots, jobs, ...table }: TableBook): Decision<TableBook> {
  const isFirst = slots.length === 0
  if (!isFirst && now() < since + period) return [{}]
  const minima = jobs.map(({ minimum }) => minimum)
  const granted = slotsOf({ ...table, period }, minima).flatMap(({ job, ...slot }): Granted[] => {
    const of = jobs[job]
    return of ? [{ ...slot, of }] : []
  })
  return [
    { slots: granted, since: isFirst ? now() : since + period },
    observe({
      type: 'tabled',
      slots: granted.map(({ of, partition, from, to }) => ({ job: of.leader, partition, from, to })),
    } satisfies TableFact),
  ]
}

/** To who goes on where it is nothing is said. */
export function stop(book: TableBook): Decision<TableBook> {
  const next = wanted(book)
  const staying = new Map(
    [...book.running].filter(([job, own]) => {
      const slot = next.get(job)
      return slot !== undefined && areEqual(slot.partition, own)
    }),
  )
  const over = [...book.running.keys()].filter((job) => !staying.has(job))
  const [changes, ...effects] = ordered(book, (change) => over.map((job) => [job, { type: 'stop', change }]))
  return [{ ...changes, running: staying }, ...effects]
}

export function place(book: TableBook): Decision<TableBook> {
  const { running } = book
  const coming = [...wanted(book)].filter(([job]) => !running.has(job))
  const [changes, ...effects] = ordered(book, (change) =>
    coming.map(([job, { partition, of }]) => [job, { type: 'remap', change, partition, ...of.of }]),
  )
  const placed = coming.map(([job, { partition }]) => [job, partition] as const)
  return [{ ...changes, running: new Map([...running, ...placed]) }, ...effects]
}

/** Who was there before computes no more: they may begin. */
export const resume = (book: TableBook): Decision<TableBook> =>
  ordered(book, (change) => [...book.round.orders.keys()].map((job) => [job, { type: 'resume', change }]))
