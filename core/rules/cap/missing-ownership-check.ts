import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { askedOwners } from './_rows/asked-owners.ts'
import { helperCalls, helperClaims, helperQueries, helperQueryExtracts } from './_handlers/delegated-queries.ts'
import { callerCheckExtracts, handlerRegistrations, type HandlerRegistration } from './_callers/caller-checks.ts'
import { createFrontReader } from './_callers/front-checks.ts'
import { ownedQueries, type OwnedQuery, type Through } from './_rows/owned-queries.ts'
import { isAccounts, MARK_WORDS, markedRows } from './_rows/marked-rows.ts'
import { isGrantedForAll } from './_model/operation-rights.ts'
import { hasMockedUsers } from './_model/open-services.ts'
import { CRUD, ownerMarks } from './_rows/owner-marks.ts'
import { TOOL_WORDS } from './_rows/tool-words.ts'
import { createNextReader } from './_rows/next-rows.ts'
import { createOpenRows } from './_rows/open-rows.ts'
import { callersOf, createChargeReader, isForOthers, isOfQueries, ownersOf } from './_rows/row-owners.ts'
import { isForOwner, isForOwnerOfWhole, isOwnStep } from './_rows/own-steps.ts'
import { ownSessions } from './_rows/own-sessions.ts'
import { userHandlers } from './_handlers/user-handlers.ts'
import { rowFilters } from './_rows/row-filters.ts'

const PART_FIX = {
  en: 'Before the query, load the row of {root} that it belongs to, and reject the request unless its {owner} is req.user.id.',
  fr: 'Avant la requête, chargez la ligne de {root} dont dépend la ligne, et rejetez la requête si son {owner} n’est pas req.user.id.',
}

/** What names one row, and not whose rows they are. */
const KEY = /^(?:id|uuid|guid|user_?id)$/i
/** `getPublicProfile`, `public_rating`. */
const PUBLIC = /(?:^|[a-z_])public(?![a-z])|Public(?![a-z])/

/**
 * A handler that changes or gives back the row that the client names, although the project treats the rows of this entity as those of one user each.
 * Facts: capire, "Authorization": @restrict applies to what clients ask a service for, not to the queries of its handlers; OWASP API Security Top 10 2023, API1.
 * Impact: any caller of the action changes the rows of other users; of a service without a login little more than its operations change anyway.
 */
