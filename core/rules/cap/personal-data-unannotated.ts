import {
  entityWords,
  exposedEntities,
  isOrganisation,
  isPeople,
  personalKind,
  type CapElement,
  type PersonalKind,
} from '../../model/cap/index.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames } from './_matches.ts'

/** People in a model that does not say so: neither audit log nor deletion nor the information of the people knows of them.
 *  Facts: capire, "Annotating Personal Data" (what `@PersonalData` is read for). */
export const personalDataUnannotated: Rule = defineRule({
  id: 'cap/personal-data-unannotated',
  severity: 'INFO',
  confidence: 'low',
  cwe: [359],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/dpp-annotations',
  on: 'cap-root',

  *check(root) {
    const found = new Map<string, Found>()
    for (const { service, entity, source } of exposedEntities(root)) {
      if (isImported(source.place)) continue
      const known = found.get(source.name) ?? {
        at: source.place,
        kinds: new Map(),
        names: new Set([entityWords(source.name)]),
        service: service.name,
        isMarked: false,
      }
      found.set(source.name, known)
      known.names.add(entityWords(entity.name))
      known.isMarked ||= marks(entity.annotations)
      for (const member of entity.members()) {
        // a mark in one service counts for all
        known.isMarked ||= marks(member.annotations)
        const kind = member.calculated ? undefined : personalKind(member)
        if (kind !== undefined && !known.kinds.has(kind)) known.kinds.set(kind, member.name)
      }
    }
    for (const [entity, { at, kinds, names, service, isMarked }] of found) {
      if (isMarked || !tellsOfPeople(new Set(kinds.keys()), [...names])) continue
      yield { at, args: { entity, elements: listNames([...kinds.values()]), service } }
    }
  },

  text: {
    en: {
      title: 'Personal data is not marked as such',
      message: '{entity} has {elements}, {service} exposes it, and no @PersonalData says that these are personal data.',
      why: 'What is not marked is not logged when somebody reads it, not found when a person asks for their data, and not deleted in time.',
      fix: "annotate {entity} with @PersonalData: { EntitySemantics: 'DataSubject' } and mark its elements with @PersonalData.IsPotentiallyPersonal or IsPotentiallySensitive.",
    },
    fr: {
      title: 'Des données personnelles ne sont pas marquées comme telles',
      message:
        '{entity} contient {elements}, {service} l’expose, et aucun @PersonalData ne dit qu’il s’agit de données personnelles.',
      why: 'Ce qui n’est pas marqué n’est ni consigné à la lecture, ni retrouvé quand une personne demande ses données, ni supprimé à temps.',
      fix: "annotate {entity} with @PersonalData: { EntitySemantics: 'DataSubject' }, et marquez ses éléments avec @PersonalData.IsPotentiallyPersonal ou IsPotentiallySensitive.",
    },
  },
})

/** What services show of an entity that several of them may expose. */
interface Found {
  readonly at: Place
  /** With the first element of each. */
  readonly kinds: Map<PersonalKind, string>
  /** Its own, and those that services give it. */
  readonly names: Set<string>
  readonly service: string
  isMarked: boolean
}

/** One strong word, or several weak ones about somebody who has a name; organisations have addresses and accounts too. */
function tellsOfPeople(kinds: ReadonlySet<PersonalKind>, names: readonly string[]): boolean {
  const hasName = kinds.has('name')
  if (!hasName && names.some(isOrganisation)) return false
  const isStrong = (['bank', 'identity', 'pay', 'belief'] as const).some((kind) => kinds.has(kind))
  return isStrong || (kinds.size >= 2 && (hasName || kinds.has('birth') || names.some(isPeople)))
}

function marks(annotations: CapElement['annotations']): boolean {
  for (const name of annotations.keys()) if (name.startsWith('PersonalData.')) return true
  return false
}

/** Of a service that somebody else marks. */
function isImported({ file }: Place): boolean {
  return /(?:^|\/)(?:external|node_modules)\//.test(file)
}
