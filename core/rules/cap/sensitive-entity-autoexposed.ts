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
import { definitionAt } from '../../parse/cds/index.ts'
import type { GradeFacts, Match, Place } from '../../types.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { usersWith, worstAtPlaces } from './_matches.ts'
import { lastName } from '../../paths.ts'

/**
 * Sensitive data in a service that does not name its entity: CAP exposes it automatically.
 * Facts: capire, "CDL" (auto-exposed entities); @sap/cds 10.1.1, generic/auth/autoexpose.js (read directly with `@cds.autoexpose`, else through the entity that leads there).
 * Impact: every user of the service reads data that names of elements call sensitive; for users with a role for the whole service, or of lesser weight, it
 * may be meant.
 */
export const sensitiveEntityAutoexposed: Rule = defineRule({
  id: 'cap/sensitive-entity-autoexposed',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#autoexposed-restrictions',
  on: 'cap-root',

  *check(root) {
    yield* worstAtPlaces(found(root))
  },

  text: () => ({
    en: {
      title: 'Sensitive entity exposed by @cds.autoexpose',
      message:
        '@cds.autoexpose exposes {entity} with {elements:and} in {service}, because {path} refers to it: {readers:or} can read all of its rows.',
      why: 'Users of the service can read this data with a direct request, although the service definition does not mention the entity: a review can easily miss this.',
      fix: 'Remove @cds.autoexpose from {entity} in {file}, or exclude the association {path} from the projection in {service}. @requires on {entity} alone does not protect the data from $expand in Node.js.',
      variants: {
        inherited: {
          message:
            '@cds.autoexpose, inherited from {holder}, exposes {entity} with {elements:and} in {service}, because {path} refers to it: {readers:or} can read all of its rows.',
          fix: 'Annotate {entity} with @cds.autoexpose: false, remove @cds.autoexpose from {holder} in {file}, or exclude the association {path} from the projection in {service}.',
        },
        composition: {
          title: 'Sensitive entity exposed through a composition',
          message:
            'The service {service} exposes {entity} with {elements:and} through the composition {path}: {readers:or} can read this data.',
          why: 'Users of the service can read this data with $expand, although the service definition does not mention the entity: a review can easily miss this.',
          fix: 'Exclude the composition {path} from the projection in {service}, or add @restrict to the entity {origin} in the service {service}.',
        },
      },
    },
    fr: {
      title: 'Entité sensible exposée par @cds.autoexpose',
      message:
        '@cds.autoexpose expose {entity} avec {elements:et} dans {service}, car {path} y fait référence : {readers:ou} peuvent en lire toutes les lignes.',
      why: 'Les utilisateurs du service peuvent lire ces données par une requête directe, alors que la définition du service ne mentionne pas l’entité : une revue de code peut facilement passer à côté.',
      fix: 'Supprimez @cds.autoexpose de {entity} dans {file}, ou excluez l’association {path} de la projection dans {service}. À lui seul, @requires sur {entity} ne protège pas les données contre $expand sous Node.js.',
      variants: {
        inherited: {
          message:
            '@cds.autoexpose, hérité de {holder}, expose {entity} avec {elements:et} dans {service}, car {path} y fait référence : {readers:ou} peuvent en lire toutes les lignes.',
          fix: 'Annotez {entity} avec @cds.autoexpose: false, supprimez @cds.autoexpose de {holder} dans {file}, ou excluez l’association {path} de la projection dans {service}.',
        },
        composition: {
          title: 'Entité sensible exposée par une composition',
          message:
            'Le service {service} expose {entity} avec {elements:et} par la composition {path} : {readers:ou} peuvent lire ces données.',
          why: 'Les utilisateurs du service peuvent lire ces données avec $expand, alors que la définition du service ne mentionne pas l’entité : une revue de code peut facilement passer à côté.',
          fix: 'Excluez la composition {path} de la projection dans {service}, ou ajoutez @restrict à l’entité {origin} dans le service {service}.',
        },
      },
    },
  }),
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
      const grade = gradeOf(entity, service, sensitive, readers)
      const at = composition ? entity.place : annotations.get('cds.autoexpose')?.place
      if (grade === undefined || at === undefined) continue
      const holder = composition ? undefined : inheritedFrom(root, entity.name, at)
      const args = {
        entity: entity.name,
        elements: listNames(sensitive.names),
        service: service.name,
        path: entity.path,
        origin: from.name,
        holder: holder ?? '',
        readers: usersWith(readers),
        file: at.file,
      }
      const variant = composition ? 'composition' : holder === undefined ? undefined : 'inherited'
      yield { at, args, ...grade, key: entity.name, ...(variant !== undefined && { variant }) }
    }
  }
}

