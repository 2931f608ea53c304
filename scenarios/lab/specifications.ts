/** The scenarios that can be explored, by name, each with its own flags. */
import { UsageError } from '../../lib/cli/index.ts'
import { FAMILIES } from '../families.ts'
import type { Explorable } from '../family.ts'

export const SPECIFICATIONS: Readonly<Record<string, Explorable>> = Object.assign(
  {},
  ...FAMILIES.map(({ scenarios }) => scenarios),
)

/** @throws UsageError for a scenario that cannot be explored */
export function explorableOf(name: string): Explorable {
  const found = Object.hasOwn(SPECIFICATIONS, name) ? SPECIFICATIONS[name] : undefined
  if (!found) throw UsageError.unknown('scenario', name, Object.keys(SPECIFICATIONS), { where: '--scenario' })
  return found
}
