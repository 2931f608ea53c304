/**
 * The arguments with which tests start Node for a program in TypeScript. The loader of the tests takes half of the processor
 * time of tsx. What users start with tsx is tested with tsx where a test types the commands of the manual:
 * lab/page.test.ts, distributed/manual.test.ts, cli/interrupted.test.ts and package.
 */
export const TYPESCRIPT: readonly string[] = ['--import', new URL('./loader/register.mjs', import.meta.url).href]
