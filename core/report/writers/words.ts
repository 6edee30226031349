import type { Locale, Localized } from '../../types.ts'

const EN = {
  report: 'Security report',
  findings: 'Findings',
  noFindings: 'No findings.',
  files: 'Files analysed: {n}',
  scanned: 'Scanned',
  risk: 'Risk {score} of 100 (0 is best), level {level}',
  incomplete: 'Incomplete: not everything could be looked at.',
  severity: 'Severity',
  confidence: 'Confidence: {level}',
  area: 'Area',
  all: 'All',
  search: 'Search',
  count: 'Count',
  shown: '{n} of {total} findings',
  place: 'Place',
  finding: 'Finding',
  rule: 'Rule',
  why: 'Why',
  fix: 'Fix',
  flow: 'Data flow',
  also: 'Also at',
  advisories: 'Advisories',
  fixedIn: 'fixed in {version}',
  more: 'About this rule',
  notices: 'Notices',
  suppressed: 'Suppressed by the project',
  looked: 'What was looked at',
  access: 'Access',
  made: 'Made by Parapet {version}',
}
export type Word = keyof typeof EN

const WORDS: Localized<Readonly<Record<Word, string>>> = {
  en: EN,
  fr: {
    report: 'Rapport de sécurité',
    findings: 'Constats',
    noFindings: 'Aucun constat.',
    files: 'Fichiers analysés : {n}',
    scanned: 'Analysé',
    risk: 'Risque {score} sur 100 (0 est le meilleur), niveau {level}',
    incomplete: 'Incomplet : tout n’a pas pu être examiné.',
    severity: 'Gravité',
    confidence: 'Confiance : {level}',
    area: 'Domaine',
    all: 'Tous',
    search: 'Recherche',
    count: 'Nombre',
    shown: '{n} constats sur {total}',
    place: 'Emplacement',
    finding: 'Constat',
    rule: 'Règle',
    why: 'Pourquoi',
    fix: 'Correction',
    flow: 'Flux de données',
    also: 'Aussi dans',
    advisories: 'Avis de sécurité',
    fixedIn: 'corrigé en {version}',
    more: 'À propos de cette règle',
    notices: 'Remarques',
    suppressed: 'Masqués par le projet',
    looked: 'Ce qui a été examiné',
    access: 'Accès',
    made: 'Produit par Parapet {version}',
  },
}

/** A text of an export, its placeholders filled. */
export function say(locale: Locale, word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  return WORDS[locale][word].replaceAll(/\{(\w{1,20})\}/g, (whole, name: string) => String(values[name] ?? whole))
}
