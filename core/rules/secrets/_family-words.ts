import type { Family } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { CLOUD_FAMILIES } from './_cloud-families.ts'
import { CODE_FAMILIES } from './_code-families.ts'
import type { FamilyText } from './_consequences.ts'
import { PLAIN_FAMILIES } from './_plain-families.ts'
import { RETIRED_FAMILIES } from './_retired-families.ts'
import { SAP_FAMILIES } from './_sap-families.ts'
import { SERVICE_FAMILIES } from './_service-families.ts'

/** The consequence and the remedy, by what a credential opens. */
export const FAMILY_WORDS: Readonly<Record<Family, Localized<FamilyText>>> = {
  ...SAP_FAMILIES,
  ...CLOUD_FAMILIES,
  ...RETIRED_FAMILIES,
  ...CODE_FAMILIES,
  ...SERVICE_FAMILIES,
  ...PLAIN_FAMILIES,
}

/** Of a well-known default value. */
export const WEAK: Localized<{ readonly why: string }> = {
  en: { why: 'An attacker can guess it: well-known default values are the first to be tried.' },
  fr: { why: 'Un attaquant peut deviner ce secret : les valeurs par défaut connues sont essayées en premier.' },
}

/** Of a token whose checksum is wrong. */
export const MANGLED: Localized<FamilyText> = {
  en: {
    why: 'A wrong checksum usually means a made-up or truncated value. If it was copied from a real token, most of that token is disclosed.',
    fix: 'Replace the value with an obvious placeholder, for example "<token>". If it was copied from a real token, revoke that token as well.',
  },
  fr: {
    why: 'Une somme de contrôle fausse indique le plus souvent une valeur inventée ou tronquée. Si elle a été copiée d’un vrai jeton, l’essentiel de celui-ci est divulgué.',
    fix: 'Remplacez la valeur par une valeur manifestement fictive, par exemple "<token>". Si elle a été copiée d’un vrai jeton, révoquez aussi celui-ci.',
  },
}

/** Of a key to a provider's test environment. */
export const TEST_KEY: Localized<{ readonly why: string }> = {
  en: {
    why: 'A credential of the test environment gives no access to real data, but anyone who can read the project can use that environment.',
  },
  fr: {
    why: 'Un secret de l’environnement de test ne donne accès à aucune donnée réelle, mais toute personne pouvant lire le projet peut utiliser cet environnement.',
  },
}

/** Of the public part of such a key. */
export const TEST_KEY_ID: Localized<{ readonly why: string }> = {
  en: { why: 'The ID alone gives no access, and its key is one of the test environment, which holds no real data.' },
  fr: {
    why: 'L’identifiant seul ne donne aucun accès, et sa clé est une clé de l’environnement de test, qui ne contient aucune donnée réelle.',
  },
}

/** Of a key that pages show, since browsers send it (Google, "API keys best practices"; Firebase, "Learn about using and managing API keys"). */
const IN_PAGE: Localized<FamilyText> = {
  en: {
    why: 'Browsers need this key for maps or Firebase, so it is no secret. Without restrictions, anyone can use it at your expense, and for other APIs that the project has enabled.',
    fix: 'Restrict the key in the Google Cloud console to your websites (HTTP referrers) or apps, and to the APIs that the page uses. Protect the data with Firebase security rules, and use a key of its own for a server.',
  },
  fr: {
    why: 'Les navigateurs ont besoin de cette clé pour des cartes ou Firebase : elle n’est donc pas secrète. Sans restriction, toute personne peut l’utiliser à vos frais, y compris pour d’autres API activées dans le projet.',
    fix: 'Limitez la clé, dans la console Google Cloud, à vos sites web (référents HTTP) ou applications, et aux API que la page utilise. Protégez les données par les règles de sécurité Firebase et utilisez une autre clé sur un serveur.',
  },
}

/** Of a key of a search index, which pages search with (Algolia, "API keys", "Search-only API key"). */
const SEARCH_IN_PAGE: Localized<FamilyText> = {
  en: {
    why: 'Pages search with a key that everyone can see, and a search-only key gives no more than that. An admin key in its place would let anyone change or delete the index.',
    fix: 'Check in the Algolia dashboard that this is a search-only key, and restrict it to your indices and referrers. Replace it if it is an admin or write key.',
  },
  fr: {
    why: 'Les pages effectuent leurs recherches avec une clé visible de tous, et une clé limitée à la recherche ne donne rien de plus. Une clé d’administration à sa place permettrait à toute personne de modifier ou de supprimer l’index.',
    fix: 'Vérifiez dans le tableau de bord Algolia que cette clé est limitée à la recherche, et restreignez-la à vos index et référents. Remplacez-la s’il s’agit d’une clé d’administration ou d’écriture.',
  },
}

/** What is told of a key that a page shows, by the family of its row. */
export function inPageText(family: string): Localized<FamilyText> {
  return family === 'search-index' ? SEARCH_IN_PAGE : IN_PAGE
}

/** Of a token that was no longer valid on the day of the scan. */
export const EXPIRED: Localized<FamilyText> = {
  en: {
    why: 'The token has expired, so services that check its expiration reject it. Its payload is still readable and may disclose names or IDs, and a service that does not check the expiration accepts the token.',
    fix: 'Delete the token here, and request or read a valid one at run time.',
  },
  fr: {
    why: 'Le jeton a expiré : les services qui vérifient sa date d’expiration le rejettent. Son contenu reste lisible et peut divulguer des noms ou des identifiants, et un service qui ne vérifie pas cette date l’accepte.',
    fix: 'Supprimez le jeton ici et obtenez-en un valide à l’exécution.',
  },
}
