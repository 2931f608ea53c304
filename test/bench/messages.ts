/** One-way messages: lib's transport compared with one postMessage each over a direct port, with the same envelope. */
import {
  type Cost,
  digits,
  inTurns,
  type Measure,
  median,
  medianRatio,
  type Row,
  rate,
  type Target,
} from './measure.ts'
import type { Size } from './offer.ts'
import { HUB, type Play, withPitch } from './pitch.ts'
import type { TransportOrder, Via } from './threads/transport.ts'

/** The number of messages that become visible at once, as those of one step do. */
const BURST = 256

/** Runs one piece over both transports in turn. `count` is the number of deliveries. */
async function compare(
  name: string,
  repeats: number,
  count: number,
  piece: (via: Via) => Promise<Cost>,
  target?: Target,
): Promise<Row> {
  const [ours = [], other = []] = await inTurns(
    repeats,
    () => piece('board'),
    () => piece('port'),
  )
  const shown = (costs: readonly Cost[]) =>
    `${rate(count, median(costs.map(({ ms }) => ms)))} (${digits((median(costs.map(({ cpuMs }) => cpuMs)) / count) * 1000)} us CPU)`
  const ratio = medianRatio(
    other.map(({ ms }) => ms),
    ours.map(({ ms }) => ms),
  )
  return { name, ours: shown(ours), other: shown(other), ratio, ...(target && { target }) }
}

const orders = (...all: readonly (readonly [number, TransportOrder])[]): ReadonlyMap<number, TransportOrder> =>
  new Map(all)

const oneToOne = (play: Play, leaf: number, count: number, size: Size, burst: number) => (via: Via) =>
  play(
    orders(
      [leaf, { type: 'send', via, to: [HUB], count, burst, size }],
      [HUB, { type: 'receive', via, from: [leaf], count }],
    ),
  )

const intoMachine = (play: Play, leaf: number, count: number, size: Size) => (via: Via) =>
  play(
    orders(
      [leaf, { type: 'send', via, to: [HUB], count, burst: BURST, size, toCells: true }],
      [HUB, { type: 'handle', via, from: leaf, count }],
    ),
  )

export const allToOne =
  (play: Play, leaves: readonly number[], count: number, burst = 64) =>
  (via: Via) =>
    play(
      orders(
        [HUB, { type: 'receive', via, from: leaves, count }],
        ...leaves.map((leaf) => [leaf, { type: 'send', via, to: [HUB], count, burst, size: 'tiny' }] as const),
      ),
    )

export const oneToAll =
  (play: Play, leaves: readonly number[], count: number, burst = 64) =>
  (via: Via) =>
    play(
      orders(
        [HUB, { type: 'send', via, to: leaves, count, burst, size: 'tiny' }],
        ...leaves.map((leaf) => [leaf, { type: 'receive', via, from: [HUB], count }] as const),
      ),
    )

const pair: Measure = {
  name: 'messages one way',
  run: ({ repeats, quick }) =>
    withPitch(1, async (play, [leaf = HUB]) => {
      const count = quick ? 20_000 : 100_000
      return [
        await compare('one way, tiny', repeats, count, oneToOne(play, leaf, count, 'tiny', BURST), { least: 4.5 }),
        await compare('one way, 1 KB', repeats, count / 2, oneToOne(play, leaf, count / 2, '1 KB', BURST), {
          least: 2,
        }),
        await compare('  tiny, handed over one by one', repeats, count, oneToOne(play, leaf, count, 'tiny', 1)),
        await compare('  tiny, XState receives', repeats, count / 4, intoMachine(play, leaf, count / 4, 'tiny')),
        await compare('  1 KB, XState receives', repeats, count / 4, intoMachine(play, leaf, count / 4, '1 KB')),
      ]
    }),
}

const star: Measure = {
  name: 'messages 8 to 1 and 1 to 8',
  run: ({ repeats, quick }) =>
    withPitch(8, async (play, leaves) => {
      const count = quick ? 2_000 : 10_000
      const all = count * leaves.length
      return [
        await compare('8 to 1, tiny', repeats, all, allToOne(play, leaves, count), { least: 2.5 }),
        await compare('1 to 8, tiny', repeats, all, oneToAll(play, leaves, count), { least: 4 }),
      ]
    }),
}

export const messages: readonly Measure[] = [pair, star]
