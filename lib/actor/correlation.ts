/**
 * Scatter-gather: a request to several actors under one number, and their answers (the correlation identifier of Hohpe and
 * Woolf 2003). Answers under another number, from other actors or for the second time are recognised and dropped.
 */
import type { Address } from '../core/address.ts'

/** The answers that an actor awaits to one question: who was asked, and who has answered. */
export interface Gathering<Answer, Who extends Address = Address> {
  /** The number of the request, which its answers repeat. */
  readonly number: number
  /** The actors that have not answered, in the order of asking. */
  readonly missing: readonly Who[]
  /** The answers by sender, in the order of arrival. */
  readonly answers: ReadonlyMap<Who, Answer>
}

/** A request without an answer yet. */
export const asked = <Answer, Who extends Address = Address>(
  number: number,
  recipients: Iterable<Who>,
): Gathering<Answer, Who> => ({
  number,
  missing: [...recipients],
  answers: new Map(),
})

/** Whether an answer belongs to the request and is the first of its sender. */
export const isAwaited = ({ number, missing }: Gathering<unknown>, from: Address, of: number): boolean =>
  of === number && missing.includes(from)

/** The request after an answer. */
export const answered = <Answer, Who extends Address>(
  { number, missing, answers }: Gathering<Answer, Who>,
  from: Who,
  answer: Answer,
): Gathering<Answer, Who> => ({
  number,
  missing: missing.filter((one) => one !== from),
  answers: new Map(answers).set(from, answer),
})

/** The request without a recipient that need not answer any more. */
export const excused = <Answer, Who extends Address>(
  { number, missing, answers }: Gathering<Answer, Who>,
  recipient: Address,
): Gathering<Answer, Who> => ({
  number,
  missing: missing.filter((one) => one !== recipient),
  answers: new Map([...answers].filter(([one]) => one !== recipient)),
})

/** Whether every recipient has answered. */
export const isComplete = ({ missing }: Gathering<unknown>): boolean => missing.length === 0
