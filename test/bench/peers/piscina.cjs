module.exports = (value) => value
