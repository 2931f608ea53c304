/** The command that runs random fault plans of a scenario, reports broken promises, and shows what the faults cost. */
import { type Invocation, type Outcome, runMain } from '../../lib/cli/index.ts'
import { planExhibit } from './faults/exhibit.ts'
import { type FaultOptions, faultFlags } from './faults/flags.ts'
import { faultStudy } from './faults/study.ts'
import { shrinkingFor } from './shrinking.ts'
import {
  beside,
  type Found,
  foundIn,
  inSmall,
  requireOnly,
  SCENARIO,
  seeFlags,
  smallOf,
  subjectOf,
  titleOf,
} from './subject.ts'

const args = process.argv.slice(2)

async function main(found: Found, invocation: Invocation<FaultOptions>): Promise<Outcome> {
  requireOnly(found, invocation.words)
  const { report, shrinkSeconds } = invocation.options
  const asked = subjectOf(found, args, faultFlags, SCENARIO)
  // fault plans of the scenario's own choose its flags
  const subject = found.scenario.hasFaultPlans ? asked : inSmall(asked)
  invocation.note(`${titleOf(subject)}, seed ${invocation.options.seed}: fault plans`)
  const { failing, ...outcome } = await faultStudy(subject, invocation)
  const [plan] = failing
  if (report === undefined || !plan) return outcome
  const { runs, story, ...said } = await planExhibit(
    subject,
    plan,
    shrinkingFor(shrinkSeconds, `plan ${plan.n}`, invocation),
  )
  // the plans and the checks have the same order of kinds
  const first = outcome.checks.find(({ ok }) => !ok)
  const checks = outcome.checks.map((check) => (check === first ? { ...check, ...said } : check))
  const others = failing.length - 1
  const more =
    others === 0
      ? []
      : [`${others} more ${others === 1 ? 'plan' : 'plans'} failed; the commands in the results repeat each.`]
  return { ...outcome, checks, exhibits: { runs, ...(story && { story: [...story, ...more] }) } }
}

await runMain(async () => {
  const found = await foundIn(args)
  const { scenario } = found
  const foreign = Object.keys(scenario.flags).filter((key) => !Object.hasOwn(faultFlags, key))
  return {
    name: 'lab/faults',
    summary: 'Runs random fault plans of a scenario, and shows which promises they broke and what they cost.',
    usage:
      found.isStated && scenario.hasFaultPlans
        ? 'Exit 1 if a plan broke a promise; the output names the plan. The plans choose the flags of the scenario.'
        : `Exit 1 if a plan broke a promise; the output names the plan. ${seeFlags('lab/faults')}`,
    args: SCENARIO,
    ...(scenario.hasFaultPlans
      ? beside(found, faultFlags, new Map(), foreign)
      : beside(found, faultFlags, smallOf(found, args, faultFlags, SCENARIO))),
    main: (invocation: Invocation<FaultOptions>) => main(found, invocation),
  }
})
