import { describe, expect, test } from 'vitest'
import { isModelData, isWebData } from '../../core/flow/web-data.ts'
import { shownIn } from '../facts/facts-of.ts'

describe('data of the address', () => {
  test.each([
    ['show(location.hash)', true],
    ['show(this.getComponentData().startupParameters.id[0])', true],
    ['const { startupParameters } = this.getOwnerComponent().getComponentData(); show(startupParameters.id)', true],
    ['show(event.getParameter("arguments"))', true],
    ['show(data.startupParameters)', false],
    ['show(this.getComponentData().name)', false],
  ])('%s', (text, expected) => expect(isWebData(shownIn(text), new Set())).toBe(expected))
})

describe('data of a model', () => {
  test.each([
    ['show(this.getView().getModel().getProperty("/a"))', true],
    ['show(event.getSource().getBindingContext("shop").getObject())', true],
    ['const model = this.getModel(); show(model.getData())', true],
    ['show(oModel.getProperty("/a"))', true],
    ['show(this.getView().getModel("i18n").getProperty("a"))', false],
    ['const texts = this.getModel("i18n"); show(texts.getProperty("a"))', false],
    ['show(this.oI18nModel.getProperty("a"))', false],
    ['show(this.byId("a").getProperty("value"))', false],
    ['show(oModel.getMetaModel())', false],
    ['show(map.getObject("a"))', false],
  ])('%s', (text, expected) => expect(isModelData(shownIn(text))).toBe(expected))
})
