/** Random arrivals, departures and rotations by actors; the partitions are checked after each (section 8). */

import { roomIn } from '../../actors/mesh/fold/cells.ts'
import { meshText, processorsOf, wholeOf } from '../../actors/mesh/mesh.ts'
import { choice, integer, is, none, runMain, seedFlags, UsageError, value } from '../../lib/cli/index.ts'
import { sum } from '../../lib/core/tally.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import { inWords } from '../../lib/scenario/oracle.ts'
import { runtimeFlag } from '../study/flags.ts'
import { meshParser } from './model-flags.ts'
import { randomScript, runScript } from './scripted.ts'
import { unevenIn } from './turns.ts'

/** The number of events of one run. */
const RUN = 500

await runMain({
  name: 'mesh/events',
  summary:
    'Random arrivals, departures and rotations on a mesh of actors; the partitions are checked after every event. For folding, whole cycles of rotations are checked as well: all jobs have equal exchanges and shares.',
  usage: 'Exit 1 if a check failed; the output names the seed of the run.',
  flags: {
    ...seedFlags,
    events: value({
      metavar: 'N',
      fallback: '1000',
      parse: integer({ min: 1, max: 1_000_000 }),
      help: `number of events, in runs of ${RUN}; 10000 take some minutes`,
    }),
    policy: choice({ of: ['equi', 'fold'], fallback: 'fold', help: 'how processors are divided' }),
    mesh: value({
      metavar: 'RxC',
      fallback: '16x16',
      parse: meshParser,
      help: 'rows and columns of processors, powers of two',
    }),
    most: value({ metavar: 'N', fallback: '24', parse: integer({ min: 1, max: 1000 }), help: 'most jobs at a time' }),
    runtime: runtimeFlag,
  },
  main: async ({ options: { seed, events, policy, mesh, most, runtime }, progress, onSystem }) => {
    if (most > processorsOf(mesh))
      throw UsageError.invalid('--most', `at most ${processorsOf(mesh)} on ${meshText(mesh)}`, `${most}`)
    const broken: string[] = []
    let [steps, moves, messages] = [0, 0, 0]
    for (let from = 0; from < events; from += RUN) {
      const one = replicationSeed(seed, from / RUN)
      const script = randomScript(one, Math.min(RUN, events - from), most)
      const run = await runScript(policy, mesh, script, { seed: one, runtime, rounds: 10_000_000 }, onSystem)
      steps += run.oracle.steps.length
      moves += sum(run.oracle.jobs.values(), (story) => story.moves)
      messages += sum(run.messagesOf)
      broken.push(...inWords(run.oracle.broken).map((what) => `${what} (run of seed ${one})`), ...run.crashes)
      progress(steps, events, `${steps} events`)
    }
    const uneven: string[] = []
    for (let jobs = 3; policy === 'fold' && jobs <= Math.min(most, roomIn(wholeOf(mesh))); jobs++) {
      uneven.push(...(await unevenIn(mesh, jobs, { runtime, rounds: 10_000_000 }, onSystem)))
      progress(jobs, most, `cycles of ${jobs} jobs`)
    }
    const perEvent = (count: number) => (count / Math.max(1, steps)).toFixed(2)
    const turns = policy === 'fold' ? [none(`uneven cycles of 3 to ${most} jobs`, uneven)] : []
    return {
      results: { events: steps, moves, messages },
      checks: [is('events', steps, events), none('broken promises', broken), ...turns],
      messages,
      text: `${steps} events on ${meshText(mesh)} under ${policy}: ${perEvent(moves)} moves and ${perEvent(messages)} messages each\n`,
    }
  },
})
