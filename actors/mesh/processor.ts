/**
 * A processor of the mesh: holds threads of jobs, sends and receives them one at a time, and can run the threads of one
 * job step by step. It knows nothing of partitions: the leaders make sure that at most one job runs here.
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
