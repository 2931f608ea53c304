const { expose } = require('threads/worker')
expose({ echo: (value) => value })
