/** The secret that a run and its hosts share: messages of others are dropped. */
import { hkdfSync } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../core/usage-error.ts'

/** The least length of a secret in characters; a shorter one could be guessed. */
const LEAST = 32
const MOST = 4096
const KEY_BYTES = 32

/** The secret that a run and its hosts share. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The key for one purpose; it opens no frame that was sealed for another purpose. */
  keyFor(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#text, '', `bourse ${purpose}`, KEY_BYTES))
  }
}

/** The secret with `--insecure` on one machine: every process that reaches the server knows it. */
export const NO_SECRET = new Secret('')

/**
 * Reads the secret in a file.
 *
 * @throws UsageError if it cannot be read, is too short or too long, or if others on this machine may read it
 */
export function readSecret(path: string, flag: string): Secret {
  const { text, mode } = contentOf(path, flag)
  if (text.length < LEAST || text.length > MOST)
    throw UsageError.invalid(
      `the secret in ${flag} ${path}`,
      `${LEAST} to ${MOST} characters long`,
      String(text.length),
    )
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0
  if (isOpen) throw new UsageError(`${flag} ${path} can be read by other users: protect it with chmod 600 ${path}`)
  return new Secret(text)
}

function contentOf(path: string, flag: string): { readonly text: string; readonly mode: number } {
  try {
    const { mode, size } = statSync(path)
    return { text: size > 2 * MOST ? ' '.repeat(MOST + 1) : readFileSync(path, 'utf8').trim(), mode }
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw UsageError.cannot(`read ${flag} ${path}`, why)
  }
}
