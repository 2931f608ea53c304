/** The kinds of work that use CPU time, from the stack of a sample: in the kernel, in V8 or Node, or in a file of the project. */

/** The cost of taking the sample itself. */
export const PERF = '(perf)'
const OTHER = 'other'

/** Kinds and the frames that show them; the first match counts. */
const FRAMES: readonly (readonly [kind: string, frame: RegExp])[] = [
  [PERF, /PerfBasicLogger|CodeEventLogger/],
  ['kernel: threads sleep and wake', /futex|^schedule|task_switch|wake_up|epoll|eventfd/],
  ['kernel: memory', /page_fault|mmap|munmap|madvise|mprotect|clear_page/],
  ['kernel: threads begin and end', /copy_process|do_exit|clone3/],
  ['V8: garbage collection', /Scaveng|MarkCompact|Marking|Sweeper|Evacuat|CollectGarbage/],
  ['V8: optimization', /Turbo|OptimizedCompilation|OptimizingCompile|Maglev|baseline::|BaselineCompiler|Deoptimiz/],
  ['V8: code cache', /[dD]eserializ|SnapshotImpl/],
  ['V8: parsing', /Compiler::|Parser|BytecodeGenerator/],
  ['V8: interpreted code', /IC::|_Miss|NoFeedback|Feedback|BudgetInterrupt|::Runtime_/],
  ['Node: threads begin', /node:internal|node::worker|node::Environment|node::LoadEnvironment/],
  ['machines: rules and protocols', /\/actors\//],
  ['machines: engine', /\/lib\/engine|\/xstate\//],
  ['messages: encoding, decoding, storing', /\/lib\/memory\//],
  ['rounds', /\/lib\/clock\/|\/lib\/runtime\/(worker|threads-lockstep|inline)/],
  ['cells', /\/lib\/(cell|actor|core)\//],
  ['system', /\/lib\//],
  ['scenarios and tests', /\/(scenarios|test)\//],
]

/** The kinds, in display order. */
export const KINDS: readonly string[] = [...FRAMES.map(([kind]) => kind), OTHER]

/** The kind of a stack of function names, the innermost first. */
export function kindOf(stack: readonly string[]): string {
  const known = stack.map((frame) => FRAMES.find(([, pattern]) => pattern.test(frame))?.[0])
  return known.includes(PERF) ? PERF : (known.find((kind) => kind !== undefined) ?? OTHER)
}
