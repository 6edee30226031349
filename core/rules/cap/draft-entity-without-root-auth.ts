import { hasPolicies, isCheckedInCode, openElements, roleChecks, servedServices, type CapElement } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A draft that every user may begin and save, as nothing restricts its root.
 *  Facts: capire, "Authorization", restrictions and draft mode; @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js and utils.js (drafts and what is
 *  composed are held against the restrictions of the root alone). */
export const draftEntityWithoutRootAuth: Rule = defineRule({
  id: 'cap/draft-entity-without-root-auth',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',
  extracts: [roleChecks],

  *check(root) {
    if (hasPolicies(root)) return
    for (const service of servedServices(root)) {
      // a service for roles decides; one that says nothing is the finding of cap/service-without-auth
      if (service.access.kind !== 'authenticated') continue
      const open = openElements(service).filter(
        (element) => element.kind === 'entity' && element.writable && isDraftEnabled(element),
      )
      if (open.length === 0 || isCheckedInCode(root, service)) continue
      for (const { name, place } of open) yield { at: place, args: { entity: `${service.name}.${name}` } }
    }
  },

  text: {
    en: {
      title: 'Every user may create and change a draft-enabled entity',
      message:
        '{entity} can be edited as a draft, and nothing but the login stands before it: any authenticated user creates, changes and deletes its rows.',
      why: 'Drafts and all that is composed of {entity} are held against its restrictions alone; as it has none, a user of any role saves what they like.',
      fix: "Say at {entity} who may write: @restrict: [{ grant: 'READ' }, { grant: ['CREATE', 'UPDATE', 'DELETE'], to: '<role>' }].",
    },
    fr: {
      title: 'Tout utilisateur peut créer et modifier une entité avec brouillons',
      message:
        '{entity} se modifie par brouillons, et rien d’autre que la connexion ne la protège : tout utilisateur authentifié crée, modifie et supprime ses lignes.',
      why: 'Les brouillons et tout ce qui compose {entity} ne sont comparés qu’à ses restrictions ; comme elle n’en a pas, un utilisateur de n’importe quel rôle enregistre ce qu’il veut.',
      fix: "Dites sur {entity} qui peut écrire : @restrict: [{ grant: 'READ' }, { grant: ['CREATE', 'UPDATE', 'DELETE'], to: '<rôle>' }].",
    },
  },
})

function isDraftEnabled({ annotations }: CapElement): boolean {
  return ['odata.draft.enabled', 'fiori.draft.enabled'].some((name) => {
    const value = annotations.get(name)?.value
    return value?.kind === 'boolean' && value.value === true
  })
}
