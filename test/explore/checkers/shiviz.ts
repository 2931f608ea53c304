/** A checker of logs for ShiViz, with the rules of its parser (js/model: parser, vectorTimestamp, modelGraph). */

interface Event {
  readonly host: string
  readonly clock: ReadonlyMap<string, number>
}

const DEFAULT = '(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})'
const NEEDED = ['event', 'host', 'clock']

/** The faults of a file for upload, as sentences; none if ShiViz would draw it. */
export function shivizFaults(file: string): string[] {
  const [expression = '', delimiter = '', ...rest] = file.split('\n')
  const log = rest.join('\n')
  const groups = [...expression.matchAll(/\(\?<([^>]*)>/g)].map(([, name = '']) => name)
  if (expression && new Set(groups).size < groups.length) return ['a group is named twice']
  if (groups.some((name) => !/^\w+$/.test(name))) return ['a group has a name that is no word']
  const missing = expression ? NEEDED.filter((name) => !groups.includes(name)) : []
  if (missing.length > 0) return [`no group ${missing.join(', ')}`]
  const executions = split(log, delimiter)
  const names = executions.map(({ name }) => name).filter(Boolean)
  if (new Set(names).size < names.length) return ['two executions have one name']
  return executions.flatMap(({ name, text }) =>
    faultsOf(text, expression || DEFAULT).map((fault) => `${name}: ${fault}`),
  )
}

function split(log: string, delimiter: string): { name: string; text: string }[] {
  if (!delimiter) return [{ name: '', text: log }]
  const found = [...log.matchAll(new RegExp(`^${delimiter.replace(/^\^|\$$/g, '')}$`, 'gm'))]
  return found.map((match, i) => ({
    name: match.groups?.['trace'] ?? '',
    text: log.slice(match.index + match[0].length + 1, found[i + 1]?.index),
  }))
}

function faultsOf(text: string, expression: string): string[] {
  const matches = [...text.matchAll(new RegExp(`^${expression}$`, 'gm'))]
  if (matches.length === 0) return ['no event']
  const left = matches.reduce((rest, [match]) => rest.replace(match, ''), text).trim()
  if (left) return [`what is no event: ${left.slice(0, 60)}`]
  const events: Event[] = []
  for (const { groups } of matches) {
    const clock = clockOf(groups?.['clock'] ?? '')
    if (!clock) return [`no clock: ${groups?.['clock']}`]
    events.push({ host: groups?.['host'] ?? '', clock })
  }
  return clockFaults(events)
}

/** Zero entries are dropped. */
function clockOf(text: string): Map<string, number> | undefined {
  try {
    const entries = Object.entries(JSON.parse(text))
    const clock = new Map<string, number>()
    for (const [host, count] of entries) {
      if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return undefined
      if (count > 0) clock.set(host, count)
    }
    return clock
  } catch {
    return undefined
  }
}

function clockFaults(events: readonly Event[]): string[] {
  const faults: string[] = []
  const byHost = new Map<string, Event[]>()
  for (const event of events) {
    const own = byHost.get(event.host) ?? []
    byHost.set(event.host, [...own, event])
    const count = event.clock.get(event.host)
    if (count === undefined) faults.push(`an event of ${event.host} without its own entry`)
    else if (count !== own.length + 1)
      faults.push(`event ${own.length + 1} of ${event.host} has its own entry at ${count}`)
  }
  for (const { host, clock } of events) {
    for (const [other, count] of clock) {
      const length = byHost.get(other)?.length ?? 0
      if (other !== host && count > length) faults.push(`${host} knows event ${count} of ${other}, which has ${length}`)
    }
  }
  return faults.length > 0 || isAcyclic(byHost) ? faults : ['a cycle']
}

/** Removes events without remaining causes until no more can be removed; returns the rest, which forms a cycle. */
function isAcyclic(byHost: ReadonlyMap<string, readonly Event[]>): boolean {
  const gone = new Map([...byHost.keys()].map((host) => [host, 0]))
  for (let moved = true; moved; ) {
    moved = false
    for (const [host, events] of byHost) {
      const next = events[gone.get(host) ?? 0]
      if (!next || [...next.clock].some(([other, count]) => other !== host && count > (gone.get(other) ?? 0))) continue
      gone.set(host, (gone.get(host) ?? 0) + 1)
      moved = true
    }
  }
  return [...byHost].every(([host, events]) => gone.get(host) === events.length)
}
