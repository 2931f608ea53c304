/** One machine that shares its time by stride (Arpaci-Dusseau & Culler 1997, figures 1 and 2). */
import { faultsOf, type Invocation, type Outcome, resultFile, runMain, systemOptions } from '../../lib/cli.ts'
import { textOf } from '../../lib/experiment/report.ts'
import { printFault } from '../../lib/faults/faults.ts'
import { printUnits } from '../../lib/text.ts'
import { addressesOf, cpuCsv, runCluster } from './run.ts'
import { Course } from './stride/course.ts'
import { flags, type Options, requireSense } from './stride/flags.ts'
import { machineOf } from './stride/machine.ts'
import { gantt, orderOf, wrapped } from './stride/picture.ts'
import { checksOf, SHOWN, sharesOf, shareTable, unevenness } from './stride/results.ts'

async function main({ options, note, onInterrupt }: Invocation<Options>): Promise<Outcome> {
  requireSense(options)
  const { clients, quanta, quantum, policy, seed, jobsOut, time } = options
  const machine = machineOf(options)
  const faults = faultsOf(options, addressesOf(machine))
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  const { sharing, orders } = machine
  const about = { scenario: 'shares/stride', sharing, orders, faults: faults.map(printFault) }
  note(`shares/stride, ${policy}, seed ${seed}: ${clients.length} clients, ${quanta} quanta of ${printUnits(quantum)}`)
  const course = new Course()
  const run = await runCluster(machine, systemOptions(options, about), {
    faults,
    // nobody ends it if the user dies; by the clock she may be late
    until: (time === 'real' ? 2 : 1) * quanta * quantum,
    onSystem: (system) => onInterrupt(() => system.stop()),
    onFact: (fact, { who, at }) => course.fold(fact, who, at),
  })
  course.close()
  writeJobs(cpuCsv(run))
  const shares = sharesOf(options, course)
  const order = orderOf(course.ran)
  const worst = unevenness(options, course)
  const names = clients.map(({ name }) => name)
  const of = (key: 'cpu' | 'share' | 'wanted' | 'error') =>
    Object.fromEntries(shares.map((share) => [share.name, share[key]]))
  return {
    results: {
      order,
      cpu: of('cpu'),
      shares: of('share'),
      wanted: of('wanted'),
      errors: of('error'),
      unevenness: worst,
      refusals: run.refusals,
      deadLetters: Object.fromEntries(run.deadLetters),
      faultsThatNeverHappened: run.missed.map(printFault),
    },
    checks: checksOf(run, worst, faults.length === 0),
    messages: run.messages,
    text: [
      ...wrapped(order),
      '',
      ...gantt(names.slice(0, SHOWN), course, quanta, quantum),
      '',
      textOf(shareTable(shares, printUnits(quantum))),
    ].join('\n'),
  }
}

await runMain({
  name: 'shares/stride',
  summary:
    'One machine that shares its time by tickets: stride scheduling, with loans or credit for sleepers (Arpaci-Dusseau & Culler 1997).',
  usage: 'Without flags: figure 1.',
  flags,
  main,
})
