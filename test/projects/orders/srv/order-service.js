const cds = require('@sap/cds')
const LOG = cds.log('orders')

const STATUS = { open: 'O', shipped: 'S' }

module.exports = class OrderService extends cds.ApplicationService {
  async init() {
    const { Orders, Items } = this.entities
    const bupa = await cds.connect.to('API_BUSINESS_PARTNER')

    this.before('CREATE', Orders, async req => {
      const { customer_ID, items = [] } = req.data
      if (items.length > 100) return req.reject(400, 'TOO_MANY_ITEMS')
      req.data.number = cds.utils.uuid()
      const known = await SELECT.one.from('acme.orders.Customers').where`ID = ${customer_ID}`
      if (!known) req.error(404, 'CUSTOMER_UNKNOWN', [customer_ID])
    })

    this.on('ship', async req => {
      const { ID } = req.params[0]
      const order = await SELECT.one.from(Orders).where({ ID })
      if (!order) return req.reject(404)
      await UPDATE(Orders).set({ status: STATUS.shipped }).where({ ID })
      await cds.run('UPDATE ACME_COUNTERS SET VALUE = VALUE + 1 WHERE NAME = ?', ['shipped'])
      LOG.info('order shipped', ID)
    })

    this.on('summary', async req => {
      const { year } = req.data
      const [{ total }] = await cds.run(SELECT.from(Orders).columns`sum(total) as total`.where`year(createdAt) = ${year}`)
      return total
    })

    this.on('READ', 'Customers', async (req, next) => {
      const customers = await next()
      const token = req.http?.req.headers['x-correlation-id']
      LOG.debug('Access Token fetched for the partner API')
      const partners = await bupa.run(SELECT.from('A_BusinessPartner').limit(10))
      return customers
    })

    // eval (the old formula engine) was removed in 1.2
    await super.init()
  }
}
