/** Random machines from all features of the compiled engine, in combinations that a person would not write. */
import { createMachine } from 'xstate'
import { actor, type Decision, observe } from '../../lib/actor.ts'
import { stream, type Uniform } from '../../lib/core/random.ts'

/** The largest limit of transitions: small, so that machines often reach it, also those that would come to rest. */
const MICROSTEPS_MAX = 12
const DEPTH_MAX = 3

const TYPES = ['a', 'a.b', 'a.b.c', 'ab', 'b', 'b.x', 'x', '*', 'a.', 'toString']
const DESCRIPTORS = [...TYPES, 'a.*', 'a.b.*', 'b.*', '*.*', 'a.*.*', 'ab*', '*']

/** Some types of events that may lead to entries, exits and transitions without an event. */
const STARTS = ['xstate.init', 'a', 'b', 'x']

type Context = { n: number; last: string }
export type Event = { readonly type: string; readonly n: number }

const { handlers, onEntry } = actor<{ input: number; context: Context; event: Event }>()

interface Place {
  readonly key: string
  readonly path: readonly string[]
  readonly id: string | undefined
  readonly states: readonly Place[]
}

export interface RandomMachine {
  readonly machine: unknown
  /** Draws an event for the machine. */
  event(): Event
}

/** Draws a machine; equal seeds give equal machines. */
export function randomMachine(seed: number): RandomMachine {
  const next = stream(seed, 'machine')
  const root = placeOf(next, 'm', [], 0)
  const all = placesIn(root)
  const config = new Author(next, all).state(root)
  const machine: unknown = Reflect.apply(createMachine, undefined, [
    {
      ...config,
      id: 'm',
      options: { maxIterations: 1 + Math.floor(next() * MICROSTEPS_MAX) },
      context: next() < 0.2 ? { n: 1, last: '' } : ({ input }: { input: number }) => ({ n: input, last: 'input' }),
    },
  ])
  return { machine, event: () => ({ type: pick(next, TYPES), n: Math.floor(next() * 6) }) }
}

