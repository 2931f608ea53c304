/** One machine that shares its time by stride scheduling (Arpaci-Dusseau & Culler 1997, figures 1 and 2). */
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { faultsOf, type Invocation, type Outcome, resultFile, runMain, systemOptions } from '../../lib/cli/index.ts'
import { MAX_UNITS, printUnits } from '../../lib/core/format.ts'
import { textOf } from '../../lib/core/table.ts'
import { type Time, toUnits, units } from '../../lib/core/time.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import { mishapsOf, missedLines } from '../../lib/scenario/verdict.ts'
import { addressesOf, cpuCsv, runCluster } from './one-run.ts'
import { flags, type Options, requireSense } from './stride/flags.ts'
import { checksOf, SHOWN, sharesOf, shareTable, unevenness } from './stride/results.ts'
import { gantt, orderOf, Schedule, wrapped } from './stride/schedule.ts'
import { machineOf } from './stride/setup.ts'

/** The shortest quantum, in milliseconds, that timers and threads keep well. */
const MEANT_MS = 10
/** The greatest lateness of the user in real time. */
const LATE_MS = 2000

/** The latest end of the run, which is needed if the user dies. */
function endOf({ quanta, quantum, time, scale }: Options): Time {
  const end = quanta * quantum
  return time === 'real' ? end + Math.max(end, units(Math.min(LATE_MS / scale, MAX_UNITS))) : end
}

async function main({ options, note, onSystem, byHand }: Invocation<Options>): Promise<Outcome> {
  requireSense(options)
  const { clients, quanta, quantum, policy, seed, jobsOut, time, scale } = options
  const machine = machineOf(options)
  const faults = faultsOf(options, addressesOf(machine))
  const { sharing, orders } = machine
  const about = { scenario: 'shares/stride', sharing, orders, faults: faults.map(printFault) }
  const how = systemOptions(options, about)
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  note(`shares/stride, ${policy}, seed ${seed}: ${clients.length} clients, ${quanta} quanta of ${printUnits(quantum)}`)
  if (time === 'real' && toUnits(quantum) * scale < MEANT_MS) {
    note(
      `quanta shorter than ${MEANT_MS} ms mean little in real time, since timers are not that exact (use a greater --scale)`,
    )
  }
  const course = new Schedule()
  const run = await runCluster(machine, how, {
    faults,
    until: endOf(options),
    onSystem,
    onFact: (fact, { who, at }) => course.fold(fact, who, at),
  })
  course.close()
  writeJobs(cpuCsv(run))
  const shares = sharesOf(options, course)
  const order = orderOf(course.ran)
  const names = clients.map(({ name }) => name)
  const staying = names.filter((name) => !course.gone.has(name))
  const of = (key: 'cpu' | 'share' | 'wanted' | 'error') =>
    Object.fromEntries(shares.map((share) => [share.name, share[key]]))
  return {
    results: {
      order,
      cpu: of('cpu'),
      shares: of('share'),
      wanted: of('wanted'),
      errors: of('error'),
      unevenness: unevenness(options, course),
      refusals: run.refusals,
      ...mishapsOf(run),
    },
    checks: checksOf(run, faults.length + byHand().length > 0 ? null : staying),
    messages: run.messages,
    text: [
      ...wrapped(order),
      '',
      ...gantt(names.slice(0, SHOWN), course, quanta, quantum),
      '',
      textOf(shareTable(shares, printUnits(quantum))),
      ...missedLines(run),
    ].join('\n'),
  }
}

await runMain({
  name: 'shares/stride',
  summary:
    'One machine divides its time by tickets: stride scheduling, with loans or credit for sleepers (Arpaci-Dusseau & Culler 1997).',
  usage: 'Without flags: figure 1.',
  flags,
  timeline: processorTimeline(),
  main,
})
