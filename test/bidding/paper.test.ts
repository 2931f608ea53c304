/** The paper's numbers as the project has them, compared with theory and with each other. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sptByEstimate } from '../../lib/experiment/closed-forms.ts'
import { FIGURE_5 } from '../../scenarios/bidding/paper/figure-5.ts'
import { FIGURE_6 } from '../../scenarios/bidding/paper/figure-6.ts'
import { FIGURE_7 } from '../../scenarios/bidding/paper/figure-7.ts'
import { knownOf, optimalOf, rowOf, TABLE_1 } from '../../scenarios/bidding/paper/table-1.ts'
import { FIGURE_4, randomOf, TABLE_2 } from '../../scenarios/bidding/paper/table-2.ts'
import { agrees, verdictOf } from '../../scenarios/bidding/study/agreement.ts'

const paper = suite("the paper's tables")

paper('Table 1 has ten configurations of 8 units of speed at three loads', () => {
  assert.is(TABLE_1.length, 30)
  assert.is(new Set(TABLE_1.map(({ speeds, load }) => `${load} ${speeds.join()}`)).size, 30)
  for (const { speeds } of TABLE_1)
    assert.is(
      speeds.reduce((sum, speed) => sum + speed, 0),
      8,
    )
})

paper('all 30 printed values of optimal assignment equal the formula to the printed digit', () => {
  for (const row of TABLE_1) assert.is(optimalOf(row).toFixed(2), row.paper.optimal.toFixed(2), row.speeds.join())
})

paper(
  'the printed random column of Table 2 is M/M/m to the digit, except two values that were scaled after rounding',
  () => {
    const wrong = TABLE_2.filter((size) => randomOf(size).toFixed(2) !== size.paper?.random.toFixed(2))
    assert.equal(
      wrong.map(({ machines, load }) => [machines, load]),
      [
        [1, 0.1],
        [2, 0.1],
      ],
    )
    for (const { known } of wrong) assert.match(known ?? '', /rounded/)
  },
)

paper('exactly the printed values outside the joint interval of the long run have a note that says so', () => {
  for (const row of TABLE_1) {
    const { paper: printed, converged } = row
    const isOutside = (errors: 'perfect' | 'gen') =>
      verdictOf(errors === 'perfect' ? printed.perfect : printed.errors, converged[errors]) !== 'yes'
    for (const errors of ['perfect', 'gen'] as const)
      assert.is(knownOf(row, errors) !== undefined, isOutside(errors), `${row.load} ${errors} ${row.speeds.join()}`)
  }
})
paper.run()

const model = suite('the converged value of the model')

model('equals the theory for SPT by estimate on one machine, for all models of errors', () => {
  for (const load of [0.1, 0.5, 0.9]) {
    const { converged } = rowOf(load, [8]) ?? { converged: undefined }
    assert.ok(converged)
    for (const errors of ['perfect', 'gen', 'mult'] as const) {
      const exact = { mean: sptByEstimate(load, errors, 60, 8), halfWidth: 0 }
      assert.ok(agrees(exact, converged[errors]), `${load} ${errors}: ${exact.mean}, ${converged[errors].mean}`)
    }
  }
})

model('is the same for the same cell of different tables', () => {
  for (const { load, speeds, delay, converged } of FIGURE_5) {
    const row = rowOf(load, speeds)
    if (delay === 0) assert.ok(row && agrees(row.converged.perfect, converged), `figure 5, ${load} ${speeds.join()}`)
  }
  for (const { load, i0, freed, busy } of FIGURE_6) {
    const row = rowOf(load, [4, 1, 1, 1, 1])
    if (i0 === 0.75) assert.ok(row && agrees(row.converged.perfect, freed) && agrees(freed, busy), `figure 6, ${load}`)
  }
  for (const { machines, load, converged } of FIGURE_4) {
    const scaled = rowOf(
      load,
      Array.from({ length: machines }, () => 8 / machines),
    )?.converged.perfect
    const factor = 8 / machines
    if (scaled) assert.ok(Math.abs(scaled.mean * factor - converged.mean) < 0.01, `figure 4, ${load} ${machines}`)
  }
  const rows = TABLE_1.filter(({ load }) => load === 0.5)
  assert.equal(
    FIGURE_7.map(({ speeds }) => speeds),
    rows.map(({ speeds }) => speeds),
  )
})
model.run()
