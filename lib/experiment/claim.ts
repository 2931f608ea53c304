/** A claim of a paper in words, which results can support or contradict. */
export interface Claim {
  readonly where: string
  readonly says: string
  /** A remark on known evidence for or against the claim. */
  readonly remark?: string
}
