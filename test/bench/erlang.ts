/** Messages between actors in real time, on threads, beside Erlang's processes that do the same. */
import { System } from '../../lib/system.ts'
import { BURST, type Throw } from './actors/thrower.ts'
import { digits, inTurns, type Measure, median, medianRatio, type Row, rate, type Target } from './measure.ts'
import { Erlang, NO_ERLANG } from './peers/programs.ts'

const actor = (name: string) => new URL(`actors/${name}.ts`, import.meta.url)

const slots = (role: string, count: number) => Array.from({ length: count }, (_, i) => `${role}@${role[0]}${i}`)

interface Piece {
  readonly name: string
  readonly spawns: readonly (readonly [address: string, module: string])[]
  readonly begin: (system: System) => Promise<unknown>
  readonly erlang: readonly (string | number)[]
  /** Messages. */
  readonly count: number
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Both in turns, in milliseconds. Without Erlang ours alone. */
async function played({ spawns, begin, erlang }: Piece, repeats: number, other: Erlang | undefined) {
  const system = new System({ time: 'real', actors: 31 })
  try {
    for (const [address, module] of spawns) await system.spawn(address, actor(module))
    await system.run()
    const ours = () =>
      timed(async () => {
        await begin(system)
        await system.run()
      })
    return await inTurns(repeats, ours, ...(other ? [() => other.play(...erlang)] : []))
  } finally {
    await system.stop()
  }
}

async function throwing(throwers: number, catchers: number, bursts: number): Promise<Piece> {
  const [by, to] = [slots('thrower', throwers), slots('catcher', catchers)]
  const message: Throw = { type: 'throw', to, bursts }
  return {
    name: throwers + catchers === 2 ? 'one way' : `${throwers} to ${catchers}`,
    spawns: [...to.map((one) => [one, 'catcher'] as const), ...by.map((one) => [one, 'thrower'] as const)],
    begin: (system) => Promise.all(by.map((one) => system.tell(one, message))),
    erlang: ['throw', throwers, catchers, bursts],
    count: throwers * catchers * bursts * BURST,
  }
}

const pingPong = (rounds: number): Piece => ({
  name: 'round trip',
  spawns: slots('player', 2).map((one) => [one, 'player'] as const),
  begin: (system) => system.tell('player@p0', { type: 'serve', to: 'player@p1', left: 2 * rounds - 1 }),
  erlang: ['pingpong', rounds],
  count: rounds,
})

export const erlang: readonly Measure[] = [
  {
    name: 'peers: Erlang',
    async run({ repeats, quick }) {
      const other = Erlang.find()
      const few = quick ? 10 : 1
      const rows: Row[] = []
      try {
        for (const piece of [
          await throwing(1, 1, 800 / few),
          await throwing(8, 1, 100 / few),
          await throwing(1, 8, 100 / few),
        ]) {
          const [ours = [], theirs] = await played(piece, repeats, other)
          rows.push({
            name: `messages ${piece.name} between machines (other: Erlang)`,
            ours: rate(piece.count, median(ours)),
            ...(theirs
              ? { other: rate(piece.count, median(theirs)), ratio: medianRatio(theirs, ours), target: AS_FAST }
              : { other: `not run: ${NO_ERLANG}` }),
          })
        }
        const piece = pingPong(10_000 / few)
        const [ours = [], theirs] = await played(piece, repeats, other)
        const shown = (times: readonly number[]) => `${digits((median(times) / piece.count) * 1000)} us`
        rows.push({
          name: `${piece.name} between machines (other: Erlang)`,
          ours: shown(ours),
          ...(theirs ? { other: shown(theirs), ratio: medianRatio(ours, theirs) } : { other: `not run: ${NO_ERLANG}` }),
        })
        return rows
      } finally {
        other?.close()
      }
    },
  },
]

const AS_FAST: Target = { least: 1 }
