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

export const offer = (size: Size, i: number): Offer => {
  const tiny = {
    type: 'offer',
    task: i,
    price: 12.5 + (i & 63),
    round: i & 7,
    urgent: (i & 1) === 0,
    by: 'client@c1',
  } as const
  return size === 'tiny' ? tiny : { ...tiny, text: KILOBYTE }
}
