import {
  accepts,
  isAdministrative,
  isGuarded,
  isTrue,
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
        const { roles, writers } = exceeding
        yield {
          at: to.access?.place ?? to.place,
          args: {
            entity: `${service.name}.${to.name}`,
            writers: listRoles(writers),
            users: usersWith(roles),
            whole: `${service.name}.${from.name}`,
            path: `${from.name}/${element}`,
            association: element,
            requires: requiringRoles(writers),
            exceeding: listNames(roles.map((role) => `'${role}'`)),
          },
          key: `${service.name}.${from.name} ${element}`,
          groupKey: `${to.place.file} ${service.name}.${to.name}`,
          exposure: exposureOfRoles(service, from, roles, reach),
        }
      }
  },

  text: {
    en: {
      title: 'Restriction on writing bypassed by a deep update',
      message:
        '{entity} can be written by {writers:and} only, but {users} can write the same rows with a deep update of {whole}, through the composition {path}.',
      why: 'CAP Node.js checks the entity that a request addresses, not the parts that the request writes along with it: one PATCH creates, changes and deletes rows that the model reserves to other roles.',
      fix: "Reject {association} in srv.before(['CREATE', 'UPDATE'], '{whole}', …) for users without one of these roles ({writers:and}). Or turn the composition into an association, or grant {whole} to these roles only.",
    },
    fr: {
      title: 'Restriction d’écriture contournée par une mise à jour profonde',
      message:
        'Seuls {writers:et} peuvent écrire {entity}, mais {users} peuvent écrire les mêmes lignes par une mise à jour profonde de {whole}, par la composition {path}.',
      why: 'CAP Node.js vérifie l’entité visée par la requête, pas les parties que celle-ci écrit en même temps : un seul PATCH crée, modifie et supprime des lignes que le modèle réserve à d’autres rôles.',
      fix: "Refusez {association} dans srv.before(['CREATE', 'UPDATE'], '{whole}', …) aux utilisateurs sans l’un de ces rôles ({writers:et}). Ou remplacez la composition par une association, ou n’accordez {whole} qu’à ces rôles.",
    },
  },
})

interface Exceeding {
  /** Roles that write the part by way of the whole alone. */
  readonly roles: readonly string[]
  /** Roles that may write the part. */
  readonly writers: readonly string[]
}

function exceedingRoles({ from, to, element, composition }: CapLink, service: CapService, root: CapRoot): Exceeding | undefined {
  if (!composition || to === from || !accepts(from, 'UPDATE') || to.access?.kind !== 'roles') return undefined
  const member = from.members().find(({ name }) => name === element)
  if (member === undefined || isGuarded(member)) return undefined
  // what the part says itself; the writers of a draft write its parts as drafts
  const writers = ownWriters(to)
  if (writers.length === 0) return undefined
  const roles = writersOf(from).filter((role) => !writers.includes(role) && !isAdministrative(role))
  if (roles.length === 0 || unaskedOf(['UPDATE'], handlersFor(root, service, from)).length === 0) return undefined
  return { roles, writers }
}

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

/** Roles that may change all rows of an entity. */
function writersOf(entity: CapElement): readonly string[] {
  if (writeRights(entity).by !== 'roles' || isTrue(entity.annotations.get('readonly')?.value)) return []
  const own = privilegesOf(entity.annotations.get('restrict')?.value)
  if (own.length === 0) return rolesAmong(wordsOf(entity.annotations.get('requires')?.value))
  return rolesAmong(
    own.flatMap((privilege) => (privilege.where === undefined && grantsEvent(privilege, 'UPDATE') ? (privilege.to ?? []) : [])),
  )
}
