/** `npm run curves`: how costs grow, as a page of curves with fitted powers, and as tables. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { textOf } from '../../../lib/core/table.ts'
import { patternOf, runTool } from '../../tool.ts'
import { Noise } from '../noise.ts'
import { growthOf, headsOf, type Measured, pageOf, rowsOf } from './page.ts'
import { type Scale, spotsOf, subjects } from './subjects.ts'

const HELP = `npm run curves -- [--out FILE] [--only PATTERN] [--quick | --full]
  --out FILE      the page (default curves.html)
  --only PATTERN  only those whose title matches (a regular expression)
  --quick         few small sizes: shows that it runs
  --full          also threads by the thousand: half an hour, 18 GB, and on Linux vm.max_map_count=262144
Curves: ${subjects.map(({ title }) => title).join('; ')}`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'curves.html' },
      only: { type: 'string', default: '' },
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const scale: Scale = values.full ? 'full' : values.quick ? 'quick' : 'usual'
  const pattern = patternOf('--only', values.only, 'i')
  const noise = new Noise()
  const all: Measured[] = []
  for (const subject of subjects.filter(({ title }) => pattern.test(title))) {
    const curves: Measured['curves'][number][] = []
    for (const some of subject.curves) {
      process.stderr.write(`${subject.title}: ${some.names.join(' and ')} ...\n`)
      await noise.probe()
      const spots = await spotsOf(some, scale, scale === 'quick' ? 1 : 3)
      curves.push(...some.names.map((name, i) => ({ name, spots: spots[i] ?? [] })))
    }
    const measured = { subject, curves }
    all.push(measured)
    console.log(`${subject.title}, ${subject.unit}`)
    console.log(textOf({ columns: headsOf(measured).map((name) => ({ name })), rows: rowsOf(measured) }).trimEnd())
    for (const { name, spots } of curves) console.log(`  ${name}: ${growthOf(spots)}`)
    console.log('')
  }
  const said = [`Node ${process.version}, ${process.platform} ${process.arch}; ${noise.said}.`]
  console.log(said.join('\n'))
  writeFileSync(values.out, pageOf(all, said))
}

await runTool(main)
