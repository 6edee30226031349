import type { Localized } from '../../types.ts'

/** The consequence and the remedy. */
export interface FamilyText {
  readonly why: string
  readonly fix: string
}

const HISTORY: Localized<string> = {
  en: 'Deleting the value here is not enough: the version history may still contain it.',
  fr: 'Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
}

/** What a reader of the project can do with a credential, and how it is replaced; that it stays in the history is added here.
 *  `reach`: the system behind it, where that is often in a network of its own. */
export function readable(can: Localized<string>, replace: Localized<string>, reach?: Localized<string>): Localized<FamilyText> {
  const both = reach === undefined ? { en: '', fr: '' } : { en: ` and reach ${reach.en}`, fr: ` et joindre ${reach.fr}` }
  return {
    en: { why: `Anyone who can read the project or its history${both.en} can ${can.en}.`, fix: `${replace.en} ${HISTORY.en}` },
    fr: {
      why: `Toute personne pouvant lire le projet ou son historique${both.fr} peut ${can.fr}.`,
      fix: `${replace.fr} ${HISTORY.fr}`,
    },
  }
}

/** For most services: revoke it there, and read the new one at run time. */
export const REVOKE: Localized<string> = {
  en: 'Revoke it at the provider, create a new one, and read the new value from the environment, a service binding or a secret store.',
  fr: 'Révoquez ce secret auprès du fournisseur, créez-en un nouveau et lisez la nouvelle valeur dans l’environnement, une liaison de service ou un gestionnaire de secrets.',
}

/** For tokens of tools, which programs and pipelines use. */
export const REVOKE_IN_PIPELINE: Localized<string> = {
  en: 'Revoke it, create a new one with as few permissions as possible, and read the new value from the environment or a pipeline secret.',
  fr: 'Révoquez ce secret, créez-en un nouveau avec le moins de droits possible et lisez la nouvelle valeur dans l’environnement ou un secret du pipeline.',
}
