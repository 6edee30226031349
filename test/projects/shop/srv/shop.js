const cds = require("@sap/cds")
module.exports = (srv) => {
  srv.on("total", async (req) => {
    return cds.run(`SELECT SUM(amount) FROM Orders WHERE buyer = '${req.data.buyer}'`)
  })
}
