/** One run of ECON as in figure 3, with a thread for each processor: its times to start, to run and to stop, and its memory. */
import { parseArgs } from 'node:util'
import { units } from '../../lib/actor.ts'
import { System } from '../../lib/system.ts'
import { open } from '../../scenarios/economy/model.ts'
import { Watch } from '../../scenarios/economy/oracle.ts'
import { economyOf, measuresOf, STANDARD } from '../../scenarios/economy/study/point.ts'
import { timed } from './one-run.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runtime: { type: 'string', default: 'threads' },
      processors: { type: 'string', default: '128' },
      load: { type: 'string', default: '0.9' },
      /** The time span of arrivals, in minutes. */
      span: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
    },
  })
  const runtime = values.runtime === 'inline' ? 'inline' : 'threads'
  const [load, span, seed] = [Number(values.load), Number(values.span), Number(values.seed)]
  const economy = economyOf({ ...STANDARD, seed, load, span }, Number(values.processors))
  const options = { runtime, seed } as const
  const system = new System(options)
  const watch = new Watch(economy, { options: system.options, faults: [] })
  system.onFact((fact, { who, at }) => watch.fold(fact, who, at))
  system.onDeath(({ address, at }) => watch.died(address, at))
  const times = await timed(system, {
    jobs: economy.jobs.length,
    middle: units(span / 2),
    open: () => open(system, economy),
    broken: () =>
      watch.violations({
        isIdle: system.quiet,
        isSettled: system.quiet,
        dead: new Set(),
        lost: 0,
        clocksJumped: false,
      }),
  })
  const { S, U } = measuresOf({ oracle: watch, broken: [], crashes: [], messages: system.messages }, span)
  console.log(JSON.stringify({ processors: economy.processors, runtime, ...times, S, U }))
}

await main()
