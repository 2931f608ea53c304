/** The tests of each family that mutants are tried on, and their run in a copy of the project. */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Tests {
  /** The files that take a second or two together: rules, machines alone, and golden runs. */
  readonly fast: readonly string[]
  /** The others that know of actors, in the order in which they are tried. */
  readonly slow: readonly string[]
}

/** Tests about commands, workloads, papers and pictures: they take long, and see what the golden runs see. */
const OTHERS = /cli|workload|picture|render|figures|statistics|measured|traces|study|real|compare|usage|results|tables/

const FAST: Readonly<Record<string, readonly string[]>> = {
  bidding: ['rules', 'golden', 'enterprise'],
  contracts: ['rules', 'sorted', 'queue', 'charts', 'offers', 'golden'],
  economy: ['rules', 'user-job', 'golden', 'order', 'overrun', 'stranger'],
  mesh: ['rectangles', 'equi', 'fold', 'fold-division', 'fold-rotation', 'maps', 'paces', 'models', 'steps'],
  processor: ['processor'],
  shares: ['heap', 'credit', 'currencies', 'ticket-server', 'placer', 'barrier', 'stride-machine'],
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
      .map((name) => `test/${folder}/${name}`),
  )
  return { fast, slow: all.filter((path) => !fast.includes(path)).sort() }
}

export const TESTS: Readonly<Record<string, Tests>> = Object.fromEntries(
  Object.keys(FAST).map((family) => [family, testsOf(family)]),
)

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** The CPU seconds after which a file of tests counts as hanging. */
const LIMIT = 300

/**
 * Runs test files below a folder in one process until a test fails.
 *
 * @returns the title of the failed test or the end of the process in words; null if all passed
 */
export function firstFailure(folder: string, files: readonly string[]): Promise<string | null> {
  const program = join(folder, 'test/mutants/run-tests.ts')
  const command = [process.execPath, '--import', tsx, program, ...files]
  return new Promise((resolve, reject) => {
    // a mutant may loop for ever: the limit of CPU time does not depend on what else the computer does
    const child = spawn('sh', ['-c', 'ulimit -t "$0"; exec "$@"', String(LIMIT), ...command], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: '0' },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code === 0 ? null : failureIn(output, signal)))
  })
}

function failureIn(output: string, signal: NodeJS.Signals | null): string {
  const [, title] = / FAIL .*?"(.*)"/.exec(output) ?? []
  if (title !== undefined) return title
  if (signal !== null) return `the tests were ended (${signal})`
  return output.trim().split('\n').at(-1) ?? 'the tests ended early'
}
