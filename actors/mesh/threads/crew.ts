/**
 * How the leader of a job directs its threads on their processors, in stages: a stage begins when all answers to the
 * one before have arrived. Every function returns the next state and the messages to send.
 */
import { type Address, type Effect, tell, timer } from '../../../lib/actor.ts'
import type { Mesh } from '../mesh.ts'
import type { Rectangle } from '../rectangle.ts'
import type { Side, ToLeader, ToProcessor } from './messages.ts'
import {
  foldLines,
  type Line,
  type NeighboursIn,
  type Placement,
  placementAfter,
  placeOf,
  remapLines,
  sidesOf,
  type Transfer,
  threadsOf,
} from './placement.ts'

/** The threads of a job, and the stages that they still have to go through. */
export type Crew = {
  /** The processor of each thread; null if the job has no threads anywhere. */
  readonly placement: Placement | null
  /** The stages to come; the first is under way. */
  readonly stages: readonly Stage[]
  /** The number of missing answers to the first stage. */
  readonly awaited: number
  /** The number of steps that all threads have done. */
  readonly step: number
}

type Stage =
  | { readonly is: 'place' }
  /** The rest of each line; the first transfer of each is under way. */
  | { readonly is: 'move'; readonly lines: readonly Line[] }
  | { readonly is: 'drop'; readonly processors: readonly number[] }
  | { readonly is: 'run'; readonly until: number | null }
  /** `step` is the last step that any of these processors is known to have begun. */
  | { readonly is: 'halt' | 'finish'; readonly processors: readonly number[]; readonly step: number }
  | { readonly is: 'say'; readonly event: 'moved' | 'completed' }

export const NO_CREW: Crew = { placement: null, stages: [], awaited: 0, step: 0 }

export type Of = { readonly mesh: Mesh; readonly job: number }

type Outcome = readonly [Crew, ...Effect[]]

export const processorAt = (mesh: Mesh, number: number): Address => {
  const { row, column } = placeOf(mesh, number)
  return `processor@r${row}c${column}`
}

/** Whether no stage is left. */
export const isAtRest = ({ stages }: Crew): boolean => stages.length === 0

const placedOn = ({ placement }: Crew): readonly number[] => (placement ? [...threadsOf(placement).keys()] : [])

/** Loads the threads onto processors; ends with `moved`. */
export const loading = (crew: Crew, of: Of, placement: Placement): Outcome =>
  doing({ ...crew, placement }, of, [{ is: 'place' }, { is: 'say', event: 'moved' }])

/** Halves or doubles the partition; ends with `moved`. */
export function refolding(crew: Crew, of: Of, from: Rectangle, to: Rectangle): Outcome {
  return moving(crew, of, crew.placement ? foldLines(of.mesh, crew.placement, from, to) : [])
}

/** Moves the threads to the processors of `target`; ends with `moved`. */
export function remapping(crew: Crew, of: Of, from: Rectangle, target: Placement): Outcome {
  return moving(crew, of, crew.placement ? remapLines(of.mesh, crew.placement, target, from) : [])
}

/** Moves threads, and has abandoned processors forget the job before it reports that it has moved. */
function moving(crew: Crew, of: Of, lines: readonly Line[]): Outcome {
  const placement = crew.placement && placementAfter(crew.placement, lines)
  const kept = new Set(placement)
  const processors = placedOn(crew).filter((one) => !kept.has(one))
  return doing({ ...crew, placement }, of, [
    ...halted(crew),
    { is: 'move', lines },
    { is: 'drop', processors },
    { is: 'say', event: 'moved' },
  ])
}

/** Stops all threads after the same step; at rest when that is done. */
export const halting = (crew: Crew, of: Of): Outcome =>
  crew.stages[0]?.is === 'run' ? doing(crew, of, halted(crew)) : [crew]

/** Removes all threads from all processors. */
export const dismissing = (crew: Crew, of: Of): Outcome =>
  doing({ ...crew, placement: null }, of, [...halted(crew), { is: 'drop', processors: placedOn(crew) }])

/** Runs the threads step by step; ends with `completed` after the last step. */
export const running = (crew: Crew, of: Of, until: number | null): Outcome =>
  doing(crew, of, [
    { is: 'run', until },
    { is: 'say', event: 'completed' },
  ])

const halted = (crew: Crew): readonly Stage[] =>
  crew.stages[0]?.is === 'run' ? [{ is: 'halt', processors: placedOn(crew), step: crew.step }] : []

