/**
 * The rooms of lib, and the drawing of them in ARCHITECTURE.md, which is made from the imports of all files.
 * `npx tsx test/rooms.ts` brings the drawing up to date; test/rooms.test.ts compares it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The rooms of lib, from the ground up. Only this list decides their order. */
export const ROOMS = [
  'core',
  'actor',
  'engine',
  'memory',
  'cell',
  'clock',
  'runtime',
  'trace',
  'distributed',
  'system',
  'scenario',
  'replay',
  'explore',
  'workload',
  'experiment',
  'report',
  'live',
  'cli',
]

const root = new URL('../', import.meta.url)

/** The files of lib, as paths in the project. */
export const files: readonly string[] = readdirSync(new URL('lib/', root), { recursive: true, encoding: 'utf8' })
  .map((path) => `lib/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts'))

export const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')

export const roomOf = (path: string): string => path.split('/')[1] ?? ''

/** The files of lib that a text imports from `path`, types and dynamic imports included. */
export const importsOf = (path: string, text: string): string[] =>
  ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name))
    .filter((name) => name.startsWith('lib/'))

/** The other rooms that the files of each room import, by room. */
export function importsOfRooms(): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map(ROOMS.map((room) => [room, new Set<string>()]))
  for (const path of files) {
    const room = roomOf(path)
    for (const name of importsOf(path, textOf(path))) if (roomOf(name) !== room) imports.get(room)?.add(roomOf(name))
  }
  return imports
}

/**
 * Everything below a room. `path` leads from the first room down to this one.
 *
 * @throws Error that names the rooms of a cycle
 */
function reachOf(
  room: string,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  path: readonly string[] = [],
): Set<string> {
  const way = [...path, room]
  if (path.includes(room)) {
    throw new Error(`rooms import each other in a cycle: ${way.slice(way.indexOf(room)).join(' -> ')}`)
  }
  return new Set([...(imports.get(room) ?? [])].flatMap((below) => [below, ...reachOf(below, imports, way)]))
}

/**
 * A Mermaid graph with an arrow from each room to every room that it imports. Arrows that a path of others implies are
 * left out (the transitive reduction), since 80 arrows are unreadable.
 */
export function drawingOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string {
  const arrows = ROOMS.toReversed().flatMap((room) => {
    const direct = [...(imports.get(room) ?? [])]
    const implied = new Set(direct.flatMap((below) => [...reachOf(below, imports)]))
    return direct
      .filter((below) => !implied.has(below))
      .sort((one, other) => ROOMS.indexOf(other) - ROOMS.indexOf(one))
      .map((below) => `  ${room} --> ${below}`)
  })
  return ['```mermaid', 'graph TD', ...arrows, '```'].join('\n')
}

const PAGE = 'ARCHITECTURE.md'
const PLACE = /(<!-- rooms: .*-->\n)([\s\S]*?)(\n<!-- \/rooms -->)/

/** The drawing in ARCHITECTURE.md. */
export const drawn = (): string => PLACE.exec(textOf(PAGE))?.[2] ?? `no drawing in ${PAGE}`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = textOf(PAGE).replace(PLACE, (_, start: string, _old: string, end: string) =>
    [start, drawingOf(importsOfRooms()), end].join(''),
  )
  writeFileSync(new URL(PAGE, root), page)
}
