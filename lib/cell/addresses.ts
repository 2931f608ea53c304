/** The directory that an actor starts with, from the addresses of the slots. */
import { Directory } from '../actor/directory.ts'
import type { Mail } from '../memory/mail.ts'

/** The directory that was made last: all actors of a thread that start together are told the same. */
let latest: { readonly mail: Mail; readonly key: string; readonly directory: Directory } | undefined

/** The directory of the actors in slots 1 to `slots`, but for those that have `stopped`. */
export function directoryOf(mail: Mail, slots: number, stopped: readonly number[]): Directory {
  const key = `${slots} ${stopped.join()}`
  if (latest?.mail !== mail || latest.key !== key) {
    const gone = new Set(stopped)
    const addresses = Array.from({ length: slots + 1 }, (_, slot) => (gone.has(slot) ? '' : mail.addressOf(slot)))
    latest = { mail, key, directory: Directory.of(addresses) }
  }
  return latest.directory
}
