/** The library: actors, and the systems that run them. */
export * from './actor.ts'
export * from './system.ts'
