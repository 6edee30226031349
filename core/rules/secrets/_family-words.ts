import type { TokenRow } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'

interface FamilyText {
  readonly why: string
  readonly fix: string
}

const HISTORY = {
  en: 'Deleting it here is not enough: it stays in the version history.',
  fr: 'Supprimer cette valeur ne suffit pas : elle reste dans l’historique des versions.',
}

/** The consequence and the remedy, by what a credential opens. */
export const FAMILY_WORDS: Readonly<Record<TokenRow['family'], Localized<FamilyText>>> = {
  sap: {
    en: {
      why: 'Anyone who can read the project or its history can log in to the SAP system or service with the rights of this credential.',
      fix: `Change the password, or recreate the key or binding; read the new one from the binding or a destination at run time. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut se connecter au système ou au service SAP avec les droits de ce secret.',
      fix: `Changez le mot de passe, ou recréez la clé ou la liaison ; lisez le nouveau secret dans la liaison ou une destination à l’exécution. ${HISTORY.fr}`,
    },
  },
  cloud: {
    en: {
      why: 'Anyone who can read the project or its history can use the cloud account with the rights of this credential, and at your expense.',
      fix: `Revoke it in the provider’s console, and read the new one from the environment, a service binding or a secret store. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut utiliser le compte cloud avec les droits de ce secret, et à vos frais.',
      fix: `Révoquez-le dans la console du fournisseur et lisez le nouveau dans l’environnement, une liaison de service ou un gestionnaire de secrets. ${HISTORY.fr}`,
    },
  },
  code: {
    en: {
      why: 'Anyone who can read the project can read or change source code, pipelines or deployments with the rights of this token.',
      fix: `Revoke the token, and store the new one as a secret of the pipeline, with the fewest scopes that it needs. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet peut lire ou modifier le code source, les pipelines ou les déploiements avec les droits de ce jeton.',
      fix: `Révoquez le jeton et enregistrez le nouveau comme secret du pipeline, avec le moins de droits possible. ${HISTORY.fr}`,
    },
  },
  npm: {
    en: {
      why: 'Anyone who can read the project can download private packages, or publish malicious versions under your name.',
      fix: `Revoke it at the registry, and refer to an environment variable instead, for example "\${NPM_TOKEN}" in .npmrc. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet peut télécharger des paquets privés ou en publier de falsifiés en votre nom.',
      fix: `Révoquez-le auprès du registre et utilisez à la place une variable d’environnement, par exemple "\${NPM_TOKEN}" dans .npmrc. ${HISTORY.fr}`,
    },
  },
  package: {
    en: {
      why: 'Anyone who can read the project can download private packages, or publish malicious versions under your name.',
      fix: `Revoke it at the registry, and read the new one from an environment variable or a secret of the pipeline. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet peut télécharger des paquets privés ou en publier de falsifiés en votre nom.',
      fix: `Révoquez-le auprès du registre et lisez le nouveau dans une variable d’environnement ou un secret du pipeline. ${HISTORY.fr}`,
    },
  },
  messaging: {
    en: {
      why: 'Anyone who can read the project can read or send messages on behalf of your organization, for example for phishing.',
      fix: `Revoke it at the provider, and read the new one from the environment or a secret store. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet peut lire ou envoyer des messages au nom de votre organisation, par exemple pour de l’hameçonnage.',
      fix: `Révoquez-le auprès du fournisseur et lisez le nouveau dans l’environnement ou un gestionnaire de secrets. ${HISTORY.fr}`,
    },
  },
  payment: {
    en: {
      why: 'Anyone who can read the project can read customer data, or start payments and refunds with the rights of this key.',
      fix: `Revoke it in the provider’s dashboard, and read a restricted key from the environment or a secret store. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet peut lire des données de clients ou lancer paiements et remboursements avec les droits de cette clé.',
      fix: `Révoquez-la dans le tableau de bord du fournisseur et lisez une clé restreinte dans l’environnement ou un gestionnaire de secrets. ${HISTORY.fr}`,
    },
  },
  service: {
    en: {
      why: 'Anyone who can read the project or its history can use the service with the rights of this credential.',
      fix: `Revoke it at the service, and read the new one from the environment or a secret store. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut utiliser le service avec les droits de ce secret.',
      fix: `Révoquez-le auprès du service et lisez le nouveau dans l’environnement ou un gestionnaire de secrets. ${HISTORY.fr}`,
    },
  },
  public: {
    en: {
      why: 'The provider designed this key for clients: anyone who has it can send requests with its limited rights, and use up your quota.',
      fix: 'Restrict it in the provider’s console (allowed URLs, scopes), and read it from the configuration of the deployment, so that it can be changed without a new release.',
    },
    fr: {
      why: 'Le fournisseur a conçu cette clé pour les clients : toute personne qui la possède peut envoyer des requêtes avec ses droits limités et épuiser votre quota.',
      fix: 'Restreignez-la dans la console du fournisseur (URL autorisées, droits) et lisez-la dans la configuration du déploiement, pour pouvoir la changer sans nouvelle version.',
    },
  },
  ai: {
    en: {
      why: 'Anyone who can read the project can use the AI service at your expense, and read the data stored in the account.',
      fix: `Revoke the key, and call the service from a backend that reads the new key from the environment or a destination. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet peut utiliser le service d’IA à vos frais et lire ce que le compte y conserve.',
      fix: `Révoquez la clé et appelez le service depuis un backend qui lit la nouvelle dans l’environnement ou une destination. ${HISTORY.fr}`,
    },
  },
  database: {
    en: {
      why: 'Anyone who can read the project or its history can log in to the database, and read or change everything that this user can access.',
      fix: `Change the password or key, and read the new one from a service binding or the environment. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut se connecter à la base de données et lire ou modifier tout ce à quoi cet utilisateur a accès.',
      fix: `Changez ce mot de passe ou cette clé et lisez la nouvelle valeur dans une liaison de service ou dans l’environnement. ${HISTORY.fr}`,
    },
  },
  key: {
    en: {
      why: 'Anyone who can read the project or its history can decrypt or read what it protects.',
      fix: `Replace it and whatever it protects; keep the new one in a secret store, or encrypt it (SealedSecret, SOPS). ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut déchiffrer ou lire ce qu’il protège.',
      fix: `Remplacez-le ainsi que ce qu’il protège ; conservez le nouveau dans un gestionnaire de secrets ou chiffrez-le (SealedSecret, SOPS). ${HISTORY.fr}`,
    },
  },
  generic: {
    en: {
      why: 'Anyone who can read the project or its history can log in with it wherever it is valid.',
      fix: `Change it, and read the new one from the environment, a service binding or a secret store at run time. ${HISTORY.en}`,
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut s’en servir partout où il est valable.',
      fix: `Changez-le et lisez le nouveau à l’exécution dans l’environnement, une liaison de service ou un gestionnaire de secrets. ${HISTORY.fr}`,
    },
  },
}
