/**
 * How the leader of a job directs its threads on their processors, in stages: a stage begins when all answers to the
 * one before have arrived.
 */
import { type Effect, type Ref, ref, type Turn, tell, timer } from '../../../lib/actor.ts'
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

/** What the threads need of their leader's state. */
type Leader = {
  readonly crew: Crew
  readonly model: { readonly mesh: Mesh }
  readonly of: { readonly job: number } | null
}
type It = Turn<Leader>

export const processorAt = (mesh: Mesh, number: number): Ref<ToProcessor> => {
  const { row, column } = placeOf(mesh, number)
  return ref(`processor@r${row}c${column}`)
}

/** Whether no stage is left. */
export const isAtRest = ({ stages }: Crew): boolean => stages.length === 0

const placedOn = ({ placement }: Crew): readonly number[] => (placement ? [...threadsOf(placement).keys()] : [])

/** Loads the threads onto processors; ends with `moved`. */
export function load(it: It, placement: Placement): void {
  it.context.crew = { ...it.context.crew, placement }
  goThrough(it, [{ is: 'place' }, { is: 'say', event: 'moved' }])
}

/** Halves or doubles the partition; ends with `moved`. */
export function refold(it: It, placement: Placement, from: Rectangle, to: Rectangle): void {
  move(it, placement, foldLines(it.context.model.mesh, placement, from, to))
}

/** Moves the threads to the processors of `target`; ends with `moved`. */
export function remap(it: It, placement: Placement, from: Rectangle, target: Placement): void {
  move(it, placement, remapLines(it.context.model.mesh, placement, target, from))
}

/** Moves threads, and has abandoned processors forget the job before it reports that it has moved. */
function move(it: It, before: Placement, lines: readonly Line[]): void {
  const { crew } = it.context
  const placement = placementAfter(before, lines)
  const kept = new Set(placement)
  const processors = placedOn(crew).filter((one) => !kept.has(one))
  it.context.crew = { ...crew, placement }
  goThrough(it, [...halted(crew), { is: 'move', lines }, { is: 'drop', processors }, { is: 'say', event: 'moved' }])
}

/** Stops all threads after the same step; at rest when that is done. */
export function halt(it: It): void {
  if (isRunning(it.context.crew)) goThrough(it, halted(it.context.crew))
}

/** Removes all threads from all processors. */
export function dismiss(it: It): void {
  const { crew } = it.context
  it.context.crew = { ...crew, placement: null }
  goThrough(it, [...halted(crew), { is: 'drop', processors: placedOn(crew) }])
}

/** Runs the threads step by step; ends with `completed` after the last step. */
export const run = (it: It, until: number | null): void =>
  goThrough(it, [
    { is: 'run', until },
    { is: 'say', event: 'completed' },
  ])

const isRunning = ({ stages: [first] }: Crew): boolean => first?.is === 'run'

const halted = (crew: Crew): readonly Stage[] =>
  isRunning(crew) ? [{ is: 'halt', processors: placedOn(crew), step: crew.step }] : []

/** Goes through stages, up to the first one that has to wait for answers. */
function goThrough(it: It, stages: readonly Stage[]): void {
  const [stage, ...later] = stages
  const effects = stage ? effectsOf(stage, it.context) : []
  const awaited = stage?.is === 'say' ? 0 : effects.length
  it.do(...effects)
  it.context.crew = { ...it.context.crew, stages, awaited }
  if (stage && awaited === 0) goThrough(it, later)
}

/** Handles an answer of a processor; answers that do not belong to the stage under way change nothing. */
export function onAnswer(it: It, answer: ToLeader): void {
  const { crew } = it.context
  const [stage, ...later] = crew.stages
  switch (stage?.is) {
    case 'place':
      return answer.type === 'placed' ? count(it) : undefined
    case 'drop':
      return answer.type === 'dropped' ? count(it) : undefined
    case 'move':
      return answer.type === 'placed' ? continueLine(it, stage.lines, answer.threads) : undefined
    case 'halt': {
      if (answer.type !== 'halting') return
      const step = Math.max(stage.step, answer.step)
      const finish = crew.awaited === 1 ? [{ ...stage, is: 'finish' as const, step }] : []
      return count(it, [{ ...stage, step }, ...finish, ...later])
    }
    case 'run':
    case 'finish': {
      const last = stage.is === 'run' ? stage.until : stage.step
      if (answer.type !== 'ran' || answer.step !== last) return
      it.context.crew = { ...crew, step: last }
      count(it)
    }
  }
}

/** Counts an answer to the first of these stages. The next one begins after the last answer. */
function count(it: It, stages: readonly Stage[] = it.context.crew.stages): void {
  const awaited = it.context.crew.awaited - 1
  if (awaited > 0) it.context.crew = { ...it.context.crew, stages, awaited }
  else goThrough(it, stages.slice(1))
}

/** Sends the next thread of the line whose first one has arrived. */
function continueLine(it: It, lines: readonly Line[], arrived: readonly number[]): void {
  const { crew } = it.context
  const line = lines.find(([first]) => first && arrived.includes(first.thread))
  if (!line) return
  const left = lines.map((one) => (one === line ? one.slice(1) : one))
  it.context.crew = { ...crew, stages: [{ is: 'move', lines: left }, ...crew.stages.slice(1)] }
  const [, next] = line
  if (next) it.do(moveOrder(it.context, next))
  else count(it)
}

const order = ({ model }: Leader, processor: number, message: ToProcessor) =>
  tell(processorAt(model.mesh, processor), message)

const jobOf = ({ of }: Leader): number => of?.job ?? 0

const moveOrder = (leader: Leader, { thread, from, to, withCode }: Transfer) =>
  order(leader, from, {
    type: 'move',
    job: jobOf(leader),
    thread,
    to: processorAt(leader.model.mesh, to),
    withCode,
  })

function effectsOf(stage: Stage, leader: Leader): Effect[] {
  const job = jobOf(leader)
  switch (stage.is) {
    case 'place':
      return [...threadsOf(leader.crew.placement ?? [])].map(([one, threads]) =>
        order(leader, one, { type: 'place', job, threads }),
      )
    case 'move':
      return stage.lines.flatMap(([first]) => (first ? [moveOrder(leader, first)] : []))
    case 'drop':
      return stage.processors.map((one) => order(leader, one, { type: 'drop', job }))
    case 'halt':
      return stage.processors.map((one) => order(leader, one, { type: 'halt', job }))
    case 'run':
      return runOrders(leader, stage.until)
    case 'finish':
      return stage.processors.map((one) => order(leader, one, { type: 'finish', job, step: stage.step }))
    case 'say':
      return [timer(stage.event, 0, { type: stage.event })]
  }
}

function runOrders(leader: Leader, until: number | null): Effect[] {
  const { placement, step } = leader.crew
  const { mesh } = leader.model
  const sideOf = ({ threads, partners }: NeighboursIn): Side => ({
    threads,
    partners: partners.map((one) => processorAt(mesh, one)),
  })
  return sidesOf(mesh, placement ?? []).map(({ processor, vertical, horizontal }) =>
    order(leader, processor, {
      type: 'run',
      job: jobOf(leader),
      step,
      until,
      vertical: sideOf(vertical),
      horizontal: sideOf(horizontal),
    }),
  )
}
