import { expect, test } from 'vitest'
import { collectFacts } from '../../../core/facts/index.ts'
import { createHandlerReader, findHandlers, handlerAround, type HandlerFunction } from '../../../core/model/cap/index.ts'
import { parseScript } from '../../../core/parse/javascript.ts'

const SCRIPT = `const late = async (req) => { await log(req) }
module.exports = (srv) => {
  before()
  srv.before('CREATE', 'Books', (req) => { check(req) })
  srv.on('READ', (req) => { read(() => { srv.on('inner', (r) => run(r)); after(req) }) })
  between()
  srv.on('order', late)
  srv.on('pay', late)
}
outside()
`

test('the handler around each place of a script is the same for one place and for many', () => {
  const facts = collectFacts(parseScript(SCRIPT, 'srv/a.js'), SCRIPT)
  const handlers = findHandlers(facts)
  const handlerAt = createHandlerReader(handlers)
  const nameOf = (handler: HandlerFunction | undefined): string | undefined => handler?.events[0]
  const places = Array.from(SCRIPT, (_, at) => at)
  expect(places.map((at) => nameOf(handlerAt(at)))).toEqual(places.map((at) => nameOf(handlerAround(handlers, at))))
  expect(new Set(places.map((at) => nameOf(handlerAt(at))))).toEqual(new Set([undefined, 'CREATE', 'READ', 'inner', 'pay']))
})
