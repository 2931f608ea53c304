/** The messages of the benches. */
export type Offer = {
  readonly type: 'offer'
  readonly task: number
  readonly price: number
  readonly round: number
  readonly urgent: boolean
  readonly by: string
  readonly text?: string
}

const KILOBYTE = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(27).slice(0, 960)

export type Size = 'tiny' | '1 KB'

/** Each message is a full literal, since a spread costs more than either transport. */
export function offer(size: Size, i: number): Offer {
  const price = 12.5 + (i & 63)
  const round = i & 7
  const urgent = (i & 1) === 0
  return size === 'tiny'
    ? { type: 'offer', task: i, price, round, urgent, by: 'client@c1' }
    : { type: 'offer', task: i, price, round, urgent, by: 'client@c1', text: KILOBYTE }
}
