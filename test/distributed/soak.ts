/** Runs many plans of each kind: `npx tsx test/distributed/soak.ts [KINDS] [PLANS]`, such as `kill,cut 20`. */
import { KINDS, runPlan } from './plans.ts'
import { NO_SERVER, serverPath } from './server.ts'

const [kinds = KINDS.join(), plans = '20'] = process.argv.slice(2)
const program = serverPath()
if (program === undefined) {
  console.error(NO_SERVER)
  process.exit(2)
}
let failed = 0
for (const kind of KINDS.filter((one) => kinds.split(',').includes(one))) {
  for (let n = 1; n <= Number(plans); n++) {
    const { broken, run, said } = await runPlan(program, kind, n)
    const dead = [...run.deadLetters].map(([reason, count]) => `${count} ${reason}`).join(', ')
    const ends = `${run.oracle.ledger.endings.size} tasks, ${run.oracle.ledger.restarts} restarts, dead: ${run.dead.size}; ${dead}`
    console.log(`${kind} ${n}: ${broken.length === 0 ? 'ok' : `BROKEN ${broken.join('; ')}`} (${ends})`)
    if (broken.length === 0) continue
    failed++
    console.log(said.map((line) => `  ${line}`).join('\n'))
  }
}
console.log(`${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
