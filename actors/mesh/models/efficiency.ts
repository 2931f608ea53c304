/** Efficiency preservation: what all jobs together do, over what one of them does alone (section 6, equation 3.1). */
import type { Time } from '../../../lib/actor.ts'
import { loadsOf, type Mapping, type Shape } from '../mapping.ts'
import { wholeOf } from '../mesh.ts'
import { type Model, stepTime } from '../model.ts'
import type { Policy } from './machine.ts'
import { type Alike, meanSlowest } from './slowest.ts'

/** Mean time of a step in such a partition: until its slowest processor is done. */
export function meanStepTime(model: Model, mapping: Mapping, shape: Shape): Time {
  const { mesh, delta } = model
  const loads = loadsOf(mapping, mesh, shape).flat()
  if (delta === 0) return stepTime(model, shape, Math.max(...loads))
  const groups = [...new Set(loads)]
    .filter((load) => load > 0)
    .map((load): Alike => {
      const processors = loads.filter((one) => one === load).length
      return { processors, fixed: stepTime(model, shape, load) - load * delta, count: load }
    })
  return meanSlowest(groups, 2 * delta)
}

/** By number of jobs; 1 for one. Above 1 where fewer processors talk less and wait less for each other. */
export function efficiencyOf(model: Model, { mapping, shapes }: Policy): (jobs: number) => number {
  const times = new Map<string, Time>()
  const timeOf = (shape: Shape): Time => {
    const key = `${shape.rows}x${shape.columns}`
    const known = times.get(key)
    if (known !== undefined) return known
    const time = meanStepTime(model, mapping, shape)
    times.set(key, time)
    return time
  }
  const alone = timeOf(wholeOf(model.mesh))
  return (jobs) => shapes(model.mesh, jobs).reduce((sum, shape) => sum + alone / timeOf(shape), 0)
}
