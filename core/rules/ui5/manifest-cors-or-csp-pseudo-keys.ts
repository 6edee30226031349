import { at, memberOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Members that no version of the descriptor has, by the section in which they are found in the wild. */
const KEYS: readonly string[] = [
  'contentSecurityPolicy',
  'content-security-policy',
  'csp',
  'allowed-cors-origins',
  'allowedCorsOrigins',
  'corsAllowedOrigins',
  'cors',
  'security.frame-options',
  'frame-options',
  'frameOptions',
]

/**
 * Members of a manifest that look like a protection and have no effect.
 * Facts: schema of the SAPUI5 descriptor (manifest.json): headers and framing are no part of it.
 * Severity: worth knowing; whether the protection is missing is judged elsewhere (INFO).
 */
export const manifestPseudoKeys: Rule = defineRule({
  id: 'ui5/manifest-cors-or-csp-pseudo-keys',
  severity: 'INFO',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  on: 'ui5-app',

  *check({ manifest }) {
    if (manifest === undefined) return
    const { file, root } = manifest
    for (const section of [
      root,
      at(root, 'sap.ui5'),
      at(root, 'sap.app'),
      at(root, 'sap.ui'),
      at(root, 'sap.ui5', 'security'),
      at(root, 'sap.app', 'security'),
    ]) {
      for (const key of KEYS) {
        const member = memberOf(section, key)
        if (member !== undefined) yield { at: { file, span: member.keySpan }, args: { key } }
      }
    }
  },

  text: {
    en: {
      title: 'Ineffective security setting in manifest.json',
      message: '"{key}" is not a property of manifest.json: UI5 ignores it.',
      why: 'The app looks protected but is not: browsers read framing rules, CSP and CORS from headers or from the page, never from the manifest.',
      fix: 'Remove "{key}" and send the header where the app is served: environment variable httpHeaders of the approuter, settings of the launchpad, or a meta tag in index.html for a CSP.',
    },
    fr: {
      title: 'Réglage de sécurité sans effet dans manifest.json',
      message: '"{key}" n’est pas une propriété de manifest.json : UI5 l’ignore.',
      why: 'L’application semble protégée sans l’être : les navigateurs lisent les règles d’affichage dans un cadre (iframe), la CSP et CORS dans les en-têtes ou la page, jamais dans le manifeste.',
      fix: 'Supprimez "{key}" et envoyez l’en-tête là où l’application est servie : variable d’environnement httpHeaders de l’approuter, réglages du launchpad, ou balise meta dans index.html pour une CSP.',
    },
  },
})
