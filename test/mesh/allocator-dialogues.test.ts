/** What the allocators of a mesh tell the leaders of jobs in every turn, with the mesh of four processors; puppets lead the jobs. */
import { test } from 'uvu'
import type { EquiInput } from '../../actors/mesh/allocator/equi/book.ts'
import type { FoldInput } from '../../actors/mesh/allocator/fold/book.ts'
import type { TableInput } from '../../actors/mesh/allocator/table.ts'
import { ref, units } from '../../lib/actor.ts'
import { dialoguesIn } from '../system/dialogues.ts'

const allocator = (name: string) => new URL(`../../actors/mesh/allocator/${name}.ts`, import.meta.url)
const file = (name: string) => new URL(`dialogues/${name}.txt`, import.meta.url)
const actor = 'allocator@a'

const terms = { mesh: { m: 1, n: 1 }, operator: ref('operator@o'), patience: units(2), limit: 3, swaps: null } as const
const swaps = { every: units(10), takes: units(1) }

const equi: EquiInput = { ...terms, deal: 'arrival' }
dialoguesIn(file('equi'), {
  actor,
  module: allocator('equi'),
  inputs: {
    'three jobs at most': equi,
    'two jobs at most, and swaps': { ...equi, limit: 2, swaps },
    'no patience': { ...equi, patience: null, operator: null },
  },
})

const fold: FoldInput = { ...terms, divides: true, clock: ref('clock@c') }
dialoguesIn(file('fold'), {
  actor,
  module: allocator('fold'),
  inputs: {
    'three jobs at most': fold,
    'one job at most, and swaps': { ...fold, limit: 1, swaps },
    'no patience': { ...fold, patience: null, operator: null, clock: null },
  },
})

const table: TableInput = { rule: 'buddy', mesh: { m: 1, n: 1 }, line: null, period: units(12) }
dialoguesIn(file('table'), { actor, module: allocator('table'), inputs: { 'periods of twelve': table } })

test.run()
