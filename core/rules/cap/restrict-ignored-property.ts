import { placeIn, privilegesOf, restrictionsOf, rolesIn, wordsOf, type CapRoot, type Restriction } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** A part of a restriction that CAP does not evaluate where it stands.
 *  Facts: capire, "Authorization", supported combinations with CDS resources; @sap/cds 9.9.3, lib/srv/protocols/http.js and
 *  generic/auth/restrictions.js. */
export const restrictIgnoredProperty: Rule = defineRule({
  id: 'cap/restrict-ignored-property',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#supported-combinations-with-cds-resources',
  on: 'cap-root',

  *check(root) {
    yield* worstAtPlaces(matchesOf(root))
  },

  text: {
    en: {
      title: 'Part of a restriction has no effect',
      message: '"{key}" of @restrict on {kind} {element} is not evaluated there: only the roles count.',
      why: 'Who may do less by the text of the model may do everything in fact: on a service only the roles of a restriction are looked at, for reading and writing alike.',
      fix: 'Put the restriction on each entity, where "grant" and "where" count, and leave @requires: \'<role>\' here.',
      variants: {
        beside: {
          title: 'A restriction of a service has no effect beside @requires',
          message: '@restrict on service {element} is not evaluated: @requires stands there too, and lets in {roles}.',
          why: 'Node.js looks at @restrict of a service only where @requires says nothing. Who is to have one of the roles of @restrict needs none of them.',
          fix: 'Name the roles in @requires, and put @restrict on each entity.',
        },
        action: {
          title: 'A restriction of an action filters nothing',
          why: 'An action has no rows of its own to filter: whoever has the role calls it for everything.',
          fix: 'Check in the handler, or bind the action to an entity whose restriction has the condition; leave @requires here.',
        },
      },
    },
    fr: {
      title: 'Une partie d’une restriction est sans effet',
      message: '« {key} » de @restrict sur {kind} {element} n’est pas évalué à cet endroit : seuls les rôles comptent.',
      why: 'Qui devrait pouvoir moins selon le modèle peut tout en réalité : sur un service, seuls les rôles d’une restriction sont regardés, en lecture comme en écriture.',
      fix: "Placez la restriction sur chaque entité, où « grant » et « where » comptent, et laissez ici @requires: '<rôle>'.",
      variants: {
        beside: {
          title: 'La restriction d’un service est sans effet à côté de @requires',
          message: '@restrict sur le service {element} n’est pas évalué : @requires y figure aussi et laisse entrer {roles}.',
          why: 'Node.js ne regarde @restrict d’un service que si @requires ne dit rien. Qui devrait avoir un des rôles de @restrict n’en a besoin d’aucun.',
          fix: 'Nommez les rôles dans @requires, et placez @restrict sur chaque entité.',
        },
        action: {
          title: 'La restriction d’une action ne filtre rien',
          why: 'Une action n’a pas de lignes à filtrer : quiconque a le rôle l’appelle pour tout.',
          fix: 'Vérifiez dans le handler, ou liez l’action à une entité dont la restriction porte la condition ; laissez ici @requires.',
        },
      },
    },
  },
})

function* matchesOf(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || (element !== undefined && (element.kind === 'entity' || element.entity !== undefined))) continue
    const others = element === undefined && root.runtime === 'node' ? letInBeside(restriction) : []
    if (others.length > 0) {
      const args = { element: nameOf(restriction), roles: others.join(', ') }
      yield { at: annotation.place, args, severity: 'MEDIUM', variant: 'beside' }
      continue
    }
    one: for (const { record, grants } of privilegesOf(annotation.value)) {
      for (const { key, value } of record.members) {
        // where of an action may compare attributes of the user, which is evaluated
        const isIgnored =
          element === undefined
            ? key === 'where' || (key === 'grant' && grants.length > 0 && !grants.includes('*'))
            : key === 'where' && !/\$user\b/.test(textOf(value))
        if (!isIgnored) continue
        const args = { key, element: nameOf(restriction), kind: element?.kind ?? 'service' }
        yield { at: placeIn(annotation, value), args, severity: 'MEDIUM', ...(element !== undefined && { variant: 'action' }) }
        break one
      }
    }
  }
}

/** Roles of a service's `@requires` that its `@restrict` does not name. */
function letInBeside({ service, annotation }: Restriction): readonly string[] {
  const named = new Set(rolesIn('restrict', annotation.value).map(({ word }) => word))
  const required = wordsOf(service.annotations.get('requires')?.value)
  // a public service is the finding of cap/service-public-any
  if (named.size === 0 || named.has('any') || required.includes('any')) return []
  return required.filter((role) => !named.has(role))
}

function textOf(value: ReturnType<typeof privilegesOf>[number]['where']): string {
  if (value?.kind === 'expression') return value.expression.text
  return value?.kind === 'string' ? String(value.value) : ''
}
