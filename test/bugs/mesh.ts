/** Mistakes in sharing a mesh. */
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import type { Bug } from './bug.ts'

const may = (...faults: string[]) => faults.map((fault) => parseAllowed(fault, 'allowed'))
const argsOf = (policy: string) =>
  `--policy ${policy} --mesh 4x4 --jobs 6 --leaders 4 --load 4 --short 1 --short-mean 10 --latency 0.1 --patience 3`
const COMMON = { scenario: 'mesh/run', within: 60 } as const

export const MESH_BUGS: readonly Bug[] = [
  {
    ...COMMON,
    name: 'partitions given away under running jobs',
    what: 'a new incarnation of the allocator partitions the mesh as if it were empty',
    file: 'mesh/allocator/equi/book.ts',
    find: 'running: members,',
    replace: 'running: new Map(),',
    args: argsOf('equi'),
    allowed: may('restart any allocator'),
    property: 'a processor has one owner',
  },
  {
    ...COMMON,
    name: 'members forgotten',
    what: 'a new incarnation of the allocator forgets the jobs on the mesh, and gives their cells to others',
    file: 'mesh/allocator/fold/steps.ts',
    find: 'allCame(it, newcomers)',
    replace: '',
    args: argsOf('fold --interval 2'),
    allowed: may('restart any allocator'),
    property: 'a cell has one owner',
  },
  {
    ...COMMON,
    name: 'cells of an earlier incarnation',
    what: 'a leader that is back starts with the cells of the job that it led before',
    file: 'mesh/job/orders.ts',
    find: ' => isNew(args) && isMine(args)',
    replace: ' => isNew(args)',
    args: argsOf('fold --interval 2'),
    allowed: may('restart any job'),
    property: 'a cell has one owner',
  },
]
