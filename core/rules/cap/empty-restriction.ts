import { placeIn, privilegesOf, restrictionsOf, restrictionWithoutRole, type CapRoot } from '../../model/cap/index.ts'
import type { CdsValue } from '../../parse/cds/types.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { inEachLanguage } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/**
 * A restriction without any role, which restricts nothing. An empty list on an element denies all access, which is safe.
 * Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js (services), generic/auth/{requires,restrictions}.js (elements); from 9.0,
 * generic/auth/service.js rejects all requests to a service with an empty list in `@requires`.
 * Impact: data without the role that was meant; which one that is, and what the version makes of none, is assumed.
 */
export const emptyRestriction: Rule = defineRule({
  id: 'cap/empty-restriction',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/tools/cds-lint/rules/auth-no-empty-restrictions/',
  on: 'cap-root',

  *check(root, { reach }) {
    yield* worstAtPlaces(matchesOf(root, reach))
  },

  text: () => ({
    en: {
      title: 'Empty role in @requires or @restrict',
      message: '@{annotation} on {element} contains no role.',
      why: 'Depending on the version of CAP, such an annotation has no effect, so that every user whom the default authentication accepts can use {element}, or it denies access to all users.',
      fix: "Name the role: {line}. Use 'authenticated-user' as the role if every user may use {element}.",
      variants: {
        to: {
          message: 'A privilege in @restrict on {element} has an empty "to": CAP treats it as \'any\'.',
          why: 'Every user whom the service accepts has this privilege; no role is required.',
          fix: "Name the role in this privilege: to: '<role>'. Use 'authenticated-user' if the privilege is for every user.",
        },
      },
    },
    fr: {
      title: 'Rôle vide dans @requires ou @restrict',
      message: '@{annotation} sur {element} ne contient aucun rôle.',
      why: 'Selon la version de CAP, une telle annotation est sans effet, et tout utilisateur accepté par l’authentification par défaut peut utiliser {element}, ou elle refuse l’accès à tous.',
      fix: "Nommez le rôle : {line}. Utilisez 'authenticated-user' comme rôle si tout utilisateur est autorisé à utiliser {element}.",
      variants: {
        to: {
          message: 'Un privilège de @restrict sur {element} a un "to" vide : CAP le traite comme \'any\'.',
          why: 'Tout utilisateur que le service accepte dispose de ce privilège ; aucun rôle n’est exigé.',
          fix: "Nommez le rôle dans ce privilège : to: '<rôle>'. Utilisez 'authenticated-user' si le privilège vaut pour tout utilisateur.",
        },
      },
    },
  }),
})

function* matchesOf(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, service, element } = restriction
    // beside the other annotation, which names roles, it does no harm
    const isEmpty =
      element === undefined
        ? service.access.kind.startsWith('default') && restrictionWithoutRole(service.annotations, name) !== undefined
        : name === 'requires' && isEmptyText(annotation.value)
    const at = annotation.place
    const lineFor = (role: string): string =>
      name === 'requires' ? `@requires: '${role}'` : `@restrict: [{ grant: '*', to: '${role}' }]`
    const line = inEachLanguage({ en: lineFor('<role>'), fr: lineFor('<rôle>') })
    const args = { annotation: name, element: nameOf(restriction), line }
    const exposure = reach.ofService(service)
    if (isEmpty) yield { at, args, exposure }
    else if (name === 'restrict' && element !== undefined) {
      for (const { record } of privilegesOf(annotation.value)) {
        const to = record.members.find(({ key }) => key === 'to')?.value
        if (to !== undefined && isEmptyText(to)) yield { at: placeIn(annotation, record), args, exposure, variant: 'to' }
      }
    }
  }
}

function isEmptyText(value: CdsValue): boolean {
  return value.kind === 'string' && value.value === ''
}
