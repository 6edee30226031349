import type { Ui5Page } from '../../model/ui5/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An app with pages of its own for which nothing in the project sends a content security policy; one finding per app.
 * Facts: documentation of SAPUI5, "Content Security Policy". A launchpad, an ABAP system or the managed approuter decides for the apps that it serves;
 * `contentSecurityPolicy` is no member of a manifest.
 */
export const cspMissing: Rule = defineRule({
  id: 'ui5/csp-missing',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  on: 'ui5-app',

  *check(app) {
    if (app.served !== 'unknown' || app.isLibrary) return
    const pages = app.pages.filter(({ test }) => !test)
    const [first] = pages
    if (first !== undefined && !pages.some(hasPolicy)) yield { at: { file: first.file }, args: { page: first.file } }
  },

  text: {
    en: {
      title: 'The app has no content security policy',
      message: '{page} names no policy, and nothing in the project sends one.',
      why: 'Once an attacker gets a script into a page, nothing stops it; with a policy most such scripts do not run.',
      fix: "Send the header \"Content-Security-Policy: default-src 'self'; script-src 'self' https://ui5.sap.com; style-src 'self' 'unsafe-inline'\" from the server, or set it as meta tag.",
    },
    fr: {
      title: 'L’application n’a pas de politique de sécurité du contenu',
      message: '{page} ne nomme pas de politique, et rien dans le projet n’en envoie une.',
      why: 'Dès qu’un attaquant introduit un script dans une page, rien ne l’arrête ; avec une politique, la plupart de ces scripts ne s’exécutent pas.',
      fix: "Envoyez l’en-tête « Content-Security-Policy: default-src 'self'; script-src 'self' https://ui5.sap.com; style-src 'self' 'unsafe-inline' » depuis le serveur, ou indiquez-la par une balise meta.",
    },
  },
})

function hasPolicy({ document }: Ui5Page): boolean {
  for (const element of elementsOf(document)) {
    const kind = element.name === 'meta' ? attributeOf(element, 'http-equiv')?.value.trim().toLowerCase() : undefined
    if (kind === 'content-security-policy' || kind === 'content-security-policy-report-only') return true
  }
  return false
}
