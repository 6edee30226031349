import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowHit } from '../../flow/index.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import { gradeMarkup, variantOf } from './_flow-grade.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'
import { ROW_EXTRACTS } from './_posted-rows.ts'
import { appAround, isShortText, settingFields } from './_row-writers.ts'
import { outsideArgs } from './_attack-ways.ts'

/** Requests that create a row: `model.create("/Orders", row, { success: (created) => … })`, `$.ajax({ type: "POST", url, data, success })`. */
const creations: Extract<Span> = defineExtract({
  name: 'ui5-creations',
  keywords: ['.create(', '.ajax('],
  prefilter: (text) => /Model\w{0,20}(?:\([^()]{0,60}\))?\s{0,40}\.create\(|\b(?:type|method)\s?:\s?["']POST["']/.test(text),
  *collect({ facts }) {
    for (const { callee, args, start, end } of facts.calls) {
      if (!('object' in callee)) continue
      const name = lastNameOf(callee)
      if ((name === 'create' && args.length > 1) || (name === 'ajax' && isPosting(args.at(-1)))) yield { start, end }
    }
  },
})

/**
 * A text of others among the settings that a control is made with.
 * Facts: API of sap.ui.base.ManagedObject (1.136), applySettings and escapeSettingsValue: each text of the settings is parsed as a binding, which no setter does. With the
 * complex syntax a binding names its formatter, which UI5 looks up among the globals: `{value: '…', formatter: 'eval'}`.
 * Impact: whoever can write the text runs a script in the session of another user. In the answer to a request that failed only the service’s own words are known.
 */
export const bindingInjection: Rule = defineRule({
  id: 'ui5/binding-injection',
  impact: 'session',
  confidence: 'medium',
  cwe: [79, 917],
  since: '0.3.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.base.ManagedObject',
  on: 'flow',
  extracts: [...ROW_EXTRACTS, creations, settingFields],

  *check(hit, project) {
    const variant = variantOf(hit)
    // what the same user types, and what nobody knows, is a text like any other
    if (variant !== undefined && variant !== 'stored') return
    if (TOLD_OF_ERROR.test(hit.quotedPart)) return
    if (hit.marks.has('key') && isOfCreated(hit, project)) return
    const app = appAround(hit.at.file, project.ui5Apps)
    if (app !== undefined && hasSimpleSyntax(app)) return
    const isShort = isShortText(hit, project, TOO_SHORT)
    yield {
      ...gradeMarkup(hit, project),
      args: { value: hit.quotedPart, property: hit.sink, ...outsideArgs(hit) },
      ...((isShort || FAILED_PART.test(hit.quotedPart)) && { evidence: 'guessed' as const }),
      ...(variant === undefined && { variant: 'link' }),
      // one construction has several texts, and one list many of them
      groupKey: `${hit.at.file} ${hit.origin}${isShort ? ' short' : ''}`,
    }
  },

  text: () => ({
    en: {
      title: 'XSS: untrusted text parsed as a binding',
      message: 'A value from {value} is passed to a control constructor as {property}, where UI5 parses it as a binding.',
      why: 'A text such as { value: "…", formatter: "eval" } is a binding. An attacker who can write that data can run a script with it in the session of every user who opens this page.',
      fix: 'Create the control without this property and call its setter (setText, setValue, …), which takes the text as it is, bind the property to a model, or escape the text with sap.ui.base.ManagedObject.escapeSettingsValue.',
      variants: { link: MARKUP_BY_ORIGIN.en.link },
    },
    fr: {
      title: 'XSS : texte non fiable interprété comme une liaison',
      message:
        'Une valeur issue de {value} est transmise au constructeur d’un contrôle ({property}), où UI5 l’interprète comme une liaison de données.',
      why: 'Un texte tel que { value: "…", formatter: "eval" } est une liaison. Un attaquant qui peut écrire ces données peut ainsi exécuter un script dans la session de chaque utilisateur qui ouvre cette page.',
      fix: 'Créez le contrôle sans cette propriété et appelez son mutateur (setText, setValue, …), qui prend le texte tel quel, liez la propriété à un modèle, ou échappez le texte avec sap.ui.base.ManagedObject.escapeSettingsValue.',
      variants: { link: MARKUP_BY_ORIGIN.fr.link },
    },
  }),
})

/** Whether the value is what the server answers about the row that the page has just created: its keys are the server's. */
function isOfCreated({ steps }: FlowHit, { scripts }: Pick<Project, 'scripts'>): boolean {
  const { file, span } = steps[0]?.at ?? {}
  if (file === undefined || span === undefined) return false
  return scripts.of(file, creations).some(({ start, end }) => start <= span.start && span.end <= end)
}

/** Addresses that answer a POST with what others wrote. */
const ASKS = /search|query|find|get|read|list|filter|load|fetch|\$batch|log-?in|^$/i

/** `{ type: 'POST', url: '/orders', data: row }`. */
function isPosting(given: Value | undefined): boolean {
  const settings = given === undefined ? undefined : resolveValue(given)
  const textOf = (name: string): string => {
    const value = fieldOf(settings, name)?.value
    return value === undefined ? '' : String(constantOf(value) ?? '')
  }
  const method = textOf('type') || textOf('method')
  return method === 'POST' && fieldOf(settings, 'data') !== undefined && !ASKS.test(textOf('url'))
}

/** `{value:'',formatter:'a'}`: no binding with a formatter has as few characters as this. */
const TOO_SHORT = 20

/** The body of an answer in a batch to a request of the page’s own that failed. Fact: API of sap.ui.model.odata.v2.ODataModel: one that failed has `response`, others `data`. */
const FAILED_PART = /__batchResponses\b.{0,40}\.response\.body/

/** What a service says of an error is a text of its own. */
const TOLD_OF_ERROR = /\b(?:o|s)?err(?:or)?\b|responseText|statusText/i

const COMPLEX = /^(?:edge|1\.(?:2[6-9]|[3-9]\d|\d{3}))/i

/**
 * Its only pages have the simple syntax, which knows paths alone. Fact: "Configuration options and URL parameters" of SAPUI5, `compatVersion` and `bindingSyntax`: complex from
 * compatVersion 1.26 on. A launchpad has the complex one.
 */
function hasSimpleSyntax({ pages, manifest }: Ui5App): boolean {
  const own = pages.filter(({ test, sandbox }) => !test && !sandbox)
  return (
    manifest === undefined &&
    own.length > 0 &&
    own.every(({ bootstrap: { settings } }) =>
      settings.every(({ name, value }) => {
        if (name === 'compatversion') return value !== undefined && !COMPLEX.test(value)
        return !name.endsWith('bindingsyntax') || value === 'simple'
      }),
    )
  )
}
