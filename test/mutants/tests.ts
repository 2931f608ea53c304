/** The tests of each family that mutants are tried on, and their runs. */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFullOnly } from '../full.ts'
import { QUICK } from '../repeats.ts'
import { TYPESCRIPT } from '../typescript.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Tests {
  /** The files that take a second or two together: rules, machines alone, and golden runs. */
  readonly fast: readonly string[]
  /** The others of `npm test` that know of actors, in the order in which they are tried. */
  readonly slow: readonly string[]
}

/** Tests about commands, workloads, papers and pictures: they take long, and see what the golden runs see. */
const OTHERS = /cli|workload|picture|render|figures|statistics|measured|traces|study|real|compare|usage|results|tables/

const FAST: Readonly<Record<string, readonly string[]>> = {
  bidding: ['rules', 'client', 'golden', 'enterprise', 'contractor', 'contractor-moves', 'contractor-turns'],
  contracts: ['dialogues', 'rules', 'sorted', 'queue', 'charts', 'offers', 'reference', 'golden', 'races'],
  economy: ['rules', 'user-job', 'user', 'bank', 'scheduler', 'golden', 'order', 'overrun', 'stranger', 'statistics'],
  mesh: [
    ...['leader-dialogues', 'actors-dialogues', 'allocator-dialogues'],
    ...['rectangles', 'equi', 'fold', 'fold-division', 'fold-rotation', 'fold-failures'],
    ...['maps', 'paces', 'models', 'steps', 'schedules', 'late-mail', 'swap-failures', 'allocator-doubts'],
  ],
  processor: ['dialogues', 'refusal', 'employer', 'processor'],
  shares: ['dialogues', 'heap', 'credit', 'currencies', 'ticket-server', 'placer', 'barrier', 'stride-machine'],
}
/** Tests of fair shares that are about the processor. */
const OF_PROCESSOR = ['heap', 'credit', 'currencies', 'stride-machine', 'worths', 'precedence']

const pathOf = (family: string) => (name: string) => `test/${family}/${name}.test.ts`

function testsOf(family: string): Tests {
  const fast = [
    ...(FAST[family] ?? []).map(pathOf(family)),
    ...(family === 'processor' ? OF_PROCESSOR.map(pathOf('shares')) : []),
  ]
  const folders = family === 'processor' ? ['processor', 'shares'] : [family]
  const all = folders.flatMap((folder) =>
    readdirSync(join(root, 'test', folder))
      .filter((name) => name.endsWith('.test.ts') && !OTHERS.test(name))
      .map((name) => `test/${folder}/${name}`)
      .filter((path) => !isFullOnly(path)),
  )
  return { fast, slow: all.filter((path) => !fast.includes(path)).sort() }
}

export const TESTS: Readonly<Record<string, Tests>> = Object.fromEntries(
  Object.keys(FAST).map((family) => [family, testsOf(family)]),
)

const program = fileURLToPath(new URL('../together.ts', import.meta.url))
const command = [process.execPath, ...TYPESCRIPT, '--import', new URL('./mutated.mjs', import.meta.url).href, program]

/** The CPU seconds after which a file of tests counts as hanging. */
const LIMIT = 120

/** The file of a mutant, and where its text is. */
export interface Mutated {
  readonly original: string
  readonly mutant: string
}

/** The test file that fails, and the failed test in words. */
export interface Failed {
  readonly file: string
  readonly what: string
}

/** Runs test files in one process until a test fails. Null: all passed. */
export function firstFailure({ original, mutant }: Mutated, files: readonly string[]): Promise<Failed | null> {
  return new Promise((resolve, reject) => {
    // a mutant may loop for ever: the limit of CPU time does not depend on what else the computer does
    const child = spawn('sh', ['-c', 'ulimit -t "$0"; exec "$@"', String(LIMIT), ...command, ...files], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: '0', [QUICK]: '1', BOURSE_MUTATED: original, BOURSE_MUTANT: mutant },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (text.includes(FAILED)) child.kill('SIGKILL')
      })
    }
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code === 0 ? null : failureIn(output, signal)))
  })
}

/** The mark of a failed test, which uvu prints before it runs the others of the suite. */
const FAILED = '✘'

/** What failed, by the output of uvu: the path of each file, then each suite with a mark for each of its tests. */
export function failureIn(output: string, signal: NodeJS.Signals | null): Failed {
  const lines = output.split('\n')
  const file = lines.findLast((line) => /^test\/\S+\.test\.ts$/.test(line)) ?? ''
  const suite = lines.find((line) => line.includes(FAILED))
  if (suite !== undefined) {
    const [passed = ''] = suite.split(FAILED)
    const name = passed.replaceAll('•', '').trim()
    return { file, what: `${file}: ${name}${name === '' ? '' : ', '}test ${passed.split('•').length}` }
  }
  const why = signal === null ? (output.trim().split('\n').at(-1) ?? 'ended early') : `ended by ${signal}`
  return { file, what: `${file}: ${why}` }
}
