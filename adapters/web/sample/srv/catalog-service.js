const cds = require('@sap/cds')

module.exports = cds.service.impl(function () {
  this.on('search', async (req) => {
    const text = req.data.text
    const query = `SELECT * FROM shop_Products WHERE title LIKE '%${text}%'`
    return cds.db.run(query)
  })
})
