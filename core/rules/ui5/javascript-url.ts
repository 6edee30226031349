import { cutText } from '../../cut-text.ts'
import type { FlowHit } from '../../flow/index.ts'
import { ADDRESS_PROPERTIES } from '../../flow/tables/controls.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'
import { linkAddresses, RUNS_CODE, type LinkAddress } from './_link-addresses.ts'

/**
 * A link whose address is data, without the check that UI5 has for it.
 * Facts: API of sap.m.Link: `validateUrl` is false by default, and then any scheme is accepted, javascript: too. Other controls have no such check.
 * Severity: stored data plus a click of the victim (MEDIUM); an address from the URL of the app needs a crafted link alone, and a frame no click (HIGH); code that the app
 * itself contains is hygiene (LOW).
 */
export const javascriptUrl: Rule = defineRule({
  id: 'ui5/javascript-url',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.m.Link',
  extracts: [linkAddresses],
  // of a property that may hold any text, that says it
  yieldsTo: ['ui5/metadata-property-any'],

  checks: { flow: judgeFlow, 'ui5-app': judgeApp },

  text: {
    en: {
      title: 'XSS: javascript: URLs possible in a bound link',
      message: 'The address of this link is bound to "{value}", and validateUrl is not set.',
      why: 'An attacker who can write that data can store a javascript: URL, whose code runs in the session of every user who clicks the link.',
      fix: 'Set validateUrl="true" on the link, or put a fixed prefix before the value: href="https://www.example.com/{…}".',
      variants: {
        unchecked: {
          message: 'The address of this {control} is bound to "{value}", and the control does not validate it.',
          fix: 'Bind the address with a formatter that returns the value only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts it, or put a fixed prefix before the value.',
        },
        model: {
          title: 'XSS: javascript: URLs possible in a link',
          message: 'This link gets its address from {value} without validation.',
          why: 'An attacker who can supply that value, for example by writing the data, can put a javascript: URL there, whose code runs in the session of every user who clicks the link.',
          fix: 'Set validateUrl: true on the link, or call URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) before setting the address.',
        },
        outside: {
          title: 'XSS: link target from the URL or a message',
          message: 'This link gets its address from {value}, which comes from outside the app, without validation.',
          why: 'A crafted link into the app is enough: it puts a javascript: URL here, whose code runs in the session of the user who clicks on it.',
          fix: 'Set validateUrl: true on the link, and accept only relative paths of the app from outside: check that the value starts with a single "/".',
        },
        frame: {
          title: 'XSS: javascript: URL possible in a frame',
          message: 'The address of this frame comes from {value}, and nothing checks it.',
          why: 'A frame loads its address without a click: an attacker who chooses it runs a javascript: URL in the session of every user who opens the page.',
          fix: 'Set the address only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts it, or put a fixed prefix before the value.',
        },
        written: {
          title: 'XSS: javascript: URL possible in a rendered link',
          message: 'This renderer writes an address that comes from {value}, and nothing checks it.',
          fix: 'Write the attribute only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts the value; the type sap.ui.core.URI allows any scheme.',
        },
        code: {
          title: 'Inline code in a javascript: URL',
          message: 'The address of this link is inline code: {value}.',
          why: "A content security policy has to allow 'unsafe-inline' for it, and then no longer blocks injected scripts.",
          fix: 'Remove the address and attach a handler of the controller to the press event: press=".onPress".',
        },
      },
    },
    fr: {
      title: 'XSS : URL javascript: possible dans un lien lié à des données',
      message: 'L’adresse de ce lien est liée à "{value}", et validateUrl n’est pas défini.',
      why: 'Un attaquant qui peut écrire ces données peut y stocker une URL javascript:, dont le code s’exécute dans la session de chaque utilisateur qui clique sur le lien.',
      fix: 'Définissez validateUrl="true" sur le lien, ou placez un préfixe fixe devant la valeur : href="https://www.example.com/{…}".',
      variants: {
        unchecked: {
          message: 'L’adresse de ce contrôle {control} est liée à "{value}", et le contrôle ne la valide pas.',
          fix: 'Liez l’adresse par un formateur qui ne renvoie la valeur que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) l’accepte, ou placez un préfixe fixe devant la valeur.',
        },
        model: {
          title: 'XSS : URL javascript: possible dans un lien',
          message: 'Ce lien tire son adresse de {value} sans validation.',
          why: 'Un attaquant qui peut fournir cette valeur, par exemple en écrivant les données, peut y placer une URL javascript:, dont le code s’exécute dans la session de chaque utilisateur qui clique sur le lien.',
          fix: 'Définissez validateUrl: true sur le lien, ou appelez URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) avant de fixer l’adresse.',
        },
        outside: {
          title: 'XSS : cible d’un lien issue de l’URL ou d’un message',
          message: 'Ce lien tire son adresse de {value}, une donnée extérieure à l’application, sans validation.',
          why: 'Un lien forgé vers l’application suffit : il place ici une URL javascript:, dont le code s’exécute dans la session de l’utilisateur qui clique dessus.',
          fix: 'Définissez validateUrl: true sur le lien, et n’acceptez de l’extérieur que des chemins relatifs de l’application : vérifiez que la valeur commence par une seule barre "/".',
        },
        frame: {
          title: 'XSS : URL javascript: possible dans un cadre',
          message: 'L’adresse de ce cadre provient de {value}, et rien ne la vérifie.',
          why: 'Un cadre charge son adresse sans clic : un attaquant qui la choisit exécute une URL javascript: dans la session de chaque utilisateur qui ouvre la page.',
          fix: 'Ne définissez l’adresse que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) l’accepte, ou placez un préfixe fixe devant la valeur.',
        },
        written: {
          title: 'XSS : URL javascript: possible dans un lien rendu',
          message: 'Ce moteur de rendu écrit une adresse qui provient de {value}, et rien ne la vérifie.',
          fix: 'N’écrivez l’attribut que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) accepte la valeur ; le type sap.ui.core.URI permet n’importe quel schéma.',
        },
        code: {
          title: 'Code en ligne dans une URL javascript:',
          message: 'L’adresse de ce lien est du code en ligne : {value}.',
          why: "Une Content Security Policy doit autoriser 'unsafe-inline' pour ce code et ne bloque alors plus les scripts injectés.",
          fix: 'Supprimez l’adresse et attachez un gestionnaire du contrôleur à l’événement press : press=".onPress".',
        },
      },
    },
  },
})

