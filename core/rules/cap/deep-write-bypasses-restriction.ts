import {
  accepts,
  AUTHENTICATED_ROLES,
  isAdministrative,
  isGuarded,
  isTrue,
  PSEUDO_ROLES,
  grantsEvent,
  privilegesOf,
  servedServices,
  wordsOf,
  type CapElement,
  type CapLink,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { rolesAmong, writeRights } from './_model/entity-rights.ts'
import { listRoles, requiringRoles, usersWith } from './_matches.ts'
import { exposureOfRoles } from './_model/restricted-exposures.ts'
import { entityHandlers, handlersFor, unaskedOf } from './_handlers/write-handlers.ts'

/**
 * Rows that some roles alone may write, and that others write together with the entity that is composed of them: CAP Node.js authorizes the target of a request.
 * Facts: @sap/cds 7.9.5, 8.9.10 and 9.9.3, generic/auth/restrict.js (the restrictions of the target of the request; nothing looks at what a deep update writes); capire,
 * "Serving Requests", deep operations. CAP Java checks deep writes (capire, "Deep Authorizations").
 * Impact: users of one role change what the model reserves to another one, by its restrictions or by what it requires.
 */
export const deepWriteBypassesRestriction: Rule = defineRule({
  id: 'cap/deep-write-bypasses-restriction',
  impact: 'data',
  confidence: 'medium',
  cwe: [863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#limitations',
  on: 'cap-root',
  extracts: [entityHandlers],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    for (const service of servedServices(root))
      for (const link of service.links()) {
        root.step()
        const exceeding = exceedingRoles(link, service, root)
        if (exceeding === undefined) continue
        const { from, to, element } = link
        const { roles, writers, elsewhere, isForReaders } = exceeding
        yield {
          // that users may write the parts with the whole may be meant
          ...(elsewhere !== undefined && { variant: 'elsewhere', evidence: 'assumed' as const }),
          ...(isForReaders === true && { variant: 'read', evidence: 'assumed' as const }),
          at: to.access?.place ?? to.place,
          args: {
            entity: `${service.name}.${to.name}`,
            writers: listRoles(writers),
            users: usersWith(roles),
            whole: `${service.name}.${from.name}`,
            path: `${from.name}/${element}`,
            association: element,
            requires: requiringRoles(writers),
            ...(elsewhere !== undefined && { elsewhere }),
            exceeding: listNames(roles.map((role) => `'${role}'`)),
          },
          key: `${service.name}.${from.name} ${element}`,
          groupKey: `${to.place.file} ${service.name}.${to.name}`,
          exposure: exposureOfRoles(service, from, roles, reach, { events: ['UPDATE'] }),
        }
      }
  },

  text: () => ({
    en: {
      title: 'Restriction on writing bypassed by a deep update',
      message:
        '{entity} can be written by {writers:and} only, but {users} can write the same rows with a deep update of {whole}, through the composition {path}.',
      why: 'CAP Node.js checks the entity that a request addresses, not the parts that the request writes along with it: one PATCH creates, changes and deletes rows that the model reserves to other roles.',
      fix: "Reject {association} in srv.before(['CREATE', 'UPDATE'], '{whole}', …) for users without one of these roles ({writers:and}). Or turn the composition into an association, or grant {whole} to these roles only.",
      variants: {
        elsewhere: {
          message:
            '{entity} is read-only, and {elsewhere} lets {writers:and} write its rows, but {users} can write them with a deep update of {whole}, through the composition {path}.',
        },
        read: {
          message:
            '{entity} is for {writers:and} only, who may read it, but {users} can write the same rows with a deep update of {whole}, through the composition {path}.',
          why: 'CAP Node.js checks the entity that a request addresses, not the parts that the request writes along with it: one PATCH creates, changes and deletes rows of an entity that these users may not even read.',
        },
      },
    },
    fr: {
      title: 'Restriction d’écriture contournée par une mise à jour profonde',
      message:
        'Seuls {writers:et} peuvent écrire {entity}, mais {users} peuvent écrire les mêmes lignes par une mise à jour profonde de {whole}, par la composition {path}.',
      why: 'CAP Node.js vérifie l’entité visée par la requête, pas les parties que celle-ci écrit en même temps : un seul PATCH crée, modifie et supprime des lignes que le modèle réserve à d’autres rôles.',
      fix: "Refusez {association} dans srv.before(['CREATE', 'UPDATE'], '{whole}', …) aux utilisateurs sans l’un de ces rôles ({writers:et}). Ou remplacez la composition par une association, ou n’accordez {whole} qu’à ces rôles.",
      variants: {
        elsewhere: {
          message:
            '{entity} est en lecture seule, et {elsewhere} laisse {writers:et} écrire ses lignes, mais {users} peuvent les écrire par une mise à jour profonde de {whole}, par la composition {path}.',
        },
        read: {
          message:
            '{entity} est réservé à {writers:et}, en lecture seule, mais {users} peuvent écrire les mêmes lignes par une mise à jour profonde de {whole}, par la composition {path}.',
          why: 'CAP Node.js vérifie l’entité visée par la requête, pas les parties que celle-ci écrit en même temps : un seul PATCH crée, modifie et supprime des lignes d’une entité que ces utilisateurs n’ont pas même le droit de lire.',
        },
      },
    },
  }),
})

interface Exceeding {
  /** Roles that write the part by way of the whole alone. */
  readonly roles: readonly string[]
  /** Roles that may write the part. */
  readonly writers: readonly string[]
  /** They write it in this other service: here nobody may. */
  readonly elsewhere?: string
  /** Nobody may write it in the service: they are the roles that read it. */
  readonly isForReaders?: true
}

function exceedingRoles({ from, to, element, composition }: CapLink, service: CapService, root: CapRoot): Exceeding | undefined {
  if (!composition || to === from || !accepts(from, 'UPDATE')) return undefined
  const member = from.members().find(({ name }) => name === element)
  if (member === undefined || isGuarded(member)) return undefined
  // what the part says itself; the writers of a draft write its parts as drafts
  const own = to.access?.kind === 'roles' ? ownWriters(to) : []
  const reserved =
    own.length > 0 ? { writers: own } : isForReading(to) ? (writersElsewhere(to, service, root) ?? readersOf(to)) : undefined
  if (reserved === undefined) return undefined
  const { writers } = reserved
  const roles = writersOf(from, service).filter((role) => !writers.includes(role) && !isAdministrative(role))
  if (roles.length === 0 || unaskedOf(['UPDATE'], handlersFor(root, service, from)).length === 0) return undefined
  return { roles, ...reserved }
}

/** The roles without which a part cannot even be read; of parts that the writers of the whole read, writing them with it is most often the purpose. */
function readersOf({
  annotations,
}: CapElement): { readonly writers: readonly string[]; readonly isForReaders: true } | undefined {
  const required = wordsOf(annotations.get('requires')?.value)
  const own = privilegesOf(annotations.get('restrict')?.value).filter((privilege) => grantsEvent(privilege, 'READ'))
  const granted = own.flatMap(({ to }) => to ?? (required.length > 0 ? required : PLAIN))
  const named = granted.length > 0 ? granted : required
  const readers = rolesAmong(named)
  return readers.length === 0 || readers.length < new Set(named).size ? undefined : { writers: readers, isForReaders: true }
}

/** Its restrictions let nobody write it, or nothing but reading is left of it. */
function isForReading({ annotations }: CapElement): boolean {
  const own = privilegesOf(annotations.get('restrict')?.value)
  const isGranted = own.some((privilege) => WRITES.some((event) => grantsEvent(privilege, event)))
  return (own.length > 0 && !isGranted) || isTrue(annotations.get('readonly')?.value)
}

/** The roles that write the rows of a part in other services; undefined: all users do, or nobody. */
function writersElsewhere(
  part: CapElement,
  service: CapService,
  root: CapRoot,
): { readonly writers: readonly string[]; readonly elsewhere: string } | undefined {
  const source = part.source?.name
  const others = servedServices(root).flatMap((other) =>
    other === service
      ? []
      : other.elements.flatMap((element) => {
          root.step()
          const isSame = source !== undefined && element.kind === 'entity' && element.source?.name === source
          const { by, roles } = isSame ? writeRights(element) : NOBODY
          if (by === 'nobody') return []
          const named =
            by === 'roles' ? roles : by === 'open' && other.access.kind === 'roles' ? rolesAmong(other.access.roles) : []
          return [{ name: `${other.name}.${element.name}`, roles: named }]
        }),
  )
  const [first] = others
  if (first === undefined || others.some(({ roles }) => roles.length === 0)) return undefined
  return { writers: [...new Set(others.flatMap(({ roles }) => roles))], elsewhere: first.name }
}

const NOBODY = { by: 'nobody', roles: [] } as const

/** The roles that a part is written by, where it names them all: in its restrictions, or in what it requires. */
function ownWriters({ annotations }: CapElement): readonly string[] {
  const own = privilegesOf(annotations.get('restrict')?.value)
  const writing = own.filter((privilege) => WRITES.some((event) => grantsEvent(privilege, event)))
  const named =
    own.length > 0 ? writing.flatMap(({ to: roles }) => roles ?? ['any']) : wordsOf(annotations.get('requires')?.value)
  const writers = rolesAmong(named)
  return writers.length < new Set(named).size ? [] : writers
}

const WRITES = ['CREATE', 'UPDATE', 'DELETE'] as const

/** Roles that may change rows of an entity, be it their own ones: which elements of the parts they write, a condition on the whole does not say. */
function writersOf({ annotations }: CapElement, { access }: CapService): readonly string[] {
  if (isTrue(annotations.get('readonly')?.value)) return []
  const own = privilegesOf(annotations.get('restrict')?.value)
  const required = wordsOf(annotations.get('requires')?.value)
  const all = rolesAmong(required, access.kind === 'roles' ? access.roles : [])
  if (own.length === 0) return all.length > 0 ? all : areUsers(required, access) ? USERS : []
  const named = own.flatMap((privilege) => (grantsEvent(privilege, 'UPDATE') ? (privilege.to ?? PLAIN) : []))
  if (all.length === 0 && named.some(isOfUsers) && areUsers(required, access)) return USERS
  return rolesAmong(named.flatMap((role) => (PSEUDO_ROLES.has(role) ? all : role)))
}

/** Neither asks for a role: `internal-user` and `system-user` stand for technical callers alone. */
function areUsers(required: readonly string[], { kind, roles }: CapService['access']): boolean {
  const asked = [required, kind === 'roles' ? roles : []].filter((names) => names.length > 0)
  return asked.every((names) => names.some(isOfUsers))
}

function isOfUsers(role: string): boolean {
  return role === 'any' || AUTHENTICATED_ROLES.has(role)
}

const PLAIN: readonly string[] = ['any']
const USERS: readonly string[] = ['authenticated-user']
