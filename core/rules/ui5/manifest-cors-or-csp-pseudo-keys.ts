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

function kindOf(key: string): 'cors' | 'frame' | undefined {
  if (/cors/iu.test(key)) return 'cors'
  return /frame/iu.test(key) ? 'frame' : undefined
}

/**
 * Members of a manifest that look like a protection and have no effect.
 * Facts: schema of the SAPUI5 descriptor (manifest.json): headers and framing are no part of it.
 * Impact: worth knowing; whether the protection is missing is judged elsewhere.
 */
export const manifestPseudoKeys: Rule = defineRule({
  id: 'ui5/manifest-cors-or-csp-pseudo-keys',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  docsByVariant: {
    frame: 'https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/frame-ancestors',
    cors: 'https://developer.mozilla.org/docs/Web/HTTP/Guides/CORS',
  },
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
        if (member !== undefined) yield { at: { file, span: member.keySpan }, args: { key }, variant: kindOf(key) }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Ineffective security setting in manifest.json',
      message: '"{key}" is not a property of manifest.json: UI5 ignores it.',
      why: 'The setting protects nothing: browsers read the policy from a response header or from the page, never from the manifest.',
      fix: 'Remove "{key}" and have the server that delivers the app send the policy in the Content-Security-Policy header (approuter: environment variable httpHeaders), or put it into a <meta> tag in index.html.',
      variants: {
        frame: {
          why: 'The setting protects nothing: browsers read the rules for framing from response headers, never from the manifest.',
          fix: "Remove \"{key}\" and have the server that delivers the app send the header Content-Security-Policy: frame-ancestors 'none', or 'self' (approuter: environment variable httpHeaders).",
        },
        cors: {
          why: 'The setting allows nothing: browsers read CORS rules from response headers, never from the manifest.',
          fix: 'Remove "{key}" and configure the allowed origins in the server that sends the responses (approuter: environment variable CORS).',
        },
      },
    },
    fr: {
      title: 'Réglage de sécurité sans effet dans manifest.json',
      message: '"{key}" n’est pas une propriété de manifest.json : UI5 l’ignore.',
      why: 'Ce réglage ne protège rien : les navigateurs lisent la politique dans un en-tête de la réponse ou dans la page, jamais dans le manifeste.',
      fix: 'Supprimez "{key}" et configurez le serveur qui fournit l’application pour qu’il envoie la politique dans l’en-tête Content-Security-Policy (approuter : variable d’environnement httpHeaders), ou placez-la dans une balise <meta> d’index.html.',
      variants: {
        frame: {
          why: 'Ce réglage ne protège rien : les navigateurs lisent les règles d’affichage en iframe dans les en-têtes de la réponse, jamais dans le manifeste.',
          fix: "Supprimez \"{key}\" et configurez le serveur qui fournit l’application pour qu’il envoie l’en-tête Content-Security-Policy: frame-ancestors 'none', ou 'self' (approuter : variable d’environnement httpHeaders).",
        },
        cors: {
          why: 'Ce réglage n’autorise rien : les navigateurs lisent les règles CORS dans les en-têtes de la réponse, jamais dans le manifeste.',
          fix: 'Supprimez "{key}" et configurez les origines autorisées sur le serveur qui envoie les réponses (approuter : variable d’environnement CORS).',
        },
      },
    },
  }),
})