/** What the annotation stands on, as it is written there, where that is not the entity itself: an aspect that it includes. */
function inheritedFrom({ files }: CapRoot, entity: string, { file, span }: Place): string | undefined {
  const content = files.find(({ path }) => path === file)?.content
  if (content?.as !== 'cds' || span === undefined) return undefined
  const holder = definitionAt(content.document, span.start).replace(/^(?:annotate|extend) /, '')
  return holder === '' || lastName(holder) === lastName(entity) ? undefined : holder
}

interface Sensitive {
  readonly names: readonly string[]
  /** More than a name or an address. */
  readonly grave: boolean
  /** A password, a key or a token as it is: whoever reads it logs in with it. */
  readonly isPlain: boolean
}

function sensitiveOf({ name, annotations }: CapAutoexposed, elements: readonly CapMember[]): Sensitive | undefined {
  const words = entityWords(name)
  const grave = elements.filter((member) => {
    const kind = personalKind(member)
    const isOwn = kind === 'bank' || kind === 'identity' || kind === 'pay' || kind === 'belief'
    return isAnnotated(member, 'PersonalData.IsPotentiallySensitive') || isCredential(member) || (isOwn && !isOrganisation(words))
  })
  if (grave.length > 0) return { names: grave.map(({ name }) => name), grave: true, isPlain: grave.some(isPlainCredential) }
  if (/(?:^| )(?:salar(?:y|ies)|payrolls?|payslips?|credentials?|passwords?|medical records?)$/.test(words))
    return { names: elements.map(({ name }) => name), grave: true, isPlain: false }
  const personal = elements.filter((member) => isAnnotated(member, 'PersonalData.IsPotentiallyPersonal'))
  const isPerson = annotations.has('PersonalData.EntitySemantics')
  return isPerson && personal.length > 0 ? { names: personal.map(({ name }) => name), grave: false, isPlain: false } : undefined
}

/** `clientSecret`, `api_key`; not `passwordHash`. */
function isPlainCredential(member: CapMember): boolean {
  return isCredential(member) && !/hash|salt|digest|encrypted|hint/i.test(member.name)
}

function isAnnotated({ annotations }: CapMember, name: string): boolean {
  const value = annotations.get(name)?.value
  return value !== undefined && !(value.kind === 'boolean' && value.value === false) && value.kind !== 'null'
}

/** Directly, the users of the service; through a composition, the readers of the entity that leads to it. */
function readersFor({ composition, from }: CapAutoexposed, { access }: CapService): readonly string[] {
  const readers = composition ? readersOf(from)?.roles : undefined
  if (readers !== undefined) return readers
  if (access.kind === 'roles') return access.roles
  return [access.kind === 'public' || access.kind === 'default-public' ? 'any' : 'authenticated-user']
}

function gradeOf(
  { composition }: CapAutoexposed,
  service: CapService,
  { grave, isPlain }: Sensitive,
  readers: readonly string[],
): GradeFacts | undefined {
  if (readers.every(isAdministrative)) return undefined
  const isOpen = readers.some((role) => role === 'any' || role === 'authenticated-user' || role === 'identified-user')
  // children of what a role may read are intended for that role
  if (composition) return isOpen && grave ? toOpen(readers, isPlain) : undefined
  // other entities of the service have fewer readers
  const isNarrowed = service.elements.some(({ kind, access }) => kind === 'entity' && access?.kind === 'roles')
  if (!grave || !(isOpen || isNarrowed)) return { reach: 'user', circumstance: 'visible', evidence: 'shown' }
  return isOpen ? toOpen(readers, isPlain) : { reach: 'privileged', evidence: 'shown' }
}

/** By names alone, whoever calls; where names say that credentials are kept, no link is missing. */
function toOpen(readers: readonly string[], isPlain: boolean): GradeFacts {
  return { reach: readers.includes('any') ? 'anyone' : 'user', ...(isPlain && { evidence: 'shown' as const }) }
}