const pick = <T>(next: Uniform, from: readonly [T, ...T[]] | readonly T[]): T => {
  const one = from[Math.floor(next() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

function placeOf(next: Uniform, key: string, path: readonly string[], depth: number): Place {
  const isLeaf = depth === DEPTH_MAX || next() < (depth === 0 ? 0.03 : 0.5)
  const keys = isLeaf ? [] : ['p', 'q', 'r', 's'].slice(0, 1 + Math.floor(next() * 4))
  const states = keys.map((child) => placeOf(next, child, [...path, child], depth + 1))
  return { key, path, id: next() < 0.3 && depth > 0 ? `id${path.join('')}` : undefined, states }
}

const placesIn = (place: Place): Place[] => [place, ...place.states.flatMap(placesIn)]

class Author {
  readonly #next: Uniform
  readonly #all: readonly Place[]
  #actions = 0

  constructor(next: Uniform, all: readonly Place[]) {
    this.#next = next
    this.#all = all
  }

  state(place: Place): object {
    const { states, path, id } = place
    const isFinal = path.length === 1 && states.length === 0 && this.#is(0.15)
    const keys = states.map(({ key }) => key)
    const first = keys.length > 0 && pick(this.#next, keys)
    return {
      ...(id !== undefined && { id }),
      ...(isFinal && { type: 'final' }),
      ...(first && { initial: this.#is(0.4) ? { target: first, actions: this.#some(0.7) } : first }),
      ...(first && { states: Object.fromEntries(states.map((state) => [state.key, this.state(state)])) }),
      ...(this.#is(0.6) && { entry: this.#some(0.9) }),
      ...(this.#is(0.6) && { exit: this.#some(0.9) }),
      ...(this.#is(0.3) && { always: this.#transitions(place, null) }),
      on: Object.fromEntries(
        DESCRIPTORS.filter(() => this.#is(0.25))
          .sort(() => this.#next() - 0.5)
          .map((descriptor) => [descriptor, this.#is(0.08) ? undefined : this.#transitions(place, descriptor)]),
      ),
    }
  }

  #is(probability: number): boolean {
    return this.#next() < probability
  }

  #transitions(source: Place, descriptor: string | null): readonly object[] {
    const count = this.#is(0.6) ? 1 : 2 + Math.floor(this.#next() * 2)
    return Array.from({ length: count }, () => this.#transition(source, descriptor))
  }

  #transition(source: Place, descriptor: string | null): object {
    const target = this.#is(0.7) ? this.#targetFrom(source) : undefined
    return {
      ...(target !== undefined && { target: this.#is(0.2) ? [target] : target }),
      ...(this.#is(0.3) && { reenter: this.#is(0.8) }),
      ...(this.#is(descriptor === null ? 0.9 : 0.5) && { guard: this.#guard() }),
      ...(this.#is(0.7) && { actions: this.#some(0.6, descriptor) }),
    }
  }

  /** Draws one of the names by which a state can be a target from there. */
  #targetFrom(source: Place): string {
    const target = pick(this.#next, this.#all)
    const above = source.path.slice(0, -1)
    const isUnder = (path: readonly string[]) =>
      target.path.length > path.length && path.every((key, i) => target.path[i] === key)
    const names = [`#${['m', ...target.path].join('.')}`]
    if (target.id !== undefined) names.push(`#${target.id}`, `#${target.id}`)
    if (isUnder(source.path)) names.push(`.${target.path.slice(source.path.length).join('.')}`)
    if (source.path.length > 0 && isUnder(above)) names.push(target.path.slice(above.length).join('.'))
    // an explicit id replaces the one that follows from the path
    return pick(this.#next, target.id === undefined ? names : names.slice(1))
  }

  #guard() {
    const by = 2 + Math.floor(this.#next() * 3)
    const rest = Math.floor(this.#next() * by)
    const kind = this.#next()
    if (kind < 0.03) {
      return ({ context }: { context: Context }) => {
        if (context.n % by === rest) throw new RangeError(`a guard that fails at ${context.n}`)
        return false
      }
    }
    if (kind < 0.2) return ({ event }: { event: Event }) => event.type.length % by === rest
    if (kind < 0.3) return ({ event, context }: { event: Event; context: Context }) => (event.n ?? 0) > context.n
    return ({ context }: { context: Context }) => context.n % by === rest
  }

  /** Draws actions: most of them change the context, and some report what they saw. */
  #some(probability: number, descriptor: string | null = null): unknown {
    const actions = Array.from({ length: 1 + Math.floor(this.#next() * 2) }, () => this.#action(descriptor))
    if (!this.#is(probability)) return []
    return actions.length === 1 && this.#is(0.5) ? actions[0] : actions
  }

  #action(descriptor: string | null): unknown {
    const name = `${++this.#actions}`
    const [step, telling, failing] = [this.#next(), this.#next(), this.#next()]
    const decide = ({ n, last }: Context, event?: Event) => {
      if (failing < 0.01 && n % 7 === 3) throw new TypeError(`an action that fails at ${n}`)
      const changes =
        step < 0.8 ? { n: (n * 5 + 3 + Math.floor(step * 10)) % 12, ...(step < 0.4 && { last: name }) } : {}
      const told = observe({ type: 'did', name, n, last, met: Object.entries(event ?? {}).join() })
      return telling < 0.3
        ? ([changes] as const)
        : telling < 0.8
          ? ([changes, told] as const)
          : ([changes, told, told] as const)
    }
    // an action that reads the event fails at other types
    const type = this.#is(descriptor === null ? 0.06 : 0.2) ? (descriptor ?? pick(this.#next, STARTS)) : null
    if (type === null) return onEntry((context) => [...decide(context)])
    const handle = (context: Context, event: Event): Decision<Context> => [...decide(context, event)]
    const [reaction] = [handlers({ [type]: handle })[type]].flat()
    return reaction?.actions
  }
}
