export function prepare(paths: readonly string[]): Promise<void>
