/** How fast a job goes in a partition: in the time of a step alone on the whole mesh it does so many steps, or such a part of one. */
import { leastLoad, type Shape, simple, simpleLoad } from '../mapping.ts'
import { wholeOf } from '../mesh.ts'
import { type Model, stepAlone, stepTime } from '../model.ts'
import { meanStepTime } from '../models/efficiency.ts'
import { snake } from '../snake.ts'

export const MAPPINGS = {
  simple: { mapping: simple, load: simpleLoad },
  /** Under EQUI+ threads are laid out in a snake, as evenly as can be. */
  snake: { mapping: snake, load: leastLoad },
} as const
export type MappingName = keyof typeof MAPPINGS

/** Where threads differ a step lasts until the slowest processor is done: its mean is used, so that nothing is drawn. */
export function paceIn(model: Model, name: MappingName, shape: Shape): number {
  const { mapping, load } = MAPPINGS[name]
  if (model.delta === 0) return stepAlone(model) / stepTime(model, shape, load(model.mesh, shape))
  const key = `${name} ${shape.rows}x${shape.columns} ${Object.values(model).map(String)} ${model.mesh.m} ${model.mesh.n}`
  const known = paces.get(key)
  if (known !== undefined) return known
  if (paces.size === PACES_MAX) paces.clear()
  const pace = meanStepTime(model, simple, wholeOf(model.mesh)) / meanStepTime(model, mapping, shape)
  paces.set(key, pace)
  return pace
}

/** They depend on nothing but the key. */
const paces = new Map<string, number>()
const PACES_MAX = 4096
