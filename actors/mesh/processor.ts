/**
 * A processor of the mesh: holds threads of jobs, sends and receives them one at a time, and can run the threads of one
 * job step by step. It knows nothing of partitions: the leaders make sure that at most one job runs here.
 */
import { actor } from '../../lib/actor.ts'
import { newBook, type ProcessorBook, type ProcessorEvent, type ProcessorInput } from './processor/book.ts'
import { onComputed, onEdge, onExchanged, onFinish, onHalt, onRun } from './processor/computing.ts'
import { onArriving, onDrop, onGranted, onMove, onPlace, onReserve, onTransferred } from './processor/sending.ts'

const { createMachine, handlers } = actor<{ input: ProcessorInput; context: ProcessorBook; event: ProcessorEvent }>()

export default createMachine({
  context: ({ input }) => newBook(input),
  on: handlers({
    place: onPlace,
    drop: onDrop,
    move: onMove,
    reserve: onReserve,
    granted: onGranted,
    transferred: onTransferred,
    arriving: onArriving,
    run: onRun,
    halt: onHalt,
    finish: onFinish,
    computed: onComputed,
    exchanged: onExchanged,
    edge: onEdge,
  }),
})
