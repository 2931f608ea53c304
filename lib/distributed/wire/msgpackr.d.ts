/** msgpackr as it comes without anything that evaluates what it reads. */
declare module 'msgpackr/index-no-eval' {
  export { Packr } from 'msgpackr'
}
