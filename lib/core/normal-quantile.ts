/**
 * Quantiles of the standard normal distribution, to about 16 digits: algorithm AS 241 (Wichura 1988), three quotients of
 * polynomials. It needs no function but square root and logarithm, so results are the same on every machine.
 */

type Quotient = readonly [above: readonly number[], below: readonly number[]]

/** Coefficients, the lowest power first. */
const CENTRE: Quotient = [
  [
    3.387_132_872_796_366_5, 133.141_667_891_784_38, 1_971.590_950_306_551_3, 13_731.693_765_509_46,
    45_921.953_931_549_87, 67_265.770_927_008_7, 33_430.575_583_588_13, 2_509.080_928_730_122_7,
  ],
  [
    1, 42.313_330_701_600_91, 687.187_007_492_057_9, 5_394.196_021_424_751, 21_213.794_301_586_597,
    39_307.895_800_092_71, 28_729.085_735_721_943, 5_226.495_278_852_854,
  ],
]
const MIDDLE: Quotient = [
  [
    1.423_437_110_749_683_5, 4.630_337_846_156_546, 5.769_497_221_460_691, 3.647_848_324_763_204_5,
    1.270_458_252_452_368_4, 0.241_780_725_177_450_6, 0.022_723_844_989_269_184, 0.000_774_545_014_278_341_4,
  ],
  [
    1, 2.053_191_626_637_759, 1.676_384_830_183_803_8, 0.689_767_334_985_1, 0.148_103_976_427_480_08,
    0.015_198_666_563_616_457, 0.000_547_593_808_499_534_5, 1.0507500716444169e-9,
  ],
]
const TAIL: Quotient = [
  [
    6.657_904_643_501_103, 5.463_784_911_164_114, 1.784_826_539_917_291_3, 0.296_560_571_828_504_87,
    0.026_532_189_526_576_124, 0.001_242_660_947_388_078_4, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599_832_206_555_888, 0.136_929_880_922_735_8, 0.014_875_361_290_850_615, 0.000_786_869_131_145_613_3,
    1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
]

const at = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)

const quotient = ([above, below]: Quotient, x: number): number => at(above, x) / at(below, x)

/** The value that a standard normal number is below with probability `p`; infinite at 0 and 1. */
export function normalQuantile(p: number): number {
  const fromMedian = p - 0.5
  if (Math.abs(fromMedian) <= 0.425) return fromMedian * quotient(CENTRE, 0.180_625 - fromMedian * fromMedian)
  const sign = Math.sign(fromMedian)
  const tail = Math.min(p, 1 - p)
  if (tail === 0) return sign * Number.POSITIVE_INFINITY
  const depth = Math.sqrt(-Math.log(tail))
  return sign * (depth <= 5 ? quotient(MIDDLE, depth - 1.6) : quotient(TAIL, depth - 5))
}
