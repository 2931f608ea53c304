/** The promises that random fault plans break. */
import type { PlanRunner, Runtime } from '../lib/scenario/fault-plans.ts'

/** Runs the first plans of each kind that seed 1 draws. Returns what they broke, with the kind and the number of the plan. */
export async function brokenBy(
  { broken, kinds: all }: PlanRunner,
  runtime: Runtime,
  plans: number,
  kinds = all,
): Promise<string[]> {
  const violations: string[] = []
  for (const kind of kinds) {
    for (let n = 0; n < plans; n++) {
      const found = await broken(kind, { seed: 1, n }, runtime)
      violations.push(...found.violations.map((text) => `${kind}, plan ${n}: ${text}`))
    }
  }
  return violations
}
