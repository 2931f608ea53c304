/** The common parts of a live server's answers. */

/** The headers of every answer: only its page may use it, and it is the last of its connection. */
export const SAFE = {
  connection: 'close',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** A refused request, with its HTTP status and a sentence. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
