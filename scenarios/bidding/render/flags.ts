/** The flags of the farmed-out picture. Times are in units, by default milliseconds. */
import {
  duration,
  integer,
  number,
  off,
  oneOf,
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
  time: value({
    metavar: 'real',
    fallback: 'real',
    parse: oneOf('real'),
    help: 'the work is real, and so is its time',
  }),
  size: value({ metavar: 'WxH', fallback: '640x480', parse: size, help: 'of the picture, in pixels' }),
  tiles: value({
    metavar: 'N',
    fallback: '6',
    parse: integer({ min: 1, max: 100 }),
    help: 'N x N tiles, each a task',
  }),
  out: value({
    metavar: 'FILE',
    file: 'result',
    fallback: 'picture.png',
    parse: text,
    help: 'where the picture is written (PNG)',
  }),
  protocol: value({
    metavar: PROTOCOLS.join('|'),
    fallback: 'dsp',
    parse: oneOf(...PROTOCOLS),
    help: 'how tiles find machines: lazy, eager or random assignment',
  }),
  speeds: value({
    metavar: 'S,S,...',
    fallback: '1,1,1,1',
    parse: positiveNumbers,
    help: 'one machine each: m1, m2, ...; as fast as they are believed to be, for all are this computer',
  }),
  interval: value({ metavar: 'T', fallback: '15', parse: duration, help: 'from one tile to the next' }),
  estimate: value({
    metavar: 'E',
    fallback: '100',
    parse: duration,
    help: 'what a tile is believed to take until one has been measured',
  }),
  query: value({ metavar: 'Q', fallback: '100', parse: duration, help: 'ask after a tile every Q' }),
  timeout: value({ metavar: 'Y', fallback: '400', parse: duration, help: 'an answer that takes longer means failed' }),
  silence: value({
    metavar: 'S',
    fallback: '2000',
    parse: off(duration),
    help: 'a client that asks nothing for S is dead; more than Q and two delays',
  }),
  cutoff: value({
    metavar: 'X',
    fallback: 'off',
    parse: off(number({ min: 0, max: 1e6 })),
    help: 'stop a tile for good when it has taken longer than its estimate by this share',
  }),
}
