/** A claim of a paper in words, which results can support or contradict. */
export interface Claim {
  readonly where: string
  readonly says: string
  /** Our verdict if it is settled, such as `corrected`; it stands until results contradict it. */
  readonly verdict?: string
  /** A remark on known evidence for or against the claim, or its correction. */
  readonly remark?: string
}
