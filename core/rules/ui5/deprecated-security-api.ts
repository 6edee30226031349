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
 * Security functions that UI5 has replaced and that newer versions no longer have; one finding per file and function.
 * Facts: SAPUI5, "Migrating Access to Modules of jquery.sap.*"; API reference, "deprecated".
 */
export const deprecatedSecurityApi: Rule = defineRule({
  id: 'ui5/deprecated-security-api',
  severity: 'LOW',
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://github.com/UI5/linter/blob/main/docs/Rules.md',
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
      title: 'Deprecated security function of UI5',
      message: '{name} is deprecated; {successor} replaces it.',
      why: 'Newer UI5 versions no longer have it: the app then fails at the place that protects it, or it keeps the app on a version that gets no corrections.',
      fix: 'Use {successor}.',
    },
    fr: {
      title: 'Fonction de sécurité obsolète d’UI5',
      message: '{name} est obsolète ; {successor} la remplace.',
      why: 'Les versions plus récentes d’UI5 ne l’ont plus : l’application échoue alors à l’endroit qui la protège, ou reste pour cela sur une version sans corrections.',
      fix: 'Utilisez {successor}.',
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
