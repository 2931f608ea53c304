/** The build of msgpackr that evaluates no code. */
declare module 'msgpackr/index-no-eval' {
  export { Packr } from 'msgpackr'
}
