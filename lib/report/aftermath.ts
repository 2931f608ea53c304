/** What came of each incident so far: the mail that it cost, and what became of the objects that were lost with the dead. */
import { figure } from '../core/table.ts'
import { type Time, toUnits } from '../core/time.ts'
import { few, type ObjectPhase, type Objects, type Sentence, say } from '../scenario/page.ts'
import { LOST } from './bars.ts'
import { type Incident, incidentSentence } from './incidents.ts'

/** The most incidents of which the aftermath is told: the last ones. */
const INCIDENTS_MAX = 5
/** The most objects that are told one by one. */
const OBJECTS_MAX = 6
/** The most phases of an object after its loss: the last ones. */
const PHASES_MAX = 4

/** An object that was lost: the time of the death, and the phases of its life after it. */
interface Lost {
  readonly name: string
  readonly isOver: boolean
  readonly after: readonly ObjectPhase[]
}

/**
 * The aftermath of each of the last incidents in a few sentences, the latest incident first. `now` is the instant of a run
 * that goes on; null for one that is over.
 */
export function aftermathOf(
  incidents: readonly Incident[],
  objects: readonly Objects[],
  now: Time | null,
): readonly (readonly Sentence[])[] {
  const told = incidents.slice(-INCIDENTS_MAX).reverse()
  return told.map((incident) => {
    const lost = incident.type === 'dead' ? lostIn(incident, incidents, objects) : []
    return [
      incidentSentence(incident, now),
      ...(incident.lost > 0
        ? [`${incident.lost === 1 ? '1 message was' : `${incident.lost} messages were`} lost.`]
        : []),
      ...(lost.length > 0
        ? [
            `Lost with it: ${few(
              lost.map(({ name }) => name),
              OBJECTS_MAX,
            )}.`,
          ]
        : []),
      ...lost.slice(0, OBJECTS_MAX).map((one) => fateOf(one, incident.from)),
    ]
  })
}

/** The objects that were in work when the dead died. */
function lostIn(incident: Incident, incidents: readonly Incident[], objects: readonly Objects[]): Lost[] {
  const deaths = incidents.filter(({ type }) => type === 'dead')
  /** A loss belongs to the last death before its end. */
  const isOfIt = ({ tone, from, until }: ObjectPhase): boolean =>
    tone === LOST && deaths.findLast((death) => death.from >= from && death.from <= until) === incident
  return objects.flatMap(({ name, rows }) =>
    rows.flatMap(({ id, phases = [], isOver = false }) => {
      const place = phases.findIndex(isOfIt)
      return place < 0 ? [] : [{ name: `${name} ${id}`, isOver, after: phases.slice(place + 1) }]
    }),
  )
}

/** What became of an object: its phases, each with the time from the death. */
function fateOf({ name, isOver, after }: Lost, from: Time): Sentence {
  const parts = after.slice(-PHASES_MAX).map((phase) => say`${phase.label} ${later(phase.from, from)}`)
  const last = after.at(-1)
  const end = last && isOver ? [say`over ${later(last.until, from)}`] : []
  const all = [...parts, ...end]
  if (all.length === 0) return `${name}: nothing was done about it yet.`
  return say`${name}: ${all.flatMap((part, i): Exclude<Sentence, string> => [i > 0 ? ', ' : '', ...partsOf(part)])}.`
}

const partsOf = (sentence: Sentence): Exclude<Sentence, string> =>
  typeof sentence === 'string' ? [sentence] : sentence

/** A time after another one; it leads to the place in the run. */
const later = (at: Time, from: Time): Sentence => {
  const units = figure(toUnits(at - from))
  return at <= from ? 'at once' : ['after ', { text: units, to: { at } }]
}