const doing = (crew: Crew, of: Of, stages: readonly Stage[]): Outcome => begun({ ...crew, stages }, of)

/** Begins the first stage, and also the next one if there is nothing to wait for. */
function begun(crew: Crew, of: Of): Outcome {
  const [stage, ...stages] = crew.stages
  if (!stage) return [{ ...crew, awaited: 0 }]
  const effects = effectsOf(stage, crew, of)
  const awaited = stage.is === 'say' ? 0 : effects.length
  if (awaited > 0) return [{ ...crew, awaited }, ...effects]
  const [after, ...more] = begun({ ...crew, stages }, of)
  return [after, ...effects, ...more]
}

/** Handles an answer of a processor; answers that do not belong to the stage under way change nothing. */
export function answered(crew: Crew, of: Of, answer: ToLeader): Outcome {
  const [stage, ...stages] = crew.stages
  switch (stage?.is) {
    case 'place':
      return answer.type === 'placed' ? counted(crew, of) : [crew]
    case 'drop':
      return answer.type === 'dropped' ? counted(crew, of) : [crew]
    case 'move':
      return answer.type === 'placed' ? lineOn(crew, of, stage.lines, stages, answer.threads) : [crew]
    case 'halt': {
      if (answer.type !== 'halting') return [crew]
      const step = Math.max(stage.step, answer.step)
      const finish = crew.awaited === 1 ? [{ ...stage, is: 'finish' as const, step }] : []
      return counted({ ...crew, stages: [{ ...stage, step }, ...finish, ...stages] }, of)
    }
    case 'run':
    case 'finish': {
      const last = stage.is === 'run' ? stage.until : stage.step
      return answer.type === 'ran' && answer.step === last ? counted({ ...crew, step: last }, of) : [crew]
    }
    default:
      return [crew]
  }
}

function counted(crew: Crew, of: Of): Outcome {
  const awaited = crew.awaited - 1
  return awaited > 0 ? [{ ...crew, awaited }] : begun({ ...crew, stages: crew.stages.slice(1) }, of)
}

/** Sends the next thread of the line whose first one has arrived. */
function lineOn(
  crew: Crew,
  of: Of,
  lines: readonly Line[],
  stages: readonly Stage[],
  arrived: readonly number[],
): Outcome {
  const line = lines.find(([first]) => first && arrived.includes(first.thread))
  if (!line) return [crew]
  const left = lines.map((one) => (one === line ? one.slice(1) : one))
  const after: Crew = { ...crew, stages: [{ is: 'move', lines: left }, ...stages] }
  const [, next] = line
  return next ? [after, moveOrder(of, next)] : counted(after, of)
}

const order = ({ mesh }: Of, processor: number, message: ToProcessor) => tell(processorAt(mesh, processor), message)

const moveOrder = (of: Of, { thread, from, to, withCode }: Transfer) =>
  order(of, from, { type: 'move', job: of.job, thread, to: processorAt(of.mesh, to), withCode })

function effectsOf(stage: Stage, crew: Crew, of: Of): Effect[] {
  const { job } = of
  switch (stage.is) {
    case 'place':
      return [...threadsOf(crew.placement ?? [])].map(([one, threads]) =>
        order(of, one, { type: 'place', job, threads }),
      )
    case 'move':
      return stage.lines.flatMap(([first]) => (first ? [moveOrder(of, first)] : []))
    case 'drop':
      return stage.processors.map((one) => order(of, one, { type: 'drop', job }))
    case 'run':
      return runOrders(crew, of, stage.until)
    case 'halt':
      return stage.processors.map((one) => order(of, one, { type: 'halt', job }))
    case 'finish':
      return stage.processors.map((one) => order(of, one, { type: 'finish', job, step: stage.step }))
    case 'say':
      return [timer(stage.event, 0, { type: stage.event })]
  }
}

function runOrders({ placement, step }: Crew, of: Of, until: number | null): Effect[] {
  const sideOf = ({ threads, partners }: NeighboursIn): Side => ({
    threads,
    partners: partners.map((one) => processorAt(of.mesh, one)),
  })
  return sidesOf(of.mesh, placement ?? []).map(({ processor, vertical, horizontal }) => {
    const sides = { vertical: sideOf(vertical), horizontal: sideOf(horizontal) }
    return order(of, processor, { type: 'run', job: of.job, step, until, ...sides })
  })
}
