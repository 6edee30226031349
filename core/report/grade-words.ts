import type { Circumstance, Evidence, Grade, Impact, Locale, Localized, Reach, Severity } from '../types.ts'
import { SEVERITY_WORDS } from './words.ts'

/** The attacker as the subject of the sentence. */
const WHO: Localized<Readonly<Record<Reach, string>>> = {
  en: {
    anyone: 'anyone, even without a login, can',
    user: 'any authenticated user can',
    privileged: 'only a privileged user or another system of the landscape can',
    self: 'attackers can only reach their own session, in which they can',
    local: 'only a developer, or the caller of a script, can',
    pipeline: 'the author of a pull request or a push can',
    nobody: 'nothing deploys, serves or calls this; if it ran, an attacker could',
  },
  fr: {
    anyone: 'toute personne, même sans connexion, peut',
    user: 'tout utilisateur authentifié peut',
    privileged: 'seul un utilisateur privilégié ou un autre système du paysage peut',
    self: 'un attaquant n’atteint que sa propre session, dans laquelle il peut',
    local: 'seul un développeur, ou l’appelant d’un script, peut',
    pipeline: 'l’auteur d’une pull request ou d’un push peut',
    nobody: 'rien ne déploie, ne sert ni n’appelle ceci ; si cela s’exécutait, un attaquant pourrait',
  },
}

/** The attacker on the way of a request, by who gets there. */
const ON_PATH: Localized<Readonly<Partial<Record<Reach, string>>>> = {
  en: {
    anyone: 'anyone on the network path can',
    user: 'anyone on the network path can',
    privileged: 'only someone on the internal network path can',
    local: 'only someone on the network path of a developer can',
  },
  fr: {
    anyone: 'toute personne placée sur le trajet réseau peut',
    user: 'toute personne placée sur le trajet réseau peut',
    privileged: 'seule une personne placée sur le trajet du réseau interne peut',
    local: 'seule une personne placée sur le trajet réseau d’un développeur peut',
  },
}

const GAIN: Localized<Readonly<Record<Exclude<Impact, 'hygiene'>, string>>> = {
  en: {
    takeover: 'run code, act as another user or get a credential',
    data: 'read or change data beyond their rights',
    session: 'act in the browser session of another user',
    bounded: 'get or change little',
    defence: 'gain something only if another defence fails too',
  },
  fr: {
    takeover: 'exécuter du code, agir comme un autre utilisateur ou obtenir un identifiant',
    data: 'lire ou modifier des données au-delà de ses droits',
    session: 'agir dans la session de navigateur d’un autre utilisateur',
    bounded: 'obtenir ou modifier peu de choses',
    defence: 'n’en tirer parti que si une autre défense échoue aussi',
  },
}

const PROOF: Localized<Readonly<Record<Evidence, string>>> = {
  en: {
    shown: 'the project shows each link of the attack',
    assumed: 'one link of the attack is not in the project, so one level lower',
    guessed: 'only a name suggests it, so low at most',
  },
  fr: {
    shown: 'le projet montre chaque maillon de l’attaque',
    assumed: 'un maillon de l’attaque n’est pas dans le projet, donc un niveau de moins',
    guessed: 'seul un nom le suggère, donc faible au plus',
  },
}

const OTHERS: Localized<
  Readonly<
    Record<
      | 'demo'
      | 'advisory'
      | 'advisoryPart'
      | 'advisoryFurther'
      | 'advisoryOrphan'
      | 'hygiene'
      | 'boilerplate'
      | 'higher'
      | 'lower'
      | 'setting',
      string
    >
  >
> = {
  en: {
    demo: 'there is only demonstration data',
    advisory: 'the level that the advisory was published with',
    advisoryPart:
      'one level below that of the advisory, since nothing shows that data of an attacker reaches the vulnerable code in a deployed part',
    advisoryFurther: 'and a further one, since nothing shows that data of an attacker reaches the vulnerable code',
    advisoryOrphan: 'low at most, since no dependency of the project leads to this entry of the lock file',
    hygiene: 'no attack by itself, but worth knowing',
    boilerplate: 'a generator of SAP wrote this file',
    setting: 'a setting of the project says so',
    higher: 'one level higher than the table, for the reason that the rule documents',
    lower: 'one level lower than the table, for the reason that the rule documents',
  },
  fr: {
    demo: 'il n’y a que des données de démonstration',
    advisory: 'le niveau publié dans l’avis de sécurité',
    advisoryPart:
      'un niveau sous celui de l’avis de sécurité, car rien ne montre que des données d’un attaquant atteignent le code vulnérable dans une partie déployée',
    advisoryFurther: 'et un de plus, car rien ne montre que des données d’un attaquant atteignent le code vulnérable',
    advisoryOrphan: 'faible au plus, car aucune dépendance du projet ne mène à cette entrée du fichier de verrouillage',
    hygiene: 'pas une attaque en soi, mais bon à savoir',
    boilerplate: 'un générateur de SAP a écrit ce fichier',
    setting: 'un réglage du projet le dit',
    higher: 'un niveau au-dessus du tableau, pour la raison documentée par la règle',
    lower: 'un niveau au-dessous du tableau, pour la raison documentée par la règle',
  },
}

