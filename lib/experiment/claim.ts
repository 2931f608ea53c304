/** A claim of a paper in words, which results can support or contradict. */
export interface Claim {
  readonly where: string
  readonly says: string
  /** Our verdict if it is settled, such as `corrected`; it stands until results contradict it. */
  readonly verdict?: string
  /** A remark on known evidence for or against the claim, or its correction. */
  readonly remark?: string
}

/** A claim with a name and a settled verdict. */
export interface Fact<V extends string = string> extends Claim {
  readonly id: string
  readonly verdict: V
}

/** A fact; the remark says what holds of it, if it does not hold as a whole. */
export const fact = <V extends string>(
  id: string,
  where: string,
  says: string,
  verdict: V,
  remark?: string,
): Fact<V> => (remark === undefined ? { id, where, says, verdict } : { id, where, says, verdict, remark })
