/** Actors compared with empty workers, each sample in a process of its own, since used memory is not returned. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { digits, inTurns, type Measure, median, medianRatio } from './measure.ts'
import type { Spawned } from './spawn-one.ts'

const PROGRAM = fileURLToPath(new URL('spawn-one.ts', import.meta.url))

/** The kinds of what is started: actors on threads, inline and in a pool, and empty workers. */
export type Kind = 'actors' | 'inline' | 'pool' | 'empty'

export async function spawned(what: Kind, count: number): Promise<Spawned> {
  // The process gets the loaders of this one.
  const args = [...process.execArgv, PROGRAM, what, String(count)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const result: Spawned = JSON.parse(stdout)
  return result
}

const few: Measure = {
  name: 'spawn',
  async run({ repeats, quick }) {
    const count = quick ? 8 : 32
    const [ours = [], other = []] = await inTurns(
      repeats,
      () => spawned('actors', count),
      () => spawned('empty', count),
    )
    const row = (name: string, unit: string, of: (one: Spawned) => number, most?: number) => ({
      name,
      ours: `${digits(median(ours.map(of)) / count)} ${unit}`,
      other: `${digits(median(other.map(of)) / count)} ${unit}`,
      ratio: medianRatio(ours.map(of), other.map(of)),
      ...(most !== undefined && { target: { most } }),
    })
    return [
      row('spawn of an actor (other: empty Worker)', 'ms CPU', ({ cpuMs }) => cpuMs, 1.35),
      row('  memory', 'MB', ({ memoryMB }) => memoryMB, 1.1),
      row('  wall time, 4 starting at a time', 'ms', ({ ms }) => ms),
    ]
  },
}

const many: Measure = {
  name: 'alive',
  async run({ quick }) {
    const count = quick ? 100 : 1000
    const { allMB, ms } = await spawned('actors', count)
    return [
      {
        name: `${count} actors alive, GB in all`,
        ours: `${digits(allMB / 1024)} GB`,
        other: `(${digits(ms / 1000)} s to start)`,
        ratio: allMB / 1024,
        target: { most: quick ? 1 : 8.5 },
      },
    ]
  },
}

export const spawn: readonly Measure[] = [few, many]
