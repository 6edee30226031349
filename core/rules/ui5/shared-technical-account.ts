import type { Ui5App } from '../../model/ui5/index.ts'
import { at, membersOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { createMethodLookup } from './_app-methods.ts'
import { queryWrappers } from './_query-wrappers.ts'
import { bodyWrappers } from './_body-wrappers.ts'
import {
  namedPersons,
  OWN_MODEL,
  requestHeaders,
  sendsOwnLogin,
  technicalAccounts,
  type TechnicalAccount,
} from './_technical-accounts.ts'
import { defineRule, type Rule } from '../rule.ts'

/** One request may be about anybody; of several that name persons the page has users. */
const ENOUGH = 2

/**
 * A page that sends all requests with one user and password of its code, and names in them whose rows it wants or who acts.
 * Facts: OWASP API Security Top 10 2023, API1 (broken object level authorization) and API2 (broken authentication); SAPUI5 API, sap.ui.model.odata.v2.ODataModel.
 * Impact: the account may do for each user what it does for all of them, and the back end cannot tell them apart: who sends another name gets the rows of another user. The password
 * itself is a finding of `secrets`.
 */
export const sharedTechnicalAccount: Rule = defineRule({
  id: 'ui5/shared-technical-account',
  impact: 'data',
  reach: 'user',
  confidence: 'medium',
  cwe: [639, 287],
  since: '0.3.0',
  docs: 'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
  extracts: [technicalAccounts, requestHeaders, namedPersons, bodyWrappers, queryWrappers],
  on: 'ui5-app',

  *check(app, { capRoots }): Generator<Match> {
    const { root, scripts } = app
    // what handlers of the project do with the name, the rules on them tell
    const isServed = capRoots.some(({ test, services }) => !test && services.length > 0)
    const accounts = scripts.get(technicalAccounts).filter(({ value }) => !isServed || isForeign(value))
    if (accounts.length === 0) return
    if (sendsOwnLogin(scripts)) return
    const headers = scripts.get(requestHeaders)
    const sentBy = createMethodLookup([...scripts.get(bodyWrappers), ...scripts.get(queryWrappers)])
    const persons = scripts
      .get(namedPersons)
      .filter(({ file, value: { by } }) => by === undefined || sentBy(file, by) !== undefined)
    const kept = new Set(headers.flatMap(({ file, value }) => (value === 'kept' ? [file] : [])))
    for (const way of ['odata', 'hand'] as const) {
      const account = accounts.find(({ value }) => value.way === way && (way === 'hand' || isOfApp(value, app)))
      const named = persons.filter(({ value }) => value.way === way)
      if (account === undefined || new Set(named.map(({ file, value }) => `${file} ${value.request}`)).size < ENOUGH) continue
      if (way === 'hand' && kept.size === 0) continue
      const names = new Set(account.value.keptAs)
      const isSent = ({ file, value: { model } }: (typeof named)[number]) =>
        way === 'hand' || (model !== undefined && (names.has(model) || (model === OWN_MODEL && file === account.file)))
      const isAssumed = new Set(named.filter(isSent).map(({ file, value }) => `${file} ${value.request}`)).size < ENOUGH
      const fields = [...new Set(named.map(({ value }) => value.field))].slice(0, SHOWN).join(', ')
      for (const { file, span } of [
        { file: account.file, span: account.value.at },
        ...named.map((one) => ({ file: one.file, span: one.value.at })),
      ])
        yield {
          at: { file, span },
          args: { fields, account: account.file },
          groupKey: `${root} ${way}`,
          ...(isAssumed && { evidence: 'assumed' as const }),
        }
    }
  },

  text: () => ({
    en: {
      title: 'One technical account for all users of an app',
      message:
        'All requests of the page go with one user and password from {account}; whose rows they are about, or who acts, the page says itself ({fields:and}).',
      why: 'The back end cannot tell users apart: a user who sends another name or id from the browser console or a proxy reads the rows of another user, changes them or approves in that name.',
      fix: 'Remove the account from the page. Let the approuter authenticate users and forward their identity through a destination (principal propagation), and let the service select by that identity instead of {fields:and}.',
    },
    fr: {
      title: 'Un seul compte technique pour tous les utilisateurs',
      message:
        'Toutes les requêtes de la page portent un même utilisateur et mot de passe, inscrits dans {account} ; la page indique elle-même de qui sont les lignes ou qui agit ({fields:et}).',
      why: 'Le backend ne peut pas distinguer les utilisateurs : celui qui envoie un autre nom ou identifiant depuis la console du navigateur ou un proxy lit ou modifie les lignes d’un autre, ou approuve en son nom.',
      fix: 'Retirez ce compte de la page. Laissez l’approuter authentifier les utilisateurs et transmettre leur identité par une destination (propagation du principal), et faites sélectionner le service par cette identité au lieu de {fields:et}.',
    },
  }),
})

const SHOWN = 4

/** An account for another host: services of the project are none of it. */
function isForeign({ address }: TechnicalAccount): boolean {
  return /^(?:https?:)?\/\/[^/]/i.test(address ?? '')
}

/** The manifest has no other OData service, or the very one: its own login may be that of the user. */
function isOfApp({ address }: TechnicalAccount, { manifest }: Ui5App): boolean {
  const sources = membersOf(at(manifest?.root, 'sap.app', 'dataSources')).filter(
    ({ value }) => (stringOf(at(value, 'type')) ?? 'OData') === 'OData',
  )
  if (sources.length === 0) return true
  const service = serviceOf(address ?? '')
  return service !== '' && sources.some(({ value }) => serviceOf(stringOf(at(value, 'uri')) ?? '') === service)
}

/** `ORDERS_SRV` of `/sap/opu/odata/sap/ORDERS_SRV/`. */
function serviceOf(address: string): string {
  return /([^/?#]{1,100})\/?$/.exec(address)?.[1] ?? ''
}