export const missingOwnershipCheck: Rule = defineRule({
  id: 'cap/missing-ownership-check',
  impact: 'data',
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  // the owner of a new row
  yieldsTo: ['cap/user-id-from-client'],
  extracts: [
    ownedQueries,
    ownerMarks,
    askedOwners,
    rowFilters,
    ownSessions,
    userHandlers,
    ...helperQueryExtracts,
    ...callerCheckExtracts,
  ],

  *check(root, project) {
    const { reach } = project
    if (root.test) return
    const handed = [...helperCalls(root)]
    const queries = [...root.scripts.get(ownedQueries), ...helperQueries(handed)]
    const marks = [...root.scripts.get(ownerMarks), ...helperClaims(handed)]
    if (queries.every(({ value }) => value.kind === 'own') && marks.every(({ value }) => value.kind === 'stamp')) return
    const owned = ownersOf(root, queries)
    yield* markedRows(root, marks, owned, project)
    const rowsOf = (file: string, { around, entity }: OwnedQuery): string => `${file} ${around} ${entity}`
    const changed = new Set(queries.flatMap(({ file, value }) => (CHANGES.has(value.kind) ? [rowsOf(file, value)] : [])))
    // what the user is written into by the same step belonged to nobody before
    const taken = new Set(
      marks.flatMap(({ file, value }) => (value.kind === 'stamp' ? [`${file} ${value.around} ${value.entity}`] : [])),
    )
    // one look at the row that others refer to is enough for them too
    const together = new Map(
      queries.flatMap(({ file, value }) => {
        const { through } = owned.get(value.entity) ?? {}
        if (through === undefined || !CHANGES.has(value.kind)) return []
        const key = `${rowsOf(file, { ...value, entity: through.of })} ${value.client}`
        return [[`${rowsOf(file, value)} ${value.client}`, key] as const, [key, key] as const]
      }),
    )
    // steps whose change of such rows is told
    const changedAt = new Set(
      queries.flatMap(({ file, value: { kind, entity, around } }) =>
        kind !== 'own' && kind !== 'read' && owned.has(entity) ? [`${file} ${around}`] : [],
      ),
    )
    // statements of SQL for rows of the user, in the same function: `SELECT id FROM orders WHERE id = $1 AND org_id = $2`
    const limited = new Set(queries.flatMap(({ file, value }) => (value.kind === 'own' ? [rowsOf(file, value)] : [])))
    // columns that other statements compare with the user
    const ownColumns = new Set(queries.flatMap(({ value }) => (value.kind === 'own' ? [`${value.entity} ${value.column}`] : [])))
    const isLimited = (file: string, value: OwnedQuery, { of, path }: Through): boolean =>
      (value.kind === 'insert' && value.column !== path) ||
      [value.entity, of].some((entity) => limited.has(rowsOf(file, { ...value, entity })))
    const inCharge = createChargeReader(root)
    const open = createOpenRows(root, reach)
    const isNext = createNextReader(root)
    const isAskedInFront = createFrontReader(root)
    const isMocked = hasMockedUsers(root, 'told')
    const isCheckedBefore = root.scripts.get(handlerRegistrations).some(({ value }) => isForAll(value))
    for (const { file, value } of queries) {
      root.step()
      const found = owned.get(value.entity)
      if (value.kind === 'own' || found === undefined) continue
      const { owner, part, readBy, through } = found
      // who logs in elsewhere has no rows of their own by that
      if (found.session !== undefined && found.session !== file) continue
      const isPrivate = found.isPrivate === true
      const isTool = value.isOfTool === true
      const isStamp = found.isStamp === true
      const isUnsaid = isStamp || isPrivate
      const whole = part?.of ?? through?.of
      if (isStamp && taken.has(rowsOf(file, { ...value, entity: whole ?? value.entity }))) continue
      // that callers name the user is another fault, reported by a rule of its own
      if (USER.test(value.client) && /user/i.test(value.column)) continue
      const isRead = value.kind === 'read'
      const isAdded = value.kind === 'insert'
      if (isRead && value.isSql === true && !ownColumns.has(`${value.entity} ${value.column}`)) continue
      const isBelow = value.isSql === true && through !== undefined
      if (isBelow ? isLimited(file, value, through) : isAdded && part?.composition !== true) continue
      if (isUnsaid ? !(isPrivate ? isOwnStep(value) : isForOwner(value, part !== undefined)) : isRead && readBy === undefined)
        continue
      if (part?.isImplied === true && !isPrivate && !isForOwnerOfWhole(value)) continue
      const isFollowed = value.isFollowed === true
      const isModelled = readBy === 'model' && !isUnsaid && whole === undefined
      if (isFollowed && (!isModelled || changedAt.has(`${file} ${value.around}`))) continue
      // that a function reads the row which it changes is the same fault
      if (isRead && changed.has(rowsOf(file, value))) continue
      // the operation is for what everybody may see of the row
      if (isRead && value.event?.names.some((name) => PUBLIC.test(name)) === true) continue
      // queries of the user alone make nobody the owner of what all users read
      if (isRead && isOfQueries(found) && open.holds(value.entity)) continue
      // what is read through a projection with the condition belongs to the user
      if (value.via.some((name) => owned.get(name)?.isFilter === true)) continue
      if (value.action !== undefined && (part !== undefined || !isGrantedForAll(root, value.entity, value.action))) continue
      // CAP has asked for the owner of what the handler was called for
      if ((value.isDerived || part !== undefined) && value.handled.some((name) => owned.has(name))) continue
      if (through !== undefined && value.handled.includes(through.of)) continue
      if (value.event?.names.every((name) => !CRUD.test(name)) === true && isAskedInFront(file, value.event)) continue
      const at = { file, span: { start: value.start, end: value.end } }
      const { reach: caller } = reach.at(at)
      if (isForOthers(found, callersOf(root, file, value))) continue
      const isOfRole = caller === 'privileged' || value.byRoles !== undefined
      const decider = isOfRole ? inCharge(file, value, through?.of ?? part?.of) : undefined
      // administrators change what belongs to others
      if (isOfRole && decider === undefined) continue
      yield {
        at,
        ...(value.inHelper !== undefined && { alsoAt: [value.inHelper] }),
        args: {
          entity: value.entity,
          column: value.column,
          value: value.client,
          owner: decider ?? through?.owner ?? owner,
          root: whole ?? value.entity,
        },
        ...(value.byRoles !== undefined && { reach: 'privileged' as const }),
        // that callers need no login is the fault, and a finding of the service; mock users are replaced by others, who still have rows of their own
        ...(caller === 'anyone' && (isMocked ? { reach: 'user' as const } : { impact: 'bounded' as const })),
        ...((isCheckedBefore ||
          isTool ||
          isAdded ||
          isUnsaid ||
          isFollowed ||
          (value.isSql === true && !(isAccounts(value.entity) && KEY.test(value.column))) ||
          part?.composition === false ||
          part?.isImplied === true ||
          // CAP asked for the owner of the row whose change it follows, and whose key the client sends with it
          value.handled.some((name) => owned.has(name) && isNext(value, name)) ||
          // what is read has to be found first
          ((value.isPassed === true || (isRead && readBy === 'code')) && !open.tellsKeys(value.entity, value.column))) && {
          evidence: 'assumed' as const,
        }),
        ...(value.isFlag === true && { impact: 'bounded' as const, evidence: 'shown' as const }),
        ...variantOfCases(
          isTool && 'tool',
          isStamp && 'stamped',
          isPrivate && !isStamp && 'private',
          value.isSql === true && (isRead ? 'sqlReads' : 'sql'),
          whole !== undefined && !(isRead && value.isSql === true) && 'part',
          !isUnsaid && !isTool && value.isSql !== true && value.kind === 'delete' && 'deletes',
          !isUnsaid && !isTool && value.isSql !== true && isRead && !isFollowed && 'reads',
          isFollowed && 'follows',
          !isUnsaid && !isTool && isAdded && !isBelow && 'adds',
        ),
        // one look at the owner is enough for all that a function does with the rows
        groupKey: isUnsaid
          ? `${file} ${whole ?? value.entity}`
          : ((CHANGES.has(value.kind) ? together.get(`${rowsOf(file, value)} ${value.client}`) : undefined) ??
            `${rowsOf(file, value)} ${value.kind}`),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Missing ownership check on a row chosen by the client',
      message:
        'This statement changes rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
      why: 'A user can send the key of another user’s row and change it: @restrict does not apply to queries that a handler runs.',
      fix: 'Add the owner to the condition, for example .where({ {column}: {value}, {owner}: req.user.id }), and reject the request if no row is affected. Or load the row first and compare its owner with req.user.',
      variants: {
        reads: {
          message:
            'This statement returns rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
          why: 'A user can send the key of another user’s row and read it: @restrict does not apply to queries that a handler runs.',
          fix: 'Add the owner to the condition, for example .where({ {column}: {value}, {owner}: req.user.id }). Or compare the owner of the row that was read with req.user, and reject the request if they differ.',
        },
        'part-reads': {
          message:
            'This statement returns rows of {entity} by {value} from the request; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
          why: 'A user can send the key of another user’s row and read it: @restrict does not apply to queries that a handler runs.',
          fix: PART_FIX.en,
        },
        part: {
          message:
            'This statement changes rows of {entity} by {value} from the request; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
          fix: PART_FIX.en,
        },
        'part-adds': {
          message:
            'This statement adds a row of {entity} with {value} from the request; such rows belong to rows of {root}, which the project limits to those of the user ({owner}).',
          why: 'A user can send the key of another user’s row and add data to it: @restrict does not apply to queries that a handler runs.',
          fix: PART_FIX.en,
        },
        'part-deletes': {
          message:
            'This statement deletes rows of {entity} by {value} from the request; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
          why: 'A user can send the key of another user’s row and delete it: @restrict does not apply to queries that a handler runs.',
          fix: PART_FIX.en,
        },
        sql: {
          message:
            'This SQL statement changes or deletes rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user or of the organization of the user ({owner}).',
          why: 'A user can send the key of a row that belongs to another user or organization, and change or delete it.',
          fix: 'Add the owner to the condition, WHERE {column} = … AND {owner} = …, with the value of the authenticated user, and reject the request if no row is affected. Or load the row with this condition first.',
        },
        sqlReads: {
          message:
            'This SQL statement reads rows of {entity} for which {column} is {value} from the request; elsewhere, the project compares {column} with the user or the organization of the user.',
          why: 'A user can send the key of another organization or user, and read the rows that belong to it.',
          fix: 'Take the value of {column} from the authenticated user instead of {value}. If some users may choose another one, check their role first, and reject the request (403) without it.',
        },
        'sql-part': {
          message:
            'This SQL statement adds, changes or deletes rows of {entity} by {value} from the request; they belong to rows of {root}, which the project limits by {owner} to those of the user or organization.',
          why: 'A user can send the key of a row of {root} that belongs to another user or organization, and add to it or change it.',
          fix: 'First read the row of {root} with a condition on {owner}, AND {owner} = …, with the value of the authenticated user, and reject the request if there is no such row.',
        },
        stamped: {
          message:
            'This statement changes or deletes rows of {entity} by {value} from the request; the project writes the authenticated user into {owner} of these rows, but does not compare it here.',
          why: 'A user can send the key of another user’s row, and so withdraw, change or delete what that user has entered.',
        },
        'stamped-part': {
          message:
            'This statement reads or writes rows of {entity} by {value} from the request; they belong to rows of {root}, and the project writes the authenticated user into {owner} of these, but does not compare it here.',
          why: 'A user can send the key of another user’s row, and so read or add to what belongs to that user.',
          fix: PART_FIX.en,
        },
        follows: {
          message:
            'This statement finds a row of {entity} by {value} from the request, and the operation goes on with it; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
          why: 'A user can start the operation for another user’s row, which that user alone may read: @restrict does not apply to queries that a handler runs.',
        },
        private: {
          message:
            'This statement reads or writes rows of {entity} by {value} from the request; {owner} names the user that each row belongs to, but nothing compares it with the caller.',
          why: 'A user can send the key of another user’s row, and so read or change what belongs to that user.',
        },
        'private-part': {
          message:
            'This statement reads or writes rows of {entity} by {value} from the request; they belong to rows of {root}, whose {owner} names the user, but nothing compares it with the caller.',
          why: 'A user can send the key of another user’s row, and so read or add to what belongs to that user.',
          fix: PART_FIX.en,
        },
        ...MARK_WORDS.en,
        ...TOOL_WORDS.en,
        deletes: {
          message:
            'This statement deletes rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
          why: 'A user can send the key of another user’s row and delete it: @restrict does not apply to queries that a handler runs.',
        },
      },
    },
    fr: {
      title: 'Absence de contrôle de propriété sur une ligne choisie par le client',
      message:
        'Cette instruction modifie des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
      why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la modifier : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
      fix: 'Ajoutez le propriétaire à la condition, par exemple .where({ {column}: {value}, {owner}: req.user.id }), et rejetez la requête si aucune ligne n’est touchée. Ou lisez d’abord la ligne et comparez son propriétaire à req.user.',
      variants: {
        reads: {
          message:
            'Cette instruction renvoie des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la lire : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: 'Ajoutez le propriétaire à la condition, par exemple .where({ {column}: {value}, {owner}: req.user.id }). Ou comparez le propriétaire de la ligne lue à req.user, et rejetez la requête s’ils diffèrent.',
        },
        'part-reads': {
          message:
            'Cette instruction renvoie des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la lire : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: PART_FIX.fr,
        },
        part: {
          message:
            'Cette instruction modifie des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          fix: PART_FIX.fr,
        },
        'part-adds': {
          message:
            'Cette instruction ajoute une ligne de {entity} avec {value}, fourni par le client ; ces lignes dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et y ajouter des données : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: PART_FIX.fr,
        },
        'part-deletes': {
          message:
            'Cette instruction supprime des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la supprimer : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: PART_FIX.fr,
        },
        sql: {
          message:
            'Cette instruction SQL modifie ou supprime des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ou de son organisation ({owner}).',
          why: 'Un utilisateur peut envoyer la clé d’une ligne d’un autre utilisateur ou d’une autre organisation, et la modifier ou la supprimer.',
          fix: 'Ajoutez le propriétaire à la condition, WHERE {column} = … AND {owner} = …, avec la valeur de l’utilisateur authentifié, et rejetez la requête si aucune ligne n’est touchée. Ou lisez d’abord la ligne sous cette condition.',
        },
        sqlReads: {
          message:
            'Cette instruction SQL lit les lignes de {entity} dont {column} vaut {value}, fourni par le client ; ailleurs, le projet compare {column} à l’utilisateur ou à son organisation.',
          why: 'Un utilisateur peut envoyer la clé d’une autre organisation ou d’un autre utilisateur, et lire les lignes qui en dépendent.',
          fix: 'Prenez la valeur de {column} de l’utilisateur authentifié au lieu de {value}. Si certains peuvent en choisir une autre, vérifiez d’abord leur rôle, et rejetez la requête (403) sans lui.',
        },
        'sql-part': {
          message:
            'Cette instruction SQL ajoute, modifie ou supprime des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, que le projet limite par {owner} à celles de l’utilisateur ou de son organisation.',
          why: 'Un utilisateur peut envoyer la clé d’une ligne de {root} d’un autre utilisateur ou d’une autre organisation, et la compléter ou la modifier.',
          fix: 'Lisez d’abord la ligne de {root} avec une condition sur {owner}, AND {owner} = …, avec la valeur de l’utilisateur authentifié, et rejetez la requête s’il n’y en a aucune.',
        },
        stamped: {
          message:
            'Cette instruction modifie ou supprime des lignes de {entity} d’après {value}, fourni par le client ; le projet écrit l’utilisateur authentifié dans {owner} de ces lignes, mais ne le compare pas ici.',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et ainsi retirer, modifier ou supprimer ce que celui-ci a saisi.',
        },
        'stamped-part': {
          message:
            'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, où le projet écrit l’utilisateur authentifié dans {owner}, sans le comparer ici.',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et ainsi lire ou compléter ce qui appartient à celui-ci.',
          fix: PART_FIX.fr,
        },
        follows: {
          message:
            'Cette instruction cherche une ligne de {entity} d’après {value}, fourni par le client, et l’opération se poursuit avec elle ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut lancer l’opération sur la ligne d’un autre, que celui-ci est seul à pouvoir lire : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
        },
        private: {
          message:
            'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, fourni par le client ; {owner} nomme l’utilisateur à qui appartient chaque ligne, mais rien ne le compare à l’appelant.',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et ainsi lire ou modifier ce qui appartient à celui-ci.',
        },
        'private-part': {
          message:
            'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, dont {owner} nomme l’utilisateur, mais rien ne le compare à l’appelant.',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et ainsi lire ou compléter ce qui appartient à celui-ci.',
          fix: PART_FIX.fr,
        },
        ...MARK_WORDS.fr,
        ...TOOL_WORDS.fr,
        deletes: {
          message:
            'Cette instruction supprime des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la supprimer : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
        },
      },
    },
  }),
})

/** What the client sends, by a name for the user. */
const USER = /\.user_?(?:id|name)?$/i

/** What leaves other rows behind. */
const CHANGES: ReadonlySet<OwnedQuery['kind']> = new Set<OwnedQuery['kind']>(['update', 'delete'])

/** A handler that runs before every event may check it. */
function isForAll({ phase, events, entities }: HandlerRegistration): boolean {
  return phase === 'before' && entities === undefined && events.some((name) => name === undefined || name === '*')
}
