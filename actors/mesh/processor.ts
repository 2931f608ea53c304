/**
 * A processor of the mesh: has threads of jobs, sends them to others and takes them in, one at a time, and if it is to, has those
 * of one job compute step by step. It knows nothing of partitions: leaders see to it that those of one job at most run here.
 */
import { actor } from '../../lib/actor.ts'
import { newBook, type ProcessorBook, type ProcessorEvent, type ProcessorInput } from './processor/book.ts'
import { onComputed, onEdge, onExchanged, onFinish, onHalt, onRun } from './processor/computing.ts'
import * as sending from './processor/sending.ts'

const { createMachine, rule } = actor<{ input: ProcessorInput; context: ProcessorBook; event: ProcessorEvent }>()

export default createMachine({
  context: ({ input }) => newBook(input),
  on: {
    place: { actions: rule('place', sending.onPlace) },
    drop: { actions: rule('drop', sending.onDrop) },
    move: { actions: rule('move', sending.onMove) },
    reserve: { actions: rule('reserve', sending.onReserve) },
    granted: { actions: rule('granted', sending.onGranted) },
    transferred: { actions: rule('transferred', sending.onTransferred) },
    arriving: { actions: rule('arriving', sending.onArriving) },
    run: { actions: rule('run', onRun) },
    halt: { actions: rule('halt', onHalt) },
    finish: { actions: rule('finish', onFinish) },
    computed: { actions: rule('computed', onComputed) },
    exchanged: { actions: rule('exchanged', onExchanged) },
    edge: { actions: rule('edge', onEdge) },
  },
})
