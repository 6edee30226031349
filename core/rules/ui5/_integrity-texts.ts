import type { Locale, Localized, RuleText } from '../../types.ts'
import { HASH_PLACES, type HashPlace } from './_hash-places.ts'

const ADD_HASH: Localized<Readonly<Record<HashPlace, string>>> = {
  en: {
    page: 'add integrity="sha384-…" and crossorigin="anonymous" to the tag',
    include: 'pass attributes: { integrity: "sha384-…", crossorigin: "anonymous" } in this call',
    second: 'pass { id: "…", integrity: "sha384-…", crossorigin: "anonymous" } as the second argument of this call',
    element: 'set integrity = "sha384-…" and crossOrigin = "anonymous" on the element',
  },
  fr: {
    page: 'ajoutez integrity="sha384-…" et crossorigin="anonymous" à la balise',
    include: 'passez attributes: { integrity: "sha384-…", crossorigin: "anonymous" } dans cet appel',
    second: 'passez { id: "…", integrity: "sha384-…", crossorigin: "anonymous" } en deuxième argument de cet appel',
    element: 'définissez integrity = "sha384-…" et crossOrigin = "anonymous" sur l’élément',
  },
}

const ADD_CROSSORIGIN: Localized<Readonly<Record<HashPlace, string>>> = {
  en: {
    page: 'Add crossorigin="anonymous" next to integrity.',
    include: 'Add crossorigin: "anonymous" next to integrity in the attributes of this call.',
    second: 'Add crossorigin: "anonymous" next to integrity in the second argument of this call.',
    element: 'Set crossOrigin = "anonymous" on the element, next to integrity.',
  },
  fr: {
    page: 'Ajoutez crossorigin="anonymous" à côté d’integrity.',
    include: 'Ajoutez crossorigin: "anonymous" à côté d’integrity dans les attributs de cet appel.',
    second: 'Ajoutez crossorigin: "anonymous" à côté d’integrity dans le deuxième argument de cet appel.',
    element: 'Définissez crossOrigin = "anonymous" sur l’élément, à côté d’integrity.',
  },
}

/** A path in a script is relative to the page that runs the app, which may be the launchpad. */
const TO_URL: Localized<string> = {
  en: 'from sap.ui.require.toUrl("<app>/<file>")',
  fr: 'depuis l’URL sap.ui.require.toUrl("<app>/<fichier>")',
}
const OWN_PATH: Localized<Readonly<Record<HashPlace, string>>> = {
  en: { page: 'by a relative path', include: TO_URL.en, second: TO_URL.en, element: TO_URL.en },
  fr: { page: 'par un chemin relatif', include: TO_URL.fr, second: TO_URL.fr, element: TO_URL.fr },
}

function fixedText(locale: Locale, place: HashPlace): string {
  return locale === 'en'
    ? `Copy the file into the app and load it ${OWN_PATH.en[place]}, or ${ADD_HASH.en[place]} (hash: openssl dgst -sha384 -binary FILE | openssl base64 -A).`
    : `Copiez le fichier dans l’application et chargez-le ${OWN_PATH.fr[place]}, ou ${ADD_HASH.fr[place]} (calcul de l’empreinte : openssl dgst -sha384 -binary FICHIER | openssl base64 -A).`
}

function movingText(locale: Locale, place: HashPlace): string {
  return locale === 'en'
    ? `Copy the file into the app and load it ${OWN_PATH.en[place]}, or use a URL that contains an exact version and ${ADD_HASH.en[place]}.`
    : `Copiez le fichier dans l’application et chargez-le ${OWN_PATH.fr[place]}, ou utilisez une URL contenant une version exacte et ${ADD_HASH.fr[place]}.`
}

/** A style sheet runs no code. */
const STYLE: Localized<Pick<RuleText, 'title' | 'why'>> = {
  en: {
    title: 'Third-party style sheet without Subresource Integrity (SRI)',
    why: 'If that host is compromised or the file is replaced, an attacker can hide or cover parts of the app, lay a fake form over it, or read values with CSS selectors.',
  },
  fr: {
    title: 'Feuille de style tierce sans contrôle d’intégrité (SRI)',
    why: 'Si cet hôte est compromis ou si le fichier y est remplacé, un attaquant peut masquer des parties de l’application, y superposer un faux formulaire ou lire des valeurs par des sélecteurs CSS.',
  },
}

const MOVING: Localized<Pick<RuleText, 'message'>> = {
  en: {
    message:
      '{address} is loaded from a third party without an exact version: its content can change at any time, and an integrity hash would then block it.',
  },
  fr: {
    message:
      '{address} est chargé depuis un tiers sans version exacte : son contenu peut changer à tout moment, et une empreinte d’intégrité le bloquerait alors.',
  },
}