/** What no longer gets fixes weighs more than other things that are only worth knowing. */
const HYGIENE: Localized<Readonly<Partial<Record<Circumstance, string>>>> = {
  en: {
    ended: 'no attack by itself, but security fixes are missing',
    unloadable: 'no attack by itself, but this version is no longer served where the app loads it from',
  },
  fr: {
    ended: 'pas une attaque en soi, mais des correctifs de sécurité manquent',
    unloadable: 'pas une attaque en soi, mais cette version n’est plus fournie là où l’application la charge',
  },
}

/** What lowers the level of an advisory. */
const ADVISORY: Localized<Readonly<Partial<Record<Circumstance, string>>>> = {
  en: {
    unused:
      'below the level of the advisory, since nothing in the project uses the package in the way that the advisory describes',
    unloaded: 'below the level of the advisory, since no code that uses this installation loads the package or what brings it in',
    off: 'below the level of the advisory, since no setting or route of the project lets a client reach the vulnerable code',
    idle: 'low at most, since nothing that is deployed starts or loads the package',
    offline: 'low at most, since only development, building or deployment needs the package',
    unlocked:
      'one level below that of the advisory, since the deployed part has no lock file of its own and its ranges allow a fixed version',
    tab: 'below the level of the advisory, since only pages in the browser load the package, where the vulnerability affects the tab of the user alone',
    undeployed: 'below the level of the advisory, since only a part of the project that nothing deploys needs the package',
  },
  fr: {
    unused:
      'sous le niveau de l’avis de sécurité, car rien dans le projet n’utilise le paquet de la manière décrite par cet avis de sécurité',
    unloaded:
      'sous le niveau de l’avis de sécurité, car aucun code qui utilise cette installation ne charge le paquet ni ce qui l’installe',
    off: 'sous le niveau de l’avis de sécurité, car aucun réglage ni aucune route du projet ne permet à un client d’atteindre le code vulnérable',
    idle: 'faible au plus, car rien de ce qui est déployé ne démarre ni ne charge le paquet',
    offline: 'faible au plus, car seuls le développement, le build ou le déploiement utilisent le paquet',
    unlocked:
      'un niveau sous celui de l’avis de sécurité, car la partie déployée n’a pas de fichier de verrouillage et ses plages autorisent une version corrigée',
    tab: 'sous le niveau de l’avis de sécurité, car seules des pages dans le navigateur chargent le paquet : la vulnérabilité n’y touche que l’onglet de l’utilisateur',
    undeployed: 'sous le niveau de l’avis de sécurité, car seule une partie du projet que rien ne déploie utilise le paquet',
  },
}

/** Why a finding has its severity, in one sentence: "High: any authenticated user can read or change data beyond their rights; …". */
export function wordGrade(grade: Grade, severity: Severity, locale: Locale): string {
  const { impact, circumstance, reach, usage, evidence, advisory, attacker, shift, setting } = grade
  const other = OTHERS[locale]
  const parts: string[] = []
  if (usage === 'boilerplate') parts.push(other.boilerplate)
  else if (advisory !== undefined) {
    const lowered = circumstance && ADVISORY[locale][circumstance]
    if (lowered !== undefined) parts.push(lowered)
    if (evidence === 'guessed') parts.push(other.advisoryOrphan)
    else if (evidence === 'assumed') parts.push(lowered === undefined ? other.advisoryPart : other.advisoryFurther)
    else if (lowered === undefined) parts.push(other.advisory)
  } else if (impact === 'hygiene') parts.push((circumstance && HYGIENE[locale][circumstance]) ?? other.hygiene)
  else {
    const onPath = attacker === undefined ? undefined : ON_PATH[locale][reach]
    parts.push(`${onPath ?? WHO[locale][reach]} ${GAIN[locale][impact]}`)
    if (circumstance === 'demo') parts.push(other.demo)
    parts.push(PROOF[locale][evidence])
  }
  if (shift !== undefined) parts.push(other[shift])
  if (setting !== undefined) parts.push(`${other.setting} (${setting})`)
  const [first = '', ...rest] = SEVERITY_WORDS[locale][severity]
  const colon = locale === 'fr' ? ' : ' : ': '
  const comma = locale === 'fr' ? ' ; ' : '; '
  return `${first.toUpperCase()}${rest.join('')}${colon}${parts.join(comma)}.`
}
