/** Which incarnations hosts were asked to begin and to end, and have not yet. No messages and no clock here. */
interface Start {
  readonly node: number
  readonly resolve: (engine: string) => void
  readonly reject: (error: Error) => void
}

interface Kill {
  readonly node: number
  readonly slot: number
  readonly resolve: () => void
}

export class PendingCommands {
  /** By slot. */
  readonly #starts = new Map<number, Start>()
  readonly #kills: Kill[] = []

  /** Settles when the incarnation has begun, and says on which engine, or when it cannot. */
  start(slot: number, node: number): Promise<string> {
    return new Promise((resolve, reject) => this.#starts.set(slot, { node, resolve, reject }))
  }

  isStarting(slot: number): boolean {
    return this.#starts.has(slot)
  }

  started(slot: number, node: number, engine: string): void {
    this.#takeStart(slot, node)?.resolve(engine)
  }

  failed(slot: number, node: number, error: Error): void {
    this.#takeStart(slot, node)?.reject(error)
  }

  #takeStart(slot: number, node: number): Start | undefined {
    const start = this.#starts.get(slot)
    if (start?.node !== node) return undefined
    this.#starts.delete(slot)
    return start
  }

  /** Resolves when the incarnation is over, for whatever reason. */
  kill(slot: number, node: number): Promise<void> {
    return new Promise((resolve) => this.#kills.push({ node, slot, resolve }))
  }

  /** The kill that was asked for first is done. */
  killed(slot: number, node: number): void {
    const at = this.#kills.findIndex((kill) => kill.slot === slot && kill.node === node)
    if (at >= 0) this.#kills.splice(at, 1)[0]?.resolve()
  }

  /** A node is gone, with all that was on it. */
  lose(node: number, error: Error): void {
    for (const [slot, start] of [...this.#starts]) if (start.node === node) this.failed(slot, node, error)
    for (const kill of [...this.#kills]) if (kill.node === node) this.killed(kill.slot, node)
  }

  /** No incarnation begins any more. */
  refuse(error: Error): void {
    for (const [slot, { node }] of [...this.#starts]) this.failed(slot, node, error)
  }

  /** Everything is over. */
  end(error: Error): void {
    this.refuse(error)
    for (const { resolve } of this.#kills.splice(0)) resolve()
  }
}
