import { expect, test } from 'vitest'
import { dataWrites } from '../../../core/model/ui5/index.ts'
import { readProject, ui5AppsOf } from '../project.ts'

const writes = (script: string): boolean => {
  const [app] = ui5AppsOf(
    readProject({ 'webapp/manifest.json': '{"sap.app": {"id": "shop"}, "sap.ui5": {}}', 'webapp/a.js': script }),
  )
  return app !== undefined && app.scripts.get(dataWrites).length > 0
}

test.each([
  'this.getView().getModel().submitChanges()',
  'model.submitBatch("changes")',
  'model.callFunction("/approve")',
  'model.create("/Orders", order)',
  'model.remove("/Orders(1)")',
  'fetch("orders", { method: "POST", body })',
  'jQuery.ajax({ url: "orders", type: "DELETE" })',
])('changes data: %s', (script) => expect(writes(script)).toBe(true))

test.each([
  'XMLView.create({ viewName: "shop.Main" })',
  'items.remove("a")',
  'fetch("orders", { method: "GET" })',
  'fetch("orders")',
  'console.log("POST")',
])('changes none: %s', (script) => expect(writes(script)).toBe(false))
