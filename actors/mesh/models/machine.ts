/** Which shapes a policy gives to so many jobs. */
import { EQUI_RULES, type EquiRules, equi } from '../equi.ts'
import { type Mapping, type Shape, simple } from '../mapping.ts'
import { columnsOf, cutsOf, type Mesh, rowsOf } from '../mesh.ts'
import { sizesOf } from '../rotations.ts'
import { snake } from '../snake.ts'

export interface Policy {
  readonly mapping: Mapping
  readonly shapes: (mesh: Mesh, jobs: number) => readonly Shape[]
}

/** Of the cells of a level, as halving makes them. In a ring two small ones may make up a longer shape. */
export function cellShape(mesh: Mesh, level: number): Shape {
  const cuts = cutsOf(mesh, level)
  const rows = cuts.filter((cut) => cut === 'rows').length
  return { rows: rowsOf(mesh) >> rows, columns: columnsOf(mesh) >> (level - rows) }
}

function foldShapes(mesh: Mesh, jobs: number): readonly Shape[] {
  const { level, small, large } = sizesOf(jobs)
  return [
    ...new Array<Shape>(small).fill(cellShape(mesh, level)),
    ...(large > 0 ? new Array<Shape>(large).fill(cellShape(mesh, level - 1)) : []),
  ]
}

export const FOLD: Policy = { mapping: simple, shapes: foldShapes }

const equiWith = (mapping: Mapping, rules: EquiRules): Policy => ({
  mapping,
  shapes: (mesh, jobs) => equi(mesh, jobs, rules),
})

export const policiesOf = (rules: EquiRules = EQUI_RULES.standard) =>
  ({ EQUI: equiWith(simple, rules), 'EQUI+': equiWith(snake, rules), FOLD }) as const

export type PolicyName = keyof ReturnType<typeof policiesOf>
