import type { CapRoot } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match } from '../../../types.ts'
import type { OwnerMark } from './owner-marks.ts'
import { callersOf, isForOthers, type Owner } from './row-owners.ts'

/** Operations that delete or give back the rows of all users, or that let the client say whose a row is. */
export function* markedRows(
  root: CapRoot,
  marks: Iterable<{ readonly file: string; readonly value: OwnerMark }>,
  owned: ReadonlyMap<string, Owner>,
  { reach }: { readonly reach: ReachModel },
): Generator<Match> {
  const all = [...marks]
  const whole = new Set(
    all.flatMap(({ file, value }) => (value.kind === 'all' ? [`${file} ${value.around} ${value.entity}`] : [])),
  )
  for (const { file, value } of all) {
    root.step()
    const { kind, entity, column, client, event, isRead, around, inHelper, start, end } = value
    const found = owned.get(entity)
    if (kind === 'stamp' || found === undefined || !isFault(value, found)) continue
    // what belongs to the rows goes with them
    const part = kind === 'all' ? found.part : undefined
    if (part !== undefined && whole.has(`${file} ${around} ${part.of}`)) continue
    const at = { file, span: { start, end } }
    const { reach: caller } = reach.at(at)
    if (caller === 'privileged' || isForOthers(found, callersOf(root, file, value))) continue
    yield {
      at,
      ...(inHelper !== undefined && { alsoAt: [inHelper] }),
      args: {
        entity,
        column,
        value: client,
        owner: kind === 'claim' ? column : (found.through?.path ?? found.owner),
        root: part?.of ?? entity,
        operation: event?.names[0] ?? '',
      },
      // that callers need no login is a finding of the service
      ...(caller === 'anyone' && { impact: 'bounded' as const }),
      ...((isRead || part?.composition === false || (kind === 'claim' && !isAccounts(entity))) && {
        evidence: 'assumed' as const,
      }),
      variant: kind === 'claim' ? 'claim' : `${part === undefined ? 'all' : 'all-parts'}${isRead ? '-reads' : ''}`,
      // a call may also hand on the key of a row
      ...(kind === 'claim' && { key: column }),
      groupKey: `${file} ${around} ${entity} ${kind}`,
    }
  }
}

/** `crm_user`, `Users`: who may make or change one of others acts as somebody else. */
export function isAccounts(entity: string): boolean {
  return /users?$/i.test(entity)
}

function isFault({ kind, isRead, column }: OwnerMark, { owner, isStamp, isPrivate, isFilter, readBy }: Owner): boolean {
  if (kind === 'claim') return owner === column
  return isStamp !== true && isPrivate !== true && isFilter !== true && (!isRead || readBy === 'model')
}

/** What is told of them. */
export const MARK_WORDS = {
  en: {
    all: {
      title: 'Rows of all users deleted by an operation',
      message:
        'This statement of {operation} deletes all rows of {entity}; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
      why: 'One call of this operation deletes the rows of all users: @restrict does not apply to queries that a handler runs.',
      fix: "Add the owner to the query: .where({ {owner}: req.user.id }). Or, if it is a task of administrators, annotate {operation} with @requires: '<role>'.",
    },
    'all-reads': {
      title: 'Rows of all users returned by an operation',
      message:
        'This statement of {operation} returns all rows of {entity}; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
      why: 'Any caller of this operation reads the rows of all users: @restrict does not apply to queries that a handler runs.',
      fix: "Add the owner to the query: .where({ {owner}: req.user.id }). Or, if it is a task of administrators, annotate {operation} with @requires: '<role>'.",
    },
    'all-parts': {
      title: 'Rows of all users deleted by an operation',
      message:
        'This statement of {operation} deletes all rows of {entity}; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
      why: 'One call of this operation deletes what belongs to the rows of all users: @restrict does not apply to queries that a handler runs.',
      fix: "Delete the rows of {entity} that belong to one row of {root}, after its {owner} was compared with req.user.id. Or, if it is a task of administrators, annotate {operation} with @requires: '<role>'.",
    },
    'all-parts-reads': {
      title: 'Rows of all users returned by an operation',
      message:
        'This statement of {operation} returns all rows of {entity}; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
      why: 'Any caller of this operation reads what belongs to the rows of all users: @restrict does not apply to queries that a handler runs.',
      fix: "Read the rows of {entity} that belong to one row of {root}, after its {owner} was compared with req.user.id. Or, if it is a task of administrators, annotate {operation} with @requires: '<role>'.",
    },
    claim: {
      title: 'Owner of a row taken from the request',
      message: '{column} of {entity} is set to {value} from the request, although the project tells by {column} whose row it is.',
      why: 'A user can create rows in the name of another user or organization, or hand rows over to them.',
      fix: 'Set {column} to the authenticated user (req.user.id), or to the organization of that user, instead of {value}. If some callers may act for others, check their role first and reject the request otherwise.',
    },
  },
  fr: {
    all: {
      title: 'Suppression des lignes de tous les utilisateurs par une opération',
      message:
        'Cette instruction de {operation} supprime toutes les lignes de {entity} ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
      why: 'Un seul appel de cette opération supprime les lignes de tous les utilisateurs : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
      fix: "Ajoutez le propriétaire à la requête : .where({ {owner}: req.user.id }). Ou, s’il s’agit d’une tâche d’administrateurs, annotez {operation} avec @requires: '<rôle>'.",
    },
    'all-reads': {
      title: 'Lignes de tous les utilisateurs renvoyées par une opération',
      message:
        'Cette instruction de {operation} renvoie toutes les lignes de {entity} ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
      why: 'Tout appelant de cette opération lit les lignes de tous les utilisateurs : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
      fix: "Ajoutez le propriétaire à la requête : .where({ {owner}: req.user.id }). Ou, s’il s’agit d’une tâche d’administrateurs, annotez {operation} avec @requires: '<rôle>'.",
    },
    'all-parts': {
      title: 'Suppression des lignes de tous les utilisateurs par une opération',
      message:
        'Cette instruction de {operation} supprime toutes les lignes de {entity} ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
      why: 'Un seul appel de cette opération supprime ce qui dépend des lignes de tous les utilisateurs : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
      fix: "Supprimez les lignes de {entity} d’une seule ligne de {root}, après avoir comparé son {owner} à req.user.id. Ou, s’il s’agit d’une tâche d’administrateurs, annotez {operation} avec @requires: '<rôle>'.",
    },
    'all-parts-reads': {
      title: 'Lignes de tous les utilisateurs renvoyées par une opération',
      message:
        'Cette instruction de {operation} renvoie toutes les lignes de {entity} ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
      why: 'Tout appelant de cette opération lit ce qui dépend des lignes de tous les utilisateurs : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
      fix: "Lisez les lignes de {entity} d’une seule ligne de {root}, après avoir comparé son {owner} à req.user.id. Ou, s’il s’agit d’une tâche d’administrateurs, annotez {operation} avec @requires: '<rôle>'.",
    },
    claim: {
      title: 'Propriétaire d’une ligne pris dans la requête',
      message:
        '{column} de {entity} reçoit {value}, fourni par le client, alors que le projet reconnaît à {column} à qui appartient la ligne.',
      why: 'Un utilisateur peut créer des lignes au nom d’un autre utilisateur ou d’une autre organisation, ou leur en transmettre.',
      fix: 'Affectez à {column} l’utilisateur authentifié (req.user.id), ou son organisation, au lieu de {value}. Si certains appelants peuvent agir pour d’autres, vérifiez d’abord leur rôle et rejetez la requête sinon.',
    },
  },
} as const
