import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An entity or a column of a query by a name that the client sends.
 * Facts: capire, "cds.ql" (from, columns, orderBy take names, which are not bound); @sap/cds 9.9.3, lib/ql/SELECT.js.
 * Impact: reads entities and columns that others restrict; that there are such ones within reach of the query is assumed.
 */
export const dynamicEntityOrColumn: Rule = defineRule({
  id: 'cap/dynamic-entity-or-column',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [943],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#secure-untrusted-input',
  yieldsTo: ['cap/cql-injection'],
  on: 'flow',

  *check(hit) {
    // the row that a request is for, as CAP made it
    if (/(?:^|\b(?:req|oReq)(?:uest)?\.)subject$/.test(hit.part)) return
    // of a chain the method, as it is written: `.columns(…)`
    const isChain = hit.detail === 'columns' && hit.api.effects.has('chain')
    const sink = isChain ? `.${hit.api.method}(…)` : hit.quotedSink
    const match = { ...gradeHit(hit), args: { part: hit.quotedPart, sink } }
    // a reference of CQN names entities and columns alike
    const variant = hit.api.effects.has('reference') ? 'reference' : 'column'
    yield { ...match, confidence: 'medium', ...(hit.detail === 'columns' && { variant }) }
  },

  text: () => ({
    en: {
      title: 'Client-controlled entity name in a query',
      message: 'Data sent by the client ({part}) is used as the entity name in {sink}.',
      why: 'An attacker can direct the query to entities for which it was not written, bypassing the restrictions of the services that expose them.',
      fix: 'Compare the name with an allowlist first, for example: if (!["Books", "Authors"].includes(name)) return req.reject(400). Or look up the entity in a constant map.',
      variants: {
        column: {
          title: 'Client-controlled column name in a query',
          message: 'Data sent by the client ({part}) is used as a column name in {sink}.',
          why: 'An attacker can read columns that should not be returned, or infer their values by sorting, grouping or filtering.',
          fix: 'Compare each name with an allowlist first, for example: if (!["title", "price"].includes(name)) return req.reject(400). Or look up the column in a constant map.',
        },
        reference: {
          title: 'Client-controlled entity or column name in a query',
          message: 'Data sent by the client ({part}) is used as an entity or column name in {sink}.',
          why: 'An attacker can direct the query to entities or columns for which it was not written, bypassing the restrictions of the services that expose them.',
          fix: 'Compare the name with an allowlist first, for example: if (!["Books", "title"].includes(name)) return req.reject(400). Or look it up in a constant map.',
        },
      },
    },
    fr: {
      title: 'Requête avec un nom d’entité contrôlé par le client',
      message: 'Une donnée envoyée par le client ({part}) sert de nom d’entité dans {sink}.',
      why: 'Un attaquant peut diriger la requête vers des entités qu’elle ne devait pas viser, en contournant les restrictions des services qui les exposent.',
      fix: 'Comparez d’abord le nom à une liste d’autorisation, par exemple : if (!["Books", "Authors"].includes(name)) return req.reject(400). Ou cherchez l’entité dans une table de correspondance constante.',
      variants: {
        column: {
          title: 'Requête avec un nom de colonne contrôlé par le client',
          message: 'Une donnée envoyée par le client ({part}) sert de nom de colonne dans {sink}.',
          why: 'Un attaquant peut lire des colonnes qui ne devraient pas être renvoyées, ou déduire leurs valeurs par tri, regroupement ou filtrage.',
          fix: 'Comparez d’abord chaque nom à une liste d’autorisation, par exemple : if (!["title", "price"].includes(name)) return req.reject(400). Ou cherchez la colonne dans une table de correspondance constante.',
        },
        reference: {
          title: 'Requête avec un nom d’entité ou de colonne contrôlé par le client',
          message: 'Une donnée envoyée par le client ({part}) sert de nom d’entité ou de colonne dans {sink}.',
          why: 'Un attaquant peut diriger la requête vers des entités ou des colonnes qu’elle ne devait pas viser, en contournant les restrictions des services qui les exposent.',
          fix: 'Comparez d’abord le nom à une liste d’autorisation, par exemple : if (!["Books", "title"].includes(name)) return req.reject(400). Ou cherchez-le dans une table de correspondance constante.',
        },
      },
    },
  }),
})
