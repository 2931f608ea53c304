/** One run of three parallel jobs that coschedule themselves, with a thread for each processor and ticket server. */
import { parseArgs } from 'node:util'
import { units } from '../../lib/actor.ts'
import { System } from '../../lib/system.ts'
import { clusterOf, networkOf } from '../../scenarios/shares/coscheduling/model.ts'
import { open } from '../../scenarios/shares/model.ts'
import { DEFAULTS } from '../../scenarios/shares/paper/parameters.ts'
import { timed } from './one-run.ts'

const TICKETS = [1, 2, 3]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runtime: { type: 'string', default: 'threads' },
      machines: { type: 'string', default: '32' },
      /** The length of the run in milliseconds of model time. */
      span: { type: 'string', default: '3400' },
    },
  })
  const runtime = values.runtime === 'inline' ? 'inline' : 'threads'
  const [nodes, span] = [Number(values.machines), Number(values.span)]
  const parameters = { ...DEFAULTS, nodes }
  const mix = { parameters, tickets: TICKETS, scheduler: 'implicit', servers: true, membership: null } as const
  const system = new System({ runtime, network: networkOf(parameters) })
  let opened = 0
  system.onFact(({ type }) => {
    if (type === 'opened') opened++
  })
  const times = await timed(system, {
    jobs: TICKETS.length,
    middle: units(span / 2),
    end: units(span),
    open: () => open(system, clusterOf(mix, { warmUp: 0, measure: units(span) }, 1)),
    broken: () => (opened > 0 ? [] : [{ text: 'no barrier was passed' }]),
  })
  console.log(JSON.stringify({ machines: nodes, runtime, opened, ...times }))
}

await main()
