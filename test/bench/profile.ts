/**
 * The use of CPU time by a run on threads, phase by phase. Every sample of perf counts for the innermost frame of its
 * stack of a known kind: in the kernel, in V8 or Node, or in a file of the project.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { textOf } from '../../lib/core/table.ts'
import { KINDS, kindOf, PERF } from './kinds.ts'
import { digits } from './measure.ts'
import { type OneRun, PHASES } from './one-run.ts'

const PROGRAMS = ['dsp', 'economy', 'coscheduling', 'mesh']

const HELP = `npx tsx test/bench/profile.ts ${PROGRAMS.join('|')} [flags of test/bench/NAME-one.ts]
  Linux, with perf; what perf costs the run is left out.`

/** The number of samples per second of CPU time. */
const FREQUENCY = 499
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The number of functions in the list. */
const SHOWN = 15

interface Sample {
  /** The time of the sample, in seconds. */
  readonly at: number
  /** The names of the frames, the innermost first. */
  readonly stack: readonly string[]
}

async function* samplesOf(data: string): AsyncGenerator<Sample> {
  const perf = spawn('perf', ['script', '-i', data, '-F', 'time,ip,sym'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let at = 0
  let stack: string[] = []
  for await (const line of createInterface(perf.stdout)) {
    const head = /^\s*([\d.]+):\s*$/.exec(line)
    if (head) at = Number(head[1])
    else if (line !== '') stack.push(line.trim().replace(/^[0-9a-f]+ /, ''))
    else if (stack.length > 0) {
      yield { at, stack }
      stack = []
    }
  }
}

/** Runs a program under perf. */
async function recorded(program: string, args: readonly string[], folder: string): Promise<[OneRun, string]> {
  const [data, said] = [join(folder, 'perf.data'), join(folder, 'said')]
  const node = [process.execPath, '--perf-basic-prof', '--interpreted-frames-native-stack', ...process.execArgv]
  const perf = ['record', '-k', 'CLOCK_MONOTONIC', '-F', String(FREQUENCY), '-g', '-o', data, '--']
  const command = [...perf, 'sh', '-c', 'echo $$ > "$0.pid"; exec "$@" > "$0"', said, ...node, program, ...args]
  await promisify(execFile)('perf', command, { maxBuffer: 1 << 26 })
  const run: OneRun = JSON.parse(readFileSync(said, 'utf8'))
  return [run, data]
}

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  if (!PROGRAMS.includes(name)) return console.log(HELP)
  const folder = mkdtempSync(join(tmpdir(), 'bourse-profile-'))
  try {
    const [run, data] = await recorded(fileURLToPath(new URL(`${name}-one.ts`, import.meta.url)), args, folder)
    const { start, stop } = run.phases
    const ends = [...PHASES.slice(1).map((phase) => run.phases[phase].began), stop.began + stop.ms / 1000]
    const kinds = new Map<string, number[]>()
    const functions = new Map<string, number>()
    const totals = PHASES.map(() => 0)
    for await (const { at, stack } of samplesOf(data)) {
      const phase = ends.findIndex((end) => at < end)
      const kind = kindOf(stack)
      if (at < start.began || phase < 0 || kind === PERF) continue
      totals[phase] = (totals[phase] ?? 0) + 1
      const counts = kinds.get(kind) ?? PHASES.map(() => 0)
      counts[phase] = (counts[phase] ?? 0) + 1
      kinds.set(kind, counts)
      const ours = stack.find((frame) => /^JS:.*\/(lib|actors)\//.test(frame))
      if (PHASES[phase] === 'late' && ours) functions.set(ours, (functions.get(ours) ?? 0) + 1)
    }
    tell(run, kinds, totals)
    const late = totals[PHASES.indexOf('late')] ?? 0
    const most = [...functions].sort(([, one], [, other]) => other - one).slice(0, SHOWN)
    const rows = most.map(([frame, count]) => [
      frame.replace(/^JS:\W?/, '').replace(ROOT, ''),
      `${digits((100 * count) / late)} %`,
    ])
    const columns = [{ name: 'late, by the innermost function of lib or actors' }, { name: 'CPU' }]
    console.log(textOf({ columns, rows }))
  } finally {
    removeMap(folder)
    rmSync(folder, { recursive: true })
  }
}

/** Removes V8's list of its code for perf, a file that is named after the process. */
function removeMap(folder: string): void {
  const pid = join(folder, 'said.pid')
  if (existsSync(pid)) rmSync(`/tmp/perf-${readFileSync(pid, 'utf8').trim()}.map`, { force: true })
}

function tell({ actors, phases, memoryMB }: OneRun, kinds: ReadonlyMap<string, number[]>, totals: number[]): void {
  const per = (value: number, count: number) => (count > 0 ? digits(value / count) : '')
  const all = PHASES.map((name) => phases[name])
  const rows = [
    ['ms CPU', ...all.map(({ cpuMs }) => digits(cpuMs))],
    ['  for an actor', ...all.map(({ cpuMs }) => digits(cpuMs / actors))],
    ['  us for a message', ...all.map(({ cpuMs, messages }) => per(1000 * cpuMs, messages))],
    ['  us for a step', ...all.map(({ cpuMs, steps }) => per(1000 * cpuMs, steps))],
    ['  us for a round', ...all.map(({ cpuMs, rounds }) => per(1000 * cpuMs, rounds))],
    ['messages in a round', ...all.map(({ messages, rounds }) => per(messages, rounds))],
    ['steps in a round', ...all.map(({ steps, rounds }) => per(steps, rounds))],
    ['sleeps of threads in a round', ...all.map(({ sleeps, rounds }) => per(sleeps, rounds))],
  ]
  const shares = KINDS.flatMap((kind) => {
    const counts = kinds.get(kind)
    return counts ? [[kind, ...counts.map((count, i) => `${digits((100 * count) / (totals[i] || 1))} %`)]] : []
  })
  console.log(`${actors} actors on threads, at most ${digits(memoryMB)} MB: ${digits(memoryMB / actors)} for each`)
  console.log(textOf({ columns: ['', ...PHASES].map((name) => ({ name })), rows: [...rows, ...shares] }))
}

await main()
