// The bare client of NATS in a process of its own: plays what it is told, and says when it is over.
const { connect } = require('@nats-io/transport-node')
const { game } = require('./game.cjs')

const [, , port, me, other] = process.argv
const encoder = new TextEncoder()

connect({ servers: `127.0.0.1:${port}` }).then((connection) => {
  const send = (message) => connection.publish(`bench.${other}`, encoder.encode(JSON.stringify(message)))
  const { take, hear } = game(send, () => process.send('over'))
  connection.subscribe(`bench.${me}`, { callback: (_, data) => hear(JSON.parse(data.string())) })
  process.on('message', take)
  connection.flush().then(() => process.send('ready'))
})
