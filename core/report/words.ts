import type { Circumstance, Evidence, Impact, Locale, Localized, Reach, Severity, Usage } from '../types.ts'

/** How severities are called. */
export const SEVERITY_WORDS: Localized<Readonly<Record<Severity, string>>> = {
  en: { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low', INFO: 'info' },
  fr: { CRITICAL: 'critique', HIGH: 'élevée', MEDIUM: 'moyenne', LOW: 'faible', INFO: 'info' },
}

/** How the findings of a severity are called beside their number: French adjectives take its plural. */
export function wordCounted(severity: Severity, count: number, locale: Locale): string {
  const word = SEVERITY_WORDS[locale][severity]
  const isPlural = locale === 'fr' && severity !== 'INFO' && new Intl.PluralRules(locale).select(count) !== 'one'
  return isPlural ? `${word}s` : word
}

/** Who can start an attack, as short as a table has room for. */
export const REACH_WORDS: Localized<Readonly<Record<Reach, string>>> = {
  en: {
    anyone: 'anyone',
    user: 'any user',
    privileged: 'privileged users',
    self: 'own session only',
    local: 'developers',
    pipeline: 'pull requests',
    nobody: 'nobody',
  },
  fr: {
    anyone: 'tout le monde',
    user: 'tout utilisateur',
    privileged: 'utilisateurs privilégiés',
    self: 'sa propre session',
    local: 'développeurs',
    pipeline: 'pull requests',
    nobody: 'personne',
  },
}

/** What an attack gives. */
export const IMPACT_WORDS: Localized<Readonly<Record<Impact, string>>> = {
  en: {
    takeover: 'code execution, identity or credential',
    data: 'data beyond one’s rights',
    session: 'session of another user',
    bounded: 'limited effect',
    defence: 'missing defence in depth',
    hygiene: 'no attack by itself',
  },
  fr: {
    takeover: 'exécution de code, identité ou identifiant',
    data: 'données au-delà des droits',
    session: 'session d’un autre utilisateur',
    bounded: 'effet limité',
    defence: 'défense en profondeur absente',
    hygiene: 'pas d’attaque en soi',
  },
}

export const CIRCUMSTANCE_WORDS: Localized<Readonly<Record<Circumstance, string>>> = {
  en: {
    demo: 'demonstration data only',
    visible: 'data that users may read anyway',
    public: 'public data',
    unseen: 'not shown to others',
    unfixed: 'no longer fixed',
    ended: 'maintenance ended more than half a year ago',
    unloadable: 'can no longer be loaded',
    unused: 'not used',
    unloaded: 'not loaded',
    off: 'out of reach of clients',
    idle: 'not started',
    offline: 'development only',
    unlocked: 'not locked',
    tab: 'own browser tab only',
    undeployed: 'not deployed',
  },
  fr: {
    demo: 'données de démonstration seulement',
    visible: 'données que les utilisateurs peuvent déjà lire',
    public: 'données publiques',
    unseen: 'invisible pour les autres',
    unfixed: 'plus corrigé',
    ended: 'maintenance terminée depuis plus de six mois',
    unloadable: 'ne peut plus être chargé',
    unused: 'non utilisé',
    unloaded: 'non chargé',
    off: 'hors de portée des clients',
    idle: 'non démarré',
    offline: 'développement seul',
    unlocked: 'non verrouillé',
    tab: 'onglet de l’utilisateur seul',
    undeployed: 'non déployé',
  },
}

export const USAGE_WORDS: Localized<Readonly<Record<Usage, string>>> = {
  en: { deployed: 'deployed', library: 'library', boilerplate: 'written by a generator', unused: 'not deployed' },
  fr: { deployed: 'déployé', library: 'bibliothèque', boilerplate: 'écrit par un générateur', unused: 'non déployé' },
}

export const EVIDENCE_WORDS: Localized<Readonly<Record<Evidence, string>>> = {
  en: { shown: 'shown by the project', assumed: 'one link assumed', guessed: 'suggested by a name' },
  fr: { shown: 'montré par le projet', assumed: 'un maillon supposé', guessed: 'suggéré par un nom' },
}
