/**
 * The program of a process that a sweep starts: it loads one study and runs the points it is sent, one at a time.
 * `argv` is the module's URL and the name of the export.
 */
import { isObject, isPlain, NotPlainError, type Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { faultOf } from './fields.ts'
import { type Answer, isTask, type Task } from './worker-process.ts'

const say = (answer: Answer): void => {
  process.send?.(answer)
}

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : `${error}`)

type Loaded = (point: Plain, tell?: (part: Plain) => void) => unknown

async function load(module: string, name: string): Promise<Loaded> {
  const exported: unknown = await import(module)
  const found = isObject(exported) ? exported[name] : undefined
  if (typeof found !== 'function')
    throw new BourseError('BOURSE_SWEEP', `the export "${name}" must be a function, not ${typeof found}`)
  return (...given) => found(...given)
}

async function run(study: Loaded, { point, hasParts }: Task): Promise<Answer> {
  try {
    const tell = (part: Plain): void => say({ type: 'part', part })
    const result: unknown = await (hasParts ? study(point, tell) : study(point))
    const fault = faultOf(result, 'result')
    if (fault !== undefined || !isPlain(result)) throw new NotPlainError(fault ?? 'result is not plain')
    return { type: 'done', result }
  } catch (error) {
    if (!(error instanceof BourseError)) return { type: 'failed', message: messageOf(error) }
    return { type: 'failed', message: error.message, code: error.code }
  }
}

const [, , module = '', name = ''] = process.argv
// Ctrl-C reaches the whole group, but the sweep decides when this process ends.
process.on('SIGINT', () => {})
// The sweep is gone, so no process waits for this one any more.
process.on('disconnect', () => process.exit())
try {
  const study = await load(module, name)
  process.on('message', async (task: unknown) => {
    if (isTask(task)) say(await run(study, task))
  })
  say({ type: 'ready' })
} catch (error) {
  say({ type: 'refused', message: messageOf(error) })
}
