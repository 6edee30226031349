import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathOf } from '../../facts/index.ts'
import { settingOf } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Settings by which a page shows more than it should. */
const SETTINGS: readonly (readonly [string, RegExp])[] = [
  ['debug', /^(?:true|x|.{0,200}\/.{0,200})$/iu],
  ['loglevel', /^(?:debug|all|trace)$/iu],
  ['inspect', /^(?:true|x)$/iu],
  ['support', /^(?:true|x|silent)(?:,|$)/iu],
  ['xxdesignmode', /^(?:true|x)$/iu],
  ['xxdebugrendering', /^(?:true|x)$/iu],
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
    let looks = MAX_CALLS
    for (const { callee, args, start, end } of facts.calls) {
      const path = pathOf(callee)?.join('.')
      const [level] = args
      if (path !== 'module:sap/base/Log.setLevel' && path !== 'global:jQuery.sap.log.setLevel') continue
      const name = level?.kind === 'member' ? level.name : undefined
      if (name === undefined || !LEVELS.test(name)) continue
      if (looks-- <= 0) break
      // asked for, by a parameter or the like
      if (facts.guards.some(({ inside }) => inside.start <= start && end <= inside.end)) continue
      yield { start, end, level: name }
    }
  },
})

/**
 * A productive page or component with tools for debugging switched on.
 * Facts: documentation of SAPUI5, "Configuration Options and URL Parameters"; API of sap/base/Log.
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
      for (const [name, on] of SETTINGS) {
        const setting = settingOf(bootstrap, name)
        if (setting?.value === undefined || !on.test(setting.value)) continue
        yield {
          at: setting.at,
          args: { setting: name, value: setting.value },
          sameAs: `${setting.at.file}:${setting.at.span?.start ?? 0}`,
        }
      }
    }
    if (app.isLibrary) return
    for (const { file, value } of app.scripts.get(detailedLevels)) {
      const { start, end, level } = value
      yield { at: { file, span: { start, end } }, args: { setting: 'Log.setLevel', value: level } }
    }
  },

  text: {
    en: {
      title: 'Debugging is switched on in production',
      message: '{setting} is {value}.',
      why: 'Data of your users ends up in the log of the browser, and tools for support show the inside of the app to whoever opens it; with debug sources it is also slow.',
      fix: 'Remove the setting; ask for it by URL or in the technical information dialog where it is needed.',
    },
    fr: {
      title: 'Le débogage est activé en production',
      message: '{setting} vaut {value}.',
      why: 'Des données de vos utilisateurs finissent dans le journal du navigateur, et des outils de support montrent l’intérieur de l’application à qui l’ouvre ; avec les sources de débogage elle est de plus lente.',
      fix: 'Supprimez le réglage ; demandez-le par l’URL ou dans la boîte d’informations techniques là où il faut.',
    },
  },
})
