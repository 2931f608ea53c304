/** What the page of a placer tells: where its jobs were, and how they ended. */
import { processorTimeline } from '../../../actors/processor/timeline.ts'
import { toUnits } from '../../../lib/actor.ts'
import { counted } from '../../../lib/core/format.ts'
import { few, type PageReader } from '../../../lib/scenario/page.ts'
import { Answers, standingOf } from '../placement/answers.ts'

/** The most machines that the story names. */
const TOLD_MAX = 5

export function placerPage(): PageReader {
  const answers = new Answers()
  const told = () => [...answers.all].map(([job, heard]) => ({ job, at: heard.at, ...standingOf(heard) }))
  const done = () => told().filter(({ end }) => end === 'done')
  const refused = () => [...answers.all.values()].filter(({ refused }) => refused !== null)
  return {
    ...processorTimeline({ toneOf: (job) => job })(),
    unit: 'ms',
    fold: (fact, who, at) => answers.fold(fact, who, at),
    story: () => [
      `Users were told of ${counted(told().length, 'job')}: ${done().length} done, ${refused().length} refused.`,
      ...(done().length > 0
        ? [
            `They were done on these machines: ${few(
              done().map(({ job, machine }) => `${job} on ${machine}`),
              TOLD_MAX,
            )}.`,
          ]
        : []),
    ],
    tiles: () => [
      { label: 'jobs that users were told of', value: told().length },
      { label: 'done', value: done().length },
      { label: 'refused', value: refused().length },
    ],
    objects: () => [
      {
        name: 'job',
        columns: [
          ...['machine', 'end'].map((name) => ({ name, align: 'left' as const })),
          { name: 'told at', unit: 'ms', digits: 1 },
        ],
        rows: told().map(({ job, machine, end, at }) => ({ id: job, values: [machine, end, toUnits(at)] })),
      },
    ],
  }
}
