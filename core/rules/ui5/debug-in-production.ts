import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathOf } from '../../facts/index.ts'
import { settingOf } from '../../model/ui5/index.ts'
import type { Localized, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Settings for developers by their documented names, and the values that switch them on. */
const SETTINGS: readonly (readonly [name: string, on: RegExp, variant?: string])[] = [
  ['debug', /^(?:true|x|.{0,200}\/.{0,200})$/iu],
  ['logLevel', /^(?:debug|all|trace)$/iu, 'log'],
  ['inspect', /^(?:true|x)$/iu, 'tools'],
  ['support', /^(?:true|x|silent)(?:,|$)/iu, 'tools'],
  ['xx-designMode', /^(?:true|x)$/iu, 'tools'],
  ['xx-debugRendering', /^(?:true|x)$/iu, 'rendering'],
]
/** Such calls looked at per file: each is compared with all conditions. */
const MAX_CALLS = 50
const LEVELS = /^(?:DEBUG|ALL|TRACE)$/u

/** Calls that raise the log level, and that no condition decides about. */
const detailedLevels: Extract<Span & { readonly level: string }> = defineExtract({
  name: 'ui5-detailed-log-levels',
  keywords: ['setLevel'],
  prefilter: (text) => /\bsetLevel\b/.test(text) && /\b(?:DEBUG|ALL|TRACE)\b/.test(text),
  inPages: true,
  *collect({ facts }) {
    let remaining = MAX_CALLS
    for (const { callee, args, start, end } of facts.calls) {
      const path = pathOf(callee)?.join('.')
      const [level] = args
      if (path !== 'module:sap/base/Log.setLevel' && path !== 'global:jQuery.sap.log.setLevel') continue
      const name = level?.kind === 'member' ? level.name : undefined
      if (name === undefined || !LEVELS.test(name)) continue
      if (remaining-- <= 0) break
      // a condition decides, such as a URL parameter
      if (facts.guards.some(({ inside }) => inside.start <= start && end <= inside.end)) continue
      yield { start, end, level: name }
    }
  },
})

const LOG: Localized<string> = {
  en: 'Details of requests and business data are written to the browser console, where anyone with access to the screen, and every script of the page, can read them.',
  fr: 'Des détails de requêtes et des données métier apparaissent dans la console du navigateur, où toute personne ayant accès à l’écran et tout script de la page peuvent les lire.',
}

/**
 * A productive page or component with debugging tools switched on.
 * Facts: documentation of SAPUI5, "Configuration Options and URL Parameters"; API of sap/base/Log. URL parameters in
 * camel case work in all lines, those with hyphens as of 1.120 (core/model/ui5/pages.ts; ui5loader-autoconfig.js, @openui5/sap.ui.core 1.152.0).
 * Severity: hygiene; what is shown belongs to the user (LOW).
 */
export const debugInProduction: Rule = defineRule({
  id: 'ui5/debug-in-production',
  severity: 'LOW',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/configuration-options-and-url-parameters-91f2d03.md',
  extracts: [detailedLevels],
  on: 'ui5-app',

  *check(app) {
    for (const { test, bootstrap } of app.pages) {
      if (test) continue
      for (const [name, on, variant] of SETTINGS) {
        const setting = settingOf(bootstrap, name.replace('-', '').toLowerCase())
        if (setting?.value === undefined || !on.test(setting.value)) continue
        yield {
          at: setting.at,
          args: { setting: name, value: setting.value },
          groupKey: `${setting.at.file}:${setting.at.span?.start ?? 0}`,
          ...(variant !== undefined && { variant }),
        }
      }
    }
    if (app.isLibrary) return
    for (const { file, value } of app.scripts.get(detailedLevels)) {
      const { start, end, level } = value
      yield { at: { file, span: { start, end } }, args: { setting: 'Log.setLevel', value: level }, variant: 'call' }
    }
  },

  text: {
    en: {
      title: 'Debug settings enabled in production',
      message: '"{setting}" is set to {value} in deployed code.',
      why: 'Every user loads debug sources, which slow the app down and show an attacker the original code with its comments.',
      fix: 'Remove "{setting}" from the bootstrap configuration; switch debugging on only where you need it, with a URL parameter (sap-ui-debug=true, sap-ui-logLevel=DEBUG) or in the technical information dialog (Ctrl+Alt+Shift+P).',
      variants: {
        log: {
          why: LOG.en,
        },
        call: {
          message: '{setting} is called with the level {value} in deployed code.',
          why: LOG.en,
          fix: 'Remove the call to {setting}; switch debugging on only where you need it, with a URL parameter (sap-ui-debug=true, sap-ui-logLevel=DEBUG) or in the technical information dialog (Ctrl+Alt+Shift+P).',
        },
        tools: {
          why: 'This diagnostic tool starts for every user and shows the app’s internal structure, its models and their data.',
        },
        rendering: {
          why: 'UI5 then checks and logs each rendering: the app is slower, and its internal structure is shown in the browser console.',
        },
      },
    },
    fr: {
      title: 'Réglages de débogage activés en production',
      message: '"{setting}" vaut {value} dans du code déployé.',
      why: 'Chaque utilisateur charge les sources de débogage, qui ralentissent l’application et montrent à un attaquant le code d’origine avec ses commentaires.',
      fix: 'Supprimez "{setting}" de la configuration d’amorçage ; n’activez le débogage qu’au besoin, par paramètre d’URL (sap-ui-debug=true, sap-ui-logLevel=DEBUG) ou dans la boîte de dialogue d’informations techniques (Ctrl+Alt+Maj+P).',
      variants: {
        log: {
          why: LOG.fr,
        },
        call: {
          message: '{setting} est appelé avec le niveau {value} dans du code déployé.',
          why: LOG.fr,
          fix: 'Supprimez l’appel à {setting} ; n’activez le débogage qu’au besoin, par paramètre d’URL (sap-ui-debug=true, sap-ui-logLevel=DEBUG) ou dans la boîte de dialogue d’informations techniques (Ctrl+Alt+Maj+P).',
        },
        tools: {
          why: 'Cet outil de diagnostic démarre pour chaque utilisateur et montre la structure interne de l’application, ses modèles et leurs données.',
        },
        rendering: {
          why: 'UI5 vérifie et journalise alors chaque rendu : l’application est plus lente, et sa structure interne apparaît dans la console du navigateur.',
        },
      },
    },
  },
})
