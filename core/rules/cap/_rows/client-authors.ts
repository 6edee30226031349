import { CRUD_EVENT, isAdministrative, type CapMember, type CapRoot } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText } from '../../../types.ts'
import { handlerRegistrations } from '../_callers/caller-checks.ts'
import { callersOf } from './row-owners.ts'
import { createUserEntityReader } from './user-entities.ts'
import { writtenAuthors, type WrittenAuthor } from './written-authors.ts'

/**
 * Rows whose author is what the client says: the key of an association to the entity of the users, by the model. Administrators may enter rows for others.
 * Facts: capire, "CDS Definition Language", Managed Associations (the key of `reporter : Association to Users` is the element `reporter_ID`). Needs `writtenAuthors`,
 * `callerLookups` and `handlerRegistrations`.
 */
export function* clientAuthors(root: CapRoot, reach: ReachModel): Generator<Match> {
  const written = root.test || root.runtime === 'java' ? [] : root.scripts.get(writtenAuthors)
  if (written.length === 0) return
  const userEntity = createUserEntityReader(root)
  const isChecked = createCheckedReader(root)
  for (const { file, value } of written) {
    root.step()
    const targets = targetsOf(root, value)
    const certainty = new Set(targets.map(userEntity))
    if (targets.length === 0 || certainty.has(undefined) || isChecked(file, value)) continue
    if (isOfServer(root, file, value)) continue
    const callers = callersOf(root, file, value)
    if (callers.length > 0 && callers.every(isAdministrative)) continue
    const { start, end, column, client, entity } = value
    const at = { file, span: { start, end } }
    yield {
      at,
      variant: 'author',
      args: { column: quoteWord(column), value: client, entity: quoteWord(entity), users: lastName(targets[0] ?? '') },
      ...(certainty.has('named') && { evidence: 'guessed' as const }),
      // that callers need no login is the fault, and a finding of the service
      ...(reach.at(at).reach === 'anyone' && { impact: 'bounded' as const }),
    }
  }
}

/** Clients cannot send the event: other code of the server emits it. */
export function isOfServer(root: CapRoot, file: string, { event }: Pick<WrittenAuthor, 'event'>): boolean {
  if (event === undefined || event.names.length === 0) return false
  const { isEmitted, isUndeclared } = root.eventOf({ ...event, file, events: event.names, entities: undefined })
  return isEmitted || (isUndeclared && !event.names.some((name) => CRUD_EVENT.test(name)))
}

/** To which definitions the element leads, in all entities that the script may mean. */
function targetsOf(root: CapRoot, { entity, column }: WrittenAuthor): readonly string[] {
  const found: string[] = []
  for (const qualified of root.entities) {
    root.step()
    if (lastName(qualified) !== entity) continue
    const target = targetIn(root, root.membersOf(qualified), column)
    if (target !== undefined) found.push(target)
  }
  return found
}

function targetIn(root: CapRoot, members: ReadonlyMap<string, CapMember>, column: string): string | undefined {
  for (const { name, type, target, toMany } of members.values()) {
    root.step()
    if (type !== 'Association' || target === undefined || toMany || !column.startsWith(name)) continue
    if (column === name || root.membersOf(target).get(column.slice(name.length + 1))?.key === true) return target
  }
  return undefined
}

/** A handler that runs before looks at who calls, or hands the request to a function that may. */
export function createCheckedReader(root: CapRoot): (file: string, written: Pick<WrittenAuthor, 'event'>) => boolean {
  const checks = root.scripts.get(handlerRegistrations).filter(({ value }) => value.phase === 'before')
  const asking = checks.filter(({ value }) => value.asks || value.hands.length > 0)
  return (file, { event }) => {
    root.step(asking.length)
    let own: ReturnType<CapRoot['eventOf']> | undefined
    return asking.some(({ file: from, value }) => {
      if (!value.events.some((name) => name === undefined || name === '*' || event?.names.includes(name) === true)) return false
      const { services, isCertain } = root.eventOf({ ...value, file: from, events: [], entities: undefined })
      own ??= root.eventOf({ file, service: event?.service, isConnected: false, events: [], entities: undefined })
      return !isCertain || !own.isCertain || own.services.some((one) => services.includes(one))
    })
  }
}

export const AUTHOR_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Author of a row taken from the request',
    message:
      '{column} of {entity} refers to a row of {users}, and is set to {value}, which the client sends; the handler never asks who calls.',
    why: 'A user can create or change rows in the name of another user: reports, comments or requests that this user never made.',
    fix: 'Look up the row of {users} by req.user.id, and set {column} to its key instead of {value}. If some users may enter rows for others, check their role first and reject the request (403) otherwise.',
  },
  fr: {
    title: 'Auteur d’une ligne pris dans la requête',
    message:
      '{column} de {entity} désigne une ligne de {users} et reçoit {value}, envoyé par le client ; le gestionnaire ne demande jamais qui l’appelle.',
    why: 'Un utilisateur peut créer ou modifier des lignes au nom d’un autre : des rapports, des commentaires ou des demandes que celui-ci n’a jamais faits.',
    fix: 'Cherchez la ligne de {users} d’après req.user.id et affectez sa clé à {column} au lieu de {value}. Si certains peuvent saisir pour d’autres, vérifiez d’abord leur rôle et rejetez la requête (403) sinon.',
  },
}
