import {
  createOriginReader,
  markupFunctions,
  type BindingPart,
  type ControlProperty,
  type OriginReader,
  type Ui5View,
} from '../../model/ui5/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { LINK_PROPERTIES, linkAddresses, RUNS_CODE, type LinkAddress } from './_link-addresses.ts'

/** Code of an expression that puts a fixed beginning before its value. */
const FIXED_START = /^\s{0,50}\(?\s{0,50}['"`](?:https?:|mailto:|tel:|sms:|[#/?.]|\w)/u
const FIXED_PART = /['"`](?:https?:\/\/|mailto:|tel:|#|\/)/u

/**
 * A link whose address is data, without the check that UI5 has for it.
 * Facts: API of sap.m.Link: `validateUrl` is false by default; then any address is taken, javascript: too. Other controls have no such check.
 */
export const javascriptUrl: Rule = defineRule({
  id: 'ui5/javascript-url',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.m.Link',
  extracts: [linkAddresses, markupFunctions],
  on: 'ui5-app',

  *check(app) {
    const origins = createOriginReader(app)
    const views = new Set<string>()
    for (const view of app.views) {
      if (view.test) continue
      if (view.language === 'script') views.add(view.file)
      for (const { type, properties, isWhole } of view.controls) {
        const href = properties.get(LINK_PROPERTIES.get(type) ?? '')
        const match = href && judgeProperty(href, type, origins, view)
        if (match === undefined) continue
        const validated = properties.get('validateUrl')
        if (match.variant === 'code' || (validated === undefined ? isWhole : validated.value.trim() === 'false')) yield match
      }
    }
    for (const { file, value } of app.scripts.get(linkAddresses)) if (!views.has(file)) yield* judgeScript(file, value, origins)
  },

  text: {
    en: {
      title: 'A link takes any address from data',
      message: 'The address of this link is bound to {value}, and validateUrl is not set.',
      why: 'Whoever can write that data puts a javascript: address there; it runs in the session of everybody who clicks the link.',
      fix: 'Set validateUrl="true", or put a fixed beginning before the value: href="https://www.example.com/…".',
      variants: {
        unchecked: {
          message: 'The address of this {control} is bound to {value}, and the control does not check it.',
          fix: 'Bind it by a formatter that asks URLListValidator.validate, or put a fixed beginning before the value.',
        },
        model: {
          message: 'This link gets its address from {value}, which is data of a model.',
          fix: 'Set validateUrl: true, or ask URLListValidator.validate before the address is set.',
        },
        outside: {
          title: 'A link takes its address from outside',
          message: 'This link gets its address from {value}, and that comes from outside.',
          why: 'A prepared link into your app is enough: it puts a javascript: address here, which runs in the session of whoever clicks on it.',
          fix: 'Set validateUrl: true, and take only paths of the own app from outside.',
        },
        code: {
          title: 'A link runs code',
          message: 'The address of this link is code: {value}.',
          why: 'A content security policy must allow "unsafe-inline" for it, and then stops no injected script either.',
          fix: 'Use the event press with a handler of the controller.',
        },
      },
    },
    fr: {
      title: 'Un lien prend n’importe quelle adresse dans des données',
      message: 'L’adresse de ce lien est liée à {value}, et validateUrl n’est pas indiqué.',
      why: 'Quiconque peut écrire ces données y place une adresse javascript: ; elle s’exécute dans la session de tous ceux qui cliquent sur le lien.',
      fix: 'Indiquez validateUrl="true", ou placez un début fixe devant la valeur : href="https://www.example.com/…".',
      variants: {
        unchecked: {
          message: 'L’adresse de ce {control} est liée à {value}, et le contrôle ne la vérifie pas.',
          fix: 'Liez-la par un formateur qui interroge URLListValidator.validate, ou placez un début fixe devant la valeur.',
        },
        model: {
          message: 'Ce lien tire son adresse de {value}, donnée d’un modèle.',
          fix: 'Indiquez validateUrl: true, ou interrogez URLListValidator.validate avant de fixer l’adresse.',
        },
        outside: {
          title: 'Un lien tire son adresse de l’extérieur',
          message: 'Ce lien tire son adresse de {value}, et cela vient de l’extérieur.',
          why: 'Un lien préparé vers votre application suffit : il place ici une adresse javascript:, qui s’exécute dans la session de qui clique dessus.',
          fix: 'Indiquez validateUrl: true, et ne prenez de l’extérieur que des chemins de l’application elle-même.',
        },
        code: {
          title: 'Un lien exécute du code',
          message: 'L’adresse de ce lien est du code : {value}.',
          why: 'Une politique de sécurité du contenu doit pour cela autoriser « unsafe-inline », et n’arrête alors plus aucun script injecté.',
          fix: 'Utilisez l’événement press et un gestionnaire du contrôleur.',
        },
      },
    },
  },
})

function judgeProperty(
  { binding, value, at }: ControlProperty,
  type: string,
  origins: OriginReader,
  view: Ui5View,
): Match | undefined {
  const place = { file: view.file, span: at }
  if (binding.kind === 'constant' && RUNS_CODE.test(value))
    return { at: place, args: { value: shorten(value.trim()) }, variant: 'code', confidence: 'high' }
  if (binding.kind !== 'bound' || binding.before.trim() !== '') return undefined
  const [first] = binding.parts
  if (first === undefined || !decidesScheme(first, origins, view)) return undefined
  return {
    at: place,
    args: { control: type.slice(type.lastIndexOf('.') + 1), value: shorten(withoutBraces(value)) },
    ...(type !== 'sap.m.Link' && { variant: 'unchecked' }),
  }
}

function* judgeScript(file: string, { start, end, from, shown, first }: LinkAddress, origins: OriginReader): Generator<Match> {
  const at = { file, span: { start, end } }
  const args = { value: shorten(shown) }
  if (from !== 'binding') yield { at, args, variant: from, ...(from === 'outside' && { severity: 'HIGH' }) }
  else if (first !== undefined && decidesScheme(first, origins)) yield { at, args }
}

/** Whether data says how the address begins; a formatter may say otherwise. */
function decidesScheme(part: BindingPart, origins: OriginReader, view?: Ui5View): boolean {
  if (part.kind === 'info' && part.formatter !== undefined) return false
  if (part.kind === 'expression' && (FIXED_START.test(part.code) || FIXED_PART.test(part.code))) return false
  return origins.ofBinding({ kind: 'bound', parts: [part], before: '' }, view) === 'data'
}

function withoutBraces(value: string): string {
  const text = value.trim()
  return text.includes('${')
    ? text.replace(/^\{:?=\s{0,20}/u, '').replace(/\s{0,20}\}$/u, '')
    : text.replaceAll(/[{}]/gu, '').trim()
}

const MAX_SHOWN = 80

function shorten(value: string): string {
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
}
