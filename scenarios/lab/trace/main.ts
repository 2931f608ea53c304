/** The command `lab/trace`: reads traces, makes a report and prints it. */
import { type Command, type Invocation, loadRegistered, type Outcome, writeResult } from '../../../lib/cli/index.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import type { Recorded } from '../../../lib/report/model.ts'
import { toDot } from '../../../lib/trace/export/dot.ts'
import { type Format, MOST } from '../../../lib/trace/export/limit.ts'
import { toMermaid } from '../../../lib/trace/export/mermaid.ts'
import { toPerfetto } from '../../../lib/trace/export/perfetto.ts'
import { toShiviz } from '../../../lib/trace/export/shiviz.ts'
import { type Run, runOf } from '../../../lib/trace/steps.ts'
import '../../registered.ts'
import { divergingLines } from '../both-runs.ts'
import { pageOf, tasksIn } from '../reading.ts'
import { readRecording } from '../recording.ts'
import { actorReport } from './actor.ts'
import { causesReport } from './causes.ts'
import { args, orderOf } from './commands.ts'
import { coverageReport } from './coverage.ts'
import { diffReport } from './diff.ts'
import { flags, type Options } from './flags.ts'
import { type Report, ROWS } from './report.ts'
import { summaryReport } from './summary.ts'

export const scenario: Command<Options> = {
  name: 'lab/trace',
  summary: 'Reads the trace of a run (--trace FILE): the steps of actors, their causes, and where two runs diverge.',
  usage: 'The command may stand before its file or after it; without one: summary.',
  args,
  flags,
  main,
}

async function main({ options, words, note }: Invocation<Options>): Promise<Outcome> {
  const { command, file, rest } = orderOf(words)
  if (command !== 'export') {
    for (const [name, given] of [['--to', options.to] as const, ['--out', options.out] as const]) {
      if (given !== undefined) throw UsageError.requires(name, `the command export, not ${command}`)
    }
  }
  await loadRegistered(options.register)
  const runs: Recorded[] = []
  const cutOff: Plain[] = []
  const read = (path: string): Run => {
    const trace = readRecording(path, { note }, options.bytes)
    if (trace.cutOff) cutOff.push({ file: path, ...trace.cutOff })
    if (options.report !== undefined) runs.push({ name: path, lines: trace.lines, page: pageOf(trace.head) })
    return runOf(trace)
  }
  const [name = ''] = rest
  const most = options.most ?? ROWS
  const report = async (): Promise<Report> => {
    switch (command) {
      case 'summary':
        return summaryReport(read(file), most)
      case 'task': {
        const run = read(file)
        return tasksIn(run).report(run, name)
      }
      case 'actor':
        return actorReport(read(file), name, most)
      case 'causes':
        return causesReport(read(file), name, most)
      case 'diff': {
        const [one, other] = [read(file), read(name)]
        const lines = runs.length > 0 ? divergingLines(one, other) : []
        for (const [i, run] of runs.entries()) runs[i] = { ...run, focus: lines[i] }
        return diffReport(one, other)
      }
      case 'coverage':
        return coverageReport([file, ...rest].map(read), most)
      case 'export':
        return exportReport([file, ...rest].map(read), options)
    }
  }
  const told = await report()
  const results = { ...told.results, ...(cutOff.length > 0 && { cutOff }) }
  return { checks: [], messages: 0, ...told, results, exhibits: { ...told.exhibits, runs } }
}

function exportReport(runs: readonly Run[], { to, out, most, json }: Options): Report {
  if (to === undefined) throw UsageError.requires('the command export', '--to with shiviz, perfetto, mermaid or dot')
  if (json && out === undefined) throw UsageError.requires('--json', '--out')
  const text = exported(runs, to, { most: most ?? MOST[to] })
  if (out === undefined) return { results: {}, text }
  writeResult(out, text, '--out')
  return {
    results: { to, out, bytes: Buffer.byteLength(text) },
    text: `${out}: ${Buffer.byteLength(text)} bytes for ${to}`,
  }
}

function exported(runs: readonly Run[], to: Format, limit: { readonly most: number }): string {
  const [run, ...others] = runs
  if (!run) return ''
  if (to === 'shiviz') return toShiviz(executionsOf(runs), limit)
  if (others.length > 0) throw new UsageError(`--to ${to} takes one FILE, not ${runs.length}`)
  return { perfetto: toPerfetto, mermaid: toMermaid, dot: toDot }[to](run, limit)
}

/** Names runs by their files; a file that is given again gets its position as a suffix. */
const executionsOf = (runs: readonly Run[]) =>
  runs.map((run, i) => {
    const isTwice = runs.some((other, j) => j < i && other.where === run.where)
    return { name: isTwice ? `${run.where} ${i + 1}` : run.where, run }
  })
