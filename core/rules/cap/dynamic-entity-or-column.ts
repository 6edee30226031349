import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An entity or a column of a query by a name that the client sends.
 * Facts: capire, "cds.ql" (from, columns, orderBy take names, which are not bound); @sap/cds 9.9.3, lib/ql/SELECT.js.
 * Severity: a name alone changes what is read, not what a row holds, and only of what the service can read, MEDIUM.
 */
export const dynamicEntityOrColumn: Rule = defineRule({
  id: 'cap/dynamic-entity-or-column',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [943],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#secure-untrusted-input',
  yieldsTo: ['cap/cql-injection'],
  on: 'flow',

  *check(hit) {
    // the row that a request is for, as CAP made it
    if (/(?:^|\breq(?:uest)?\.)subject$/.test(hit.part)) return
    const match = { ...gradeHit(hit, 'MEDIUM'), args: { part: hit.quotedPart, sink: hit.quotedSink } }
    yield { ...match, confidence: 'medium', ...(hit.detail === 'columns' && { variant: 'column' }) }
  },

  text: {
    en: {
      title: 'Client-controlled entity name in a query',
      message: '{part} from the request is used as the entity name in {sink}.',
      why: 'An attacker can read or change any other entity of the model, bypassing the restrictions of the services that expose it.',
      fix: 'Compare the name with an allowlist first: if (!ENTITIES.includes(name)) return req.reject(400). Or look up the entity in a constant map.',
      variants: {
        column: {
          title: 'Client-controlled column name in a query',
          message: '{part} from the request is used as a column name in {sink}.',
          why: 'An attacker can read columns that this action does not return, or infer their values by sorting and grouping.',
          fix: 'Compare each name with an allowlist first: if (!COLUMNS.includes(name)) return req.reject(400). Or look up the column in a constant map.',
        },
      },
    },
    fr: {
      title: 'Nom d’entité d’une requête contrôlé par le client',
      message: '{part}, reçu dans la requête, sert de nom d’entité dans {sink}.',
      why: 'Un attaquant peut lire ou modifier toute autre entité du modèle, en contournant les restrictions des services qui l’exposent.',
      fix: 'Comparez d’abord le nom à une liste d’autorisation : if (!ENTITIES.includes(name)) return req.reject(400). Ou cherchez l’entité dans une table constante.',
      variants: {
        column: {
          title: 'Nom de colonne d’une requête contrôlé par le client',
          message: '{part}, reçu dans la requête, sert de nom de colonne dans {sink}.',
          why: 'Un attaquant peut lire des colonnes que cette action ne renvoie pas, ou déduire leurs valeurs par le tri et le regroupement.',
          fix: 'Comparez d’abord chaque nom à une liste d’autorisation : if (!COLUMNS.includes(name)) return req.reject(400). Ou cherchez la colonne dans une table constante.',
        },
      },
    },
  },
})
