import {
  entityWords,
  isAdministrative,
  isCredential,
  isHidden,
  isOrganisation,
  personalKind,
  readersOf,
  servedServices,
  type CapAutoexposed,
  type CapMember,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { Match, Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames, worstAtPlaces } from './_matches.ts'

/** Sensitive data that a service hands out although nobody wrote its entity into the service.
 *  Facts: capire, "CDL" (auto-exposed entities); @sap/cds 10.1.1, generic/auth/autoexpose.js (read directly with `@cds.autoexpose`, else through the entity that leads there). */
export const sensitiveEntityAutoexposed: Rule = defineRule({
  id: 'cap/sensitive-entity-autoexposed',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',

  *check(root) {
    yield* worstAtPlaces(found(root))
  },

  text: {
    en: {
      title: 'Sensitive data is exposed without having been written into the service',
      message:
        '@cds.autoexpose adds {entity} with {elements} to {service}, since {path} leads to it: {readers} may read all of its rows.',
      why: 'Nobody who reviews the service sees the entity in it: every caller lists its rows by a request of their own, not only those that belong to something.',
      fix: 'Remove @cds.autoexpose, exclude the association from the projection, or give {entity} a restriction of its own.',
      variants: {
        composition: {
          message:
            '{entity} with {elements} is part of {service}, since the composition {path} leads to it: {readers} may read it.',
          why: 'Nobody who reviews the service sees the entity in it: with $expand, every caller gets its rows.',
          fix: 'Exclude the composition from the projection, or restrict the entity that it belongs to.',
        },
      },
    },
    fr: {
      title: 'Des données sensibles sont exposées sans figurer dans le service',
      message:
        '@cds.autoexpose ajoute {entity} avec {elements} à {service}, puisque {path} y mène : {readers} peut en lire toutes les lignes.',
      why: 'Personne, en relisant le service, n’y voit cette entité : chaque appelant en liste les lignes par une requête directe, pas seulement celles rattachées à un objet.',
      fix: 'Supprimez @cds.autoexpose, retirez l’association de la projection, ou donnez à {entity} sa propre restriction.',
      variants: {
        composition: {
          message:
            '{entity} avec {elements} fait partie de {service}, puisque la composition {path} y mène : {readers} peut la lire.',
          why: 'Personne, en relisant le service, n’y voit cette entité : avec $expand, chaque appelant en obtient les lignes.',
          fix: 'Retirez la composition de la projection, ou restreignez l’entité à laquelle elle appartient.',
        },
      },
    },
  },
})

function* found(root: CapRoot): Generator<Match> {
  for (const service of servedServices(root)) {
    for (const entity of service.autoexposed()) {
      const { annotations, composition, from } = entity
      if (annotations.has('requires') || annotations.has('restrict') || from.access?.kind === 'none') continue
      const elements = entity.members().filter((member) => !isHidden(member))
      const sensitive = sensitiveOf(entity, elements)
      if (sensitive === undefined) continue
      const readers = readersFor(entity, service)
      const severity = gradeOf(entity, service, sensitive, readers)
      const at = composition ? entity.place : annotations.get('cds.autoexpose')?.place
      if (severity === undefined || at === undefined) continue
      const args = {
        entity: entity.name,
        elements: listNames(sensitive.names),
        service: service.name,
        path: entity.path,
        readers: listNames(readers),
      }
      yield { at, args, severity, key: entity.name, ...(composition && { variant: 'composition' }) }
    }
  }
}

interface Sensitive {
  readonly names: readonly string[]
  /** More than a name or an address. */
  readonly grave: boolean
}

function sensitiveOf({ name, annotations }: CapAutoexposed, elements: readonly CapMember[]): Sensitive | undefined {
  const words = entityWords(name)
  const grave = elements.filter((member) => {
    const kind = personalKind(member)
    const isOwn = kind === 'bank' || kind === 'identity' || kind === 'pay' || kind === 'belief'
    return isSaid(member, 'PersonalData.IsPotentiallySensitive') || isCredential(member) || (isOwn && !isOrganisation(words))
  })
  if (grave.length > 0) return { names: grave.map(({ name }) => name), grave: true }
  if (/(?:^| )(?:salar(?:y|ies)|payrolls?|payslips?|credentials?|passwords?|medical records?)$/.test(words))
    return { names: elements.map(({ name }) => name), grave: true }
  const personal = elements.filter((member) => isSaid(member, 'PersonalData.IsPotentiallyPersonal'))
  const isPerson = annotations.has('PersonalData.EntitySemantics')
  return isPerson && personal.length > 0 ? { names: personal.map(({ name }) => name), grave: false } : undefined
}

function isSaid({ annotations }: CapMember, name: string): boolean {
  const value = annotations.get(name)?.value
  return value !== undefined && !(value.kind === 'boolean' && value.value === false) && value.kind !== 'null'
}

/** Directly, whoever may call the service; through a composition, whoever may read the entity that leads to it. */
function readersFor({ composition, from }: CapAutoexposed, { access }: CapService): readonly string[] {
  const readers = composition ? readersOf(from)?.roles : undefined
  if (readers !== undefined) return readers
  if (access.kind === 'roles') return access.roles
  return [access.kind === 'public' || access.kind === 'default-public' ? 'any' : 'authenticated-user']
}

function gradeOf(
  { composition }: CapAutoexposed,
  service: CapService,
  { grave }: Sensitive,
  readers: readonly string[],
): Severity | undefined {
  if (readers.every(isAdministrative)) return undefined
  const isOpen = readers.some((role) => role === 'any' || role === 'authenticated-user' || role === 'identified-user')
  // part of what a role is trusted with; and what belongs to it is seldom listed
  if (composition) return isOpen && grave ? 'MEDIUM' : undefined
  // somebody meant fewer readers than the service has
  const isNarrowed = service.elements.some(({ kind, access }) => kind === 'entity' && access?.kind === 'roles')
  return (isOpen || isNarrowed) && grave ? 'MEDIUM' : 'LOW'
}
