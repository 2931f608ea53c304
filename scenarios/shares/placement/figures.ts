/** What must hold of the stories of a figure, whatever they are about; each check is of all of them together. */

import { mean } from 'simple-statistics'
import { type Check, none, within } from '../../../lib/cli/index.ts'
import { csvLine } from '../../../lib/core/csv.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { printUnits } from '../../../lib/core/format.ts'
import { table } from '../../../lib/core/table.ts'
import { tInterval } from '../../../lib/experiment/interval.ts'
import { fluidShares } from '../fluid.ts'
import { PROGRESS_10, USED_11 } from '../paper/placement.ts'
import { ALONE, STORIES_6, STORIES_7, STORIES_10, STORIES_11, type Story } from './cases.ts'
import { PARALLEL, type SceneMeasured, SEQUENTIAL, type Setting, type Stage, type Told, tellStory } from './measure.ts'
import type { PlacementRun } from './one-run.ts'

/** Of sums and quotients of doubles. */
const ROUNDING = 1e-12

/** Nobody died or was refused, and no promise of proportional share was broken. */
export const checkOfRuns = (name: string, runs: readonly PlacementRun[]): Check =>
  none(
    `${name}: deaths, refusals and broken invariants in ${runs.length} runs`,
    runs.flatMap(({ crashes, refusals, broken }) => [...crashes, ...refusals, ...broken]),
  )

/** The pure rule gives the paper's fluid shares, and jobs are where they should be, with the tickets they should have. */
export function checksOfPlaces(name: string, told: readonly Told[]): Check[] {
  const scenes = told.flatMap((one) => one.scenes)
  const ruled = told.flatMap(({ story }) =>
    story.scenes.flatMap(({ jobs, shares }) => {
      const fluid = fluidShares(jobs)
      return Object.entries(shares).map(([job, share]) => Math.abs((fluid.get(job) ?? 0) - share))
    }),
  )
  const ticketErrors = scenes.map(({ ticketError }) => ticketError)
  return [
    within(`${name}: fluid shares by the rule, farthest from the paper's`, Math.max(...ruled), 0, ROUNDING),
    none(`${name}: jobs on other machines`, scenes.flatMap(strays)),
    within(
      `${name}: a job's part of the tickets at any instant, farthest from due`,
      Math.max(...ticketErrors),
      0,
      ROUNDING,
    ),
  ]
}

const strays = ({ what, jobs }: SceneMeasured): string[] =>
  jobs.flatMap(({ job, machines }) =>
    machines.join() === job.nodes.map((node) => `m${node}`).join()
      ? []
      : [`${what}: ${job.name} on ${machines.join()}`],
  )

/** Of sequential jobs: each has its fluid share of each scene to within a quantum. */
export function checkOfShares(name: string, told: readonly Told[], { sharing, length }: Setting): Check {
  const errors = told.flatMap(({ scenes }) => scenes.flatMap(shareErrors))
  return within(
    `${name}: a job's part of its machine, farthest from due`,
    Math.max(...errors),
    0,
    sharing.quantum / length,
  )
}

/** How far each is from its fluid share; of one that runs nowhere all of it is missing. */
export function shareErrors({ jobs }: SceneMeasured): number[] {
  const fluid = fluidShares(jobs.map(({ job }) => job))
  return jobs.map(({ job, used }) => Math.abs((used[0] ?? 0) - (fluid.get(job.name) ?? 0)))
}

/** What one figure comes to. */
export interface Part {
  readonly results: { readonly [key: string]: Plain }
  readonly checks: readonly Check[]
  readonly messages: number
  readonly text: string
  /** Processor time by run, job and machine, as lines of CSV. */
  readonly lines: readonly string[]
}

export const LINES_HEAD = 'figure,run,seed,job,machine,cpu'

/** Over seeds, one story. */
type Tale = readonly { readonly seed: number; readonly told: Told }[]

const linesOf = (figure: string, tale: Tale): string[] =>
  tale.flatMap(({ seed, told: { story, run } }) =>
    run.usage.totals.map(({ job, machine, cpu }) => csvLine([figure, story.what, seed, job, machine, printUnits(cpu)])),
  )

const messagesOf = (tale: Tale) => tale.reduce((sum, { told }) => sum + told.run.messages, 0)

/** Of one scene and job, over the seeds: parts of its machines. */
function usedIn(tale: Tale, scene: number, name: string): number[] {
  const parts = tale.map(({ told }) => told.scenes[scene]?.jobs.find(({ job }) => job.name === name)?.used ?? [])
  return (parts[0] ?? []).map((_, i) => mean(parts.map((used) => used[i] ?? 0)))
}

const share = (value: number): string => value.toFixed(4)

/** A line per job, and what the scenes gave it. */
function tableOf(story: Story, tale: Tale): string {
  const last = story.scenes.at(-1)?.jobs ?? []
  const fluid = story.scenes.map(({ jobs }) => fluidShares(jobs))
  const rows = last.map(({ name, tickets, nodes }) => [
    `${name}${story.free.includes(name) ? ' *' : ''}`,
    ...[String(tickets), nodes.join()],
    ...story.scenes.flatMap((_, n) => {
      const due = fluid[n]?.get(name)
      return due === undefined ? ['', ''] : [share(due), usedIn(tale, n, name).map(share).join()]
    }),
  ])
  const heads = story.scenes.flatMap(({ what }) => [`${what}: fluid`, 'used'])
  return table(['job', 'tickets', 'on', ...heads], rows, (column) => column === 0)
}

