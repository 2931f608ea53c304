/**
 * Mutants that change nothing that anybody could notice, each with the reason. A test checks that they exist; a line that
 * changed has to be judged again.
 */

/** The reasons by the names of mutants. */
export const EQUIVALENTS: ReadonlyMap<string, string> = new Map([])
