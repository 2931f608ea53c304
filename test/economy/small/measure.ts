/** Prints the mean and the standard deviation of each quantity of the runs of runs.ts over many seeds. */
import { mean, sampleStandardDeviation } from 'simple-statistics'
import { SEEDS } from './measured.ts'
import { byPolicyAndIncome, byTarget } from './runs.ts'

const samples = new Map<string, number[]>()
for (let i = SEEDS.first; i <= SEEDS.last; i++) {
  for (const [name, value] of [...(await byPolicyAndIncome(i)), ...(await byTarget(i))]) {
    samples.set(name, [...(samples.get(name) ?? []), value])
  }
  process.stderr.write(`seed ${i}\n`)
}
for (const [name, values] of samples) {
  console.log(`  ['${name}', ${mean(values).toFixed(4)}, ${sampleStandardDeviation(values).toFixed(4)}],`)
}
