/** The incarnations that hosts were told to start or to kill, and have not yet. No messages and no clock here. */
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
  /** The pending start of each slot. */
  readonly #starts = new Map<number, Start>()
  readonly #kills: Kill[] = []

  /** Awaits the start of an incarnation; resolves to the name of its engine, and rejects if it cannot start. */
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

  /** Awaits the end of an incarnation, for whatever reason. */
  kill(slot: number, node: number): Promise<void> {
    return new Promise((resolve) => this.#kills.push({ node, slot, resolve }))
  }

  /** Resolves the oldest pending kill of a slot. */
  killed(slot: number, node: number): void {
    const at = this.#kills.findIndex((kill) => kill.slot === slot && kill.node === node)
    if (at >= 0) this.#kills.splice(at, 1)[0]?.resolve()
  }

  /** Settles all commands to a node that is gone. */
  lose(node: number, error: Error): void {
    for (const [slot, start] of [...this.#starts]) if (start.node === node) this.failed(slot, node, error)
    for (const kill of [...this.#kills]) if (kill.node === node) this.killed(kill.slot, node)
  }

  /** Rejects all pending starts. */
  refuse(error: Error): void {
    for (const [slot, { node }] of [...this.#starts]) this.failed(slot, node, error)
  }

  /** Settles all commands at the end of the run. */
  end(error: Error): void {
    this.refuse(error)
    for (const { resolve } of this.#kills.splice(0)) resolve()
  }
}
