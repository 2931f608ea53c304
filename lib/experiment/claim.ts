/** What a paper says in words, and can be looked at. */
export interface Claim {
  readonly where: string
  readonly says: string
  /** What is known to stand against it or beside it. */
  readonly remark?: string
}
