import { expect, test } from 'vitest'
import { collectFacts } from '../../../core/facts/index.ts'
import { createHandlerReader, findHandlers, type HandlerFunction } from '../../../core/model/cap/index.ts'
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

/** Looks at each handler: the innermost one is that which begins last. */
function handlerAround(handlers: readonly HandlerFunction[], at: number): HandlerFunction | undefined {
  let found: HandlerFunction | undefined
  for (const handler of handlers) {
    const { fact } = handler
    if (fact === undefined || fact.start > at || at >= fact.end) continue
    if (fact.start >= (found?.fact?.start ?? 0)) found = handler
  }
  return found
}

test('the handler around each place of a script is the same for one place and for many', () => {
  const facts = collectFacts(parseScript(SCRIPT, 'srv/a.js'), SCRIPT)
  const handlers = findHandlers(facts)
  const handlerAt = createHandlerReader(handlers)
  const nameOf = (handler: HandlerFunction | undefined): string | undefined => handler?.events[0]
  const places = Array.from(SCRIPT, (_, at) => at)
  expect(places.map((at) => nameOf(handlerAt(at)))).toEqual(places.map((at) => nameOf(handlerAround(handlers, at))))
  expect(new Set(places.map((at) => nameOf(handlerAt(at))))).toEqual(new Set([undefined, 'CREATE', 'READ', 'inner', 'pay']))
})
