/** The command that replays a recorded run step by step: all actors or one alone, to the end or up to a step. */
import { type Invocation, is, loadRegistered, none, type Outcome, runMain } from '../../lib/cli/index.ts'
import { counted, quoted } from '../../lib/core/format.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import { Divergence } from '../../lib/replay/divergence.ts'
import { Replay, type Replayed } from '../../lib/replay/replay.ts'
import '../registered.ts'
import { readRecording } from './recording.ts'
import { type ReplayOptions, replayFlags } from './replay/flags.ts'
import { momentOf, momentText, stepAt } from './replay/moment.ts'

async function main({ options, words, note, progress }: Invocation<ReplayOptions>): Promise<Outcome> {
  const [file = '', more] = words
  if (more !== undefined) throw new UsageError(`this command takes one FILE, not ${words.map(quoted).join(' ')}`)
  const { actor, until, engine, register } = options
  await loadRegistered(register)
  const trace = readRecording(file, { note })
  const replay = await Replay.open(trace, actor, engine)
  const { steps } = replay.run
  if (!steps.some(({ who }) => actor === undefined || who === actor)) {
    const cut = trace.cutOff ? ': it is cut off before its first step' : ''
    throw new UsageError(`${file} has no step${actor === undefined ? '' : ` of ${actor}`} to replay${cut}`)
  }
  const last = until === undefined ? undefined : stepAt(replay.run, until, actor)
  const actors = new Set<string>()
  let count = 0
  let replayed: Replayed | undefined
  let drift: Divergence | undefined
  try {
    for (replayed of replay) {
      actors.add(replayed.step.who)
      if (++count % 1000 === 0) progress(replayed.step.index, steps.length, `${count} steps`)
      if (replayed.step.index === last) break
    }
  } catch (error) {
    if (!(error instanceof Divergence)) throw error
    drift = error
  }
  const moment = last !== undefined && !drift && replayed ? momentOf(replay, replayed) : undefined
  const summary = `${counted(count, 'step')} of ${counted(actors.size, 'actor')}`
  return {
    results: {
      steps: count,
      actors: actors.size,
      identical: drift === undefined,
      ...(drift && { drift: { ...placeOf(drift), recorded: drift.recorded, came: drift.came } }),
      ...(moment && { state: moment }),
      ...(trace.cutOff && { cutOff: { ...trace.cutOff } }),
    },
    checks: [drift ? none('replay', [drift.message]) : is('replay', 'identical', 'identical')],
    messages: 0,
    text: moment ? `${summary}\n\n${momentText(moment)}` : summary,
  }
}

const placeOf = ({ step: { index, who, incarnation, n } }: Divergence) => ({ step: index, who, incarnation, n })

await runMain({
  name: 'lab/replay',
  summary: 'Runs a recorded run again, inline, and compares every step with the record, byte for byte.',
  usage: 'Exit 0 if the replay is identical; exit 1 at the first step that differs, which the output names.',
  args: { usage: 'FILE', least: 1, forms: [['FILE', 'a trace, as --trace writes it']] },
  flags: replayFlags,
  main,
})
