/**
 * The code of this project that data may name: a trace its actors, a run its studies and actors on hosts. Whoever reads a
 * trace or takes part in a run of others imports this.
 */
import { register } from '../lib/core/code-registry.ts'

const actors = (family: string, ...files: readonly string[]): URL[] =>
  files.map((file) => new URL(`../actors/${family}/${file}.ts`, import.meta.url))

const study = (file: string, name: string) => ({ module: new URL(file, import.meta.url), export: name })

register({
  actors: [
    ...actors('bidding', 'client', 'contractor', 'dsp/client', 'dsp/contractor'),
    ...actors('bidding', 'eager/client', 'eager/contractor', 'random/client', 'random/contractor'),
    ...actors('shares', 'barrier', 'gang', 'placer/placer', 'tickets/ticket-server', 'user'),
    ...actors('economy', 'bank', 'scheduler', 'user'),
    ...actors('contracts', 'broker', 'client', 'site'),
    ...actors('mesh', 'allocator/equi', 'allocator/fold', 'allocator/table'),
    ...actors('mesh', 'clock', 'job', 'operator', 'processor', 'sentry', 'user'),
    ...actors('processor', 'processor'),
  ],
  studies: [
    study('./bidding/compare/replication.ts', 'replication'),
    study('./bidding/faults/study.ts', 'toll'),
    study('./bidding/study/cell.ts', 'measure'),
    study('./contracts/faults/study.ts', 'toll'),
    study('./contracts/study/point.ts', 'runPoint'),
    study('./economy/faults/study.ts', 'toll'),
    study('./economy/study/point.ts', 'runPoint'),
    study('./economy/traces/study.ts', 'compare'),
    study('./lab/explore/block.ts', 'exploreBlock'),
    study('./mesh/faults/study.ts', 'toll'),
    study('./mesh/response/point.ts', 'runPoint'),
    study('./shares/coscheduling/study.ts', 'runPoint'),
    study('./shares/faults/study.ts', 'toll'),
    study('./shares/sleepers/study.ts', 'measure'),
  ],
  computations: [study('./bidding/render/picture.ts', 'renderTile')],
})
