/** `npm run soak`: the long version of the kill tests, 300 plans on threads and 2,000 inline, also on a bad network. */
import { runPlans } from './bidding/kills.ts'

const STEP = 50
let broken = 0

async function soak(count: number, runtime: 'threads' | 'inline', lossy: boolean): Promise<void> {
  for (let from = 0; from < count; from += STEP) {
    const violations = await runPlans(from, Math.min(count, from + STEP), runtime, lossy)
    for (const violation of violations) console.log(violation)
    broken += violations.length
  }
  const threads = process
    .getActiveResourcesInfo()
    .filter((resource) => resource.includes('Worker') || resource === 'MessagePort')
  console.log(
    `${count} plans, ${runtime}${lossy ? ', 5 % lost and 2 % doubled' : ''}: ${broken} violations so far, ${threads.length} threads left`,
  )
  broken += threads.length
}

await soak(2000, 'inline', false)
await soak(2000, 'inline', true)
await soak(300, 'threads', false)
await soak(300, 'threads', true)
process.exitCode = broken === 0 ? 0 : 1
