import { expect, test } from 'vitest'
import { isDataWrite } from '../../../core/model/ui5/index.ts'
import { factsOf } from '../../facts/facts-of.ts'

const writes = (script: string): boolean => factsOf(script).calls.some(isDataWrite)

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
