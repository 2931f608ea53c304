/** What the actors of a system have done so far, in numbers (`System.metrics`), and the same as OpenMetrics text. */
import { type Address, parentOf, roleOf } from '../core/address.ts'
import { type Time, toUnits } from '../core/time.ts'
import type { Distribution, SlotMeasures } from '../memory/meters.ts'

/** What is counted of one actor in every run, over all its incarnations. */
export interface ActorCounts {
  readonly address: Address
  readonly status: 'alive' | 'dead' | 'stopped'
  /** The messages in its mailbox, with those that are on their way to it and the orders of the system. */
  readonly mailbox: number
  /** The messages that it has deferred and not handled yet. */
  readonly deferred: number
  readonly steps: number
  /** How often it was restarted, or spawned again. */
  readonly restarts: number
}

/** The numbers of one actor, over all its incarnations. */
export interface ActorMetrics extends SlotMeasures, ActorCounts {}

/**
 * The numbers of a system. In virtual time they follow from the seed, on threads and inline, but for `handling`: that is a
 * measurement of this computer. A rate is the difference of two readings by the time between them.
 */
export interface Metrics {
  /** The instant of the reading. */
  readonly now: Time
  /** All actors, in the order of spawning. */
  readonly actors: readonly ActorMetrics[]
  /**
   * How many messages of each type actors have handled. Types beyond 255, and those with more than 63 characters, are counted
   * together under ''.
   */
  readonly messages: ReadonlyMap<string, number>
  /** The number of dead letters by reason. */
  readonly deadLetters: ReadonlyMap<string, number>
}

/** The content type of OpenMetrics text. */
export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

type Labels = { readonly [name: string]: string }
/** A sample: what follows the name of its family, its labels and its value. */
type Sample = readonly [suffix: string, labels: Labels, value: number]

interface Family {
  readonly name: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly unit?: string
  readonly help: string
  readonly samples: readonly Sample[]
}

/**
 * The numbers as OpenMetrics text, for a server that Prometheus or another collector reads. Actors are added up by role: the
 * children of `worker@m2` have the role `worker.*`.
 */
export function openMetrics({ now, actors, messages, deadLetters }: Metrics): string {
  const roles = byRole(actors)
  const each = (samplesOf: (some: readonly ActorMetrics[], role: string) => readonly Sample[]): Sample[] =>
    [...roles].flatMap(([role, some]) => samplesOf(some, role))
  const sums = (suffix: string, numberOf: (actor: ActorMetrics) => number): Sample[] =>
    each((some, role) => [[suffix, { role }, some.reduce((sum, actor) => sum + numberOf(actor), 0)]])
  const counted = (label: string, counts: ReadonlyMap<string, number>): Sample[] =>
    [...counts].map(([value, count]) => ['_total', { [label]: value }, count])
  const families: readonly Family[] = [
    {
      name: 'bourse_model_time_units',
      type: 'gauge',
      unit: 'units',
      help: 'The instant of the run.',
      samples: [['', {}, toUnits(now)]],
    },
    {
      name: 'bourse_actors',
      type: 'gauge',
      help: 'Actors by role and status.',
      samples: each((some, role) =>
        (['alive', 'dead', 'stopped'] as const).map((status) => {
          return ['', { role, status }, some.filter((actor) => actor.status === status).length]
        }),
      ),
    },
    {
      name: 'bourse_mailbox_messages',
      type: 'gauge',
      help: 'Messages in mailboxes, and on their way to them.',
      samples: sums('', ({ mailbox }) => mailbox),
    },
    {
      name: 'bourse_mailbox_messages_most',
      type: 'gauge',
      help: 'The most messages that were in the mailbox of one actor.',
      samples: each((some, role) => [
        ['', { role }, some.reduce((most, { mailboxMost }) => Math.max(most, mailboxMost), 0)],
      ]),
    },
    {
      name: 'bourse_deferred_messages',
      type: 'gauge',
      help: 'Messages that actors have deferred and not handled yet.',
      samples: sums('', ({ deferred }) => deferred),
    },
    {
      name: 'bourse_steps',
      type: 'counter',
      help: 'Steps that actors have taken.',
      samples: sums('_total', ({ steps }) => steps),
    },
    {
      name: 'bourse_restarts',
      type: 'counter',
      help: 'Incarnations of actors after the first.',
      samples: sums('_total', ({ restarts }) => restarts),
    },
    {
      name: 'bourse_messages',
      type: 'counter',
      help: 'Messages that actors have handled, by type.',
      samples: counted('type', messages),
    },
    {
      name: 'bourse_dead_letters',
      type: 'counter',
      help: 'Messages that were not delivered, by reason.',
      samples: counted('reason', deadLetters),
    },
    {
      name: 'bourse_mailbox_wait_units',
      type: 'histogram',
      unit: 'units',
      help: 'Model time from the arrival of a message until it was handled.',
      samples: each((some, role) =>
        histogram(
          role,
          some.map(({ wait }) => wait),
          toUnits,
        ),
      ),
    },
    {
      name: 'bourse_handling_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Time of a step by the clock of this computer.',
      samples: each((some, role) =>
        histogram(
          role,
          some.map(({ handling }) => handling),
          (value) => value,
        ),
      ),
    },
  ]
  return `${families.map(familyText).join('')}# EOF\n`
}

/** The actors of each role, in the order of spawning. The children of `worker@m2` have the role `worker.*`. */
export function byRole(actors: readonly ActorMetrics[]): ReadonlyMap<string, readonly ActorMetrics[]> {
  const roles = new Map<string, ActorMetrics[]>()
  for (const actor of actors) {
    const role = groupRole(actor.address)
    const some = roles.get(role)
    if (some) some.push(actor)
    else roles.set(role, [actor])
  }
  return roles
}

/** The role under which an actor is added up. */
const groupRole = (address: Address): string => {
  const parent = parentOf(address)
  return parent === undefined ? roleOf(address) : `${roleOf(parent)}.*`
}

/** The samples of several distributions together; their buckets are cumulative. */
function histogram(role: string, some: readonly Distribution[], shown: (value: number) => number): Sample[] {
  const total = (numberOf: (one: Distribution) => number): number => some.reduce((sum, one) => sum + numberOf(one), 0)
  const ends = some[0]?.buckets.map(({ upTo }) => upTo) ?? []
  const buckets = ends.map((upTo, last): Sample => {
    const le = canonical(upTo === Number.POSITIVE_INFINITY ? upTo : shown(upTo))
    const below = total(({ buckets }) => buckets.slice(0, last + 1).reduce((sum, { count }) => sum + count, 0))
    return ['_bucket', { role, le }, below]
  })
  return [
    ...buckets,
    ['_count', { role }, total(({ count }) => count)],
    ['_sum', { role }, shown(total(({ sum }) => sum))],
  ]
}

/** The end of a bucket in the one form that OpenMetrics recommends, such as `0.001`, `1.0` and `1e-06`. */
function canonical(end: number): string {
  if (end === Number.POSITIVE_INFINITY) return '+Inf'
  if (end === 0 || (end >= 1e-4 && end < 1e6)) return Number.isInteger(end) ? end.toFixed(1) : String(end)
  const [digits, exponent = ''] = end.toExponential().split('e')
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

function familyText({ name, type, unit, help, samples }: Family): string {
  const head = [`# TYPE ${name} ${type}`, ...(unit ? [`# UNIT ${name} ${unit}`] : []), `# HELP ${name} ${help}`]
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${labelText(labels)} ${value}`)
  return [...head, ...lines].map((line) => `${line}\n`).join('')
}

function labelText(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return all.length > 0 ? `{${all.join()}}` : ''
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
