/**
 * For each mutant of the compiled engine, the number of random machines until one finds it, and the number of machines of the
 * project that find it within 300 histories each.
 */
import { is, type Outcome, type Progress } from '../../lib/cli/index.ts'
import { plainOf, type ResultTable } from '../../lib/core/table.ts'
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

export async function compilerMutants({ progress }: Progress): Promise<Outcome> {
  const own = await species(true)
  const rows: (readonly [string, string, number | null, string])[] = []
  for (const mutant of MUTANTS) {
    const compile = await mutated(mutant)
    let machine = 1
    while (machine <= MACHINES && !isFound(() => compareRandom(machine, 1, compile))) machine++
    const finders = own.filter((one) => isFound(() => compareOwn(one, SEQUENCES, 1, compile)))
    rows.push([mutant.file, mutant.what, machine <= MACHINES ? machine : null, `${finders.length} of ${own.length}`])
    progress(rows.length, MUTANTS.length, `${rows.length} of ${MUTANTS.length} mutants`)
  }
  const table: ResultTable = {
    columns: [
      { name: 'file' },
      { name: 'mutant', align: 'left' },
      { name: 'found by random machine' },
      { name: 'by machines of the project' },
    ],
    rows,
  }
  const missed = rows.filter(([, , machine]) => machine === null).map(([, what]) => what)
  return {
    results: { table: plainOf(table), missed },
    checks: [is('mutants that no random machine finds', missed.length, 0)],
    messages: 0,
    tables: [table],
  }
}
