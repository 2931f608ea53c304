/** Settles when everybody has gone on who waits for promises alone, and for nothing that takes time. */
export const flushMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
