/** What an editor offers while somebody writes an actor: TypeScript's language service completes names and fields. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const MARK = /<([a-z]+)>/

/** A module with marks, such as <guard>, at the places that are completed. */
const MARKED = `
import { actor, ref, tell } from '../../lib/actor.ts'
type Ping = { readonly type: 'ping'; readonly round: number }
type Pong = { readonly type: 'pong'; readonly round: number }
const { createMachine, handlers, timer, observe } = actor<{
  input: null
  context: { readonly served: number }
  event: Ping | { readonly type: 'close' }
  reply: Pong
  fact: { readonly type: 'served'; readonly count: number }
}>().setup({
  guards: { isBusy: () => true, atLeast: (_, { n }: { readonly n: number }) => n > 0 },
  actions: { reset: () => [{ served: 0 }] },
  delays: { patience: 5 },
})
const pong = ref<Ping>('pong@m1')
tell(pong, { type: '<message>' })
tell(pong, { type: 'ping', <field> })
timer('next', 1, { type: '<timer>' })
observe({ type: 'served', <fact> })
handlers({ <event> })
handlers({ ping: (_, { <payload> }) => [{}] })
handlers({ ping: () => [{ <change> }] })
handlers({ ping: (_, __, { from }) => [{}, tell(from, { type: '<reply>' })] })
handlers({ ping: { guard: '<guard>' } })
handlers({ ping: { guard: { type: 'atLeast', params: { <parameter> } } } })
handlers({ ping: { handle: '<action>' } })
createMachine({ context: { served: 0 }, after: { <delay> } })
`

/** The places of the marks in the module without them. */
const places = new Map<string, number>()
const MODULE = MARKED.split(MARK).reduce((text, part, i) => {
  if (i % 2 === 0) return text + part
  places.set(part, text.length)
  return text
}, '')

const path = fileURLToPath(new URL('completed.ts', import.meta.url))
const text = new Map([[path, MODULE]])
const options = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  skipLibCheck: true,
}
const service = ts.createLanguageService({
  getScriptFileNames: () => [path],
  getScriptVersion: () => '1',
  getScriptSnapshot: (file) => {
    const source = text.get(file) ?? (ts.sys.fileExists(file) ? readFileSync(file, 'utf8') : undefined)
    return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source)
  },
  getCurrentDirectory: () => fileURLToPath(new URL('../..', import.meta.url)),
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => text.has(file) || ts.sys.fileExists(file),
  readFile: (file) => text.get(file) ?? ts.sys.readFile(file),
  directoryExists: ts.sys.directoryExists,
})

/** The names that are offered at a mark. */
function offeredAt(mark: string): readonly string[] {
  const entries = service.getCompletionsAtPosition(path, places.get(mark) ?? 0, undefined)?.entries ?? []
  return entries.map(({ name }) => name).sort()
}

const offers: readonly (readonly [mark: string, names: readonly string[]])[] = [
  ['message', ['ping']],
  ['field', ['round']],
  ['timer', ['close', 'ping']],
  ['fact', ['count']],
  ['event', ['close', 'ping']],
  ['payload', ['round', 'type']],
  ['change', ['served']],
  ['reply', ['pong']],
  ['guard', ['isBusy']],
  ['parameter', ['n']],
  ['action', ['reset']],
  ['delay', ['patience']],
]
test('an editor completes events, messages, facts, guards, actions and delays', () => {
  for (const [mark, names] of offers) assert.equal(offeredAt(mark), names, mark)
})

test.run()
