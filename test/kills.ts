/**
 * Kills supervised children on threads again and again, and tells the threads, file descriptors, mappings and memory of the
 * process after each tenth of the kills. Usage: `npx tsx test/kills.ts [KILLS]`, by default 10,000. It needs Linux's /proc.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { units } from '../lib/actor.ts'
import { textOf, type Value } from '../lib/core/table.ts'
import { System } from '../lib/system.ts'
import { does, PUPPET } from './system/harness.ts'

const CHILDREN = ['1', '2', '3', '4']
const SAMPLES = 10
/** How much memory may grow with each kill after the first tenth, in bytes. A thread that leaks takes megabytes. */
const GROWTH_MAX = 2048

const kills = Number(process.argv[2] ?? 10_000)
if (!Number.isInteger(kills) || kills < 2 * SAMPLES || kills > 10_000_000) {
  console.error(`kills.ts: give a number of kills from ${2 * SAMPLES} to 10000000, not ${process.argv[2]}`)
  process.exit(2)
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const system = new System({ runtime: 'threads', actors: 31, trace: false })
system.onDeath(() => {})
let restarts = 0
system.onFact(({ type }) => {
  if (type === 'saw start') restarts++
})
const options = { restart: 'permanent', intensity: kills, period: units(1) } as const
await system.spawn('boss@m1', PUPPET)
await system.tell('boss@m1', does(...CHILDREN.map((name) => ({ act: 'spawn', name, options }) as const)))

const rows: Value[][] = []
for (let killed = 0; killed < kills; ) {
  const block = Math.min(Math.ceil(kills / SAMPLES), kills - killed)
  for (let i = 0; i < block; i++, killed++) {
    const child = `boss.${CHILDREN[killed % CHILDREN.length]}@m1`
    system.at(units(killed + 1), () => system.kill(child))
  }
  await system.run()
  // a thread that was ended is gone a moment later
  await setTimeout(200)
  collectGarbage()
  const [threads = 0, descriptors = 0] = ['task', 'fd'].map((folder) => readdirSync(`/proc/self/${folder}`).length)
  const mappings = readFileSync('/proc/self/maps', 'utf8').trim().split('\n').length
  const { rss, heapUsed } = process.memoryUsage()
  rows.push([killed, restarts - CHILDREN.length, threads, descriptors, mappings, rss / 2 ** 20, heapUsed / 2 ** 20])
}
await system.stop()

const names = ['kills', 'restarts', 'threads', 'descriptors', 'mappings']
console.log(
  textOf({
    title: '',
    columns: [
      ...names.map((name) => ({ name, digits: 0 })),
      { name: 'memory', unit: 'MB', digits: 0 },
      { name: 'heap', unit: 'MB', digits: 1 },
    ],
    rows,
  }),
)
const numbersAt = (at: number): number[] => (rows.at(at) ?? []).map(Number)
const [first = 0, , threads, descriptors, , memory = 0] = numbersAt(0)
const [last = 0, restarted, threadsThen, descriptorsThen, , memoryThen = 0] = numbersAt(-1)
const growth = ((memoryThen - memory) * 2 ** 20) / (last - first)
console.log(`memory grew by ${Math.round(growth)} bytes a kill after the first tenth`)
const isFlat = threads === threadsThen && descriptors === descriptorsThen && growth <= GROWTH_MAX
if (!isFlat || restarted !== last) {
  console.error(
    `FAILED: threads or descriptors grew, memory by more than ${GROWTH_MAX} bytes a kill, or a child stayed dead`,
  )
  process.exitCode = 1
}
