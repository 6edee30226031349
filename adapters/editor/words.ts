import type { Locale } from '../../core/index.ts'

const EN = {
  suppress: 'Suppress {rule} here with a reason',
  explain: 'Explain {rule}',
  scanning: 'Parapet scans {folder}',
  reading: 'Reading {done} of {total} files',
  asking: 'Asking for advisories',
  checking: 'Checking',
  reporting: 'Reporting',
  waiting: 'Waiting',
  fault: 'A scan of {folder} failed. What is shown may be out of date; the log of the server has the cause.',
}

type Word = keyof typeof EN

const WORDS: Readonly<Record<Locale, Readonly<Record<Word, string>>>> = {
  en: EN,
  fr: {
    suppress: 'Ignorer {rule} ici avec un motif',
    explain: 'Expliquer {rule}',
    scanning: 'Parapet analyse {folder}',
    reading: 'Lecture de {done} fichiers sur {total}',
    asking: 'Demande des avis de sécurité',
    checking: 'Vérification',
    reporting: 'Rapport',
    waiting: 'En attente',
    fault:
      'L’analyse de {folder} a échoué. Ce qui est affiché n’est peut-être plus à jour ; le journal du serveur en donne la cause.',
  },
}

/** What an editor is told, in the language of its user. */
export function sayInEditor(locale: Locale, word: Word, args: Readonly<Record<string, string>> = {}): string {
  return WORDS[locale][word].replaceAll(/\{(\w+)\}/g, (_, name: string) => args[name] ?? '')
}
