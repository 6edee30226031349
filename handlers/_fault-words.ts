import type { Words } from './_errors.ts'

/** What is wrong with one part of a request: the keys are the `message` of a refusal's `errors`. */
export const FAULTS: Readonly<Record<string, Words>> = {
  'not-an-object': { en: 'must be a JSON object', fr: 'doit être un objet JSON' },
  'not-json': { en: 'is not valid JSON in UTF-8', fr: 'n’est pas du JSON valide en UTF-8' },
  'not-utf-8': { en: 'is not valid UTF-8', fr: 'n’est pas de l’UTF-8 valide' },
  'not-multipart': {
    en: 'is not a multipart body with the boundary of its Content-Type',
    fr: 'n’est pas un corps multipart avec le séparateur de son Content-Type',
  },
  'no-boundary': {
    en: 'Content-Type has no boundary, or one that is not valid',
    fr: 'Content-Type n’a pas de séparateur (boundary), ou il n’est pas valide',
  },
  'too-many-parts': { en: 'has more than 16 parts', fr: 'a plus de 16 parties' },
  'part-headers': {
    en: 'has a part whose headers are not valid, or larger than 8 KiB',
    fr: 'a une partie dont les en-têtes ne sont pas valides, ou dépassent 8 Kio',
  },
  'cut-short': { en: 'ended too early', fr: 'se termine trop tôt' },
  'dir-path': {
    en: 'must be an absolute path of at most 4,096 characters',
    fr: 'doit être un chemin absolu de 4 096 caractères au plus',
  },
  'project-name': { en: 'must be a text of 1 to 200 characters', fr: 'doit être un texte de 1 à 200 caractères' },
  branch: { en: 'must be a text of 1 to 250 characters', fr: 'doit être un texte de 1 à 250 caractères' },
  commit: { en: 'must be 7 to 64 hexadecimal digits', fr: 'doit comporter de 7 à 64 chiffres hexadécimaux' },
  release: { en: 'must be a text of 1 to 100 characters', fr: 'doit être un texte de 1 à 100 caractères' },
  'source-url': {
    en: 'must be an https address with {path} (and {line}, {commit}), that of a folder as its host shows it, or of a repository on a known host with "commit" beside it',
    fr: 'doit être une adresse https avec {path} (et {line}, {commit}), celle d’un dossier telle que son hôte la montre, ou d’un dépôt sur un hôte connu avec "commit" en plus',
  },
  title: { en: 'must be a text of 1 to 200 characters', fr: 'doit être un texte de 1 à 200 caractères' },
  tag: { en: 'must be a text of 1 to 50 characters', fr: 'doit être un texte de 1 à 50 caractères' },
  tags: { en: 'must be a list of at most 20 texts', fr: 'doit être une liste de 20 textes au plus' },
  'decision-state': {
    en: 'must be accepted, false-positive, will-repair or not-affected',
    fr: 'doit être accepted, false-positive, will-repair ou not-affected',
  },
  'decision-reason': { en: 'must be a line of 1 to 1,000 characters', fr: 'doit être une ligne de 1 à 1 000 caractères' },
  'decision-until': { en: 'must be a day such as 2027-03-31', fr: 'doit être un jour tel que 2027-03-31' },
  'decision-name': { en: 'must be a line of 1 to 100 characters', fr: 'doit être une ligne de 1 à 100 caractères' },
  'decision-findings': {
    en: 'must be a list of 1 to 500 findings, each once',
    fr: 'doit être une liste de 1 à 500 constats, chacun une fois',
  },
  'finding-id': { en: 'is not the id of a finding', fr: 'n’est pas l’identifiant d’un constat' },
  gate: {
    en: 'must be new-critical, new-high, new-medium, new-low or new-info',
    fr: 'doit être new-critical, new-high, new-medium, new-low ou new-info',
  },
  search: { en: 'must be a text of at most 300 characters', fr: 'doit être un texte de 300 caractères au plus' },
  'scan-id': { en: 'must be a UUID', fr: 'doit être un UUID' },
  'job-id': { en: 'must be a UUID', fr: 'doit être un UUID' },
  'job-state': {
    en: 'must be waiting, running, done, failed or cancelled',
    fr: 'doit être waiting, running, done, failed ou cancelled',
  },
  'idempotency-key': { en: 'must be 1 to 128 visible characters', fr: 'doit comporter de 1 à 128 caractères visibles' },
  'ui5-version': { en: 'must be a full version such as 1.120.5', fr: 'doit être une version complète telle que 1.120.5' },
  'page-limit': { en: 'must be a number from 1 to 200', fr: 'doit être un nombre de 1 à 200' },
  'page-offset': { en: 'must be a number from 0', fr: 'doit être un nombre à partir de 0' },
  url: { en: 'is not a valid address', fr: 'n’est pas une adresse valide' },
}

/** For a fault that has no words of its own: never those of a library. */
export const UNNAMED_FAULT: Words = { en: 'is not valid', fr: 'n’est pas valide' }
