/** The command that writes a first actor, a scenario and a test, which run as they are. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, type Outcome, outputFlags, runMain, UsageError, writeResult } from '../../lib/cli/index.ts'
import { commandOf } from '../../lib/core/command-name.ts'
import { quoted } from '../../lib/core/format.ts'

const ACTOR = `/** A counter, which adds what it is told to add. */
import { actor, observe, tell } from 'bourse/actor'

type Event = { type: 'add'; n: number }

const { createMachine, handlers } = actor<{ input: null; context: { sum: number }; event: Event }>()

export default createMachine({
  context: { sum: 0 },
  on: handlers({
    add: ({ sum }, { n }, { from }) => [
      { sum: sum + n },
      observe({ type: 'added', sum: sum + n }),
      tell(from, { type: 'sum', sum: sum + n }),
    ],
  }),
})
`

const CLIENT = `/** A client, which adds 1 until it has been answered as often as its input says. */
import { actor, tell } from 'bourse/actor'

type Event = { type: 'sum'; sum: number }

const { createMachine, handlers, onEntry } = actor<{ input: number; context: { left: number }; event: Event }>()

const add = () => tell('counter@server', { type: 'add', n: 1 })

export default createMachine({
  context: ({ input }) => ({ left: input }),
  entry: onEntry(() => [{}, add()]),
  on: handlers({
    sum: ({ left }) => [{ left: left - 1 }, ...(left > 1 ? [add()] : [])],
  }),
})
`

const scenarioText = (name: string): string => `/** Two clients add to one counter. */
import { defineScenario, eventually, promises, runProgram } from 'bourse/scenario'

const scenario = defineScenario({
  name: '${name}',
  summary: 'Two clients add to one counter.',
  open: async (system) => {
    await system.spawn('counter@server', new URL('./counter.ts', import.meta.url))
    for (const i of [1, 2]) await system.spawn(\`client@c\${i}\`, new URL('./client.ts', import.meta.url), 3)
  },
  oracle: promises(
    eventually('no addition is lost', ({ facts, deaths, lost }) => {
      const sum = Number(facts.at(-1)?.fact['sum'])
      // a counter that is restarted begins at 0, and a message that arrives twice adds twice
      return deaths.length + lost > 0 || sum >= 6 ? [] : [\`the sum is \${sum} after 6 additions\`]
    }),
  ),
})

export default scenario
await runProgram(scenario, import.meta.url)
`

/** Programs import each other with `.ts`, and the test uses node:test. */
const TSCONFIG = `{
  "compilerOptions": {
    "module": "nodenext",
    "target": "es2022",
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "types": ["node"]
  }
}
`

const testText = (name: string): string => `/** Every schedule of ${name} keeps its promises. */
import { test } from 'node:test'
import { explore } from 'bourse/lab'
import scenario from './${name}.ts'

test('no addition is lost under 200 schedules', async () => {
  await explore(scenario, { schedules: 200, file: new URL('./${name}.ts', import.meta.url) })
})
`

await runMain({
  name: 'lab/new',
  summary: 'Writes a folder with two actors, a scenario and a test, which run as they are.',
  usage: 'The folder is NAME, below the current one; it must not exist yet.',
  args: {
    usage: 'NAME',
    least: 1,
    forms: [['NAME', 'the name of the scenario and of its folder, such as lock-server']],
  },
  flags: outputFlags,
  main: async ({ words: [name = '', ...others] }): Promise<Outcome> => {
    if (others.length > 0) throw new UsageError(`unexpected argument ${quoted(others[0] ?? '')}: one NAME is enough`)
    if (!/^[a-z][a-z0-9-]*$/.test(name)) {
      throw UsageError.invalid('NAME', 'lower-case letters, digits and hyphens, beginning with a letter', quoted(name))
    }
    if (['counter', 'client'].includes(name))
      throw UsageError.invalid('NAME', 'another word', `${name}, an actor's file`)
    if (existsSync(name)) throw new UsageError(`${name} exists already: choose another name, or remove it`)
    makeFolder(name, 'NAME')
    const scenario = join(name, `${name}.ts`)
    const test = join(name, `${name}.test.ts`)
    const files: readonly (readonly [path: string, text: string])[] = [
      [join(name, 'counter.ts'), ACTOR],
      [join(name, 'client.ts'), CLIENT],
      [scenario, scenarioText(name)],
      [test, testText(name)],
      [join(name, 'tsconfig.json'), TSCONFIG],
    ]
    for (const [path, text] of files) writeResult(path, text, 'NAME')
    const commands = [
      commandOf({ name, path: scenario }),
      `${commandOf({ name: 'lab/explore' })} ${scenario}`,
      `npx tsx --test ${test}`,
      `npx tsc -p ${name}`,
    ]
    return {
      results: { files: files.map(([path]) => path), commands },
      checks: [],
      messages: 0,
      text: [
        'written:',
        ...files.map(([path]) => `  ${path}`),
        'try:',
        ...commands.map((line) => `  ${line}`),
        'the last two need: npm install --save-dev tsx typescript @types/node',
      ].join('\n'),
    }
  },
})
