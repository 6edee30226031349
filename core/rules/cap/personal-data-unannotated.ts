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
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Personal data in a model without @PersonalData: neither the audit log nor deletion nor information requests include it.
 * Facts: capire, "Annotating Personal Data" (what `@PersonalData` is read for).
 * Impact: a decision that somebody should have taken.
 */
export const personalDataUnannotated: Rule = defineRule({
  id: 'cap/personal-data-unannotated',
  impact: 'hygiene',
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
        kinds: new Set(),
        elements: new Set(),
        names: new Set([entityWords(source.name)]),
        service: service.name,
        isMarked: false,
      }
      found.set(source.name, known)
      known.names.add(entityWords(entity.name))
      known.isMarked ||= marks(entity.annotations)
      for (const member of entity.members()) {
        // an annotation in one service counts for all
        known.isMarked ||= marks(member.annotations)
        const kind = member.calculated ? undefined : personalKind(member)
        if (kind === undefined) continue
        known.kinds.add(kind)
        known.elements.add(member.name)
      }
    }
    for (const [entity, { at, kinds, elements, names, service, isMarked }] of found) {
      if (isMarked || !tellsOfPeople(kinds, [...names])) continue
      const [element = ''] = elements
      yield { at, args: { entity, element, elements: listNames([...elements]), service } }
    }
  },

  text: () => ({
    en: {
      title: 'Personal data without @PersonalData annotation',
      message: '{entity}, exposed by {service}, contains elements without a @PersonalData annotation: {elements:and}.',
      why: 'Changes to this data are not audit-logged, and tools for data subject requests and retention do not find it: GDPR obligations may not be met.',
      fix: "Annotate {entity} with @PersonalData.EntitySemantics: 'DataSubject', its ID with @PersonalData.FieldSemantics: 'DataSubjectID', and these elements with @PersonalData.IsPotentiallyPersonal. Install @cap-js/audit-logging and bind an Audit Log instance.",
    },
    fr: {
      title: 'Données personnelles sans annotation @PersonalData',
      message: '{entity}, que {service} expose, contient des éléments sans annotation @PersonalData : {elements:et}.',
      why: 'Les modifications de ces données ne sont pas consignées dans le journal d’audit, et les outils de gestion des demandes d’accès et de la conservation ne trouvent pas ces données : le RGPD risque de ne pas être respecté.',
      fix: "Annotez {entity} avec @PersonalData.EntitySemantics: 'DataSubject', son identifiant avec @PersonalData.FieldSemantics: 'DataSubjectID' et ces éléments avec @PersonalData.IsPotentiallyPersonal. Installez @cap-js/audit-logging et liez une instance Audit Log.",
    },
  }),
})

/** What services show of an entity that several of them may expose. */
interface Found {
  readonly at: Place
  readonly kinds: Set<PersonalKind>
  readonly elements: Set<string>
  /** Its own, and those that services give it. */
  readonly names: Set<string>
  readonly service: string
  isMarked: boolean
}

/** One strong name, or several weak ones with the name of a person; organisations have addresses and accounts too. */
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

/** The model of a remote service, whose owner annotates it. */
function isImported({ file }: Place): boolean {
  return /(?:^|\/)(?:external|node_modules)\//.test(file)
}
