import { expect, test } from 'vitest'
import { withOwnModels, type LinkedFile } from '../../core/flow/index.ts'
import { NO_FLOW, type FlowPort } from '../../core/flow/types.ts'

test('models that a base controller sets on the views of many take the place of one', () => {
  const count = 300
  const set = (store: string, access: FlowPort['access'] = 'write'): FlowPort => {
    return { node: 0, access, store, path: [], set: 'own-view' }
  }
  const controllers = Array.from({ length: count }, (_, index) => `webapp/controller/V${index}.controller.js`)
  const files = controllers.map((path): LinkedFile => {
    const parent = { source: './Base.controller', name: '' }
    const exports = { functions: [], classes: [{ name: '', fields: [], parent }] }
    return { path, flow: { ...NO_FLOW, ports: [set('model m0')], exports } }
  })
  const models = Array.from({ length: count }, (_, index) => `model m${index}`)
  const ports = models.flatMap((store) => [set(store), set(store, 'read')])
  const base: LinkedFile = { path: 'webapp/controller/Base.controller.js', flow: { ...NO_FLOW, ports } }
  const views = controllers.map((controller, index) => {
    return { file: `webapp/view/V${index}.view.xml`, kind: 'view', language: 'xml', controller, controls: [] } as const
  })
  const own = withOwnModels({ views }, [...files, base]).flatMap((file) => file.flow.ports)
  // of each model what is set, twice by its keys, and what is read: of the base itself, and of all views
  expect(own.length).toBeLessThan(10 * count)
})
