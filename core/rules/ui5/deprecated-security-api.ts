import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathsOf } from '../../facts/index.ts'
import type { ScriptFacts } from '../../facts/types.ts'
import { minorOf, runningVersions, type Ui5App } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What replaces a function, newest first, each with the first UI5 line that contains it. */
type Successors = readonly (readonly [line: number, successor: string])[]

/** Facts: `@since` of the modules, @openui5/sap.ui.core 1.152.0. */
const CONFIGURATION = 'Configuration.setSecurityTokenHandlers'
const SANITIZER = 'jQuery.sap._sanitizeHTML'
const WHITELIST = 'sap/base/security/URLWhitelist'
const SUCCESSORS: ReadonlyMap<string, Successors> = new Map([
  ['jQuery.sap.encodeHTML', [[58, 'sap/base/security/encodeXML']]],
  ['jQuery.sap.encodeXML', [[58, 'sap/base/security/encodeXML']]],
  ['jQuery.sap.encodeJS', [[58, 'sap/base/security/encodeJS']]],
  ['jQuery.sap.encodeURL', [[58, 'sap/base/security/encodeURL']]],
  ['jQuery.sap.encodeURLParameters', [[58, 'sap/base/security/encodeURLParameters']]],
  ['jQuery.sap.encodeCSS', [[58, 'sap/base/security/encodeCSS']]],
  [SANITIZER, [[0, 'sap.m.FormattedText']]],
  ['jQuery.sap.addUrlWhitelist', inUrlList('add')],
  ['jQuery.sap.clearUrlWhitelist', inUrlList('clear')],
  ['jQuery.sap.getUrlWhitelist', inUrlList('entries')],
  ['jQuery.sap.removeUrlWhitelist', inUrlList('clear')],
  ['jQuery.sap.validateUrl', inUrlList('validate')],
  [WHITELIST, [[85, 'sap/base/security/URLListValidator']]],
  [CONFIGURATION, [[120, 'sap/ui/security/Security.setSecurityTokenHandlers']]],
] satisfies [string, Successors][])

function inUrlList(name: string): Successors {
  return [
    [85, `sap/base/security/URLListValidator.${name}`],
    [58, `${WHITELIST}.${name}`],
  ]
}

const ROOTS: ReadonlySet<string> = new Set([
  'global:jQuery',
  'global:$',
  'module:sap/ui/thirdparty/jquery',
  'module:jquery.sap.global',
])
const SETTER = 'global:sap ui getCore () getConfiguration () setSecurityTokenHandlers'

/** The first use of each deprecated function in a script. */
const deprecatedUses: Extract<Span & { readonly name: string }> = defineExtract({
  name: 'ui5-deprecated-security-uses',
  keywords: ['encode', 'UrlWhitelist', 'URLWhitelist', 'validateUrl', 'setSecurityTokenHandlers', '_sanitizeHTML'],
  prefilter: (text) =>
    /\.sap\.(?:encode(?:HTML|XML|JS|URL|CSS)|\w{3,10}UrlWhitelist|validateUrl|_sanitizeHTML)|security\/URLWhitelist|setSecurityTokenHandlers/.test(
      text,
    ),
  inPages: true,
  *collect({ facts }) {
    const seen = new Set<string>()
    for (const use of usesIn(facts)) {
      if (seen.has(use.name)) continue
      seen.add(use.name)
      yield use
    }
  },
})

function* usesIn({ imports, calls }: ScriptFacts): Generator<Span & { readonly name: string }> {
  for (const { source, start, end } of imports) if (source === WHITELIST) yield { start, end, name: source }
  for (const { callee, start, end } of calls) {
    const name = pathsOf(callee)
      .map(deprecatedAt)
      .find((found) => found !== undefined)
    if (name !== undefined) yield { start, end, name }
  }
}

function deprecatedAt([root = '', ...steps]: readonly string[]): string | undefined {
  if ([root, ...steps].join(' ') === SETTER) return CONFIGURATION
  const name = `jQuery.${steps.join('.')}`
  return ROOTS.has(root) && SUCCESSORS.has(name) ? name : undefined
}

/**
 * Security functions that UI5 has replaced and that newer versions no longer contain; one finding per file and function. An app on a line without the
 * successor has nothing to replace them with.
 * Facts: SAPUI5, "Replacement of Deprecated jQuery APIs"; API reference, "deprecated"; sap/base/security/sanitizeHTML (@openui5/sap.ui.core 1.89.1) is a
 * private module that apps must not use.
 * Impact: deprecated functions that still work in maintained lines.
 */
export const deprecatedSecurityApi: Rule = defineRule({
  id: 'ui5/deprecated-security-api',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/a075ed88ef324261bca41813a6ac4a1c',
  extracts: [deprecatedUses],
  on: 'project',

  *check({ scripts, ui5Apps }) {
    const lines = new Map<string, number>()
    for (const app of ui5Apps) {
      const line = lowestLine(app)
      if (line !== undefined) for (const { file } of app.scripts.get(deprecatedUses)) lines.set(file, line)
    }
    for (const { file, value } of scripts.get(deprecatedUses)) {
      const { name, start, end } = value
      const line = lines.get(file) ?? Infinity
      const found = SUCCESSORS.get(name)?.find(([first]) => first <= line)
      if (found !== undefined)
        yield {
          at: { file, span: { start, end } },
          args: { name, successor: found[1], ...partsOf(found[1]) },
          ...(name === SANITIZER && { variant: 'private' }),
        }
    }
  },

  text: () => ({
    en: {
      title: 'Deprecated UI5 security API',
      message: '{name} is deprecated; its successor is {successor}.',
      why: 'This API is no longer developed, and UI5 2.x does not contain it: code that uses it fails there.',
      fix: 'Load the module {module} with sap.ui.define (or import it in TypeScript), and use {exported} instead of {name}.',
      variants: {
        private: {
          message: '{name} is deprecated, and the function that replaced it is private to UI5.',
          fix: 'Show the markup in {successor}, which sanitizes it, or sanitize the markup with a library: DOMPurify.sanitize(html).',
        },
      },
    },
    fr: {
      title: 'API de sécurité UI5 obsolète',
      message: '{name} est obsolète ; son successeur est {successor}.',
      why: 'Cette API n’est plus développée, et UI5 2.x ne la contient plus : le code qui l’utilise y échoue.',
      fix: 'Chargez le module {module} avec sap.ui.define (ou importez-le en TypeScript) et utilisez {exported} à la place de {name}.',
      variants: {
        private: {
          message: '{name} est obsolète, et la fonction qui l’a remplacée est réservée à UI5.',
          fix: 'Affichez le balisage dans {successor}, qui l’assainit, ou assainissez-le avec une bibliothèque : DOMPurify.sanitize(html).',
        },
      },
    },
  }),
})

/** `sap/base/security/URLListValidator.add`: the module, and what is called in code. */
function partsOf(successor: string): { readonly module: string; readonly exported: string } {
  const exported = successor.slice(successor.lastIndexOf('/') + 1)
  return { module: successor.replace(/\.\w+$/, ''), exported }
}

/** The lowest line that an app runs with; of a library, whose apps decide, and of 2.x nothing is known. */
function lowestLine({ versions, isLibrary }: Ui5App): number | undefined {
  const lines = isLibrary ? [] : runningVersions(versions).map(({ version }) => minorOf(version) ?? Infinity)
  return lines.length === 0 ? undefined : Math.min(...lines)
}
