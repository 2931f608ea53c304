/** Links of a page: each leads to a place in its runs, and is written in the fragment of the address (`#object=task+15`). */
import { shortened } from '../core/format.ts'
import type { Link, Noun, RunNoun, Sentence } from '../scenario/page.ts'

/** A part of a sentence: text, or a text that leads to a place. */
export type ShownPart = string | readonly [text: string, fragment: string]
export type ShownSentence = readonly ShownPart[]

/** The fragment of an address that leads to a place. */
export const fragmentOf = (link: Link): string => `#${new URLSearchParams(textsOf(link))}`

function textsOf(link: Link): Record<string, string> {
  if ('object' in link) return { object: link.object }
  const at = link.at === undefined ? null : { at: String(link.at) }
  if (!('actor' in link)) return { ...at }
  return { actor: link.actor, ...at, ...(link.handles !== undefined && { handles: link.handles }) }
}

/** The names that a page knows, and that become links wherever they stand in a sentence. */
export interface Names {
  readonly actors: ReadonlySet<string>
  /** The machines of the actors. */
  readonly machines: ReadonlySet<string>
  /** The objects by their names, such as `task 15`. */
  readonly objects: ReadonlySet<string>
}

export const NO_NAMES: Names = { actors: new Set(), machines: new Set(), objects: new Set() }

/** Merges the names of several runs. */
export const namesOf = (all: readonly Names[]): Names => ({
  actors: new Set(all.flatMap(({ actors }) => [...actors])),
  machines: new Set(all.flatMap(({ machines }) => [...machines])),
  objects: new Set(all.flatMap(({ objects }) => [...objects])),
})

/** Words that may be names: a word and an id, an address, or a word. Ids and addresses do not end with a dot. */
const WORDS = /[A-Za-z]+ [\w-]+(?:\.[\w-]+)*|[\w.-]+@[\w-]+(?:\.[\w-]+)*|[\w-]+/g

/** The parts of a sentence. Known names are links. `runs` are the names of the runs of the page. */
export const linked = (sentence: Sentence, names: Names, runs: readonly string[] = []): ShownSentence =>
  joined(
    (typeof sentence === 'string' ? [sentence] : sentence).flatMap((part): ShownPart[] =>
      typeof part === 'string' ? found(part, names) : [nounIn(part, runs)],
    ),
  )

/** A part that leads to its place; a plain text if the page does not have its run. */
function nounIn(noun: Noun | RunNoun, runs: readonly string[]): ShownPart {
  if (!('run' in noun)) return [noun.text, fragmentOf(noun.to)]
  const place = runs.indexOf(noun.run)
  if (place < 0) return noun.text
  return [noun.text, noun.to ? `${fragmentOf(noun.to)}&run=${place + 1}` : `#run=${place + 1}`]
}

/** The sentence with links that lead into the run at this place of the page. */
export const intoRun = (sentence: ShownSentence, place: number): ShownSentence =>
  sentence.map((part) => (typeof part === 'string' ? part : [part[0], `${part[1]}&run=${place + 1}`]))

/** The first `most` characters of a sentence, with three dots if it is longer. A link is never cut. */
export function shortSentence(sentence: ShownSentence, most: number): ShownSentence {
  let left = most
  for (const [i, part] of sentence.entries()) {
    const [text] = typeof part === 'string' ? [part] : part
    if (text.length > left) return [...sentence.slice(0, i), typeof part === 'string' ? shortened(part, left) : '...']
    left -= text.length
  }
  return sentence
}

function found(text: string, names: Names): ShownPart[] {
  const parts: ShownPart[] = []
  let [done, next] = [0, 0]
  while (next < text.length) {
    WORDS.lastIndex = next
    const match = WORDS.exec(text)
    if (!match) break
    const name = [match[0], match[0].split(' ')[0] ?? ''].find((one) => linkOf(one, names) !== undefined)
    const link = name === undefined ? undefined : linkOf(name, names)
    // of two words that are no name together, the second may begin one
    if (name === undefined || !link) {
      next = match.index + (match[0].split(' ')[0] ?? '').length + 1
      continue
    }
    parts.push(text.slice(done, match.index), [name, fragmentOf(link)])
    done = match.index + name.length
    next = done
  }
  return [...parts, text.slice(done)]
}

/** A machine is a link only if its name cannot be an ordinary word. */
function linkOf(name: string, { actors, machines, objects }: Names): Link | undefined {
  if (objects.has(name)) return { object: name }
  if (actors.has(name)) return { actor: name }
  return /\d/.test(name) && /[a-z]/i.test(name) && machines.has(name) ? { actor: `@${name}` } : undefined
}

/** Joins neighbouring texts. */
function joined(parts: readonly ShownPart[]): ShownSentence {
  const all: ShownPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part === '') continue
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part
    else all.push(part)
  }
  return all
}
