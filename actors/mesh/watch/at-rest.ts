/** What must hold of partitions when nothing is under way (sections 4, 5.1 and 8). */
import type { RingFact } from '../allocator/fold/book.ts'
import { isPowerOfTwo } from '../mesh.ts'
import { areaOf, coverFault, type Rectangle, textOf, touch } from '../rectangle.ts'
import { sizesOf } from '../rotations.ts'

export type Fault = { readonly property: string; readonly text: string }

const sides = ({ rows, columns }: Rectangle) => [rows, columns].filter(isPowerOfTwo).length

export function faultsOfCover(area: Rectangle, partitions: readonly Rectangle[]): readonly Fault[] {
  const fault = partitions.length > 0 ? coverFault(area, partitions) : null
  return fault ? [{ property: 'partitions cover the mesh', text: fault }] : []
}

/** `least`: how many sides are powers of two. */
export const faultsOfSides = (partitions: readonly Rectangle[], least: 1 | 2): readonly Fault[] =>
  partitions
    .filter((partition) => sides(partition) < least)
    .map((partition) => ({ property: 'sides are powers of two', text: textOf(partition) }))

/** How many there are of each size, and that who follows is a neighbour. */
export function faultsOfRings({ area, level, rings }: RingFact): readonly Fault[] {
  const jobs = rings.flat()
  if (jobs.length === 0) return []
  const expected = sizesOf(jobs.length)
  const cell = areaOf(area) >> level
  const count = (size: number) => jobs.filter(({ partition }) => areaOf(partition) === size).length
  const isEven = level === expected.level && count(cell) === expected.small && count(2 * cell) === expected.large
  return [
    ...(isEven
      ? []
      : [
          {
            property: 'loads are even',
            text: `${jobs.length} jobs have ${jobs.map(({ partition }) => areaOf(partition)).join(', ')} processors`,
          },
        ]),
    ...rings.flatMap((ring) =>
      ring.flatMap(({ partition }, i) => {
        const next = ring[(i + 1) % ring.length]?.partition
        if (!next || ring.length === 1 || touch(partition, next)) return []
        return [
          { property: 'partitions that follow each other touch', text: `${textOf(partition)} and ${textOf(next)}` },
        ]
      }),
    ),
  ]
}
