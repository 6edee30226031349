import type { Locale, Localized, RuleText } from '../../types.ts'

/** What a connection string leads to. */
type Target = 'database' | 'broker'
/** A password that everybody tries first, a host that is the machine itself, a host that other code adds. */
type Form = 'weak' | 'local' | 'hostless' | 'weak-hostless'

const FORMS: readonly Form[] = ['weak', 'local', 'hostless', 'weak-hostless']

const TARGETS: Localized<Readonly<Record<Target, Pick<RuleText, 'title' | 'why'>>>> = {
  en: {
    database: {
      title: 'Hard-coded database password in a connection string',
      why: 'Anyone who can read the project or its history and reach the database can log in to it and read, change or delete everything that this account can access.',
    },
    broker: {
      title: 'Hard-coded message broker password in a connection string',
      why: 'Anyone who can read the project or its history and reach the message broker can log in to it, and read and send messages with the permissions of this account.',
    },
  },
  fr: {
    database: {
      title: 'Mot de passe de base de données en dur dans une chaîne de connexion',
      why: 'Toute personne pouvant lire le projet ou son historique et joindre la base de données peut s’y connecter et lire, modifier ou supprimer tout ce à quoi ce compte a accès.',
    },
    broker: {
      title: 'Mot de passe de courtier de messages en dur dans une chaîne de connexion',
      why: 'Toute personne pouvant lire le projet ou son historique et joindre le courtier de messages peut s’y connecter, et lire et envoyer des messages avec les droits de ce compte.',
    },
  },
}

const KNOWN_HOST: Localized<Pick<RuleText, 'message' | 'fix'>> = {
  en: {
    message: '{name} contains the {product} password for {host} ({length} characters: {charset}).',
    fix: 'Change the password on {host}, and keep the connection string outside the project, in a service binding or an environment variable. Deleting the value here is not enough: the version history may still contain it.',
  },
  fr: {
    message: '{name} contient le mot de passe {product} pour {host} ({length} caractères : {caracteres}).',
    fix: 'Changez le mot de passe sur {host} et conservez la chaîne de connexion hors du projet, dans une liaison de service ou une variable d’environnement. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
  },
}

const SOME_HOST: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Change the password on the server, and keep the connection string outside the project, in a service binding or an environment variable. Deleting the value here is not enough: the version history may still contain it.',
  },
  fr: {
    fix: 'Changez le mot de passe sur le serveur et conservez la chaîne de connexion hors du projet, dans une liaison de service ou une variable d’environnement. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
  },
}

const BY_FORM: Localized<Readonly<Record<Form, Partial<RuleText>>>> = {
  en: {
    weak: {
      message: '{name} contains the {product} password for {host}, a well-known default value.',
      why: 'An attacker can guess this password: it is in common lists of default passwords. The connection string shows where to use it.',
    },
    local: {
      why: 'The connection string points to the local machine, but the same password is often used elsewhere, and such a string is easily copied for production.',
      fix: 'Even for local use, read the password from the environment, for example from a .env file that version control ignores.',
    },
    hostless: {
      ...SOME_HOST.en,
      message: '{name} contains the {product} password in a connection string ({length} characters: {charset}).',
    },
    'weak-hostless': {
      ...SOME_HOST.en,
      message: '{name} contains a connection string whose {product} password is a well-known default.',
      why: 'An attacker can guess this password: it is in common lists of default passwords.',
    },
  },
  fr: {
    weak: {
      message: '{name} contient le mot de passe {product} pour {host} ; c’est une valeur par défaut connue.',
      why: 'Un attaquant peut deviner ce mot de passe : il figure dans les listes courantes de mots de passe par défaut. La chaîne de connexion indique où l’utiliser.',
    },
    local: {
      why: 'Cette chaîne désigne la machine locale, mais le même mot de passe est souvent utilisé ailleurs, et elle peut facilement être recopiée en production.',
      fix: 'Même pour un usage local, lisez le mot de passe dans l’environnement, par exemple dans un fichier .env que la gestion de versions ignore.',
    },
    hostless: {
      ...SOME_HOST.fr,
      message: '{name} contient le mot de passe {product} dans une chaîne de connexion ({length} caractères : {caracteres}).',
    },
    'weak-hostless': {
      ...SOME_HOST.fr,
      message: '{name} contient une chaîne de connexion dont le mot de passe {product} est une valeur par défaut connue.',
      why: 'Un attaquant peut deviner ce mot de passe : il figure dans les listes courantes de mots de passe par défaut.',
    },
  },
}

export function textOf(locale: Locale, target: Target): RuleText {
  return { ...TARGETS[locale][target], ...KNOWN_HOST[locale] }
}

/** A text for each target and each form of its connection string. */
export function variantsFor(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const broker = textOf(locale, 'broker')
  const texts: Record<string, Partial<RuleText>> = { broker }
  for (const form of FORMS) {
    texts[form] = BY_FORM[locale][form]
    texts[`broker-${form}`] = { ...broker, ...BY_FORM[locale][form] }
  }
  return texts
}
