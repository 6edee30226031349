import { defineRule, type Rule } from '../rule.ts'
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
    yield { ...grade, args: { part: hit.part, sink: hit.sink }, ...(!isOpen && { variant: 'suffix', confidence: 'medium' }) }
  },

  text: {
    en: {
      title: 'Module or resource name from untrusted input',
      message: '{part} determines which module, view or script {sink} loads.',
      why: 'A crafted link makes the app load other code or views than intended, even from another host; they run in the session of the user.',
      fix: 'Look the name up in an object of your own: const NAMES = { a: "my.app.view.A" }; load NAMES[key], and nothing if it is undefined.',
      variants: {
        suffix: {
          title: 'Part of a module or resource name from untrusted input',
          message: '{part} becomes part of the name or address that {sink} loads.',
          why: 'A crafted link makes the app load a different one of its own modules or views, such as one that the user should not see.',
        },
      },
    },
    fr: {
      title: 'Nom de module ou de ressource issu d’une donnée non fiable',
      message: '{part} détermine le module, la vue ou le script que {sink} charge.',
      why: 'Un lien forgé fait charger à l’application un autre code ou d’autres vues que prévu, même depuis un autre hôte ; ils s’exécutent dans la session de l’utilisateur.',
      fix: 'Cherchez le nom dans votre propre objet : const NAMES = { a: "my.app.view.A" } ; chargez NAMES[key], et rien s’il n’est pas défini.',
      variants: {
        suffix: {
          title: 'Partie d’un nom de module ou de ressource issue d’une donnée non fiable',
          message: '{part} entre dans le nom ou l’adresse que {sink} charge.',
          why: 'Un lien forgé fait charger à l’application un autre module ou une autre vue que prévu, par exemple une vue que l’utilisateur ne devrait pas voir.',
        },
      },
    },
  },
})
