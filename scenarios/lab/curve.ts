/** The share of continuations that fail, against the step from which they go on: a picture for a page. */
import type { InevitableShare } from '../../lib/explore/inevitable.ts'
import type { Told } from '../../lib/explore/shrunk-run.ts'
import type { Picture, PicturePoint } from '../../lib/scenario/page.ts'

/** The picture, if there are shares. Its dots lead to their steps in the failing run. */
export function curvePicture({ inevitable }: Pick<Told, 'inevitable'>): readonly Picture[] {
  const { curve = [] } = inevitable ?? {}
  if (curve.length === 0) return []
  const points = (height: (share: InevitableShare) => number): PicturePoint[] =>
    curve.map((share) => ({ x: share.step, y: 100 * height(share) }))
  const shareOf = ({ failed, runs }: InevitableShare): number => failed / runs
  const dots = curve.map((share): PicturePoint => {
    const { step, after, at, failed, runs } = share
    // no event comes before the first share, and only faults come before step 0
    const from = after === '' ? 'from the beginning' : `after ${step < 0 ? '' : `step ${step}: `}${after}`
    return { x: step, y: 100 * shareOf(share), name: `${failed} of ${runs} fail ${from}`, to: { at } }
  })
  return [
    {
      title: 'When the failure became inevitable',
      x: { label: 'step from which the run is continued' },
      y: { label: 'continuations that fail', unit: '%', min: 0, max: 100 },
      series: [
        { name: 'share that fails', shape: 'line', points: points(shareOf) },
        { name: 'share that fails', shape: 'dots', points: dots },
        { name: '95 % confidence', shape: 'reference', points: points(({ low }) => low) },
        { name: '95 % confidence', shape: 'reference', points: points(({ high }) => high) },
      ],
    },
  ]
}
