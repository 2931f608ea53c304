const { parentPort } = require('node:worker_threads')
const { expose } = require('comlink')
const nodeEndpoint = require('comlink/dist/umd/node-adapter.js')
expose({ echo: (value) => value }, nodeEndpoint(parentPort))
