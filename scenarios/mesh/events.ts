/** Random arrivals, departures and rotations by actors: after each of them all that must hold of partitions does (section 8). */
import { meshText, processorsOf } from '../../actors/mesh/mesh.ts'
import { commonFlags, integer, is, none, oneOf, runMain, UsageError, value } from '../../lib/cli.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import { RUNTIMES } from '../faults/soak.ts'
import { randomScript, runScript } from './scripted.ts'
import { meshParser } from './study/flags.ts'

/** Events of one run. */
const RUN = 500

await runMain({
  name: 'mesh/events',
  summary:
    'Random arrivals, departures and rotations on a mesh by actors; the partitions are checked after every event.',
  usage: 'Exit 1 if something did not hold; the seed of the run is named.',
  flags: {
    ...commonFlags,
    events: value({
      metavar: 'N',
      fallback: '1000',
      parse: integer({ min: 1, max: 1_000_000 }),
      help: `in runs of ${RUN}`,
    }),
    policy: value({ metavar: 'equi|fold', fallback: 'fold', parse: oneOf('equi', 'fold'), help: 'who gets what' }),
    mesh: value({ metavar: 'RxC', fallback: '16x16', parse: meshParser, help: 'processors, powers of two' }),
    most: value({ metavar: 'N', fallback: '24', parse: integer({ min: 1, max: 1000 }), help: 'jobs at a time' }),
    runtime: value({
      metavar: RUNTIMES.join('|'),
      fallback: 'inline',
      parse: oneOf(...RUNTIMES),
      help: 'all actors in one thread, or a thread for each',
    }),
  },
  main: async ({ options: { seed, events, policy, mesh, most, runtime }, progress, onInterrupt }) => {
    if (most > processorsOf(mesh))
      throw new UsageError('--most', `${processorsOf(mesh)} or fewer on ${meshText(mesh)}`, `${most}`)
    const broken: string[] = []
    let [steps, moves, messages] = [0, 0, 0]
    for (let from = 0; from < events; from += RUN) {
      const one = replicationSeed(seed, from / RUN)
      const script = randomScript(one, Math.min(RUN, events - from), most)
      const run = await runScript(policy, mesh, script, { seed: one, runtime, rounds: 10_000_000 }, (system) =>
        onInterrupt(() => system.stop()),
      )
      steps += run.watch.steps.length
      moves += [...run.watch.jobs.values()].reduce((sum, story) => sum + story.moves, 0)
      messages += run.messagesOf.reduce((sum, count) => sum + count, 0)
      broken.push(
        ...run.watch.broken.map(({ property, text }) => `${property}: ${text} (run of seed ${one})`),
        ...run.crashes,
      )
      progress(steps, events, `${steps} events`)
    }
    const perEvent = (count: number) => (count / Math.max(1, steps)).toFixed(2)
    return {
      results: { events: steps, moves, messages },
      checks: [is('events', steps, events), none('broken rules of partitions', broken)],
      messages,
      text: `${steps} events on ${meshText(mesh)} under ${policy}: ${perEvent(moves)} moves and ${perEvent(messages)} messages each\n`,
    }
  },
})
