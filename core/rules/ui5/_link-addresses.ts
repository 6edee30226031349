import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, stringConstantOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import { ADDRESS_PROPERTIES } from '../../flow/tables/controls.ts'
import { firstPartOf } from '../../model/script/index.ts'
import { constructionsOf, fieldOf, validatesAddresses } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'

/** `javascript:void(0)` and an empty one do nothing. */
export const RUNS_CODE: RegExp = /^\s{0,100}javascript:(?!\s{0,10}(?:void\s{0,5}\(?\s{0,5}0\s{0,5}\)?)?\s{0,5};?\s{0,10}$)/iu

/** An address that a script gives a link, and that is code. */
export interface LinkAddress extends Span {
  /** As it is written. */
  readonly shown: string
}

/** Addresses of links that are code, in the order of the text by kind. Data that reaches one is followed through the app. */
export const linkAddresses: Extract<LinkAddress> = defineExtract({
  name: 'ui5-link-addresses',
  keywords: ['sap/m/Link', 'sap.m.Link', 'sap/m/ObjectHeader', 'sap/m/GenericTile', 'setHref'],
  prefilter: (text) => /javascript:/i.test(text) && /\b(?:href|titleHref|url)\s{0,3}:|\.setHref\b/.test(text),
  inPages: true,
  collect: ({ facts }) => findLinkAddresses(facts),
})

function* findLinkAddresses(facts: ScriptFacts): Generator<LinkAddress> {
  if (validatesAddresses(facts)) return
  for (const { type, property, validated: check } of ADDRESS_PROPERTIES) {
    for (const { settings } of constructionsOf(facts, type.replaceAll('.', '/'))) {
      const value = fieldOf(settings, property)
      const validated = check === undefined ? undefined : fieldOf(settings, check)
      if (value === undefined || (validated !== undefined && constantOf(validated) !== false)) continue
      // settings that are not known may validate
      if (!settings.fields.some(({ key }) => key === undefined)) yield* codeIn(value)
    }
  }
  for (const { callee, args } of facts.calls) {
    const [value] = args
    if (callee.kind === 'member' && callee.name === 'setHref' && value !== undefined) yield* codeIn(value)
  }
}

function* codeIn(value: Value): Generator<LinkAddress> {
  const first = firstPartOf(value)
  const text = stringConstantOf(first)
  if (text !== undefined && RUNS_CODE.test(text)) yield { start: value.start, end: value.end, shown: text.trim() }
}
