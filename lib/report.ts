/** The API for pages that show a run. A scenario needs none of it: `--report FILE` writes its page. */
export { type CommandOutcome, reportOf } from './report/command.ts'
export { htmlOf } from './report/page.ts'
export type { Report } from './report/types.ts'
export type { ShownAs } from './scenario/command.ts'
export type { PageReader, Picture, PictureAxis, PicturePoint, PictureSeries } from './scenario/page.ts'
export type { BarLook, Mark, Timeline } from './scenario/timeline.ts'
