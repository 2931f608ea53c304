/** A mesh whose processors are threads: start, a day of model time, stop. Beside it the same inline. In processes of their own. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { digits, type Measure } from './measure.ts'
import type { MeshTimes } from './mesh-one.ts'

const PROGRAM = fileURLToPath(new URL('mesh-one.ts', import.meta.url))

async function played(runtime: string, exponent: number): Promise<MeshTimes> {
  const args = [...process.execArgv, PROGRAM, '--runtime', runtime, '--exponent', String(exponent), '--load', '0.15']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const result: MeshTimes = JSON.parse(stdout)
  return result
}

const day: Measure = {
  name: 'mesh',
  async run({ quick }) {
    const exponent = quick ? 2 : 4
    const [ours, other] = [await played('threads', exponent), await played('inline', exponent)]
    const row = (name: string, unit: string, of: (one: MeshTimes) => number) => ({
      ...{ name, ours: `${digits(of(ours))} ${unit}`, other: `${digits(of(other))} ${unit}` },
    })
    return [
      row(`${ours.mesh} processors as threads start (other: inline)`, 's', ({ startMs }) => startMs / 1000),
      row(`  a day: ${ours.jobs} jobs, ${ours.messages} messages`, 's', ({ runMs }) => runMs / 1000),
      row('  stop', 's', ({ stopMs }) => stopMs / 1000),
      row('  memory at most', 'GB', ({ memoryMB }) => memoryMB / 1024),
    ]
  },
}

export const mesh: readonly Measure[] = [day]
