import type { Localized } from '../../types.ts'

/** The consequence and the remedy. */
export interface FamilyText {
  readonly why: string
  readonly fix: string
}

const HISTORY: Localized<string> = {
  en: 'Deleting it here is not enough: it stays in the version history.',
  fr: 'Supprimer cette valeur ne suffit pas : elle reste dans l’historique des versions.',
}

/** What a reader of the project can do with a credential, and how it is replaced; that it stays in the history is added here. */
export function readable(can: Localized<string>, replace: Localized<string>): Localized<FamilyText> {
  return {
    en: { why: `Anyone who can read the project or its history can ${can.en}.`, fix: `${replace.en} ${HISTORY.en}` },
    fr: { why: `Toute personne pouvant lire le projet ou son historique peut ${can.fr}.`, fix: `${replace.fr} ${HISTORY.fr}` },
  }
}

/** For most services: revoke it there, and read the new one at run time. */
export const REVOKE: Localized<string> = {
  en: 'Revoke it at the provider, and read the new one from the environment, a service binding or a secret store.',
  fr: 'Révoquez-le auprès du fournisseur et lisez le nouveau dans l’environnement, une liaison de service ou un gestionnaire de secrets.',
}

/** For tokens of pipelines. */
export const REVOKE_IN_PIPELINE: Localized<string> = {
  en: 'Revoke it, and store the new one as a secret of the pipeline, with as few permissions as possible.',
  fr: 'Révoquez-le et enregistrez le nouveau comme secret du pipeline, avec le moins de droits possible.',
}
