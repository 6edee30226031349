import { defineRule, type Rule } from '../rule.ts'
import { meansOf } from './_attack-ways.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * A module, view, fragment, component or script whose name or address others choose.
 * Facts: API reference of SAPUI5, sap.ui.require, Fragment.load, XMLView.create, Component.create, includeScript, sap.ui.loader.config.
 * Severity: an address of another host is code of the attacker in the session of the user (HIGH); behind a constant beginning only modules of the app can be reached,
 * and what the same user enters stays theirs (LOW).
 */
export const dynamicModuleName: Rule = defineRule({
  id: 'ui5/dynamic-module-name',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [829],
  since: '0.2.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/secure-programming-aspects-91f3c40.md',
  on: 'flow',

  *check(hit) {
    if (hit.origin === 'unknown') return
    const isOpen = hit.detail === undefined || hit.detail === 'begin'
    const grade = gradeByOrigin(hit, isOpen ? 'HIGH' : 'LOW')
    yield {
      ...grade,
      args: { part: hit.quotedPart, sink: hit.sink, means: meansOf(hit) },
      ...(!isOpen && { variant: 'suffix', confidence: 'medium' }),
    }
  },

  text: {
    en: {
      title: 'Module or resource name from untrusted input',
      message: '{sink} loads a module, view or script that {part} determines.',
      why: 'An attacker who can choose that value {means} makes the app load other code or views than intended, even from another host; they run in the user’s session.',
      fix: 'Look up the name in a constant object: const NAMES = { a: "my.app.view.A" }. Load NAMES[key] only if it is defined.',
      variants: {
        suffix: {
          title: 'Module or resource name built from untrusted input',
          message: 'The name or address passed to {sink} contains {part}.',
          why: 'An attacker who can choose that value {means} makes the app load another of its own modules or views, such as one that the user should not see.',
        },
      },
    },
    fr: {
      title: 'Nom de module ou de ressource issu d’une donnée non fiable',
      message: '{sink} charge un module, une vue ou un script que {part} détermine.',
      why: 'Un attaquant qui peut choisir cette valeur {means} fait charger à l’application un autre code ou d’autres vues que prévu, même depuis un autre hôte ; ils s’exécutent dans la session de l’utilisateur.',
      fix: 'Lisez le nom dans une table définie dans votre code : const NAMES = { a: "my.app.view.A" }. Ne chargez NAMES[key] que si cette entrée existe.',
      variants: {
        suffix: {
          title: 'Nom de module ou de ressource construit à partir d’une donnée non fiable',
          message: 'Le nom ou l’adresse transmis à {sink} contient {part}.',
          why: 'Un attaquant qui peut choisir cette valeur {means} fait charger à l’application un autre module ou une autre vue que prévu, par exemple une vue que l’utilisateur ne devrait pas voir.',
        },
      },
    },
  },
})
