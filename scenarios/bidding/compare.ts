/**
 * The command that compares policies by replications with common random numbers. It is a study and not a figure: no paper
 * has its numbers, and its results decide how many runs follow.
 */
import { mean } from 'simple-statistics'
import { type Invocation, is, type Outcome, resultFile, runMain, UsageError } from '../../lib/cli/index.ts'
import { csvOf, markdownOf, plainOf } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import { acrossReplications, mser5 } from '../../lib/experiment/mser.ts'
import { replicate } from '../../lib/experiment/replications.ts'
import { flags, type Options, type Policy, policy } from './compare/flags.ts'
import { Laboratory, type Replication } from './compare/laboratory.ts'
import { differencesTable, meansTable, replicationsTable } from './compare/tables.ts'
import { PROTOCOLS } from './model.ts'

/** The number of replications that determine the warm-up. */
const PILOT = 10
/** The most replications that `--precision` runs. */
const CAP = 1000

function policiesOf({ policy: given }: Options): readonly Policy[] {
  const policies = given.length > 0 ? given : PROTOCOLS.map((name) => policy(name, '--policy'))
  const names = policies.map(({ name }) => name)
  if (names.length > 1 && new Set(names).size === names.length) return policies
  throw UsageError.requires('--policy', `two or more different policies, not ${names.join()}`)
}

/** The number of first tasks that every policy drops from every replication: the longest warm-up of all policies. */
function warmUpOf(pilot: readonly Replication[], policies: readonly Policy[]): number {
  const drops = policies.map(({ name }, i) => {
    const { drop } = mser5(acrossReplications(pilot.map(({ flows }) => flows[i] ?? [])))
    if (drop !== null) return drop
    throw new UsageError(`--tasks must be more: the warm-up of ${name} takes most of a replication`)
  })
  return Math.max(...drops)
}

const meanOf = ({ flows }: Replication, i: number, warmUp: number): number => mean((flows[i] ?? []).slice(warmUp))

/** The number of replications that the mean of every policy needs for the given precision. */
async function precise(
  laboratory: Laboratory,
  policies: readonly Policy[],
  warmUp: number,
  precision: { readonly relative: number; readonly confidence: number },
): Promise<number> {
  let needed = PILOT
  for (const i of policies.keys()) {
    const { replications } = await replicate(
      async (asked) => (await laboratory.some(asked)).map((one) => meanOf(one, i, warmUp)),
      { ...precision, least: PILOT, cap: CAP },
    )
    needed = Math.max(needed, replications)
  }
  return needed
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note } = invocation
  const { precision, confidence, csv, markdown, tasks } = options
  if (precision !== undefined && options.replications !== undefined)
    throw UsageError.conflicts('--precision', '--replications')
  const policies = policiesOf(options)
  const writeCsv = resultFile(csv, '--csv')
  const writeMarkdown = resultFile(markdown, '--markdown')
  const laboratory = new Laboratory(policies, invocation)
  const count = options.replications ?? PILOT
  const warmUp = warmUpOf(await laboratory.first(count), policies)
  note(`warm-up (MSER-5): the first ${warmUp} of ${tasks} tasks are dropped`)
  const needed =
    precision === undefined ? count : await precise(laboratory, policies, warmUp, { relative: precision, confidence })
  const replications = await laboratory.first(needed)
  const measured = policies.map(({ name }, i) => ({ name, values: replications.map((one) => meanOf(one, i, warmUp)) }))
  const [means, differences] = [meansTable(measured, confidence), differencesTable(measured, confidence)]
  const details = replicationsTable(replications, measured)
  const tables = [means, differences, details]
  writeCsv(csvOf(details))
  writeMarkdown(`${tables.map(markdownOf).join('\n')}\n`)
  const distinct = new Set(replications.map(({ arrivals }) => arrivals)).size
  return {
    results: { warmUp, means: plainOf(means), differences: plainOf(differences), replications: plainOf(details) },
    checks: [is('replications with arrivals of their own', distinct, replications.length)],
    messages: sum(replications, ({ messages }) => messages),
    tables,
  }
}

await runMain({
  name: 'bidding/compare',
  summary:
    'Compares policies with a baseline by replications that share their random numbers, and shows what that saves.',
  usage: 'Runs replications of every policy in parallel on all cores.',
  flags,
  main,
})
