import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  findOrigin,
  isChecked,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { findMessageListeners } from '../../flow/message-listeners.ts'
import { isModelData, isWebData } from '../../flow/web-data.ts'
import { firstPartOf } from '../../model/script/index.ts'
import { ADDRESS_PROPERTIES } from '../../flow/tables/controls.ts'
import { constructionsOf, fieldOf, validatesAddresses } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'

/** `javascript:void(0)` and an empty one do nothing. */
export const RUNS_CODE: RegExp = /^\s{0,100}javascript:(?!\s{0,10}(?:void\s{0,5}\(?\s{0,5}0\s{0,5}\)?)?\s{0,5};?\s{0,10}$)/iu

/** An address that a script gives a link. */
export interface LinkAddress extends Span {
  /** `outside`: the address of the page or another window says how it begins · `model`: data of a model · `code`: it is code. */
  readonly from: 'outside' | 'model' | 'code'
  /** What says so, in the words of the code. */
  readonly shown: string
}

/** The addresses of links that data decides and nothing checks, in the order of the text by kind. */
export const linkAddresses: Extract<LinkAddress> = defineExtract({
  name: 'ui5-link-addresses',
  keywords: ['sap/m/Link', 'sap.m.Link', 'sap/m/ObjectHeader', 'sap/m/GenericTile', 'setHref'],
  prefilter: (text) => /\b(?:href|titleHref|url)\s{0,3}:|\.setHref\b/.test(text),
  inPages: true,
  collect: ({ facts, step }) => findLinkAddresses(facts, step),
})

function* findLinkAddresses(facts: ScriptFacts, step: () => void): Generator<LinkAddress> {
  if (validatesAddresses(facts)) return
  const handlers = new Set(findMessageListeners(facts).map(({ handler }) => handler))
  const judge = (value: Value): LinkAddress | undefined => {
    const origin = originOf(facts, value, (part) => isWebData(part, handlers), step)
    return origin && { start: value.start, end: value.end, ...origin }
  }
  for (const { type, property, validated: check } of ADDRESS_PROPERTIES) {
    for (const { settings } of constructionsOf(facts, type.replaceAll('.', '/'))) {
      const value = fieldOf(settings, property)
      const validated = check === undefined ? undefined : fieldOf(settings, check)
      if (value === undefined || (validated !== undefined && constantOf(validated) !== false)) continue
      // settings that are not known may validate
      if (settings.fields.some(({ key }) => key === undefined)) continue
      const found = judge(value)
      if (found !== undefined) yield found
    }
  }
  for (const { callee, args } of facts.calls) {
    const [value] = args
    if (callee.kind !== 'member' || callee.name !== 'setHref' || value === undefined) continue
    // data that reaches it is followed through the app
    const found = judge(value)
    if (found?.from === 'code') yield found
  }
}

function originOf(
  facts: ScriptFacts,
  value: Value,
  isOutside: (part: Value) => boolean,
  step: () => void,
): Pick<LinkAddress, 'from' | 'shown'> | undefined {
  const first = firstPartOf(value)
  const text = first && constantOf(first)
  if (first === undefined || (text !== undefined && typeof text !== 'string')) return undefined
  if (text !== undefined) return RUNS_CODE.test(text) ? { from: 'code', shown: text.trim() } : undefined
  if (isOwnAddress(first) || isChecked(facts, first, value.start)) return undefined
  const find = (isSource: (part: Value) => boolean): Value | undefined =>
    findOrigin(first, (part) => {
      step()
      return isEncoded(part) ? 'clean' : isSource(part) ? 'source' : undefined
    })
  const outside = find(isOutside)
  if (outside !== undefined) return { from: 'outside', shown: describe(first) }
  const model = find(isModelData)
  return model && { from: 'model', shown: describe(model) }
}

/** `url`, `getProperty("/url")`: what a reader finds again in the code. */
function describe(value: Value): string {
  const text = constantOf(value)
  if (typeof text === 'string') return text.replaceAll(/[{}]/gu, '').trim()
  if (value.kind === 'object') return describeInfo(value)
  const name = lastNameOf(value.kind === 'call' || value.kind === 'new' ? value.callee : value) ?? ''
  const [first] = value.kind === 'call' ? value.args : []
  const argument = first && constantOf(first)
  return typeof argument === 'string' ? `${name}("${argument}")` : value.kind === 'call' ? `${name}()` : name
}

function describeInfo(info: ObjectValue): string {
  const path = fieldOf(info, 'path')
  return path === undefined ? 'parts' : describe(path)
}

/** `location.href`, `document.referrer` as a whole: never an address that runs code. */
function isOwnAddress(value: Value): boolean {
  return accessesOf(value).some(
    ({ root, steps }) => !steps.includes('()') && (root === 'global:location' || root === 'global:document'),
  )
}

/** Encoded as part of an address, it begins with no scheme. */
function isEncoded(value: Value): boolean {
  return value.kind === 'call' && /^encodeUR(?:IComponent|L|LParameters)$/u.test(lastNameOf(value.callee) ?? '')
}
