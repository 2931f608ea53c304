/** The flags of `bidding/render`. Times are in units, by default milliseconds. */
import {
  choice,
  duration,
  integer,
  number,
  off,
  type Parser,
  positiveNumbers,
  runFlags,
  text,
  UsageError,
  value,
} from '../../../lib/cli/index.ts'
import { quoted } from '../../../lib/core/format.ts'
import { PROTOCOLS } from '../model.ts'
import type { Size } from './picture.ts'

const SIDE_MAX = 8192

const size: Parser<Size> = (given, flag) => {
  const [, width = 0, height = 0] = (/^(\d+)x(\d+)$/.exec(given) ?? []).map(Number)
  const fits = (side: number) => side >= 1 && side <= SIDE_MAX
  if (fits(width) && fits(height)) return { width, height }
  throw UsageError.invalid(flag, `WIDTHxHEIGHT in pixels, each from 1 to ${SIDE_MAX}`, quoted(given))
}

export const flags = {
  ...runFlags,
  time: choice({ of: ['real'], fallback: 'real', help: 'the work is real, so its time must be real' }),
  size: value({ metavar: 'WxH', fallback: '640x480', parse: size, help: 'size of the picture in pixels' }),
  tiles: value({
    metavar: 'N',
    fallback: '6',
    parse: integer({ min: 1, max: 100 }),
    help: 'divide the picture into N x N tiles, each a task',
  }),
  out: value({
    metavar: 'FILE',
    file: 'result',
    fallback: 'picture.png',
    parse: text,
    help: 'write the picture to FILE (PNG)',
  }),
  protocol: choice({
    of: PROTOCOLS,
    fallback: 'dsp',
    help: 'how tiles find machines: lazy (dsp), eager or random assignment',
  }),
  speeds: value({
    metavar: 'S,S,...',
    fallback: '1,1,1,1',
    parse: positiveNumbers,
    help: 'believed speeds of the machines m1, m2, ..., which are all this computer',
  }),
  interval: value({ metavar: 'T', fallback: '15', parse: duration, help: 'time from one tile to the next' }),
  estimate: value({
    metavar: 'E',
    fallback: '100',
    parse: duration,
    help: 'estimated time of a tile until one has been measured',
  }),
  query: value({ metavar: 'Q', fallback: '100', parse: duration, help: 'query the machine of a tile every Q' }),
  timeout: value({
    metavar: 'Y',
    fallback: '400',
    parse: duration,
    help: 'declare a machine failed if its answer takes longer',
  }),
  silence: value({
    metavar: 'S',
    fallback: '2000',
    parse: off(duration),
    help: 'declare a client dead if it queries nothing for S, which must exceed Q and two delays',
  }),
  cutoff: value({
    metavar: 'X',
    fallback: 'off',
    parse: off(number({ min: 0, max: 1e6 })),
    help: 'stop a tile for good when it exceeds its estimate by this share',
  }),
}
