/**
 * `npm run mutants`: for each mutant of the compiled engine, the number of random machines until one finds it, and the
 * number of machines of the project that find it within 300 histories each.
 */
import { table } from '../../lib/core/table.ts'
import { MUTANTS } from './mutants.ts'
import { mutated } from './mutated.ts'
import { compareOwn, compareRandom } from './rounds.ts'
import { species } from './specimens.ts'

const MACHINES = 2000
const SEQUENCES = 300

const isFound = (run: () => unknown): boolean => {
  try {
    run()
    return false
  } catch {
    return true
  }
}

const own = await species(true)
const rows: string[][] = []
for (const mutant of MUTANTS) {
  const compile = await mutated(mutant)
  let machine = 1
  while (machine <= MACHINES && !isFound(() => compareRandom(machine, 1, compile))) machine++
  const finders = own.filter((one) => isFound(() => compareOwn(one, SEQUENCES, 1, compile)))
  rows.push([
    mutant.file,
    mutant.what,
    machine <= MACHINES ? String(machine) : '-',
    `${finders.length} of ${own.length}`,
  ])
  process.stderr.write(`${rows.at(-1)?.join('  ')}\n`)
}
console.log(
  table(['file', 'mutant', 'found by random machine', 'by machines of the project'], rows, (column) => column < 2),
)
console.log(`${rows.length} mutants, ${rows.filter(([, , machine]) => machine !== '-').length} found`)
if (rows.some(([, , machine]) => machine === '-')) process.exitCode = 1
