/** The layout of a statechart: states one below the other, each within its parent, and arrows to their right. */
import type { ShownMachine, ShownState } from './types.ts'

export interface Box {
  readonly state: number
  readonly depth: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The vertical position of each transition's text, from the top of the picture. */
  readonly lines: readonly number[]
}

/** An arrow from the right side of one box to the right side of another. */
export interface Arrow {
  readonly from: number
  readonly to: number
  readonly events: readonly string[]
  /** The number of times that it was taken; 0 if it is only defined. */
  readonly count: number
  readonly fromY: number
  readonly toY: number
  /** The horizontal position of its rightmost point. */
  readonly reach: number
  /** The vertical position of its label. Labels are to the right of all arrows and do not overlap. */
  readonly labelY: number
}

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly boxes: readonly Box[]
  readonly arrows: readonly Arrow[]
}

export const LINE = 17
const HEAD = 24
const PAD = 10
const WIDTH = 300
/** The pixels between two arrows. */
const LANE = 14
const LABEL = 15
const ARROWS_MAX = 12

export function drawingOf(machine: ShownMachine): Drawing {
  const boxes: Box[] = []
  const place = (state: number, depth: number, top: number): number => {
    const { transitions = [] } = machine.states[state] ?? {}
    let y = top + HEAD
    const lines = transitions.map((_, i) => y + i * LINE + LINE / 2)
    y += transitions.length * LINE + (transitions.length > 0 ? PAD / 2 : 0)
    const at =
      boxes.push({ state, depth, x: depth * PAD, y: top, width: WIDTH - 2 * depth * PAD, height: 0, lines }) - 1
    for (const child of childrenOf(machine.states, state)) y = place(child, depth + 1, y) + PAD
    const box = boxes[at]
    if (box) boxes[at] = { ...box, height: y - top }
    return y
  }
  const height = place(0, 0, 0)
  const arrows = arrowsOf(machine, new Map(boxes.map((box) => [box.state, box])))
  const bottom = (arrows.at(-1)?.labelY ?? 0) + LABEL
  return { width: WIDTH + (arrows.length + 1) * LANE + 170, height: Math.max(height + PAD, bottom), boxes, arrows }
}

const childrenOf = (states: readonly ShownState[], of: number): number[] =>
  states.flatMap(({ parent }, i) => (i > 0 && parent === of ? [i] : []))

/** One arrow for each pair of states: those of taken transitions, then those that are only defined. */
function arrowsOf({ states, moves }: ShownMachine, boxes: ReadonlyMap<number, Box>): Arrow[] {
  const pairs = new Map<string, { from: number; to: number; events: string[]; count: number }>()
  const add = (from: number, to: number, event: string, count: number): void => {
    const pair = pairs.get(`${from} ${to}`) ?? { from, to, events: [], count: 0 }
    if (!pair.events.includes(event)) pair.events.push(event)
    pairs.set(`${from} ${to}`, { ...pair, count: pair.count + count })
  }
  for (const [from, event, to, count] of moves) add(from, to, event, count)
  const taken = new Set(pairs.keys())
  for (const [from, { transitions }] of states.entries()) {
    for (const { event, targets } of transitions) {
      for (const to of targets) if (!isTaken(states, taken, from, to)) add(from, to, event, 0)
    }
  }
  // the boxes name all targets: more arrows than these would hide those that were taken
  const drawn = [...pairs.values()].slice(0, pairs.size <= ARROWS_MAX ? pairs.size : taken.size)
  const inOrder = drawn.sort((one, other) => span(one) - span(other))
  const [outs, ins] = [new Map<number, number>(), new Map<number, number>()]
  const arrows = inOrder.map((pair, i) => {
    const [out, into] = [count(outs, pair.from), count(ins, pair.to)]
    const fromY = (boxes.get(pair.from)?.y ?? 0) + 8 + 7 * (out % 3)
    const toY = (boxes.get(pair.to)?.y ?? 0) + 12 + 7 * (into % 3)
    return { ...pair, fromY, toY, reach: WIDTH + (i + 1) * LANE, labelY: (fromY + toY) / 2 }
  })
  return apart(arrows)
}

/** Places labels as near to the middles of their arrows as possible. */
function apart(arrows: readonly Arrow[]): Arrow[] {
  let free = 0
  return arrows
    .toSorted((one, other) => one.labelY - other.labelY)
    .map((arrow) => {
      const labelY = Math.max(free, arrow.labelY)
      free = labelY + LABEL
      return { ...arrow, labelY }
    })
}

const span = ({ from, to }: { readonly from: number; readonly to: number }): number => Math.abs(from - to)

const count = (counts: Map<number, number>, key: number): number => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
  return (counts.get(key) ?? 1) - 1
}

/** Says whether a step led from within one state to within the other. */
function isTaken(states: readonly ShownState[], pairs: ReadonlySet<string>, from: number, to: number): boolean {
  const isIn = (inner: number, outer: number): boolean =>
    inner === outer || (inner > 0 && isIn(states[inner]?.parent ?? -1, outer))
  return [...pairs].some((pair) => {
    const [start = -1, end = -1] = pair.split(' ').map(Number)
    return isIn(start, from) && isIn(end, to)
  })
}
