import { inEachLanguage } from '../../arguments.ts'
import type { Localized } from '../../types.ts'

export const POD: Localized<string> = {
  en: 'An attacker who runs code in the container can take over the node and all other pods on it.',
  fr: 'Un attaquant qui exécute du code dans le conteneur peut prendre le contrôle du nœud et de tous les autres pods qui s’y trouvent.',
}

const WRITABLE: string = inEachLanguage({
  en: '. Mount an emptyDir where the container writes files',
  fr: '. Montez un emptyDir là où le conteneur écrit des fichiers',
})
const NON_ROOT: string = inEachLanguage({
  en: '. If the image runs as root, also set runAsUser: 1000',
  fr: '. Si l’image s’exécute en tant que root, définissez aussi runAsUser: 1000',
})
const NON_ROOT_WRITABLE: string = inEachLanguage({
  en: '. If the image runs as root, also set runAsUser: 1000. Mount an emptyDir where the container writes files',
  fr: '. Si l’image s’exécute en tant que root, définissez aussi runAsUser: 1000. Montez un emptyDir là où le conteneur écrit des fichiers',
})

/** What a container may need that can no longer run as root, or write to its own files. */
export function furtherOf(settings: readonly string[]): string {
  const isReadOnly = settings.includes('readOnlyRootFilesystem: true')
  if (settings.includes('runAsNonRoot: true')) return isReadOnly ? NON_ROOT_WRITABLE : NON_ROOT
  return isReadOnly ? WRITABLE : ''
}

export const COMPOSE: Localized<string> = {
  en: 'An attacker who runs code in the container can take over the host and all other containers on it.',
  fr: 'Un attaquant qui exécute du code dans le conteneur peut prendre le contrôle de l’hôte et de tous les autres conteneurs qui s’y trouvent.',
}

export const CAPABILITY: Localized<string> = {
  en: 'With this capability, an attacker who runs code in the container may be able to break out of it and take over its host.',
  fr: 'Avec cette capability, un attaquant qui exécute du code dans le conteneur pourrait en sortir et prendre le contrôle de la machine hôte.',
}

export const DEBUGGER: Localized<string> = {
  en: 'An attacker who can connect to the debug port can run any code in the application.',
  fr: 'Un attaquant qui peut se connecter au port de débogage peut exécuter n’importe quel code dans l’application.',
}

export const TRACE: Localized<string> = {
  en: 'Debug messages can contain headers, tokens and queries, which an attacker with access to the log can read and use.',
  fr: 'Les messages de débogage peuvent contenir des en-têtes, des jetons et des requêtes, qu’un attaquant ayant accès au journal peut lire et utiliser.',
}

/** What a namespace of the host gives access to, and how containers of one pod share the same without it (Kubernetes, "Share Process Namespace"). */
export function sharedBy(setting: string): Readonly<Record<'shared' | 'withinPod', string>> {
  return /pid/i.test(setting)
    ? {
        shared: inEachLanguage({ en: 'processes', fr: 'aux processus' }),
        withinPod: inEachLanguage({
          en: 'can share processes with "shareProcessNamespace: true"',
          fr: 'peuvent partager leurs processus avec "shareProcessNamespace: true"',
        }),
      }
    : {
        shared: inEachLanguage({ en: 'shared memory', fr: 'à la mémoire partagée' }),
        withinPod: inEachLanguage({ en: 'can share memory without it', fr: 'peuvent partager de la mémoire sans ce réglage' }),
      }
}

export const OTHER_MODE: Localized<string> = {
  en: 'Outside production mode, CAP sends internal error details to clients, serves an index page of all services and accepts requests from any origin: an attacker learns what to try next.',
  fr: 'Hors du mode production, CAP envoie aux clients les détails internes des erreurs, sert une page d’index de tous les services et accepte les requêtes de toute origine : un attaquant sait ainsi quoi tenter ensuite.',
}
