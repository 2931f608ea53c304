/** One run of a DSP market with a thread for each contractor and processor, from cold. */
import { parseArgs } from 'node:util'
import { System } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { open, termsOf } from '../../scenarios/bidding/model.ts'
import { Ledger } from '../../scenarios/bidding/oracle/ledger.ts'
import { timed } from './one-run.ts'

const CLIENTS = ['c1']

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runtime: { type: 'string', default: 'threads' },
      contractors: { type: 'string', default: '32' },
      tasks: { type: 'string', default: '400' },
    },
  })
  const runtime = values.runtime === 'inline' ? 'inline' : 'threads'
  const [contractors, tasks] = [Number(values.contractors), Number(values.tasks)]
  const speeds = Array.from({ length: contractors }, () => 1)
  const jobs = withClients(generateJobs({ seed: 1, tasks, load: 0.5, speeds, errors: 'perfect' }), CLIENTS, 1)
  const system = new System({ runtime })
  const ledger = new Ledger()
  system.onFact((fact, { who, at }) => ledger.fold(fact, who, at))
  const times = await timed(system, {
    jobs: tasks,
    middle: jobs[tasks >> 1]?.arrival ?? 0,
    open: () => open(system, { protocol: 'dsp', speeds, clients: CLIENTS, jobs, terms: termsOf('dsp', 0) }),
    broken: () => (ledger.endings.size === tasks ? [] : [{ text: `${ledger.endings.size} tasks of ${tasks} ended` }]),
  })
  console.log(JSON.stringify({ contractors, runtime, ...times }))
}

await main()
