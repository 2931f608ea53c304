/** The runs to record: of every family, in real time on threads, under fault plans. */
import type { Address } from '../../../lib/core/address.ts'
import { type Time, toUnits } from '../../../lib/core/time.ts'
import { Dice, restarts } from '../../../lib/scenario/dice.ts'
import type { PlanRunner } from '../../../lib/scenario/fault-plans.ts'
import { type Fault, parseFault } from '../../../lib/scenario/faults.ts'
import { runScenario } from '../../../lib/scenario/run-scenario.ts'
import { rehearse } from '../../../lib/scenario/specification.ts'
import type { System } from '../../../lib/system.ts'
import { FAMILIES } from '../../families.ts'
import { exampleOf } from '../../family.ts'

/** The fault plans of every family, by the name of its scenario. */
export const PLANS: ReadonlyMap<string, PlanRunner> = new Map(
  FAMILIES.map(exampleOf).map(([name, scenario]) => [name, scenario.faultPlans(new Map())]),
)

/** If a specification sets no end, the run goes on for this multiple of the time until the last arrival. */
const REST = 2

/** The least duration of a run until its last arrival, in milliseconds of the clock. */
const SPAN_MS = 60

/** Deaths and restarts of two actors, whatever else the plan has. */
function deaths(seed: number, addresses: readonly Address[], span: Time): Fault[] {
  const dice = new Dice(seed, 'deaths', span)
  const victims = [addresses[dice.below(addresses.length)], addresses[dice.below(addresses.length)]]
  return victims
    .flatMap((who) => (who === undefined ? [] : restarts(dice, who, toUnits(span) / 4)))
    .map((line) => parseFault(line))
}

/** Run `n` of a scenario; its trace is written to a file. */
export async function recordRun(name: string, n: number, path: string, onSystem: (system: System) => void) {
  const plans = PLANS.get(name)
  if (!plans) throw new Error(`${name} has no fault plans`)
  const { specification, span } = await plans.draw(plans.kinds[n % plans.kinds.length] ?? '', n)
  const { options, faults, until } = specification
  const addresses = (await rehearse(specification)).map(({ address }) => address)
  // traced steps wait in mail memory until the main thread, which gets little time, reads them
  const real = { time: 'real', runtime: 'threads', trace: path, schedule: 'fifo', memoryMB: 256 } as const
  return runScenario({
    options: { ...options, ...real, scale: SPAN_MS / toUnits(span), about: { family: name, n } },
    faults: [...faults, ...deaths(n, addresses, until === undefined ? span : span / 2)],
    until: until ?? (1 + REST) * span,
    open: (system) => specification.open(system),
    onSystem,
  })
}
