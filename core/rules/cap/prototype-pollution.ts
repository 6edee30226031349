import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'
import { getsVersionsWithin } from '../../model/npm/index.ts'

/**
 * Versions whose merges leave the prototype alone. Facts: lodash, GHSA-4xc9-xhrj-v574 (merge, 4.17.11) and GHSA-jf85-cpcp-j695 (defaultsDeep, 4.17.12;
 * lodash.merge 4.6.2, lodash.defaultsdeep 4.6.1); deepmerge, index.js of 4.2.0 (propertyIsUnsafe). Paths of `set` are another matter.
 */
const REPAIRED: ReadonlyMap<string, string> = new Map([
  ['lodash', '>=4.17.12'],
  ['lodash.merge', '>=4.6.2'],
  ['lodash.defaultsdeep', '>=4.6.1'],
  ['deepmerge', '>=4.2.0'],
])

/**
 * An object of a client merged deeply into one of the server, or a path of a client along which a value is set or deleted.
 * Facts: documentation of lodash (merge, set, defaultsDeep), deepmerge, deep-extend, dot-prop.
 * Fact: ECMAScript, "Properties of the Object Prototype Object": its methods are configurable, so that they can be deleted.
 * Impact: properties of all objects of the process, where something uses what it changes; a deleted one ends what all callers need. Unknown keys of objects in the payload of a CAP request are
 * refused; a text of it that is parsed, or that is a key or path itself, may hold any key.
 */
export const prototypePollution: Rule = defineRule({
  id: 'cap/prototype-pollution',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [1321],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Prototype_Pollution_Prevention_Cheat_Sheet.html',
  on: 'flow',

  *check(hit, { npm }) {
    const repaired = REPAIRED.get(hit.detail ?? '')
    if (repaired !== undefined && getsVersionsWithin(hit.at.file, hit.detail ?? '', repaired, npm)) return
    if (hit.detail === 'deleted') {
      const args = { part: hit.quotedPart, sink: hit.quotedSink }
      yield { ...gradeHit(hit, { impact: 'bounded', evidence: 'shown' }), variant: 'deleted', args }
      return
    }
    // the payload as a whole has the keys that the model names
    const mayHoldAnyKey = hit.isFreeText
    yield {
      ...gradeHit(hit, hit.entry === 'http-request' || mayHoldAnyKey ? {} : { impact: 'bounded', evidence: 'shown' }),
      args: { part: hit.quotedPart, sink: hit.quotedSink },
      ...variantOfCases(
        hit.api.effects.has('path') && 'path',
        hit.api.effects.has('assign') && 'assigned',
        hit.api.effects.has('merge') && 'chosen',
      ),
    }
  },

  text: () => ({
    en: {
      title: 'Prototype pollution through request data',
      message: '{sink} merges request data ({part}) into an object.',
      why: 'Unless the library version or the code blocks keys such as __proto__, an attacker can add properties to all objects of the process, for example one that an access check reads.',
      fix: 'Copy the allowed keys one by one, or validate the payload with a schema that rejects unknown keys before it is merged.',
      variants: {
        path: {
          message: '{sink} sets a property whose path comes from the request: {part}.',
          why: 'Unless the library version or the code blocks paths such as __proto__.x, an attacker can add properties to all objects of the process, for example one that an access check reads.',
          fix: 'Compare the path with a list of allowed property names first, for example ["theme", "language"].includes(path), and reject the request if it is not in that list.',
        },
        assigned: {
          message: 'The name of an assigned property comes from request data ({part}).',
          why: 'Unless the code blocks names such as __proto__, an attacker can add properties to all objects of the process, for example one that an access check reads.',
          fix: 'Before the code reads or assigns a property, compare its name with a list of allowed names, or reject "__proto__", "constructor" and "prototype".',
        },
        chosen: {
          message: '{sink} changes an object that is selected by request data ({part}).',
          why: 'Unless the code blocks names such as __proto__, an attacker can add properties to all objects of the process, for example one that an access check reads.',
          fix: 'Before the code selects the object, compare the property name with a list of allowed names, or reject "__proto__", "constructor" and "prototype".',
        },
        deleted: {
          title: 'Methods of all objects deleted through request data',
          message: 'The object that loses a property is selected by request data ({part}).',
          why: 'With __proto__ as the key, an attacker deletes methods of all objects of the process, such as toString or hasOwnProperty, and the service fails for all users.',
          fix: 'Keep such entries in a Map, or below Object.create(null). Otherwise reject "__proto__", "constructor" and "prototype", or check Object.hasOwn(…) before the property is deleted.',
        },
      },
    },
    fr: {
      title: 'Pollution de prototype par des données de la requête',
      message: '{sink} fusionne des données de la requête ({part}) dans un objet.',
      why: 'Si la version de la bibliothèque ou le code ne bloque pas les clés comme __proto__, un attaquant peut ajouter des propriétés à tous les objets du processus, par exemple une propriété que lit un contrôle d’accès.',
      fix: 'Copiez une à une les clés autorisées, ou validez d’abord les données à l’aide d’un schéma qui refuse les clés inconnues.',
      variants: {
        path: {
          message: '{sink} définit une propriété dont le chemin vient de la requête : {part}.',
          why: 'Si la version de la bibliothèque ou le code ne bloque pas les chemins comme __proto__.x, un attaquant peut ajouter des propriétés à tous les objets du processus, par exemple une propriété que lit un contrôle d’accès.',
          fix: 'Comparez d’abord le chemin à une liste de noms de propriétés autorisés, par exemple ["theme", "language"].includes(chemin), et rejetez la requête s’il n’y figure pas.',
        },
        assigned: {
          message: 'Le nom d’une propriété affectée provient de données de la requête ({part}).',
          why: 'Si le code ne bloque pas les noms comme __proto__, un attaquant peut ajouter des propriétés à tous les objets du processus, par exemple une propriété que lit un contrôle d’accès.',
          fix: 'Avant que le code lise ou affecte une propriété, comparez son nom à une liste de noms autorisés, ou rejetez "__proto__", "constructor" et "prototype".',
        },
        chosen: {
          message: '{sink} modifie un objet choisi d’après des données de la requête ({part}).',
          why: 'Si le code ne bloque pas les noms comme __proto__, un attaquant peut ajouter des propriétés à tous les objets du processus, par exemple une propriété que lit un contrôle d’accès.',
          fix: 'Avant que le code choisisse l’objet, comparez le nom de la propriété à une liste de noms autorisés, ou rejetez "__proto__", "constructor" et "prototype".',
        },
        deleted: {
          title: 'Méthodes de tous les objets supprimées par la requête',
          message: 'L’objet qui perd une propriété est choisi d’après des données de la requête ({part}).',
          why: 'Avec la clé __proto__, un attaquant supprime des méthodes de tous les objets du processus, comme toString ou hasOwnProperty, et le service échoue pour tous les utilisateurs.',
          fix: 'Gardez ces entrées dans une Map, ou sous Object.create(null). Sinon, rejetez "__proto__", "constructor" et "prototype", ou vérifiez Object.hasOwn(…) avant de supprimer la propriété.',
        },
      },
    },
  }),
})
