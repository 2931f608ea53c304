/** One run on a mesh whose processors are threads: its times to start, to run and to stop, and its memory. */

import { parseArgs } from 'node:util'
import { meshText } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { MeshJob } from '../../actors/mesh/user.ts'
import { units } from '../../lib/actor.ts'
import { exponential, keyed } from '../../lib/core/random.ts'
import { System } from '../../lib/system.ts'
import { open } from '../../scenarios/mesh/model.ts'
import { Watch } from '../../scenarios/mesh/oracle.ts'
import { timed } from './one-run.ts'

/** Jobs take 30 s or 900 s, nine to one, at random. Never more than LEADERS of them are on the mesh. */
const [SHORT, LONG, PART] = [30, 900, 0.9]
const LEADERS = 32

function jobsOf(hours: number, load: number): readonly MeshJob[] {
  const mean = PART * SHORT + (1 - PART) * LONG
  const jobs: MeshJob[] = []
  let arrival = 0
  for (;;) {
    const job = jobs.length + 1
    arrival += exponential(keyed(1, 'gap', job), mean / load)
    if (arrival > 3600 * hours) return jobs
    const work = exponential(keyed(1, 'work', job), keyed(1, 'class', job) < PART ? SHORT : LONG)
    jobs.push({ job, arrival: units(arrival), work: units(work), minimum: 1 })
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runtime: { type: 'string', default: 'threads' },
      exponent: { type: 'string', default: '4' },
      hours: { type: 'string', default: '24' },
      load: { type: 'string', default: '0.5' },
      policy: { type: 'string', default: 'fold' },
      /** Seconds between rotations; 0 for none. */
      interval: { type: 'string', default: '0' },
    },
  })
  const [m, hours, load, interval] = [values.exponent, values.hours, values.load, values.interval].map(Number)
  const runtime = values.runtime === 'inline' ? 'inline' : 'threads'
  const mesh = { m: m ?? 4, n: m ?? 4 }
  const jobs = jobsOf(hours ?? 24, load ?? 0.5)
  const system = new System({ runtime })
  const watch = new Watch(mesh)
  system.onFact((fact, { who, at }) => watch.fold(fact, who, at))
  const times = await timed(system, {
    jobs: jobs.length,
    middle: units(1800 * (hours ?? 24)),
    open: () =>
      open(system, {
        allocator:
          values.policy === 'equi'
            ? { policy: 'equi', mesh, deal: 'arrival' }
            : { policy: 'fold', mesh, divides: true },
        clock: interval ? { interval: units(interval), isPerJob: false } : null,
        job: { model: { ...BASELINE, mesh }, mapping: 'simple' },
        detail: 'moves',
        leaders: LEADERS,
        work: { jobs },
      }),
    broken: () => watch.broken,
  })
  console.log(JSON.stringify({ mesh: meshText(mesh), runtime, ...times }))
}

await main()
