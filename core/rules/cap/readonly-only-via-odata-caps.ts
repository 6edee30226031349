import {
  accepts,
  exposedEntities,
  isAdministrative,
  isGuarded,
  wordOf,
  writersOf,
  type CapAnnotation,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { worstAtPlaces } from './_matches.ts'

/**
 * A restriction of the user interface only: the button or field is hidden, and the service still accepts the request behind it.
 * Facts: capire, "Input Validation" and "Authorization" (`@readonly`, `@Capabilities` and `@Common.FieldControl: #ReadOnly` are enforced);
 * @sap/cds 10.1.1, generic/auth (readOnly.js, capabilities.js), lib/req/validate.js.
 * Impact: what is hidden is often a matter of the user interface alone.
 */
export const readonlyOnlyViaOdataCaps: Rule = defineRule({
  id: 'cap/readonly-only-via-odata-caps',
  impact: 'hygiene',
  confidence: 'medium',
  cwe: [602],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#restricting-events',
  docsByVariant: { element: 'https://cap.cloud.sap/docs/guides/services/constraints#readonly' },
  on: 'cap-root',

  *check(root) {
    const matches: Match[] = []
    for (const { service, entity, name, isDirect, isWritten } of exposedEntities(root)) {
      // auto-exposed entities without a composition can only be read; administrators may do what the page hides
      if ((!isDirect && !isWritten) || writersOf(entity, service).every(isAdministrative)) continue
      const hidden = HIDDEN.filter(({ event, by }) => isTrue(entity.annotations.get(by)) && accepts(entity, event))
      const [first] = hidden.flatMap(({ by }) => entity.annotations.get(by) ?? [])
      if (first !== undefined && !entity.annotations.has('restrict')) {
        const args = {
          entity: name,
          annotations: listNames(hidden.map(({ by }) => `@${by}`)),
          events: listNames(hidden.map(({ event }) => event)),
          capabilities: listNames(hidden.map(({ capability }) => `@Capabilities.${capability}: false`)),
        }
        matches.push({ at: first.place, args })
      }
      if (!isWritten) continue
      for (const member of entity.members()) {
        const control = member.annotations.get('Common.FieldControl')
        const value = onlyShown(control)
        if (control === undefined || value === undefined || member.key || isGuarded(member)) continue
        matches.push({
          at: control.place,
          args: { entity: `${name}.${member.name}`, value },
          variant: 'element',
        })
      }
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Write restriction enforced by the user interface only',
      message:
        'With {annotations:and}, the user interface only hides buttons for {entity}: the service still accepts {events:and}.',
      why: 'A user who sends the request directly, without the user interface, bypasses the restriction.',
      fix: 'Add {capabilities:and} to {entity}, or @readonly to forbid all changes: CAP then rejects such requests.',
      variants: {
        element: {
          title: 'Read-only field enforced by the user interface only',
          message:
            '@Common.FieldControl: {value} on {entity} has no effect on the service: only the value #ReadOnly makes CAP ignore client input.',
          why: 'A user who sends the request directly can set the field to any value.',
          fix: 'Add @readonly to {entity}, or use @Common.FieldControl: #ReadOnly instead of {value}.',
        },
      },
    },
    fr: {
      title: 'Restriction d’écriture limitée à l’interface utilisateur',
      message:
        'Avec {annotations:et}, l’interface ne fait que masquer des boutons pour {entity} : le service accepte toujours {events:et}.',
      why: 'Un utilisateur qui envoie la requête directement, sans passer par l’interface, contourne la restriction.',
      fix: 'Ajoutez {capabilities:et} à {entity}, ou @readonly pour interdire toute modification : CAP rejette alors ces requêtes.',
      variants: {
        element: {
          title: 'Champ en lecture seule dans l’interface utilisateur uniquement',
          message:
            '@Common.FieldControl: {value} sur {entity} est sans effet sur le service : CAP n’ignore les valeurs du client qu’avec #ReadOnly.',
          why: 'Un utilisateur qui envoie la requête directement peut donner au champ n’importe quelle valeur.',
          fix: 'Ajoutez @readonly à {entity}, ou utilisez @Common.FieldControl: #ReadOnly au lieu de {value}.',
        },
      },
    },
  }),
})

const HIDDEN = [
  { by: 'UI.CreateHidden', event: 'CREATE', capability: 'InsertRestrictions.Insertable' },
  { by: 'UI.UpdateHidden', event: 'UPDATE', capability: 'UpdateRestrictions.Updatable' },
  { by: 'UI.DeleteHidden', event: 'DELETE', capability: 'DeleteRestrictions.Deletable' },
] as const

function isTrue(annotation: CapAnnotation | undefined): boolean {
  return annotation?.value.kind === 'boolean' && annotation.value.value === true
}

/** The user interface reads the number and the string as read-only, the runtime only the symbol. */
function onlyShown(control: CapAnnotation | undefined): string | undefined {
  const value = control?.value
  if (value?.kind === 'number') return value.value === 1 ? '1' : undefined
  return value?.kind === 'string' && /^#?ReadOnly$/i.test(wordOf(value) ?? '') ? `'${wordOf(value) ?? ''}'` : undefined
}
