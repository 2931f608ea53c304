// What the peers of actors on hosts play: balls there and back, and bursts of offers of which so many are on their way.

/** Of a burst. */
const LAST = 255

/** `send` says something to the other side, `over` that it has ended; returns what takes an order, and what hears. */
exports.game = (send, over) => {
  let left = 0
  let caught = 0
  let expected = 0
  let size = 0
  const burst = () => {
    for (let i = 0; i < size; i++) {
      const price = 12.5 + (i & 63)
      send({ type: 'offer', task: i, price, round: i & 7, urgent: (i & 1) === 0, by: 'client@c1' })
    }
  }
  return {
    take: (order) => {
      if (order.type === 'serve') return send({ type: 'ball', left: order.left })
      size = order.burst
      caught = 0
      expected = order.bursts
      left = order.bursts - Math.min(order.ahead, order.bursts)
      for (let i = 0; i < order.bursts - left; i++) burst()
    },
    hear: (message) => {
      if (message.type === 'ball') {
        if (message.left > 0) send({ type: 'ball', left: message.left - 1 })
        else over()
      } else if (message.type === 'offer') {
        if (message.task === LAST) send({ type: 'caught' })
      } else if (message.type === 'caught') {
        if (left > 0) {
          left--
          burst()
        }
        if (++caught === expected) over()
      }
    },
  }
}