/** A bound address: in a view, or in what a script constructs. */
function* judgeFlow(hit: FlowHit): Generator<Match> {
  // a formatter may have put a fixed beginning before it
  if (hit.detail !== 'begin') return
  const [control = ''] = hit.sink.split('.')
  const isWritten = control === 'RenderManager'
  // what nobody in the project sets
  if (isWritten && (hit.origin === 'property' || hit.origin === 'unknown')) return
  const isOutside = hit.origin === 'url' || hit.origin === 'referrer' || hit.origin === 'window-message'
  const isFrame = hit.sink.endsWith('.src')
  const isSet = /\.set[A-Z]\w{0,40}$/.test(hit.sink)
  const variant = isWritten
    ? 'written'
    : isFrame
      ? 'frame'
      : isSet
        ? isOutside
          ? 'outside'
          : 'model'
        : control === 'Link'
          ? undefined
          : 'unchecked'
  yield {
    ...gradeByOrigin(hit, isOutside || isFrame ? 'HIGH' : 'MEDIUM'),
    args: { control, value: shorten(hit.part) },
    ...(variant !== undefined && { variant }),
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
        yield { at, args: { value: shorten(href.value.trim()) }, variant: 'code', severity: 'LOW', confidence: 'high' }
      }
  }
  for (const { file, value } of app.scripts.get(linkAddresses)) if (!views.has(file)) yield judgeScript(file, value)
}

function judgeScript(file: string, { start, end, shown }: LinkAddress): Match {
  return { at: { file, span: { start, end } }, args: { value: shorten(shown) }, variant: 'code', severity: 'LOW' }
}

const MAX_SHOWN = 80

function shorten(value: string): string {
  return cutText(value, MAX_SHOWN)
}
