/**
 * The operator carries out a script: whenever the allocator is at rest, a job arrives or departs, or the ring rotates.
 * It is a table without states: each report of the allocator leads to the next step of the script.
 */
import { actor, type Ref, ref, tell } from '../../lib/actor.ts'
import type { ToAllocator, ToJob, ToOperator } from './messages.ts'

export type Step =
  | { readonly type: 'arrive'; readonly job: number }
  | { readonly type: 'depart'; readonly job: number }
  | { readonly type: 'rotate' }

export type OperatorInput = {
  readonly script: readonly Step[]
  /** The leaders of job 1, of job 2, ... */
  readonly jobs: readonly Ref<ToJob>[]
  readonly allocator: Ref<ToAllocator>
}

interface Context extends OperatorInput {
  /** The number of steps begun. */
  readonly begun: number
}

/** A fact for listeners: the step of this number, from 0, is done, and the allocator is at rest. */
export type OperatorFact = { readonly type: 'stepped'; readonly step: number }

const { createMachine, handlers, observe } = actor<{
  input: OperatorInput
  context: Context
  event: ToOperator
  fact: OperatorFact
}>()

const orderOf = ({ jobs, allocator }: OperatorInput, step: Step, attempt: number) => {
  if (step.type === 'rotate') return tell(allocator, { type: 'due' })
  const leader = jobs[step.job - 1] ?? ref<ToJob>('job@nowhere')
  return step.type === 'arrive'
    ? tell(leader, { type: 'begin', job: step.job, attempt, work: null, minimum: 1 })
    : tell(leader, { type: 'leave' })
}

export default createMachine({
  context: ({ input }) => ({ ...input, begun: 0 }),
  on: handlers({
    // the script goes on by itself, whatever became of a job
    over: {},
    failed: {},
    rested(context) {
      const { script, begun } = context
      const step = script[begun]
      const done = begun === 0 ? [] : [observe({ type: 'stepped', step: begun - 1 })]
      return step ? [{ begun: begun + 1 }, ...done, orderOf(context, step, begun + 1)] : [{}, ...done]
    },
  }),
})
