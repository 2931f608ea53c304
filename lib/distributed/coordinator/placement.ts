/** The placement of workstations on hosts. No messages here. */
import { UsageError } from '../../core/usage-error.ts'

/** A workstation and the host that a user chose for it. */
export interface Place {
  readonly machine: string
  readonly host: string
}

/** The most hosts of one run: each host tells all others what it has heard, so traffic grows with the square. */
export const HOSTS_MAX = 32

const NAME = /^[\w-]{1,63}(\.[\w-]{1,63}){0,7}$/

/**
 * Parses different names of hosts, separated by commas.
 *
 * @throws UsageError for anything else, or too many names
 */
export function parseHosts(text: string, flag: string): readonly string[] {
  const names = text.split(',')
  const areNames = names.every((name) => NAME.test(name)) && new Set(names).size === names.length
  if (!areNames) throw UsageError.invalid(flag, 'different names of hosts such as h1,h2', JSON.stringify(text))
  if (names.length > HOSTS_MAX) throw UsageError.tooMany(flag, `${HOSTS_MAX} hosts`, String(names.length))
  return names
}

/**
 * Parses the name of a host.
 *
 * @throws UsageError for anything else
 */
export function parseHost(text: string, flag: string): string {
  if (!NAME.test(text)) throw UsageError.invalid(flag, 'the name of a host such as h1', JSON.stringify(text))
  return text
}

/**
 * Parses a workstation and its host, such as `m1=h2`.
 *
 * @throws UsageError for anything else
 */
export function parsePlace(text: string, flag: string): Place {
  const [machine = '', host = '', ...more] = text.split('=')
  if (machine === '' || !NAME.test(host) || more.length > 0) {
    throw UsageError.invalid(flag, 'a workstation and its host such as m1=h2', JSON.stringify(text))
  }
  return { machine, host }
}

/** The most workstations of a host that are listed. */
const LISTED_MAX = 10

function listed(machines: readonly string[]): string {
  const more = machines.length - LISTED_MAX
  return machines.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Assigns workstations to hosts in turn, except those with a given place. */
export class Placement {
  readonly #wanted: ReadonlyMap<string, string>
  /** The host of each workstation. */
  readonly #hosts = new Map<string, string>()
  #next = 0

  constructor(places: readonly Place[]) {
    this.#wanted = new Map(places.map(({ machine, host }) => [machine, host]))
  }

  /** One line that says which workstations each host has. */
  get text(): string {
    const byHost = new Map<string, string[]>()
    for (const [machine, host] of this.#hosts) byHost.set(host, [...(byHost.get(host) ?? []), machine])
    return Array.from(byHost, ([host, machines]) => `${host} has ${listed(machines)}`).join('; ')
  }

  /** The living host of a workstation, which stays there while that host lives. Undefined if no host lives. */
  hostOf(machine: string, living: readonly string[]): string | undefined {
    const known = this.#hosts.get(machine) ?? this.#wanted.get(machine)
    const host = known !== undefined && living.includes(known) ? known : living[this.#next++ % living.length]
    if (host !== undefined) this.#hosts.set(machine, host)
    return host
  }
}
