/** The commands of developers that are no scenario, such as `npm run bench`. Node reads their flags (`parseArgs`). */
import { UsageError } from '../lib/core/usage-error.ts'

/** Runs a command. A wrong flag ends it with one line and exit code 2. */
export async function runTool(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof Error) || !isUsage(error)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

/** The regular expression of a flag. */
export function patternOf(flag: string, text: string, flags = ''): RegExp {
  try {
    return new RegExp(text, flags)
  } catch {
    throw UsageError.invalid(flag, 'a regular expression', JSON.stringify(text), 'write \\ before a special character')
  }
}

/** The whole number of a flag, from `min`. */
export function wholeOf(flag: string, text: string, min: number): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= min) return number
  throw UsageError.invalid(flag, `a whole number from ${min}`, JSON.stringify(text))
}

function isUsage(error: Error): boolean {
  if (error instanceof UsageError) return true
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS_')
}
