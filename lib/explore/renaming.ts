/**
 * Finds the deviations of one run in another one, in which the same events have other names: an envelope is named by its
 * number, and that changes as soon as its sender has sent one message less. An event is known by its actor, its sender and its
 * contents, and by how many such events came before.
 */
import type { Deviations, Hold, TransmissionName } from '../actor/schedule.ts'
import { type Address, machineOf } from '../core/address.ts'
import { canonical } from '../core/difference.ts'
import { type Run, type Step, thingOf } from '../trace/run.ts'

/** The deviations of a run, with the names of another run; a deviation whose event is not there is left out. */
export function renamed({ holds, lost, doubled, late, ...rest }: Deviations, from: Run, to: Run): Deviations {
  const [there, here] = [new Names(from), new Names(to)]
  return {
    ...rest,
    holds: holds.flatMap((hold) => here.hold(hold, there)),
    lost: lost.flatMap((one) => here.transmission(one, there)),
    doubled: doubled.flatMap((one) => here.transmission(one, there)),
    ...(late && {
      late: late.flatMap(({ passage, by }) => here.transmission(passage, there).map((one) => ({ passage: one, by }))),
    }),
  }
}

/** The events of a run by what they are, and by their names. */
class Names {
  readonly #steps = new Map<string, Step>()
  readonly #keys = new Map<string, readonly string[]>()
  readonly #ofStep = new Map<Step, readonly string[]>()
  readonly #incarnations = new Map<string, readonly Step[]>()
  readonly #sends = new Map<string, TransmissionName>()
  readonly #sendKeys = new Map<TransmissionName, readonly string[]>()

  constructor(run: Run) {
    const count = counter()
    for (const step of run.steps) {
      const keys = keysOf(step).map(count)
      this.#keys.set(thingOf(step), keys)
      this.#ofStep.set(step, keys)
      for (const key of keys) this.#steps.set(key, step)
    }
    for (const { who, incarnation, steps } of run.incarnations) this.#incarnations.set(`${who} ${incarnation}`, steps)
    const slots = new Map<Address, number>(run.incarnations.map(({ who, slot }) => [who, slot]))
    const sent = new Map<string, number>()
    for (const send of run.sends.values()) {
      const slot = slots.get(send.to)
      const [own, incarnation] = send.id.split('.')
      // a copy is no transmission of its own
      if (slot === undefined || send.copyOf !== undefined || machineOf(send.from) === machineOf(send.to)) continue
      const link = `${own}.${incarnation}>${slot}`
      const n = sent.get(link) ?? 0
      sent.set(link, n + 1)
      const from = `${send.from} ${incarnation} > ${send.to}`
      const keys = [`${from} ${canonical(send.message)}`, `${from} ${send.message.type}`].map(count)
      this.#sendKeys.set(`${link}.${n}`, keys)
      for (const key of keys) this.#sends.set(key, `${link}.${n}`)
    }
  }

  /** A hold of another run: the same event waits for the same event, or for the one before if that is not here. */
  hold({ thing, until }: Hold, there: Names): Hold[] {
    const step = this.#find(there.#keys.get(thing) ?? [])
    const old = there.#find(there.#keys.get(thing) ?? [])
    if (!step || !old) return []
    const steps = there.#incarnations.get(`${old.who} ${old.incarnation}`) ?? []
    const own = this.#incarnations.get(`${step.who} ${step.incarnation}`) ?? []
    // an event that waits until nothing else is left to do does so here, too
    if (until >= steps.length) return [{ thing: thingOf(step), until: own.length + 1 }]
    for (let n = until - 1; n >= 0; n--) {
      const before = steps[n]
      const same = before && this.#find(there.#ofStep.get(before) ?? [])
      if (same) return [{ thing: thingOf(step), until: same.n + 1 }]
    }
    return []
  }

  transmission(name: TransmissionName, there: Names): TransmissionName[] {
    const keys = there.#sendKeys.get(name) ?? []
    const same = keys.map((key) => this.#sends.get(key)).find((one) => one !== undefined)
    return same === undefined ? [] : [same]
  }

  #find(keys: readonly string[]): Step | undefined {
    return keys.map((key) => this.#steps.get(key)).find((step) => step !== undefined)
  }
}

/** Adds to a text how often it came before. */
function counter(): (text: string) => string {
  const counts = new Map<string, number>()
  return (text) => {
    const n = counts.get(text) ?? 0
    counts.set(text, n + 1)
    return `${text} ${n}`
  }
}

/** What the event of a step is, first with its contents and then by its type alone. */
function keysOf({ who, incarnation, on }: Step): string[] {
  const own = `${who} ${incarnation} <`
  if (on.what === 'start') return [`${own} start`]
  if (on.what === 'timer') return [`${own} timer ${on.id} ${canonical(on.event)}`, `${own} timer ${on.event.type}`]
  return [`${own} ${on.from} ${canonical(on.message)}`, `${own} ${on.from} ${on.type}`]
}
