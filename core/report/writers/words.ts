import type { Locale, Localized, RiskLevel } from '../../types.ts'
import { pluralForm } from '../plural-form.ts'

const EN = {
  report: 'Security report',
  findings: 'Findings',
  noFindings: 'No findings.',
  files: '{n} file analysed|{n} files analysed',
  scanned: 'Scanned',
  risk: 'Risk {score} of 100 (0 is best), level {level}',
  incomplete: 'Incomplete: not everything could be looked at.',
  severity: 'Severity',
  confidence: 'Confidence: {level}',
  area: 'Area',
  all: 'All',
  search: 'Search',
  count: 'Count',
  shown: '{n} of {total} finding|{n} of {total} findings',
  place: 'Place',
  finding: 'Finding',
  rule: 'Rule',
  grade: 'Why this severity',
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
  reachedBy: 'reached by:',
  made: 'Made by Parapet {version}',
  first: 'Repair first',
  alike: 'The same repair applies to {n} finding of this rule.|The same repair applies to {n} findings of this rule.',
  upgrades: 'Upgrades that fix advisories',
  package: 'Package',
  step: 'Version',
  compatibility: 'Compatibility',
  repairs: 'Fixes',
  laterRelease: 'a later release',
  breaks: 'may break',
  keeps: 'compatible',
  advisoryCount: '{n} advisory|{n} advisories',
}
export type Word = keyof typeof EN

const WORDS: Localized<Readonly<Record<Word, string>>> = {
  en: EN,
  fr: {
    report: 'Rapport de sécurité',
    findings: 'Constats',
    noFindings: 'Aucun constat.',
    files: '{n} fichier analysé|{n} fichiers analysés',
    scanned: 'Analysé',
    risk: 'Risque {score} sur 100 (0 est le meilleur), niveau {level}',
    incomplete: 'Incomplet : tout n’a pas pu être examiné.',
    severity: 'Gravité',
    confidence: 'Confiance : {level}',
    area: 'Domaine',
    all: 'Tous',
    search: 'Recherche',
    count: 'Nombre',
    shown: '{n} constat sur {total}|{n} constats sur {total}',
    place: 'Emplacement',
    finding: 'Constat',
    rule: 'Règle',
    grade: 'Pourquoi cette gravité',
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
    reachedBy: 'atteint par :',
    made: 'Produit par Parapet {version}',
    first: 'À corriger en premier',
    alike: 'La même correction vaut pour {n} constat de cette règle.|La même correction vaut pour {n} constats de cette règle.',
    upgrades: 'Mises à niveau qui corrigent des avis de sécurité',
    package: 'Paquet',
    step: 'Version',
    compatibility: 'Compatibilité',
    repairs: 'Corrige',
    laterRelease: 'une version ultérieure',
    breaks: 'peut rompre',
    keeps: 'compatible',
    advisoryCount: '{n} avis de sécurité',
  },
}

const RISK_LEVELS: Localized<Readonly<Record<RiskLevel, string>>> = {
  en: { NONE: 'none', LOW: 'low', MEDIUM: 'medium', HIGH: 'high', CRITICAL: 'critical' },
  fr: { NONE: 'nul', LOW: 'faible', MEDIUM: 'moyen', HIGH: 'élevé', CRITICAL: 'critique' },
}

/** The score of a report with its direction and level. */
export function sayRisk(
  locale: Locale,
  { riskScore, riskLevel }: { readonly riskScore: number; readonly riskLevel: RiskLevel },
): string {
  return say(locale, 'risk', { score: riskScore, level: RISK_LEVELS[locale][riskLevel] })
}

/** A text of an export, its placeholders filled; of two forms (`one|other`) the one that `total`, or else `n`, asks for. */
export function say(locale: Locale, word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  const number = values['total'] ?? values['n']
  const text = pluralForm(WORDS[locale][word], typeof number === 'number' ? number : undefined, locale)
  return text.replaceAll(/\{(\w{1,20})\}/g, (whole, name: string) => String(values[name] ?? whole))
}
