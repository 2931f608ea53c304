// The bare client of NATS in a process of its own: plays what it is told, and says when it is over.
const { connect } = require('@nats-io/transport-node')

const [, , port, me, other] = process.argv
/** Of a burst. */
const LAST = 255
const encoder = new TextEncoder()

connect({ servers: `127.0.0.1:${port}` }).then((connection) => {
  const send = (to, message) => connection.publish(`bench.${to}`, encoder.encode(JSON.stringify(message)))
  let left = 0
  let caught = 0
  let expected = 0
  const burst = (size) => {
    for (let i = 0; i < size; i++) {
      const price = 12.5 + (i & 63)
      send(other, { type: 'offer', task: i, price, round: i & 7, urgent: (i & 1) === 0, by: 'client@c1' })
    }
  }
  let size = 0
  connection.subscribe(`bench.${me}`, {
    callback: (_, data) => {
      const message = JSON.parse(data.string())
      if (message.type === 'ball') {
        if (message.left > 0) send(other, { type: 'ball', left: message.left - 1 })
        else process.send('over')
      } else if (message.type === 'offer') {
        if (message.task === LAST) send(other, { type: 'caught' })
      } else if (message.type === 'caught') {
        if (left > 0) {
          left--
          burst(size)
        }
        if (++caught === expected) process.send('over')
      }
    },
  })
  process.on('message', (order) => {
    if (order.type === 'serve') send(other, { type: 'ball', left: order.left })
    else {
      size = order.burst
      caught = 0
      expected = order.bursts
      left = order.bursts - Math.min(order.ahead, order.bursts)
      for (let i = 0; i < order.bursts - left; i++) burst(size)
    }
  })
  connection.flush().then(() => process.send('ready'))
})
