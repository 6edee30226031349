const cds = require('@sap/cds')
const xssec = require('@sap/xssec')

cds.on('bootstrap', app => {
  app.disable('x-powered-by')
  app.get('/health', (_, res) => res.status(200).send('OK'))
})

module.exports = cds.server