const resultsOf = (story: Story, tale: Tale): Plain => ({
  scenes: story.scenes.map(({ what, jobs }, n) => {
    const fluid = fluidShares(jobs)
    return {
      what,
      jobs: jobs.map(({ name, tickets, nodes }) => {
        const machines = tale[0]?.told.scenes[n]?.jobs.find(({ job }) => job.name === name)?.machines ?? []
        return {
          job: name,
          tickets,
          expected: [...nodes],
          machines: [...machines],
          fluid: fluid.get(name),
          used: usedIn(tale, n, name),
        }
      }),
    }
  }),
})

async function tell(story: Story, setting: Setting, seeds: number, stage: Stage): Promise<Tale> {
  const tale: { seed: number; told: Told }[] = []
  for (let n = 0; n < seeds; n++) {
    const seed = stage.seed + n
    tale.push({ seed, told: await tellStory(story, setting, { ...stage, seed }) })
  }
  return tale
}

interface Figure {
  readonly name: string
  readonly stories: readonly Story[]
  readonly setting: Setting
  readonly says: string
}

const FOOTNOTE = '* the placer chose; of the others the user named the machines'

async function partOf(
  figure: Figure,
  seeds: number,
  stage: Stage,
): Promise<Part & { readonly tales: readonly Tale[] }> {
  const { name, stories, setting, says } = figure
  const tales: Tale[] = []
  for (const story of stories) tales.push(await tell(story, setting, seeds, stage))
  const told = tales.flat().map((one) => one.told)
  const tables = stories.map((story, i) => tableOf(story, tales[i] ?? []))
  return {
    tales,
    results: { stories: stories.map((story, i) => resultsOf(story, tales[i] ?? [])) },
    checks: [
      ...checksOfPlaces(name, told),
      checkOfRuns(
        name,
        told.map(({ run }) => run),
      ),
    ],
    messages: tales.reduce((sum, tale) => sum + messagesOf(tale), 0),
    text: [`${name[0]?.toUpperCase()}${name.slice(1)}. ${says}`, '', tables.join('\n\n'), FOOTNOTE, ''].join('\n'),
    lines: tales.flatMap((tale) => linesOf(name, tale)),
  }
}

/** Sequential jobs need no seeds: nothing is random. */
async function sequential(name: string, stories: readonly Story[], says: string, stage: Stage): Promise<Part> {
  const part = await partOf({ name, stories, says, setting: SEQUENTIAL }, 1, stage)
  const told = part.tales.flat().map((one) => one.told)
  return { ...part, checks: [...part.checks, checkOfShares(name, told, SEQUENTIAL)] }
}

export const figure6 = (stage: Stage): Promise<Part> =>
  sequential(
    'figure 6',
    STORIES_6,
    'Balancing tickets puts E on machine 3, where it has 3/5; balancing load on machine 4, where it has 1/2.',
    stage,
  )

export const figure7 = (stage: Stage): Promise<Part> =>
  sequential(
    'figure 7',
    STORIES_7,
    'A user who keeps her jobs apart has more than her share at first, and less when E comes (numbers: ours).',
    stage,
  )

/** As wide as that of the other values that were simulated. */
const TOLERANCE = 0.05

/** Of one story: what was measured in each run, against what many long ones gave. */
function simulated(name: string, values: readonly number[], expected: number | undefined) {
  const interval = tInterval(values, 0.9)
  const spread = interval.halfWidth === null ? '' : ` ± ${interval.halfWidth.toFixed(4)}`
  const of = expected ?? Number.NaN
  return {
    line: [name, `${share(interval.mean)}${spread}`, share(of)],
    check: within(name, interval.mean, of, TOLERANCE * of),
    result: [name, { mean: interval.mean, halfWidth: interval.halfWidth, expected: of }] as const,
  }
}

function withSimulated(part: Part, found: readonly ReturnType<typeof simulated>[]): Part {
  const lines = table(
    ['by quanta', 'here (90 %)', 'converged'],
    found.map(({ line }) => line),
  )
  return {
    ...part,
    results: { ...part.results, simulated: Object.fromEntries(found.map(({ result }) => result)) },
    checks: [...part.checks, ...found.map(({ check }) => check)],
    text: `${part.text}\n${lines}\n`,
  }
}

const rateOf = ({ scenes }: Told): number => scenes[0]?.jobs.find(({ job }) => job.name === 'Z')?.rate ?? 0

export async function figure10(seeds: number, stage: Stage): Promise<Part> {
  const says =
    'A parallel job goes as fast as on its slowest machine: Z gains nothing from machines with fewer tickets, but others do.'
  const part = await partOf({ name: 'figure 10', stories: STORIES_10, setting: PARALLEL, says }, seeds, stage)
  const alone = await tell(ALONE, { ...PARALLEL, spin: null }, seeds, stage)
  const rates = alone.map(({ told }) => rateOf(told))
  const found = part.tales.map((tale) => {
    const what = tale[0]?.told.story.what ?? ''
    const fractions = tale.map(({ told }, i) => rateOf(told) / (rates[i] ?? Number.NaN))
    return simulated(`Z's progress of what it makes alone, ${what}`, fractions, PROGRESS_10[what])
  })
  return withSimulated({ ...part, messages: part.messages + messagesOf(alone) }, found)
}

export async function figure11(seeds: number, stage: Stage): Promise<Part> {
  const says = 'A has more of machine 1 when another job of hers holds up Z on machine 3.'
  const part = await partOf({ name: 'figure 11', stories: STORIES_11, setting: PARALLEL, says }, seeds, stage)
  const found = part.tales.flatMap((tale) => {
    const what = tale[0]?.told.story.what ?? ''
    return Object.entries(USED_11[what] ?? {}).map(([job, expected]) => {
      const used = tale.map((one) => usedIn([one], 0, job)[0] ?? 0)
      return simulated(`${job}'s part of its machine, ${what}`, used, expected)
    })
  })
  return withSimulated(part, found)
}
