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
 * Members of a manifest that look like a protection and that nothing reads.
 * Facts: schema of the SAPUI5 descriptor (manifest.json): headers and framing are no part of it.
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
      title: 'A protection in the manifest that nothing reads',
      message: '"{key}" is no member of a manifest: it has no effect.',
      why: 'It looks as if the app were protected: whoever relies on it has no protection at all.',
      fix: 'Remove it, and set the header where the app is served: responseHeaders of the approuter, the launchpad, or a meta tag of the page.',
    },
    fr: {
      title: 'Une protection dans le manifeste que rien ne lit',
      message: '« {key} » ne fait pas partie d’un manifeste : il est sans effet.',
      why: 'L’application a l’air protégée : qui s’y fie n’a aucune protection.',
      fix: 'Supprimez-le et réglez l’en-tête là où l’application est servie : responseHeaders de l’approuter, launchpad, ou balise meta de la page.',
    },
  },
})
