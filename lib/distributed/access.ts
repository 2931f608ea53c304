/** The address of a NATS server, and the credentials for it. */
import { UsageError } from '../core/usage-error.ts'
import { NO_SECRET, type Secret } from './secret.ts'

/** The access to a NATS server: its address, and what proves who one is. */
export interface Access {
  /** `nats://host:4222` or `tls://host:4222`; a user and a password may stand before the host. */
  readonly url: URL
  /** A file with a user's JWT and key. */
  readonly creds?: string | undefined
  /** A file with the certificates to trust, in PEM. */
  readonly ca?: string | undefined
  /** The secret that the run and its hosts share. */
  readonly secret?: Secret | undefined
  /** Permits a server on this machine without a secret, or a server elsewhere without credentials. */
  readonly insecure: boolean
}

/** The key that seals frames. */
export const secretOf = ({ secret = NO_SECRET }: Access): Secret => secret

/**
 * Parses the address of a NATS server; `where` names its flag in the error.
 *
 * @throws UsageError for anything but an address of a NATS server
 */
export function natsUrl(text: string, where: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBare = url?.pathname === '' && url.search === '' && url.hash === ''
  if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '' || !isBare) {
    throw UsageError.invalid(where, 'an address such as nats://127.0.0.1:4222', JSON.stringify(text))
  }
  return url
}

/**
 * Checks that no option of access is given without a server, which `flag` would name.
 *
 * @throws UsageError that names the option
 */
export function requireUnused({ secret, creds, ca, insecure }: Partial<Omit<Access, 'url'>>, flag: string): void {
  const given = { '--secret': secret, '--creds': creds, '--ca': ca, '--insecure': insecure || undefined }
  const unused = Object.entries(given).map(([lone, value]) => [lone, value !== undefined] as const)
  for (const [lone, isGiven] of unused) if (isGiven) throw UsageError.requires(lone, flag)
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Checks that strangers cannot speak to a run at this address.
 *
 * @throws UsageError if a secret or credentials are missing
 */
export function requireGuarded({ url, secret, creds, insecure }: Access, where: string): void {
  const isNear = LOOPBACK.test(url.hostname)
  if (!secret && !isNear)
    throw UsageError.requires(where, `a secret (--secret FILE) for ${url.host}, which is not on this machine`)
  if (!secret && !insecure) throw UsageError.requires(where, 'a secret (--secret FILE), or --insecure on this machine')
  if (isNear || url.username !== '' || creds !== undefined || insecure) return
  throw UsageError.requires(
    where,
    `credentials (--creds FILE, or nats://user:password@host) or --insecure for ${url.host}, which is not on this machine`,
  )
}
