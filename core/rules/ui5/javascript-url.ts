import { createOriginReader, type BindingPart, type OriginReader, type Ui5View } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Code of an expression that puts a fixed beginning before its value. */
const FIXED_START = /^\s{0,50}\(?\s{0,50}['"`](?:https?:|mailto:|tel:|sms:|[#/?.]|\w)/u
const FIXED_PART = /['"`](?:https?:\/\/|mailto:|tel:|#|\/)/u

/**
 * A link whose address is data, without the check that UI5 has for it.
 * Facts: API of sap.m.Link: `validateUrl` is false by default; then any address is taken, javascript: too.
 */
export const javascriptUrl: Rule = defineRule({
  id: 'ui5/javascript-url',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.m.Link',
  on: ['ui5-app'],
  text: {
    en: {
      title: 'A link takes any address from data',
      message: 'The address of this link is bound to {value}, and validateUrl is not set.',
      why: 'Whoever can write that data puts a javascript: address there; it runs in the session of everybody who clicks the link.',
      fix: 'Set validateUrl="true", or put a fixed beginning before the value: href="https://www.example.com/…".',
    },
    fr: {
      title: 'Un lien prend n’importe quelle adresse dans des données',
      message: 'L’adresse de ce lien est liée à {value}, et validateUrl n’est pas indiqué.',
      why: 'Quiconque peut écrire ces données y place une adresse javascript: ; elle s’exécute dans la session de tous ceux qui cliquent sur le lien.',
      fix: 'Indiquez validateUrl="true", ou placez un début fixe devant la valeur : href="https://www.example.com/…".',
    },
  },

  *check(app) {
    const origins = createOriginReader(app)
    for (const view of app.views) {
      if (view.test) continue
      for (const { type, properties, isWhole } of view.controls) {
        const href = type === 'sap.m.Link' ? properties.get('href') : undefined
        if (href?.binding.kind !== 'bound' || href.binding.before.trim() !== '') continue
        const validated = properties.get('validateUrl')
        if (validated === undefined ? !isWhole : validated.value.trim() !== 'false') continue
        const [first] = href.binding.parts
        if (first === undefined || !decidesScheme(first, origins, view)) continue
        yield { at: { file: view.file, span: href.at }, args: { value: shorten(href.value.replaceAll(/[{}]/gu, '').trim()) } }
      }
    }
  },
})

/** Whether data says how the address begins; a formatter may say otherwise. */
function decidesScheme(part: BindingPart, origins: OriginReader, view: Ui5View): boolean {
  if (part.kind === 'info' && part.formatter !== undefined) return false
  if (part.kind === 'expression' && (FIXED_START.test(part.code) || FIXED_PART.test(part.code))) return false
  return origins.ofBinding({ kind: 'bound', parts: [part], before: '' }, view) === 'data'
}

const MAX_SHOWN = 80

function shorten(value: string): string {
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
}
