/** What answers of a live server have in common. */

/** Headers of every one: it is for its page alone, and the last of its connection. */
export const SAFE = {
  connection: 'close',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** What is not done, as a status of HTTP and a sentence. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
