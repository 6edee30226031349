import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathOf } from '../../facts/index.ts'
import { settingOf, spelledAs } from '../../model/ui5/index.ts'
import type { Localized, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isWithin } from '../../facts/span-index.ts'

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
    for (const call of facts.calls) {
      const { callee, args, start, end } = call
      const path = pathOf(callee)?.join('.')
      const [level] = args
      if (path !== 'module:sap/base/Log.setLevel' && path !== 'global:jQuery.sap.log.setLevel') continue
      const name = level?.kind === 'member' ? level.name : undefined
      if (name === undefined || !LEVELS.test(name)) continue
      if (remaining-- <= 0) break
      // a condition decides, such as a URL parameter
      if (facts.guards.some(({ inside }) => isWithin(call, inside))) continue
      yield { start, end, level: name }
    }
  },
})

const LOG: Localized<string> = {
  en: 'Details of requests and business data can appear in the browser console, where anyone with access to the device can read them.',
  fr: 'Des détails de requêtes et des données métier peuvent apparaître dans la console du navigateur, où toute personne ayant accès à l’appareil peut les lire.',
}

/**
 * A productive page or component with debugging tools switched on.
 * Facts: documentation of SAPUI5, "Configuration Options and URL Parameters"; API of sap/base/Log. URL parameters in
 * camel case work in all lines, those with hyphens as of 1.120 (core/model/ui5/pages.ts; ui5loader-autoconfig.js, @openui5/sap.ui.core 1.152.0).
 * Impact: what is shown belongs to the user.
 */
export const debugInProduction: Rule = defineRule({
  id: 'ui5/debug-in-production',
  impact: 'hygiene',
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
          args: { setting: spelledAs(name, setting), value: setting.value, file: setting.at.file },
          groupKey: `${setting.at.file}:${setting.at.span?.start ?? 0}`,
          ...(variant !== undefined && { variant }),
        }
      }
    }
    if (app.isLibrary) return
    for (const { file, value } of app.scripts.get(detailedLevels)) {
      const { start, end, level } = value
      yield { at: { file, span: { start, end } }, args: { setting: 'Log.setLevel', value: level, file }, variant: 'call' }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 debug setting enabled for all users',
      message: 'The UI5 setting "{setting}" is set to {value} in {file}.',
      why: 'Every user loads debug sources, which slow the app down and contain the original code with its comments.',
      fix: 'Remove "{setting}" from the bootstrap configuration; enable it only when you need it, with the URL parameter sap-ui-{setting}={value}.',
      variants: {
        log: {
          why: LOG.en,
        },
        call: {
          message: '{file} calls {setting} with the level {value}, without a condition.',
          why: LOG.en,
          fix: 'Remove the call to {setting}; raise the log level only when you need it, with the URL parameter sap-ui-logLevel={value}.',
        },
        tools: {
          why: 'UI5 loads this development tool for every user; it can show the internal structure of the app.',
        },
        rendering: {
          why: 'UI5 then checks and logs the rendering of controls: the app is slower, and its internal structure can appear in the browser console.',
        },
      },
    },
    fr: {
      title: 'Réglage de débogage UI5 activé pour tous les utilisateurs',
      message: 'Le réglage UI5 "{setting}" vaut {value} dans {file}.',
      why: 'Chaque utilisateur charge des sources de débogage, qui ralentissent l’application et contiennent le code d’origine avec ses commentaires.',
      fix: 'Supprimez "{setting}" de la configuration d’amorçage ; n’activez ce réglage qu’au besoin, par le paramètre d’URL sap-ui-{setting}={value}.',
      variants: {
        log: {
          why: LOG.fr,
        },
        call: {
          message: '{file} appelle {setting} avec le niveau {value}, sans condition.',
          why: LOG.fr,
          fix: 'Supprimez l’appel à {setting} ; n’augmentez le niveau de journalisation qu’au besoin, par le paramètre d’URL sap-ui-logLevel={value}.',
        },
        tools: {
          why: 'UI5 charge cet outil de développement pour chaque utilisateur ; il peut montrer la structure interne de l’application.',
        },
        rendering: {
          why: 'UI5 vérifie et journalise alors le rendu des contrôles : l’application est plus lente, et sa structure interne peut apparaître dans la console du navigateur.',
        },
      },
    },
  }),
})
