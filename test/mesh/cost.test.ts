/** The command `mesh/cost`: messages of arrivals, departures and rotations by number of jobs. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exchangesOf, periodOf } from '../../scenarios/mesh/formulas/policies.ts'
import { runScenario } from '../bidding/command.ts'

const JOBS = 16

test('EQUI stops, moves and resumes all jobs; a rotation is four messages a job and two for each exchange', async () => {
  const { code, stdout, stderr } = await runScenario('mesh/cost', ['--jobs', `${JOBS}`, '--json'])
  assert.is(code, 0, stderr)
  const { rows }: { rows: readonly Readonly<Record<string, number>>[] } = JSON.parse(stdout).results.table
  assert.is(rows.length, JOBS)
  for (const [i, row] of rows.entries()) {
    const jobs = i + 1
    // freeze, remap and resume with their answers; the newcomer sends `arrive` and is not frozen
    assert.is(row['EQUI arrival'], 6 * jobs - 1)
    // the same for all jobs but one, which sends `depart`, is told to vacate, and answers
    if (jobs > 1) assert.is(row['EQUI departure'], 6 * jobs - 3)
    // a single job and a power of two of jobs exchange nothing
    const rotation = row['FOLD rotation'] ?? Number.NaN
    if (periodOf(jobs) === 0) assert.is(rotation, 4 * jobs)
    else assert.ok(rotation > 4 * jobs, `${jobs}: ${rotation}`)
    // an odd number rotates as one ring
    const exchanges = (jobs * exchangesOf(jobs)) / 2 / Math.max(1, periodOf(jobs))
    if (jobs % 2 === 1) assert.ok(rotation <= 4 * jobs + 2 * exchanges, `${jobs}: ${rotation}`)
    // without rings to join: one job is told to fold, the newcomer to start, and one job hears of its new neighbour
    if (jobs % 2 === 0 && jobs > 2) assert.is(row['FOLD arrival'], 7)
  }
})

test.run()
