/**
 * Messages between machines in real time, each actor on its thread, compared with the same between Erlang's processes. The
 * floor is the same messages between threads that only receive them.
 */
import { System } from '../../lib/system.ts'
import { BURST, type Throw } from './actors/thrower.ts'
import { digits, inTurns, type Measure, median, medianRatio, type Row, rate, type Target } from './measure.ts'
import { allToOne, oneToAll } from './messages.ts'
import { Erlang, NO_ERLANG } from './peers/programs.ts'
import { type Play, withPitch } from './pitch.ts'
import { rally } from './round-trip.ts'

const AS_FAST: Target = { least: 0.3 }

const actor = (name: string) => new URL(`actors/${name}.ts`, import.meta.url)
const several = (role: string, count: number) => Array.from({ length: count }, (_, i) => `${role}@${role[0]}${i}`)

interface Piece {
  readonly name: string
  /** The actors, each with its module. */
  readonly spawns: readonly (readonly [address: string, module: string])[]
  readonly begin: (system: System) => Promise<unknown>
  readonly erlang: readonly (string | number)[]
  /** The number of counted events. */
  readonly count: number
  /** The number of threads around the central one. */
  readonly leaves: number
  readonly bare: (play: Play, leaves: readonly number[]) => Promise<{ readonly ms: number }>
  readonly isRate: boolean
}

function throwing(throwers: number, catchers: number, bursts: number): Piece {
  const [by, to] = [several('thrower', throwers), several('catcher', catchers)]
  const message: Throw = { type: 'throw', to, bursts }
  const each = bursts * BURST
  return {
    name: throwers === catchers ? 'messages one way' : `messages ${throwers} to ${catchers}`,
    spawns: [...to.map((one) => [one, 'catcher'] as const), ...by.map((one) => [one, 'thrower'] as const)],
    begin: (system) => Promise.all(by.map((one) => system.tell(one, message))),
    erlang: ['throw', throwers, catchers, bursts],
    count: throwers * catchers * each,
    leaves: Math.max(throwers, catchers),
    bare: (play, leaves) => (throwers < catchers ? oneToAll : allToOne)(play, leaves, each, BURST)('board'),
    isRate: true,
  }
}

const pingPong = (rounds: number): Piece => ({
  name: 'round trip',
  spawns: several('player', 2).map((one) => [one, 'player'] as const),
  begin: (system) => system.tell('player@p0', { type: 'serve', to: 'player@p1', left: 2 * rounds - 1 }),
  erlang: ['pingpong', rounds],
  count: rounds,
  leaves: 1,
  bare: (play, [leaf = 0]) => rally(play, 'echo', leaf, rounds)('board'),
  isRate: false,
})

/** The milliseconds of each sample. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Takes all samples in turns. */
function played({ spawns, begin, erlang, leaves, bare }: Piece, repeats: number, other: Erlang) {
  return withPitch(leaves, async (play, slots) => {
    const system = new System({ time: 'real', actors: 31 })
    try {
      for (const [address, module] of spawns) await system.spawn(address, actor(module))
      await system.run()
      const ours = () =>
        timed(async () => {
          await begin(system)
          await system.run()
        })
      const floor = async () => (await bare(play, slots)).ms
      return await inTurns(repeats, ours, floor, () => other.play(...erlang))
    } finally {
      await system.stop()
    }
  })
}

async function rowsOf(piece: Piece, repeats: number, other: Erlang): Promise<Row[]> {
  const { name, count, isRate } = piece
  const [ours = [], floor = [], theirs = []] = await played(piece, repeats, other)
  const shown = (times: readonly number[]) =>
    isRate ? rate(count, median(times)) : `${digits((median(times) / count) * 1000)} us`
  const beside = (own: readonly number[], target?: Target) => {
    // the ratio of rates is the inverse of the ratio of times
    const ratio = isRate ? medianRatio(theirs, own) : medianRatio(own, theirs)
    return { other: shown(theirs), ratio, ...(target && { target }) }
  }
  return [
    {
      name: `${name} between machines (other: Erlang)`,
      ours: shown(ours),
      ...beside(ours, isRate ? AS_FAST : undefined),
    },
    { name: '  between threads that only take them', ours: shown(floor), ...beside(floor) },
  ]
}

export const erlang: readonly Measure[] = [
  {
    name: 'peers: Erlang',
    async run({ repeats, quick }) {
      const other = Erlang.find()
      if (!other) return [{ name: 'messages between machines (other: Erlang)', ours: 'not run', other: NO_ERLANG }]
      const few = quick ? 10 : 1
      const pieces = [throwing(1, 1, 800 / few), throwing(8, 1, 100 / few), throwing(1, 8, 100 / few)]
      const rows: Row[] = []
      try {
        for (const piece of [...pieces, pingPong(10_000 / few)]) rows.push(...(await rowsOf(piece, repeats, other)))
        return rows
      } finally {
        other.close()
      }
    },
  },
]
