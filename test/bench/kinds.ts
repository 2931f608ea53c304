/** What CPU is used for, as the stack of a sample tells: in the kernel, in V8 or Node, or in a file of ours. */

/** What taking the sample costs itself. */
export const PERF = '(perf)'
const ELSE = 'else'

/** The first that knows a frame says what it is for. */
const FRAMES: readonly (readonly [kind: string, frame: RegExp])[] = [
  [PERF, /PerfBasicLogger|CodeEventLogger/],
  ['kernel: threads sleep and wake', /futex|^schedule|task_switch|wake_up|epoll|eventfd/],
  ['kernel: memory', /page_fault|mmap|munmap|madvise|mprotect|clear_page/],
  ['kernel: threads begin and end', /copy_process|do_exit|clone3/],
  ['V8: garbage', /Scaveng|MarkCompact|Marking|Sweeper|Evacuat|CollectGarbage/],
  ['V8: code made faster', /Turbo|OptimizedCompilation|OptimizingCompile|Maglev|baseline::|BaselineCompiler|Deoptimiz/],
  ['V8: code read from what was kept', /[dD]eserializ|SnapshotImpl/],
  ['V8: code read from its text', /Compiler::|Parser|BytecodeGenerator/],
  ['V8: code that is not warm', /IC::|_Miss|NoFeedback|Feedback|BudgetInterrupt|::Runtime_/],
  ['Node: threads begin', /node:internal|node::worker|node::Environment|node::LoadEnvironment/],
  ['machines: rules and protocols', /\/actors\//],
  ['machines: engine', /\/lib\/engine|\/xstate\//],
  ['messages: encoded, decoded, kept', /\/lib\/memory\//],
  ['rounds', /\/lib\/time\/|\/lib\/runtime\/(worker|lock-step)/],
  ['cells', /\/lib\/(cell|post|account|timers|links|directory|ambient|actor|random|computing)\.ts/],
  ['system', /\/lib\//],
  ['who looks on', /\/(scenarios|test)\//],
]

/** The kinds, in display order. */
export const KINDS: readonly string[] = [...FRAMES.map(([kind]) => kind), ELSE]

/** The kind of a stack of function names, the innermost first. */
export function kindOf(stack: readonly string[]): string {
  const known = stack.map((frame) => FRAMES.find(([, pattern]) => pattern.test(frame))?.[0])
  return known.includes(PERF) ? PERF : (known.find((kind) => kind !== undefined) ?? ELSE)
}