const CROSSORIGIN: Localized<Omit<RuleText, 'fix'>> = {
  en: {
    title: 'Integrity attribute without crossorigin',
    message:
      '{address} has an integrity attribute but no crossorigin attribute: the browser cannot check a file of another origin and blocks it.',
    why: 'Removing integrity instead of adding crossorigin would also remove the protection against code that an attacker puts into the file.',
  },
  fr: {
    title: 'Attribut integrity sans crossorigin',
    message:
      '{address} a un attribut integrity, mais pas d’attribut crossorigin : le navigateur ne peut pas vérifier un fichier d’une autre origine et le bloque.',
    why: 'Supprimer integrity au lieu d’ajouter crossorigin supprimerait aussi la protection contre le code qu’un attaquant placerait dans le fichier.',
  },
}

/** What takes no hash, wherever it is written. */
const WITHOUT_HASH: Localized<Readonly<Record<string, Partial<RuleText>>>> = {
  en: {
    service: {
      message: '{address} is loaded from a service whose response can change at any time: an integrity hash would then block it.',
      fix: 'Use an npm package that contains the code, if the provider has one. Otherwise, load the service in a separate page in an <iframe sandbox="allow-scripts"> (without allow-same-origin), or accept the risk; in both cases, suppress the finding that remains.',
    },
    getScript: {
      message: '{address} is loaded with jQuery.getScript, without an integrity hash.',
      fix: 'Copy the file into the app and replace this URL with sap.ui.require.toUrl("<app>/<file>"), or load the file as a module with sap.ui.define.',
    },
    import: {
      message: '{address} is imported as a module, and an import cannot contain an integrity hash.',
      fix: 'Copy the file into the app and import it by a relative path.',
    },
    manifest: {
      message: 'sap.ui5/resources in manifest.json loads {address}, and no integrity hash can be given there.',
      fix: 'Copy the file into the app and give its relative path as "uri" in manifest.json, or import it as a module.',
    },
    manifestStyle: {
      ...STYLE.en,
      message: 'sap.ui5/resources in manifest.json loads {address}, and no integrity hash can be given there.',
      fix: 'Copy the file into the app and give its relative path as "uri" in manifest.json.',
    },
  },
  fr: {
    service: {
      message:
        '{address} est chargé depuis un service dont la réponse peut changer à tout moment : une empreinte d’intégrité la bloquerait alors.',
      fix: 'Utilisez un paquet npm qui contient le code, si le fournisseur en propose un. Sinon, chargez le service dans une page à part, affichée dans un élément <iframe sandbox="allow-scripts"> (sans allow-same-origin), ou acceptez le risque ; dans les deux cas, masquez le constat qui reste.',
    },
    getScript: {
      message: '{address} est chargé avec jQuery.getScript, sans empreinte d’intégrité.',
      fix: 'Copiez le fichier dans l’application et remplacez cette URL par sap.ui.require.toUrl("<app>/<fichier>"), ou chargez-le comme module avec sap.ui.define.',
    },
    import: {
      message: '{address} est importé comme module, et un import ne peut pas contenir d’empreinte d’intégrité.',
      fix: 'Copiez le fichier dans l’application et importez-le par un chemin relatif.',
    },
    manifest: {
      message: 'sap.ui5/resources dans manifest.json charge {address} ; une empreinte d’intégrité ne peut pas y être indiquée.',
      fix: 'Copiez le fichier dans l’application et indiquez son chemin relatif comme "uri" dans manifest.json, ou importez-le comme module.',
    },
    manifestStyle: {
      ...STYLE.fr,
      message: 'sap.ui5/resources dans manifest.json charge {address} ; une empreinte d’intégrité ne peut pas y être indiquée.',
      fix: 'Copiez le fichier dans l’application et indiquez son chemin relatif comme "uri" dans manifest.json.',
    },
  },
}

/** Of the usual case, a script in a page. */
export const LOADED_SCRIPT: Localized<RuleText> = {
  en: {
    title: 'Third-party script without Subresource Integrity (SRI)',
    message: '{address} is loaded without an integrity attribute.',
    why: 'If that host is compromised or the file is replaced, malicious code runs in the session of every user of the app.',
    fix: fixedText('en', 'page'),
  },
  fr: {
    title: 'Script tiers sans contrôle d’intégrité (SRI)',
    message: '{address} est chargé sans attribut integrity.',
    why: 'Si cet hôte est compromis ou si le fichier y est remplacé, du code malveillant s’exécute dans la session de chaque utilisateur de l’application.',
    fix: fixedText('fr', 'page'),
  },
}

/** A text for each kind of load and each place where its hash is written. */
export function variantsFor(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = { ...WITHOUT_HASH[locale] }
  for (const place of HASH_PLACES) {
    const [fixed, moving] = [{ fix: fixedText(locale, place) }, { ...MOVING[locale], fix: movingText(locale, place) }]
    texts[`fixed-${place}`] = fixed
    texts[`moving-${place}`] = moving
    texts[`style-${place}`] = { ...STYLE[locale], ...fixed }
    texts[`movingStyle-${place}`] = { ...STYLE[locale], ...moving }
    texts[`crossorigin-${place}`] = { ...CROSSORIGIN[locale], fix: ADD_CROSSORIGIN[locale][place] }
  }
  return texts
}
