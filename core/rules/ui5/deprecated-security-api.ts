import { pathsOf } from '../../facts/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What replaces each; by the last names of the path. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['sap encodeHTML', 'sap/base/security/encodeXML'],
  ['sap encodeXML', 'sap/base/security/encodeXML'],
  ['sap encodeJS', 'sap/base/security/encodeJS'],
  ['sap encodeURL', 'sap/base/security/encodeURL'],
  ['sap encodeURLParameters', 'sap/base/security/encodeURLParameters'],
  ['sap encodeCSS', 'sap/base/security/encodeCSS'],
  ['sap _sanitizeHTML', 'sap/base/security/sanitizeHTML'],
  ['sap addUrlWhitelist', 'sap/base/security/URLListValidator.add'],
  ['sap clearUrlWhitelist', 'sap/base/security/URLListValidator.clear'],
  ['sap getUrlWhitelist', 'sap/base/security/URLListValidator.entries'],
  ['sap removeUrlWhitelist', 'sap/base/security/URLListValidator.clear'],
  ['sap validateUrl', 'sap/base/security/URLListValidator.validate'],
])
const ROOTS: ReadonlySet<string> = new Set([
  'global:jQuery',
  'global:$',
  'module:sap/ui/thirdparty/jquery',
  'module:jquery.sap.global',
])
const CONFIGURATION = 'global:sap ui getCore () getConfiguration () setSecurityTokenHandlers'
const WHITELIST = 'sap/base/security/URLWhitelist'

/**
 * Security functions that UI5 has replaced and that newer versions no longer contain; one finding per file and function.
 * Facts: SAPUI5, "Replacement of Deprecated jQuery APIs"; API reference, "deprecated".
 * Severity: deprecated functions that still work in maintained lines (LOW).
 */
export const deprecatedSecurityApi: Rule = defineRule({
  id: 'ui5/deprecated-security-api',
  severity: 'LOW',
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/a075ed88ef324261bca41813a6ac4a1c',
  keywords: ['encode', 'UrlWhitelist', 'URLWhitelist', 'validateUrl', 'setSecurityTokenHandlers', '_sanitizeHTML'],
  prefilter: (text) =>
    /\.sap\.(?:encode(?:HTML|XML|JS|URL|CSS)|\w{3,10}UrlWhitelist|validateUrl|_sanitizeHTML)|security\/URLWhitelist|setSecurityTokenHandlers/.test(
      text,
    ),
  on: 'script',

  *check(file) {
    const { facts } = file.content
    const seen = new Set<string>()
    for (const { source, start, end } of facts.imports) {
      if (source !== WHITELIST || seen.has(source)) continue
      seen.add(source)
      yield {
        at: { file: file.path, span: { start, end } },
        args: { name: source, successor: 'sap/base/security/URLListValidator' },
      }
    }
    for (const { callee, start, end } of facts.calls) {
      const found = pathsOf(callee)
        .map(deprecatedBy)
        .find((found) => found !== undefined)
      if (found === undefined || seen.has(found.name)) continue
      seen.add(found.name)
      yield { at: { file: file.path, span: { start, end } }, args: found }
    }
  },

  text: {
    en: {
      title: 'Deprecated UI5 security function',
      message: '{name} is deprecated; its successor is {successor}.',
      why: 'UI5 2.x no longer contains it: the app either fails where it encodes or validates input, or stays on a line that gets no more security fixes.',
      fix: 'Replace {name} with {successor}, and add its module to the dependencies of sap.ui.define.',
    },
    fr: {
      title: 'Fonction de sécurité UI5 obsolète',
      message: '{name} est obsolète ; son successeur est {successor}.',
      why: 'UI5 2.x ne la contient plus : l’application échoue là où elle encode ou valide des entrées, ou reste sur une version qui ne reçoit plus de correctifs de sécurité.',
      fix: 'Remplacez {name} par {successor} et ajoutez son module aux dépendances de sap.ui.define.',
    },
  },
})

function deprecatedBy([root = '', ...steps]: readonly string[]): { name: string; successor: string } | undefined {
  const path = [root, ...steps].join(' ')
  if (path === CONFIGURATION)
    return { name: 'Configuration.setSecurityTokenHandlers', successor: 'sap/ui/security/Security.setSecurityTokenHandlers' }
  const name = steps.join(' ')
  const successor = ROOTS.has(root) ? SUCCESSORS.get(name) : undefined
  return successor === undefined ? undefined : { name: `jQuery.${steps.join('.')}`, successor }
}
