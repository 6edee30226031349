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
import { defineRule, type Rule } from '../rule.ts'
import { worstAtPlaces } from './_matches.ts'

/** What only the page hides: a button that is not shown, where the request behind it is still answered.
 *  Facts: capire, "Input Validation" and "Authorization" (`@readonly`, `@Capabilities` and `@Common.FieldControl: #ReadOnly` are enforced);
 *  @sap/cds 10.1.1, generic/auth (readOnly.js, capabilities.js), lib/req/validate.js. */
export const readonlyOnlyViaOdataCaps: Rule = defineRule({
  id: 'cap/readonly-only-via-odata-caps',
  severity: 'INFO',
  confidence: 'medium',
  cwe: [602],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',

  *check(root) {
    const matches: Match[] = []
    for (const { service, entity, name, isDirect, isWritten } of exposedEntities(root)) {
      // what is added without a composition can only be read; administrators are trusted with what the page hides
      if ((!isDirect && !isWritten) || writersOf(entity, service).every(isAdministrative)) continue
      const hidden = HIDDEN.filter(({ event, by }) => isTrue(entity.annotations.get(by)) && accepts(entity, event))
      const [first] = hidden.flatMap(({ by }) => entity.annotations.get(by) ?? [])
      if (first !== undefined && !entity.annotations.has('restrict')) {
        const join = (key: 'by' | 'event' | 'capability'): string => hidden.map((row) => row[key]).join(', ')
        const args = {
          entity: name,
          annotations: hidden.map(({ by }) => `@${by}`).join(', '),
          events: join('event'),
          capabilities: join('capability'),
        }
        matches.push({ at: first.place, args, severity: 'INFO' })
      }
      if (!isWritten) continue
      for (const member of entity.members()) {
        const control = member.annotations.get('Common.FieldControl')
        const value = onlyShown(control)
        if (control === undefined || value === undefined || member.key || isGuarded(member)) continue
        matches.push({
          at: control.place,
          args: { entity: `${name}.${member.name}`, value },
          severity: 'INFO',
          variant: 'element',
        })
      }
    }
    yield* worstAtPlaces(matches)
  },

  text: {
    en: {
      title: 'Only the page hides what the service still allows',
      message: '{annotations} hides the buttons of {entity}, and nothing keeps the service from answering {events}.',
      why: 'Whoever sends the request without the page creates, changes or deletes what the page does not offer.',
      fix: 'Write @readonly, or @Capabilities.{capabilities}: false, on {entity}: CAP enforces them, and Fiori elements hides the buttons by itself.',
      variants: {
        element: {
          title: 'Only the page keeps a field from being changed',
          message:
            '@Common.FieldControl: {value} on {entity} is read by the page alone: CAP drops what clients send for #ReadOnly only.',
          why: 'Whoever sends the request without the page sets the field to what they like.',
          fix: 'Write @readonly, or @Common.FieldControl: #ReadOnly.',
        },
      },
    },
    fr: {
      title: 'Seule la page cache ce que le service permet encore',
      message: '{annotations} cache les boutons de {entity}, et rien n’empêche le service de répondre à {events}.',
      why: 'Quiconque envoie la requête sans la page crée, modifie ou supprime ce que la page ne propose pas.',
      fix: 'Écrivez @readonly, ou @Capabilities.{capabilities}: false, sur {entity} : CAP les applique, et Fiori elements cache les boutons de lui-même.',
      variants: {
        element: {
          title: 'Seule la page empêche de modifier un champ',
          message:
            '@Common.FieldControl: {value} sur {entity} n’est lu que par la page : CAP n’ignore ce qu’envoient les clients que pour #ReadOnly.',
          why: 'Quiconque envoie la requête sans la page donne au champ la valeur de son choix.',
          fix: 'Écrivez @readonly, ou @Common.FieldControl: #ReadOnly.',
        },
      },
    },
  },
})

const HIDDEN = [
  { by: 'UI.CreateHidden', event: 'CREATE', capability: 'InsertRestrictions.Insertable' },
  { by: 'UI.UpdateHidden', event: 'UPDATE', capability: 'UpdateRestrictions.Updatable' },
  { by: 'UI.DeleteHidden', event: 'DELETE', capability: 'DeleteRestrictions.Deletable' },
] as const

function isTrue(annotation: CapAnnotation | undefined): boolean {
  return annotation?.value.kind === 'boolean' && annotation.value.value === true
}

/** The number and the text of read-only mean the same to a page, and nothing to the runtime. */
function onlyShown(control: CapAnnotation | undefined): string | undefined {
  const value = control?.value
  if (value?.kind === 'number') return value.value === 1 ? '1' : undefined
  return value?.kind === 'string' && /^#?ReadOnly$/i.test(wordOf(value) ?? '') ? `'${wordOf(value) ?? ''}'` : undefined
}
