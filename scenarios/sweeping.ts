/** The sweep of a command: the place of its runs, kept results, progress and interrupts. */
import { availableParallelism } from 'node:os'
import { type Invocation, signalOf, UsageError } from '../lib/cli/index.ts'
import type { Plain } from '../lib/core/data.ts'
import { requireUnused } from '../lib/distributed/access.ts'
import type { Secret } from '../lib/distributed/secret.ts'
import { type Pool, poolOf } from '../lib/experiment/pool.ts'
import type { Sweep } from '../lib/experiment/sweep.ts'
import { distributed } from '../lib/experiment/work-queue/distribute.ts'

export interface SweepOptions {
  readonly parallel?: number | undefined
  readonly keep?: string | undefined
  readonly workers?: URL | undefined
  readonly secret?: Secret | undefined
  readonly creds?: string | undefined
  readonly ca?: string | undefined
  readonly insecure?: boolean
}

/** The pool that runs the points: processes here, or hosts. */
export async function poolFor({ options, note }: Pick<Invocation<SweepOptions>, 'options' | 'note'>): Promise<Pool> {
  const { parallel = availableParallelism(), workers, secret, creds, ca, insecure = false } = options
  if (!workers) {
    requireUnused(options, '--workers')
    return poolOf(parallel)
  }
  if (options.parallel !== undefined) throw UsageError.conflicts('--parallel', '--workers', 'each host has its own')
  // only what travels by name needs all families
  await import('./registered.ts')
  return distributed({ access: { url: workers, secret, creds, ca, insecure }, where: '--workers', note })
}

/** The options of every sweep of a command. `says` describes its progress: `3 of 10 runs`. */
export async function sweeping(
  invocation: Invocation<SweepOptions>,
  says: (done: number, total: number) => string,
): Promise<Pick<Sweep<Plain>, 'pool' | 'keep' | 'signal' | 'onDone'>> {
  const pool = await poolFor(invocation)
  const onDone = (done: number, total: number): void =>
    invocation.progress(done, total, [says(done, total), ...(pool.status === '' ? [] : [pool.status])].join('; '))
  return { pool, keep: invocation.options.keep, signal: signalOf(invocation), onDone }
}
