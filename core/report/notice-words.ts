import type { Locale } from '../types.ts'

type Words = Readonly<Record<Locale, string>>

/** The words of every notice, by `code/reason`. Placeholders come from the notice's args. */
const WORDS: Readonly<Record<string, Words>> = {
  'file-unreadable/syntax': {
    en: 'The file does not parse; only credentials were looked for in it.',
    fr: 'Le fichier ne peut pas être analysé syntaxiquement ; seuls les secrets y ont été cherchés.',
  },
  'file-unreadable/too-deep': {
    en: 'The file is nested too deeply, or written so that parsing it would take too long; only credentials were looked for in it.',
    fr: 'Le fichier est imbriqué trop profondément, ou écrit de telle sorte que son analyse durerait trop longtemps ; seuls les secrets y ont été cherchés.',
  },
  'file-unreadable/inline-script': {
    en: 'An inline script of the page does not parse; the rest of the page was checked.',
    fr: 'Un script intégré à la page ne peut pas être analysé ; le reste de la page a été contrôlé.',
  },
  'file-unreadable/parts': {
    en: 'Parts of the file do not parse and were skipped; the rest was checked.',
    fr: 'Des parties du fichier ne peuvent pas être analysées et ont été ignorées ; le reste a été contrôlé.',
  },
  'file-unreadable/binary': {
    en: 'The file contains NUL bytes where text is expected; it was not read.',
    fr: 'Le fichier contient des octets nuls là où du texte est attendu ; il n’a pas été lu.',
  },
  'file-unreadable/fault': {
    en: 'Parapet failed on this file; only credentials were looked for in it. Please report it.',
    fr: 'Parapet a échoué sur ce fichier ; seuls les secrets y ont été cherchés. Merci de le signaler.',
  },
  'file-unreadable/gone': {
    en: 'The file could not be read, or changed while it was read.',
    fr: 'Le fichier n’a pas pu être lu, ou a changé pendant la lecture.',
  },
  'file-too-large/not-read': {
    en: 'The file has {size} bytes, more than the limit of {limit}: it was not read.',
    fr: 'Le fichier compte {size} octets, plus que la limite de {limit} : il n’a pas été lu.',
  },
  'file-too-large/not-parsed': {
    en: 'The file has {size} bytes, more than the parse limit of {limit}: only credentials were looked for in it.',
    fr: 'Le fichier compte {size} octets, plus que la limite d’analyse de {limit} : seuls les secrets y ont été cherchés.',
  },
  'file-skipped/link': { en: 'A link; links are never followed.', fr: 'Un lien ; les liens ne sont jamais suivis.' },
  'file-skipped/inner-link': {
    en: 'A link within the project; it was not followed, and what it leads to is treated where it lies.',
    fr: 'Un lien interne au projet ; il n’a pas été suivi, et ce à quoi il mène est traité à son emplacement.',
  },
  'file-skipped/special': {
    en: 'Not a regular file; it was not read.',
    fr: 'Ce n’est pas un fichier ordinaire ; il n’a pas été lu.',
  },
  'file-skipped/key-store': {
    en: 'A key store or a kernel file system; it is never scanned.',
    fr: 'Un magasin de clés ou un système de fichiers du noyau ; il n’est jamais parcouru.',
  },
  'file-skipped/unreadable': { en: 'The folder can’t be read.', fr: 'Le dossier ne peut pas être lu.' },
  'file-skipped/archive': {
    en: 'An archive inside the project; it was not opened.',
    fr: 'Une archive à l’intérieur du projet ; elle n’a pas été ouverte.',
  },
  'file-skipped/binary': {
    en: 'Binary files left out: {count}.',
    fr: 'Fichiers binaires laissés de côté : {count}.',
  },
  'file-skipped/generated': {
    en: 'Generated files left out (build output, source maps, debug copies): {count}.',
    fr: 'Fichiers générés laissés de côté (sorties de build, source maps, copies de débogage) : {count}.',
  },
  'file-skipped/vendored': {
    en: 'Vendored files in which only credentials were looked for: {count}.',
    fr: 'Fichiers de tiers dans lesquels seuls les secrets ont été cherchés : {count}.',
  },
  'file-skipped/language': {
    en: 'Source files in languages that are not analysed ({languages}), in which only credentials were looked for: {count}.',
    fr: 'Fichiers source dans des langages qui ne sont pas analysés ({languages}), dans lesquels seuls les secrets ont été cherchés : {count}.',
  },
  'file-skipped/partly': {
    en: 'Source files in languages of which only some calls and settings are checked, without following data ({languages}): {count}.',
    fr: 'Fichiers source dans des langages dont seuls certains appels et réglages sont vérifiés, sans suivre les données ({languages}) : {count}.',
  },
  'file-skipped/minified': {
    en: 'Minified files in which only credentials were looked for: {count}.',
    fr: 'Fichiers minifiés dans lesquels seuls les secrets ont été cherchés : {count}.',
  },
  'file-skipped/beyond': {
    en: 'Vendored, minified and plain text files beyond the limit of what is analysed, in which no credentials were looked for: {count}.',
    fr: 'Fichiers de tiers, fichiers minifiés et simples fichiers texte au-delà de la limite de ce qui est analysé, dans lesquels aucun secret n’a été cherché : {count}.',
  },
  'file-skipped/excluded': {
    en: 'Files that the project’s parapet.config.json excludes: {count}.',
    fr: 'Fichiers exclus par le parapet.config.json du projet : {count}.',
  },
  'file-skipped/installed': {
    en: 'Folders of installed dependencies left out: {count}.',
    fr: 'Dossiers de dépendances installées laissés de côté : {count}.',
  },
  'rule-failed/error': {
    en: 'The rule failed on this; all other rules were run. Please report it.',
    fr: 'La règle a échoué ici ; toutes les autres ont été exécutées. Merci de le signaler.',
  },
  'rule-failed/model': {
    en: 'A part of the project could not be modelled ({part}); its rules were not run. Please report it.',
    fr: 'Une partie du projet n’a pas pu être modélisée ({part}) ; ses règles n’ont pas été exécutées. Merci de le signaler.',
  },
  'file-skipped/flow': {
    en: 'The project contains more than 2 MiB of scripts: in the browser the data flow was followed only through scripts with a dangerous call or with a method that returns the answer to a request, and scripts without a word that a rule looks for were checked for credentials only.',
    fr: 'Le projet contient plus de 2 Mio de scripts : côté navigateur, le flux de données n’a été suivi que dans les scripts contenant un appel dangereux ou une méthode qui renvoie la réponse à une requête, et les scripts sans aucun mot recherché par une règle n’ont été examinés que pour les identifiants.',
  },
  'time-limit/steps': {
    en: 'The step budget was used up; the rule did not finish here.',
    fr: 'Le budget d’étapes est épuisé ; la règle n’a pas terminé ici.',
  },
  'time-limit/file': {
    en: 'The step budget of the file was used up; not all rules finished on it.',
    fr: 'Le budget d’étapes du fichier est épuisé ; toutes les règles n’y ont pas terminé.',
  },
  'time-limit/decoding': {
    en: 'The file contains more base64 than Parapet decodes; credentials in the rest of it were not looked for.',
    fr: 'Le fichier contient plus de base64 que Parapet n’en décode ; les secrets n’ont pas été cherchés dans le reste.',
  },
  'time-limit/flow': {
    en: 'The step budget for the data flow of {app} was used up; what was found until then is reported.',
    fr: 'Le budget d’étapes du flux de données de {app} est épuisé ; ce qui a été trouvé jusque-là est rapporté.',
  },
  'time-limit/flow-apps': {
    en: 'Data flow by app: followed whole: {whole}; in part: {part}; not at all, since the time was over: {none}.',
    fr: 'Flux de données par application : suivi en entier : {whole} ; en partie : {part} ; pas du tout, le temps étant écoulé : {none}.',
  },
  'time-limit/model': {
    en: 'A part of the project is too complex to be modelled within the step budget ({part}); its rules were not run.',
    fr: 'Une partie du projet est trop complexe pour être modélisée dans le budget d’étapes ({part}) ; ses règles n’ont pas été exécutées.',
  },
  'time-limit/scan': {
    en: 'The scan reached its time limit; it reports what was found until then.',
    fr: 'L’analyse a atteint sa limite de temps ; elle rapporte ce qui a été trouvé jusque-là.',
  },
  'memory-limit/worker': {
    en: 'The scan reached its memory limit; it reports what was found until then.',
    fr: 'L’analyse a atteint sa limite de mémoire ; elle rapporte ce qui a été trouvé jusque-là.',
  },
  'memory-limit/flow': {
    en: 'The project holds more sources and sinks than fit into memory; the data flow of its last files was not followed: {count}.',
    fr: 'Le projet contient plus de sources et de puits que la mémoire n’en accueille ; le flux de données de ses derniers fichiers n’a pas été suivi : {count}.',
  },
  'findings-capped/rule-and-file': {
    en: 'More findings of this rule in this file were left out: {count}.',
    fr: 'D’autres constats de cette règle dans ce fichier ont été laissés de côté : {count}.',
  },
  'findings-capped/report': {
    en: 'The report is full; less severe findings were left out: {count}.',
    fr: 'Le rapport est plein ; des constats moins graves ont été laissés de côté : {count}.',
  },
  'findings-capped/suppressed': {
    en: 'More findings that the project suppresses were left out: {count}.',
    fr: 'D’autres constats que le projet masque ont été laissés de côté : {count}.',
  },
  'findings-capped/occurrences': {
    en: 'More places of findings were left out: {count}.',
    fr: 'D’autres emplacements de constats ont été laissés de côté : {count}.',
  },
  'advisories-unavailable/unreachable': {
    en: 'The vulnerability database did not answer; the bundled snapshot was used instead.',
    fr: 'La base de vulnérabilités n’a pas répondu ; l’instantané fourni a été utilisé à la place.',
  },
  'advisories-unavailable/too-many': {
    en: 'The project has {all} packages and versions; advisories were looked up for {count} of them, at most 100 versions of a package.',
    fr: 'Le projet compte {all} paquets et versions ; les avis de sécurité ont été cherchés pour {count} d’entre eux, au plus 100 versions par paquet.',
  },
  'catalogue-unavailable/unreachable': {
    en: 'The UI5 catalogue did not answer; an earlier copy was used instead.',
    fr: 'Le catalogue UI5 n’a pas répondu ; une copie antérieure a été utilisée à la place.',
  },
  'settings-applied/flow': {
    en: 'Functions that parapet.config.json names for the data flow: {names}.',
    fr: 'Fonctions que parapet.config.json nomme pour le flux de données : {names}.',
  },
  'settings-applied/grades': {
    en: 'Settings of parapet.config.json that grades follow: {names}.',
    fr: 'Réglages de parapet.config.json que suivent les gravités : {names}.',
  },
  'suppressions-ignored/grade-no-reason': {
    en: 'The setting of {name} has no reason ({place}); it changes no grade.',
    fr: 'Le réglage de {name} n’a pas de raison ({place}) ; il ne change aucune gravité.',
  },
  'suppressions-ignored/grade-unused': {
    en: 'There is no file, service or rule {name}; the setting changes no grade.',
    fr: 'Aucun fichier, service ni règle {name} ; le réglage ne change aucune gravité.',
  },
  'suppressions-ignored/grade-no-target': {
    en: 'The entry {place} names neither a path nor a service; it changes no grade.',
    fr: 'L’entrée {place} ne nomme ni path ni service ; elle ne change aucune gravité.',
  },
  'suppressions-ignored/config-unknown-member': {
    en: 'The setting "{name}" is not known; it has no effect.',
    fr: 'Le réglage « {name} » n’est pas connu ; il n’a aucun effet.',
  },
  'suppressions-ignored/config-unknown-in-entry': {
    en: 'The member "{name}" is not known; its whole entry has no effect.',
    fr: 'Le membre « {name} » n’est pas connu ; toute l’entrée reste sans effet.',
  },
  'suppressions-ignored/config-wrong-value': {
    en: 'The value of "{name}" is not one that this setting takes; it has no effect.',
    fr: 'La valeur de « {name} » n’est pas admise par ce réglage ; elle reste sans effet.',
  },
  'suppressions-ignored/config-not-json': {
    en: 'The file is not valid JSON from line {line} on; it was ignored.',
    fr: 'Le fichier n’est pas un JSON valide à partir de la ligne {line} ; il a été ignoré.',
  },
  'suppressions-ignored/config-invalid': {
    en: 'The file can’t be read as a JSON object; it was ignored.',
    fr: 'Le fichier ne peut pas être lu comme un objet JSON ; il a été ignoré.',
  },
  'suppressions-ignored/config-no-target': {
    en: 'The entry {place} names neither an id nor a rule; it hides nothing.',
    fr: 'L’entrée {place} ne nomme ni id ni rule ; elle ne masque rien.',
  },
  'suppressions-ignored/config-no-reason': {
    en: 'The suppression of {name} has no reason ({place}); it hides nothing.',
    fr: 'Le masquage de {name} n’a pas de raison ({place}) ; il ne masque rien.',
  },
  'suppressions-ignored/config-expired': {
    en: 'The suppression of {name} has expired ({place}); it hides nothing any more.',
    fr: 'Le masquage de {name} a expiré ({place}) ; il ne masque plus rien.',
  },
  'suppressions-ignored/config-too-costly': {
    en: 'Its patterns take too long to match against the paths of this project; those that were not matched hide nothing.',
    fr: 'Ses motifs sont trop longs à comparer aux chemins de ce projet ; ceux qui n’ont pas été comparés ne masquent rien.',
  },
  'suppressions-ignored/config-unused': {
    en: 'The suppression of {name} matches no finding.',
    fr: 'Le masquage de {name} ne correspond à aucun constat.',
  },
  'suppressions-ignored/config-unknown-rule': {
    en: 'The suppression of {name} matches no finding: there is no such rule ({place}). parapet rules lists them.',
    fr: 'Le masquage de {name} ne correspond à aucun constat : cette règle n’existe pas ({place}). parapet rules les énumère.',
  },
  'suppressions-ignored/config-misspelt': {
    en: 'The suppression of {name} matches no finding: there is no such rule ({place}). Did you mean {meant}?',
    fr: 'Le masquage de {name} ne correspond à aucun constat : cette règle n’existe pas ({place}). Vouliez-vous dire {meant} ?',
  },
  'suppressions-ignored/config-partial': {
    en: 'The suppression of {name} covers one of several advisories that are one finding now; it hides nothing. Suppress the id of that finding.',
    fr: 'Le masquage de {name} ne couvre qu’un des avis de sécurité désormais réunis en un seul constat ; il ne masque rien. Masquez l’id de ce constat.',
  },
  'suppressions-ignored/marker-no-reason': {
    en: 'The comment in line {line} names no rule or gives no reason (to be written behind the dashes); it hides nothing.',
    fr: 'Le commentaire de la ligne {line} ne nomme pas de règle ou ne donne pas de raison (à écrire après les tirets) ; il ne masque rien.',
  },
  'suppressions-ignored/marker-unused': {
    en: 'The comment in line {line} matches no finding.',
    fr: 'Le commentaire de la ligne {line} ne correspond à aucun constat.',
  },
  'suppressions-ignored/marker-unknown-rule': {
    en: 'The comment in line {line} matches no finding: there is no rule {name}. parapet rules lists them.',
    fr: 'Le commentaire de la ligne {line} ne correspond à aucun constat : la règle {name} n’existe pas. parapet rules les énumère.',
  },
  'suppressions-ignored/marker-misspelt': {
    en: 'The comment in line {line} matches no finding: there is no rule {name}. Did you mean {meant}?',
    fr: 'Le commentaire de la ligne {line} ne correspond à aucun constat : la règle {name} n’existe pas. Vouliez-vous dire {meant} ?',
  },
  'file-skipped/notices': {
    en: 'More notices were left out: {count}.',
    fr: 'D’autres remarques ont été laissées de côté : {count}.',
  },
}

/** All `code/reason` pairs that have words; a test compares them with those that the code emits. */
export const NOTICE_KEYS: readonly string[] = Object.keys(WORDS)

/** The words of a notice, by `code/reason`; undefined: it has none. On the edge they are a part of their own, loaded with the texts of the rules. */
export const noticeWords = (key: string): Words | undefined => WORDS[key]
