import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { KINDS, kindOf, PERF } from './kinds.ts'

const runRound = 'JS:~runRound /home/bourse/lib/cell/actor-cell.ts:92:3'

test('a sample counts for the innermost frame of a known kind', () => {
  const decode = 'JS:*decode /home/bourse/lib/memory/codec.ts:120:3'
  assert.is(kindOf(['Builtins_LoadIC', decode, runRound]), 'messages: encoding, decoding, storing')
  assert.is(kindOf(['clear_page_erms', 'asm_exc_page_fault', decode, runRound]), 'kernel: memory')
  assert.is(kindOf(['v8::internal::Runtime_CompileLazy', runRound]), 'V8: interpreted code')
  assert.is(kindOf(['v8::internal::Compiler::Compile', 'v8::internal::Runtime_CompileLazy']), 'V8: parsing')
  assert.is(kindOf([runRound, 'JS:~ node:internal/main/worker_thread:90:20']), 'cells')
  assert.is(kindOf(['Builtins_BaselineOutOfLinePrologue', decode]), 'messages: encoding, decoding, storing')
  assert.is(kindOf(['[unknown]']), 'other')
})

test('the cost of perf itself is separated, at any place in the stack', () => {
  const logging = ['__vfprintf_internal', 'v8::internal::PerfBasicLogger::WriteLogRecordedBuffer', runRound]
  assert.is(kindOf(logging), PERF)
  assert.is(new Set(KINDS).size, KINDS.length)
})

test.run()
