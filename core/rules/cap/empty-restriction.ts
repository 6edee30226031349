import { placeIn, privilegesOf, restrictionsOf, restrictionWithoutRole, type CapRoot } from '../../model/cap/index.ts'
import type { CdsValue } from '../../parse/cds/types.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** A restriction that names nobody, and so restricts nothing. An empty list on an element lets nobody in, which is safe.
 *  Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js (services), generic/auth/{requires,restrictions}.js (elements). */
export const emptyRestriction: Rule = defineRule({
  id: 'cap/empty-restriction',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/tools/cds-lint/rules/',
  on: 'cap-root',

  *check(root) {
    yield* worstAtPlaces(matchesOf(root))
  },

  text: {
    en: {
      title: 'A restriction names no role',
      message: '@{annotation} on {element} names no role, so it restricts nothing.',
      why: 'It looks like a restriction to whoever reads the model, while CAP goes on as if the line were not there.',
      fix: 'Name the role that is meant, or remove the annotation.',
      variants: {
        to: {
          message: 'A privilege of @restrict on {element} is for an empty role, which CAP reads as anybody.',
          why: 'An empty "to" is false for the runtime, as if it were missing: the privilege fits every user.',
        },
      },
    },
    fr: {
      title: 'Une restriction ne nomme aucun rôle',
      message: '@{annotation} sur {element} ne nomme aucun rôle et ne restreint donc rien.',
      why: 'Pour qui lit le modèle, cela ressemble à une restriction, alors que CAP continue comme si la ligne n’existait pas.',
      fix: 'Nommez le rôle voulu, ou retirez l’annotation.',
      variants: {
        to: {
          message: 'Un privilège de @restrict sur {element} vise un rôle vide, ce que CAP lit comme « tout le monde ».',
          why: 'Un « to » vide est faux pour le moteur, comme s’il manquait : le privilège convient à tout utilisateur.',
        },
      },
    },
  },
})

function* matchesOf(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, service, element } = restriction
    // beside the other annotation, which names roles, it does no harm
    const isEmpty =
      element === undefined
        ? service.access.kind.startsWith('default') && restrictionWithoutRole(service.annotations, name) !== undefined
        : name === 'requires' && isEmptyText(annotation.value)
    const at = annotation.place
    const args = { annotation: name, element: nameOf(restriction) }
    if (isEmpty) yield { at, args, severity: 'MEDIUM' }
    else if (name === 'restrict' && element !== undefined) {
      for (const { record } of privilegesOf(annotation.value)) {
        const to = record.members.find(({ key }) => key === 'to')?.value
        if (to !== undefined && isEmptyText(to))
          yield { at: placeIn(annotation, record), args, severity: 'MEDIUM', variant: 'to' }
      }
    }
  }
}

function isEmptyText(value: CdsValue): boolean {
  return value.kind === 'string' && value.value === ''
}
