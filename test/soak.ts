/** `npm run soak`: the long version of the kill tests, for each protocol, also on a bad network. */
import { PROTOCOLS, type Protocol } from '../scenarios/bidding/run.ts'
import { runPlans } from './bidding/kills.ts'

const STEP = 50
let broken = 0

async function soak(count: number, protocol: Protocol, runtime: 'threads' | 'inline', lossy: boolean): Promise<void> {
  for (let from = 0; from < count; from += STEP) {
    const violations = await runPlans(from, Math.min(count, from + STEP), protocol, runtime, lossy)
    for (const violation of violations) console.log(violation)
    broken += violations.length
  }
  const threads = process
    .getActiveResourcesInfo()
    .filter((resource) => resource.includes('Worker') || resource === 'MessagePort')
  console.log(
    `${protocol}: ${count} plans, ${runtime}${lossy ? ', 5 % lost and 2 % doubled' : ''}: ${broken} violations so far, ${threads.length} threads left`,
  )
  broken += threads.length
}

for (const protocol of PROTOCOLS) {
  await soak(1000, protocol, 'inline', false)
  await soak(1000, protocol, 'inline', true)
  await soak(100, protocol, 'threads', false)
  await soak(100, protocol, 'threads', true)
}
process.exitCode = broken === 0 ? 0 : 1
