import { pluralForm, type Locale, type Localized, type ScanPhase } from '../../core/index.ts'

export { SEVERITY_WORDS } from '../../core/index.ts'

const EN = {
  files: '{n} file|{n} files',
  first: 'Repair first',
  none: 'No findings.',
  suppressed: '{n} suppressed',
  inBaseline: '{n} in the baseline',
  elsewhere: '{n} on unchanged lines',
  incomplete: 'Not everything could be looked at:',
  failing: 'Failing: {n} finding at or above "{severity}".|Failing: {n} findings at or above "{severity}".',
  failingNew: 'Failing: {n} new finding at or above "{severity}".|Failing: {n} new findings at or above "{severity}".',
  also: 'also: ',
  why: 'why: ',
  fix: 'fix: ',
  severity: 'severity: ',
  flow: 'flow: ',
  suppress: 'suppress: ',
  reason: 'reason',
  upgrades: 'Upgrades: ',
  move: '{name} {from} to {to} or later',
  breaking: 'a major step',
  below: 'and what it requires ({names})',
  parent: '{name} {from} to a release that no longer requires these versions of {names}',
  unfixed: '{name} {from}, without a fixed version',
  advisories: '{n} advisory: {title}|{n} advisories, the most severe: {title}',
  development: 'For development only: {n} advisory in {packages}.|For development only: {n} advisories in {packages}.',
  packages: '{n} package|{n} packages',
  more: '{n} more package; --details lists its advisories.|{n} more packages; --details lists their advisories.',
  new: 'New: {n}',
  fixed: 'Fixed: {n}',
  unchanged: 'Unchanged: {n}',
  changed: 'Severity changed: {n}',
  changedHead: 'Changed severities',
  packagesHead: 'Advisories by package',
  advisoriesNew: '{n} new',
  advisoriesFixed: '{n} fixed',
  advisoriesSame: '{n} unchanged',
  baselineWritten: 'Baseline written: {n} finding in {file}.|Baseline written: {n} findings in {file}.',
  baselineGone:
    '{n} finding of the baseline is gone: --write-baseline drops it.|{n} findings of the baseline are gone: --write-baseline drops them.',
  advisoriesWritten: 'Advisories written: {n} about {packages} in {file}.',
  databaseUnreachable: 'The vulnerability database {url} did not answer.',
  notWritten: '{file} can’t be written.',
  watching: 'Watching {folder}; Ctrl-C ends.',
  watchFault: 'Not every change will be seen: a part of the folder can’t be watched ({code}).',
  gone: 'gone: ',
  cacheRefused:
    'The folder for kept results, {folder}, lies within the project, which could bring results of its own. Name another one, or use --no-cache.',
  cacheIgnored:
    'Nothing is kept: the cache folder that the environment names, {folder}, lies within the project, which could bring results of its own.',
  configWritten: 'Written: {file}. Its schema describes every setting to your editor.',
}
type Word = keyof typeof EN

const WORDS: Localized<Readonly<Record<Word, string>>> = {
  en: EN,
  fr: {
    files: '{n} fichier|{n} fichiers',
    first: 'À corriger d’abord',
    none: 'Aucun constat.',
    suppressed: '{n} masqué|{n} masqués',
    inBaseline: '{n} dans la référence',
    elsewhere: '{n} sur des lignes inchangées',
    incomplete: 'Tout n’a pas pu être examiné :',
    failing: 'Échec : {n} constat de gravité « {severity} » ou plus.|Échec : {n} constats de gravité « {severity} » ou plus.',
    failingNew:
      'Échec : {n} nouveau constat de gravité « {severity} » ou plus.|Échec : {n} nouveaux constats de gravité « {severity} » ou plus.',
    also: 'aussi : ',
    why: 'pourquoi : ',
    fix: 'correction : ',
    severity: 'gravité : ',
    flow: 'flux : ',
    suppress: 'masquer : ',
    reason: 'raison',
    upgrades: 'Mises à niveau : ',
    move: '{name} {from} vers {to} ou plus récent',
    breaking: 'changement majeur',
    below: 'et ce dont il dépend ({names})',
    parent: '{name} {from} vers une version qui n’exige plus ces versions de {names}',
    unfixed: '{name} {from}, sans version corrigée',
    advisories: '{n} avis de sécurité : {title}|{n} avis de sécurité, le plus grave : {title}',
    development: 'Pour le développement seulement : {n} avis de sécurité dans {packages}.',
    packages: '{n} paquet|{n} paquets',
    more: '{n} autre paquet ; --details énumère ses avis de sécurité.|{n} autres paquets ; --details énumère leurs avis de sécurité.',
    new: 'Nouveaux : {n}',
    fixed: 'Corrigés : {n}',
    unchanged: 'Inchangés : {n}',
    changed: 'Gravité modifiée : {n}',
    changedHead: 'Gravités modifiées',
    packagesHead: 'Avis de sécurité par paquet',
    advisoriesNew: '{n} nouveau|{n} nouveaux',
    advisoriesFixed: '{n} corrigé|{n} corrigés',
    advisoriesSame: '{n} inchangé|{n} inchangés',
    baselineWritten: 'Référence écrite : {n} constat dans {file}.|Référence écrite : {n} constats dans {file}.',
    baselineGone:
      '{n} constat de la référence a disparu : --write-baseline le retire.|{n} constats de la référence ont disparu : --write-baseline les retire.',
    advisoriesWritten: 'Avis de sécurité écrits : {n} sur {packages} dans {file}.',
    databaseUnreachable: 'La base de vulnérabilités {url} n’a pas répondu.',
    notWritten: '{file} ne peut pas être écrit.',
    watching: 'Surveillance de {folder} ; Ctrl-C y met fin.',
    watchFault: 'Certains changements passeront inaperçus : une partie du dossier ne peut pas être surveillée ({code}).',
    gone: 'disparu : ',
    cacheRefused:
      'Le dossier des résultats conservés, {folder}, se trouve dans le projet, qui pourrait apporter ses propres résultats. Indiquez-en un autre, ou utilisez --no-cache.',
    cacheIgnored:
      'Rien n’est conservé : le dossier de cache que l’environnement indique, {folder}, se trouve dans le projet, qui pourrait apporter ses propres résultats.',
    configWritten: 'Écrit : {file}. Son schéma décrit chaque réglage à votre éditeur.',
  },
}

/** A text of the terminal, its placeholders filled; of two forms (`one|other`) the one that `n` asks for. */
export function say(locale: Locale, word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  const { n } = values
  const text = pluralForm(WORDS[locale][word], typeof n === 'number' ? n : undefined, locale)
  return text.replaceAll(/\{(\w{1,20})\}/g, (whole, name: string) => String(values[name] ?? whole))
}

export const PHASES: Localized<Readonly<Record<ScanPhase, string>>> = {
  en: {
    waiting: 'Waiting for a free slot',
    reading: 'Reading {done} of {total} files',
    asking: 'Looking up advisories',
    checking: 'Checking rules',
    reporting: 'Writing the report',
  },
  fr: {
    waiting: 'En attente d’une place libre',
    reading: 'Lecture de {done} fichiers sur {total}',
    asking: 'Recherche d’avis de sécurité',
    checking: 'Vérification des règles',
    reporting: 'Rédaction du rapport',
  },
}
