import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { createMethodLookup, moduleNameOf } from './_app-methods.ts'
import { bodyWrappers } from './_body-wrappers.ts'
import { fixedOwners, fixedUsers } from './_fixed-users.ts'
import { accountUses } from './_account-uses.ts'
import { createServedReader, ownRoutes } from './_foreign-requests.ts'
import { handedIdentities, openKeys } from './_handed-identities.ts'
import { logsInByPageAlone } from './_page-accounts.ts'
import { restoredUsers, type RestoredUser } from './_restored-users.ts'
import { isServedToAll } from './_served-to-all.ts'
import { sentIdentities, type SentIdentity } from './_sent-identities.ts'

/** Servers of the project that know who is logged in: `req.user.id`. */
const askedUsers: Extract<true> = defineExtract({
  name: 'server-asked-users',
  keywords: ['req.user', 'request.user', 'ctx.state.user'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  prefilter: (text) => /\b(?:req|request|oReq|oRequest|ctx\.state)\.user[?!]?\.(?:id|sub|email|user_?(?:name|id))\b/i.test(text),
  collectText: () => [true],
})

/** Who changed a row last. Facts: capire, "managed" (`modifiedBy`); ABAP Dictionary, AENAM. */
const CHANGED_BY = /^(?:[iep][vm]?_?|p_)?(?:(?:mod(?:ified)?|chang(?:ed)?|updated?|upd)_?(?:by|user|usr|usuario)|aenam)$/i

/** A company as often as a person, and then the same one for all users of the page. */
const BUYER = /^(?:[iep][vm]?_?|p_)?buyer/i

/** Who made or changed a row, of rows that others may see as well. */
const MADE_BY = /by$/i

/** Of a name that nothing says what it is, several files must send it under one field: then the service asks for its user in each request. */
const ENOUGH_FILES = 3

/**
 * A page tells a service who its user is: by a filter, a key, a parameter or a field, with a value that the user can change, or a person whom the code names. Or it
 * tells in which role the user asks.
 * Facts: OWASP API Security Top 10 2023, API1 (broken object level authorization); CWE-639. HTML standard, "Web storage", and SAPUI5 documentation, "Browser
 * Security": what runs and is kept in the browser can be changed by its user.
 * Impact: a user reads the rows of others, or acts in their name; whether the service compares the name with the authenticated user is not in the project, and that a right
 * depends on what narrows a list, or says who changed a row, is a guess.
 */
export const userIdFromBrowser: Rule = defineRule({
  id: 'ui5/user-id-from-browser',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'low',
  cwe: [639, 602],
  since: '0.3.0',
  docs: 'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
  extracts: [
    accountUses,
    sentIdentities,
    bodyWrappers,
    fixedUsers,
    fixedOwners,
    handedIdentities,
    openKeys,
    restoredUsers,
    askedUsers,
    ownRoutes,
  ],
  on: 'ui5-app',

  *check(app, { approuters, capRoots, scripts: all, step }) {
    const { root, scripts } = app
    if (all.get(askedUsers).length > 0) return
    // what a service of the project does with the name, the rules on its handlers tell
    const isServed = createServedReader({ capRoots, scripts: all })
    const hasServices = capRoots.some(({ services }) => services.length > 0)
    const sentBy = createMethodLookup(scripts.get(bodyWrappers))
    const sent = scripts
      .get(sentIdentities)
      .filter(({ file, value: { by, address } }) => !isServed(address) && (by === undefined || sentBy(file, by) !== undefined))
    const asked = fieldsAskedFor(sent)
    const told = new Set<string>()
    const restored = new Map(scripts.get(restoredUsers).map((one) => [one.value.model, one]))
    const keepers = keepersOf(sent, asked)
    const written = writtenOf(sent)
    const isOpen = sent.length > 0 && isServedToAll(app, approuters, step)
    const isOfPage = sent.length > 0 && logsInByPageAlone(app, { approuters, capRoots })
    for (const { file, value: one } of sent) {
      // one object may go to several functions
      if (told.has(`${file} ${one.at.start}`)) continue
      const from = (one.models ?? []).flatMap((path) => restored.get(path.split('>', 1)[0] ?? '') ?? [])[0]
      if (from !== undefined) {
        told.add(`${file} ${one.at.start}`)
        // one storage, whatever requests it fills
        if (one.isUnnamed === undefined && !told.has(from.value.model)) {
          told.add(from.value.model)
          yield restoredMatch(from, one)
        }
        continue
      }
      // a key of another name, filled with what other requests have as their user
      const known = one.isUnnamed && one.models?.flatMap((path) => keepers.get(path) ?? [])[0]
      if (one.identity === 'unsure' && known === undefined && (one.isUnnamed || !asked.has(nameOf(one)))) continue
      const variant = variantOf(one)
      told.add(`${file} ${one.at.start}`)
      // the row that the same request writes says it already
      if (variant === undefined && !one.isFilter && written.requests.has(`${file} ${one.request ?? ''}`)) continue
      const isNarrowing = one.isFilter && one.identity !== 'listed' && !written.fields.has(fieldKeyOf(one))
      yield {
        at: { file, span: one.at },
        args: { field: one.field, value: one.value },
        groupKey: `${root} ${known ?? nameOf(one)} ${variant ?? 'selects'}`,
        ...(variant !== undefined && { variant }),
        ...(isOpen && { reach: 'anyone' as const }),
        ...(isOfPage && variant === 'written' && { evidence: 'shown' as const }),
        // what narrows a list shows no more than the list, unless pages say whose row it is; who changed a row last gives nobody a right
        ...((isNarrowing || CHANGED_BY.test(one.field) || (variant === 'named' && BUYER.test(one.field))) && {
          evidence: 'guessed' as const,
        }),
      } satisfies Match
    }
    if (hasServices) return
    yield* fixedMatches(root, scripts, sent, told)
    yield* handedMatches(root, scripts, told)
  },

  text: () => ({
    en: {
      title: 'Service request relies on a user ID from the browser',
      message:
        'The request names its user in "{field}", and the browser supplies the value ({value}); no server in this project compares it with the authenticated user.',
      why: 'Any user can send the name of another user from the browser console or a proxy. If the service does not compare it with the authenticated user, it returns or changes the data of that user.',
      fix: 'Remove "{field}" from the request and let the service select by the authenticated user: $user in CDS, sy-uname in ABAP. If a service outside this project compares both, suppress this finding with that reason.',
      variants: {
        restored: {
          message:
            'The page restores its user from the browser storage ("{key}") into the model "{model}", and requests send it as "{field}"; no server in this project compares it with the authenticated user.',
          why: 'Any user can change the entry in the developer tools and act as another user. If the service does not compare "{field}" with the authenticated user, it returns and changes the data of that user.',
        },
        named: {
          message:
            'The request names the acting person in "{field}", and the code of the page fixes the value ({value}); no server in this project compares it with the authenticated user.',
          why: 'All users of the page act under this name, so the service believes what the request says. Any user can send the name of another person from the browser console or a proxy, and act as that person.',
          fix: 'Remove "{field}" from the request and let the service set it to the authenticated user: managed in CDS, sy-uname in ABAP. If a service outside this project ignores or checks it, suppress this finding with that reason.',
        },
        listed: {
          message:
            'The filter "{field}" of the request says whose open decisions the page lists, and the code fixes the value ({value}); no server in this project compares it with the authenticated user.',
          why: 'All users of the page get the list of this person, so the service answers for the name in the request. Any user can send another name from the browser console or a proxy, and read what that person has to decide.',
        },
        role: {
          message:
            'The key "{field}" of the request says in which role its user asks ({value}); no server in this project checks whether the user has this role.',
          why: 'Any user can send the name of another role from the browser console or a proxy. If the service does not check that the user has it, it returns or changes what only that role may see.',
          fix: 'Remove "{field}" from the request and let the service ask for the roles of the authenticated user: req.user.is() in CAP, AUTHORITY-CHECK in ABAP. If a service outside this project checks it, suppress this finding with that reason.',
        },
        written: {
          message:
            'The request sets "{field}" to the user that the browser supplies ({value}); no server in this project compares it with the authenticated user.',
          why: 'Any user can send the name of another user from the browser console or a proxy. If the service does not compare it with the authenticated user, it stores or decides something in the name of that user.',
          fix: 'Remove "{field}" from the request and let the service set it to the authenticated user: managed in CDS, sy-uname in ABAP. If a service outside this project compares both, suppress this finding with that reason.',
        },
      },
    },
    fr: {
      title: 'Requête fondée sur un identifiant d’utilisateur du navigateur',
      message:
        'La requête désigne son utilisateur dans "{field}", et le navigateur fournit la valeur ({value}) ; aucun serveur de ce projet ne le compare à l’utilisateur authentifié.',
      why: 'Tout utilisateur peut envoyer le nom d’un autre depuis la console du navigateur ou un proxy. Si le service ne le compare pas à l’utilisateur authentifié, il renvoie ou modifie les données de celui-ci.',
      fix: 'Retirez "{field}" de la requête et faites sélectionner le service par l’utilisateur authentifié : $user en CDS, sy-uname en ABAP. Si un service hors de ce projet compare les deux, masquez ce constat en indiquant ce motif.',
      variants: {
        restored: {
          message:
            'La page reprend son utilisateur dans le stockage du navigateur ("{key}", modèle "{model}"), et des requêtes l’envoient dans "{field}" ; aucun serveur de ce projet ne le compare à l’utilisateur authentifié.',
          why: 'Tout utilisateur peut modifier cette entrée dans les outils de développement et agir à la place d’un autre. Si le service ne compare pas "{field}" à l’utilisateur authentifié, il renvoie et modifie les données de celui-ci.',
        },
        named: {
          message:
            'La requête désigne dans "{field}" la personne qui agit, et le code de la page fixe la valeur ({value}) ; aucun serveur de ce projet ne la compare à l’utilisateur authentifié.',
          why: 'Tous les utilisateurs de la page agissent sous ce nom : le service croit donc ce que dit la requête. Tout utilisateur peut envoyer le nom d’une autre personne depuis la console du navigateur ou un proxy, et agir à sa place.',
          fix: 'Retirez "{field}" de la requête et laissez le service y mettre l’utilisateur authentifié : managed en CDS, sy-uname en ABAP. Si un service hors de ce projet l’ignore ou le vérifie, masquez ce constat en indiquant ce motif.',
        },
        listed: {
          message:
            'Le filtre "{field}" de la requête indique de qui la page liste les décisions en attente, et le code fixe la valeur ({value}) ; aucun serveur de ce projet ne la compare à l’utilisateur authentifié.',
          why: 'Tous les utilisateurs de la page obtiennent la liste de cette personne : le service répond donc pour le nom reçu. Tout utilisateur peut en envoyer un autre depuis la console du navigateur ou un proxy, et lire ce que cette personne doit décider.',
        },
        role: {
          message:
            'La clé "{field}" de la requête indique le rôle de son utilisateur ({value}) ; aucun serveur de ce projet ne vérifie s’il possède ce rôle.',
          why: 'Tout utilisateur peut envoyer le nom d’un autre rôle depuis la console du navigateur ou un proxy. Si le service ne vérifie pas qu’il le possède, il renvoie ou modifie ce qui est réservé à ce rôle.',
          fix: 'Retirez "{field}" de la requête et laissez le service demander les rôles de l’utilisateur authentifié : req.user.is() en CAP, AUTHORITY-CHECK en ABAP. Si un service hors de ce projet le vérifie, masquez ce constat en indiquant ce motif.',
        },
        written: {
          message:
            'La requête affecte à "{field}" l’utilisateur fourni par le navigateur ({value}) ; aucun serveur de ce projet ne le compare à l’utilisateur authentifié.',
          why: 'Tout utilisateur peut envoyer le nom d’un autre depuis la console du navigateur ou un proxy. Si le service ne le compare pas à l’utilisateur authentifié, il enregistre ou décide au nom de celui-ci.',
          fix: 'Retirez "{field}" de la requête et laissez le service y mettre l’utilisateur authentifié : managed en CDS, sy-uname en ABAP. Si un service hors de ce projet compare les deux, masquez ce constat en indiquant ce motif.',
        },
      },
    },
  }),
})

type AppScripts = Pick<Scripts, 'get'>

/** Constants under a name by which other requests send the user of the page, or by which it lists the rows of the same person. */
function* fixedMatches(
  root: string,
  scripts: AppScripts,
  sent: readonly { readonly value: SentIdentity }[],
  told: ReadonlySet<string>,
): Generator<Match> {
  const kept = keptNamesOf(sent)
  const owners = scripts.get(fixedOwners)
  const listed = new Set(owners.flatMap(({ value }) => (value.use === 'filter' ? personOf(value) : [])))
  const written = owners.filter(({ value }) => value.use === 'written')
  for (const { file, value: one } of [...(kept.size === 0 ? [] : scripts.get(fixedUsers)), ...written]) {
    if (told.has(`${file} ${one.at.start}`)) continue
    const name = nameOf(one)
    const args = { field: one.field, value: one.value }
    if (kept.has(name) || listed.has(personOf(one)))
      yield { at: { file, span: one.at }, args, groupKey: `${root} ${name} named`, variant: 'named' }
  }
}

function personOf(one: { readonly field: string; readonly value: string }): string {
  return `${nameOf(one)} ${one.value}`
}

/** A base controller sends what the controllers give to its methods. */
function* handedMatches(root: string, scripts: AppScripts, told: ReadonlySet<string>): Generator<Match> {
  const handed = new Set(
    scripts.get(handedIdentities).flatMap(({ value: { to, modules } }) => modules.map((owner) => `${owner} ${to}`)),
  )
  for (const { file, value: one } of handed.size === 0 ? [] : scripts.get(openKeys)) {
    if (told.has(`${file} ${one.at.start}`)) continue
    const owner = moduleNameOf(file)
    if (!one.from.some((method) => handed.has(`${owner} ${method}`))) continue
    const args = { field: one.field, value: one.value }
    yield { at: { file, span: one.at }, args, groupKey: `${root} ${nameOf(one)} selects` }
  }
}

/** The user whom a storage keeps, where a model gets it. */
function restoredMatch({ file, value }: { readonly file: string; readonly value: RestoredUser }, { field }: SentIdentity): Match {
  const { at: span, key, model } = value
  return { at: { file, span }, args: { field, key, model }, variant: 'restored' }
}

function variantOf({ identity, isWritten }: SentIdentity): string | undefined {
  if (identity === 'named' || identity === 'listed' || identity === 'role') return identity
  return isWritten ? 'written' : undefined
}

/** Without the prefix of a parameter: `IvUsuario` and `Usuario` are one. */
function nameOf({ field }: { readonly field: string }): string {
  return field.toLowerCase().replace(/^(?:iv_?|im_?|p_)/, '')
}

/** Fields that a service wants its user in: one request fills it with what the page keeps of its user, or many do with something unknown. */
function fieldsAskedFor(sent: readonly { readonly file: string; readonly value: SentIdentity }[]): ReadonlySet<string> {
  const files = new Map<string, Set<string>>()
  const found = new Set<string>()
  for (const { file, value } of sent) {
    if (value.isUnnamed) continue
    const name = nameOf(value)
    if (value.identity === 'user') found.add(name)
    files.set(name, (files.get(name) ?? new Set()).add(file))
  }
  for (const [name, { size }] of files) if (size >= ENOUGH_FILES) found.add(name)
  return found
}

/** How the page calls its user where it sends it, and the fields that it is sent in: `eId` of `login.getProperty("/user").eId`. Any row has an id and a name. */
function keptNamesOf(sent: readonly { readonly value: SentIdentity }[]): ReadonlySet<string> {
  const users = sent.filter(({ value }) => value.identity === 'user')
  const names = users.flatMap(({ value }) => [nameOf(value), /(\w{1,100})$/.exec(value.value)?.[1]?.toLowerCase() ?? ''])
  return new Set(names.filter((name) => !OF_ANY_ROW.test(name)))
}

const OF_ANY_ROW = /^(?:id|key|name|code|number|e?mail|email_?address|)$/

/** Requests that write whose row it is, and the fields that say so. Who made or changed a row last is another matter. */
function writtenOf(sent: readonly { readonly file: string; readonly value: SentIdentity }[]): {
  readonly requests: ReadonlySet<string>
  readonly fields: ReadonlySet<string>
} {
  const found = sent.filter(
    ({ value }) =>
      value.isWritten &&
      value.identity === 'user' &&
      value.isUnnamed === undefined &&
      !CHANGED_BY.test(value.field) &&
      !MADE_BY.test(value.field),
  )
  return {
    requests: new Set(found.map(({ file, value }) => `${file} ${value.request ?? ''}`)),
    fields: new Set(found.flatMap(({ value }) => [fieldKeyOf(value), ...(OWNER.test(value.field) ? [nameOf(value)] : [])])),
  }
}

/** A user is many things in many entities; an owner is one wherever it stands. */
const OWNER = /owner/i

/** Of a filter whose list is not known, the field alone. */
function fieldKeyOf(one: SentIdentity): string {
  return one.entity === undefined || OWNER.test(one.field) ? nameOf(one) : `${one.entity} ${nameOf(one)}`
}

/** Properties of models that requests send as their user, with the field of the first of these. */
function keepersOf(sent: readonly { readonly value: SentIdentity }[], asked: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { value } of sent) {
    const name = nameOf(value)
    if (value.isUnnamed || value.isWritten || !asked.has(name)) continue
    for (const path of value.models ?? []) if (!found.has(path)) found.set(path, name)
  }
  return found
}
