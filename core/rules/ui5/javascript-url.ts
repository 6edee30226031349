import { cutText } from '../../cut-text.ts'
import type { FlowHit } from '../../flow/index.ts'
import { ADDRESS_PROPERTIES } from '../../flow/tables/controls.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { gradeByOrigin } from './_flow-grade.ts'
import { BY_HASH } from './_inline-texts.ts'
import { linkAddresses, RUNS_CODE, type LinkAddress } from './_link-addresses.ts'
import { outsideArgs } from './_attack-ways.ts'
import { LINK_DOCS, linkVariantOf } from './_link-forms.ts'
import { BOUND_LINK, linkTexts } from './_link-texts.ts'

/**
 * A link whose address is data, without the check that UI5 has for it.
 * Facts: API of sap.m.Link: `validateUrl` is false by default, and then any scheme is accepted, javascript: too. Other controls have no such check.
 * Impact: a javascript: address runs code in the session of the user who follows it; code that the app itself contains is only an obstacle to a content
 * security policy.
 */
export const javascriptUrl: Rule = defineRule({
  id: 'ui5/javascript-url',
  impact: 'session',
  // code of the app itself
  grades: { code: { impact: 'hygiene', reach: 'user' } },
  confidence: 'medium',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.m.Link',
  docsByVariant: { ...LINK_DOCS, code: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c' },
  extracts: [linkAddresses],
  // of a property that may hold any text, that says it
  yieldsTo: ['ui5/metadata-property-any'],

  checks: { flow: judgeFlow, 'ui5-app': judgeApp },

  text: {
    en: {
      ...BOUND_LINK.en,
      variants: {
        ...linkTexts('en'),
        code: {
          title: 'Inline code in a javascript: URL',
          message: 'The URL of this link is inline code: {value}.',
          why: BY_HASH.en,
          fix: 'Remove the URL, and handle the press event in the controller of the view: press=".onPress".',
        },
      },
    },
    fr: {
      ...BOUND_LINK.fr,
      variants: {
        ...linkTexts('fr'),
        code: {
          title: 'Code intégré à une URL javascript:',
          message: 'L’URL de ce lien contient directement du code : {value}.',
          why: BY_HASH.fr,
          fix: 'Supprimez l’URL et traitez l’événement press dans le contrôleur de la vue : press=".onPress".',
        },
      },
    },
  },
})

/** A bound address: in a view, or in what a script constructs. */
function* judgeFlow(hit: FlowHit, project: Project): Generator<Match> {
  // a formatter may have put a fixed beginning before it
  if (hit.detail !== 'begin') return
  const { owner: control, effects } = hit.api
  // what nobody in the project sets
  if (effects.has('renderer') && (hit.origin === 'property' || hit.origin === 'unknown')) return
  yield {
    ...gradeByOrigin(hit, project),
    args: { control, value: shorten(hit.part), ...outsideArgs(hit) },
    variant: linkVariantOf(hit),
  }
}

/** Addresses that are code, and those that a script sets. */
function* judgeApp(app: Ui5App): Generator<Match> {
  const views = new Set<string>()
  for (const view of app.views) {
    if (view.test) continue
    if (view.language === 'script') views.add(view.file)
    for (const { type, properties } of view.controls)
      for (const row of ADDRESS_PROPERTIES) {
        const href = row.type === type ? properties.get(row.property) : undefined
        if (href?.binding.kind !== 'constant' || !RUNS_CODE.test(href.value)) continue
        const at = { file: view.file, span: href.at }
        yield { at, args: { value: shorten(href.value.trim()) }, variant: 'code', confidence: 'high' }
      }
  }
  for (const { file, value } of app.scripts.get(linkAddresses)) if (!views.has(file)) yield judgeScript(file, value)
}

function judgeScript(file: string, { start, end, shown }: LinkAddress): Match {
  return { at: { file, span: { start, end } }, args: { value: shorten(shown) }, variant: 'code' }
}

const MAX_SHOWN = 80

function shorten(value: string): string {
  return cutText(value, MAX_SHOWN)
}
