import type { Locale, Localized } from '../../core/index.ts'

/** A line of the help: a command or an option as it is written, and what it does. */
interface Line {
  readonly usage: string | Localized<string>
  readonly en: string
  readonly fr: string
  /** Of an option: the commands that heed it; without it those that scan. */
  readonly of?: readonly string[]
  /** In the help of these commands alone: that of all has another line about the option. */
  readonly alone?: true
}

interface Command extends Line {
  readonly name: string
}

const SCANNING: readonly string[] = ['scan', 'scan-all', 'watch', 'compare']

const COMMANDS: readonly Command[] = [
  { name: 'scan', usage: { en: '<folder or zip> [options]', fr: '<dossier ou zip> [options]' }, en: '', fr: '' },
  {
    name: 'scan-all',
    usage: { en: '<path...> --output DIR', fr: '<chemin...> --output DIR' },
    en: 'many projects: folders, ZIPs, folders of repositories, text files with a path a line',
    fr: 'plusieurs projets : dossiers, ZIP, dossiers de dépôts, fichiers texte avec un chemin par ligne',
  },
  {
    name: 'watch',
    usage: { en: '[folder] [options]', fr: '[dossier] [options]' },
    en: 'again after each change, what is new and what is gone; text or json (a line each)',
    fr: 'de nouveau après chaque changement, ce qui est nouveau et ce qui a disparu ; text ou json (une ligne chacun)',
  },
  {
    name: 'lsp',
    usage: '',
    en: 'for editors: findings while you type, by the Language Server Protocol',
    fr: 'pour les éditeurs : les constats pendant la saisie, par le Language Server Protocol',
  },
  {
    name: 'compare',
    usage: { en: '<before> <after> [options]', fr: '<avant> <après> [options]' },
    en: 'reports in JSON, folders or ZIPs: what is new, what is fixed',
    fr: 'rapports en JSON, dossiers ou ZIP : ce qui est nouveau, ce qui est corrigé',
  },
  {
    name: 'explain',
    usage: { en: '<rule>', fr: '<règle>' },
    en: 'what a rule finds, why, and how to fix it',
    fr: 'ce qu’une règle trouve, pourquoi et comment le corriger',
  },
  {
    name: 'rules',
    usage: { en: '[text] [--area AREA]', fr: '[texte] [--area AREA]' },
    en: 'all rules, or those with the text in their id or title',
    fr: 'toutes les règles, ou celles qui ont le texte dans leur id ou leur titre',
  },
  {
    name: 'advisories',
    usage: { en: 'fetch FILE [folder or zip]', fr: 'fetch FILE [dossier ou zip]' },
    en: 'for PARAPET_ADVISORIES=/absolute/FILE: of a project, or of SAP packages',
    fr: 'pour PARAPET_ADVISORIES=/chemin/absolu/FILE : d’un projet, ou des paquets de SAP',
  },
  { name: 'init', usage: '', en: 'writes parapet.config.json', fr: 'écrit parapet.config.json' },
  {
    name: 'serve',
    usage: '',
    en: 'the service; HOST, PORT and PARAPET_* set it',
    fr: 'le service ; HOST, PORT et PARAPET_* le règlent',
  },
  {
    name: 'worker',
    usage: '',
    en: 'carries out scans of the queue that PARAPET_QUEUE names',
    fr: 'exécute les analyses de la file que nomme PARAPET_QUEUE',
  },
]

const ONE = ['scan']

const WRITING = ['scan', 'scan-all', 'compare']

const OPTIONS: readonly Line[] = [
  {
    usage: '-f, --format FORMAT',
    en: 'text, json, sarif, sbom, html, markdown, junit or gitlab; several with an --output each',
    fr: 'text, json, sarif, sbom, html, markdown, junit ou gitlab ; plusieurs avec un --output chacun',
    of: WRITING,
  },
  { usage: '-f, --format FORMAT', en: 'text or json', fr: 'text ou json', of: ['watch'], alone: true },
  {
    usage: '-o, --output FILE',
    en: 'where the format beside it goes (-f sarif -o FILE, or -o FILE -f sarif); without, or with -: standard output',
    fr: 'où va le format voisin (-f sarif -o FILE, ou -o FILE -f sarif) ; sinon, ou avec -, la sortie standard',
    of: WRITING,
  },
  {
    usage: '    --fail-on SEVERITY',
    en: 'exit code 1 for findings at or above critical, high, medium, low or info; never: whatever the configuration says',
    fr: 'code de sortie 1 pour les constats de gravité critical, high, medium, low ou info, ou plus ; never : jamais, quoi que dise la configuration',
    of: WRITING,
  },
  {
    usage: '    --min-severity SEVERITY',
    en: 'tell only findings at or above; not above --fail-on',
    fr: 'seulement les constats de cette gravité ou plus ; pas au-dessus de --fail-on',
  },
  {
    usage: '    --area AREA',
    en: 'tell only these areas (several times); --fail-on counts only what is told',
    fr: 'seulement ces domaines (plusieurs fois) ; --fail-on ne compte que ce qui est énuméré',
    of: [...SCANNING, 'rules'],
  },
  {
    usage: '    --rule RULE',
    en: 'tell only these rules (several times); --fail-on counts only what is told',
    fr: 'seulement ces règles (plusieurs fois) ; --fail-on ne compte que ce qui est énuméré',
    of: [...SCANNING, 'rules'],
  },
  { usage: '    --baseline FILE', en: "tell only what FILE doesn't list", fr: 'seulement ce que FILE n’énumère pas', of: ONE },
  {
    usage: '    --write-baseline',
    en: 'accept what is found now, in .parapet-baseline.json or the file of --baseline',
    fr: 'accepter ce qui est trouvé maintenant, dans .parapet-baseline.json ou le fichier de --baseline',
    of: ONE,
  },
  {
    usage: '    --changed-since REF',
    en: 'tell only what touches lines changed since a commit of Git',
    fr: 'seulement ce qui touche des lignes changées depuis un commit de Git',
    of: ONE,
  },
  {
    usage: '    --details',
    en: 'code, why, how to repair, data flow, how to suppress, every advisory',
    fr: 'code, pourquoi, comment corriger, flux de données, comment masquer, chaque avis de sécurité',
  },
  {
    usage: '    --source-url URL',
    en: 'where HTML and Markdown lead to: an https address with {path} (and {line}, {commit}), or of a folder or repository as its host shows it; without: the Git remote and commit',
    fr: 'où mènent HTML et Markdown : une adresse https avec {path} (et {line}, {commit}), ou celle d’un dossier ou d’un dépôt telle que son hôte la montre ; sinon le dépôt distant et le commit de Git',
    of: WRITING,
  },
  {
    usage: '    --server URL',
    en: "have a service scan it, with Git's branch, commit and tag (or --branch NAME, --release NAME); its token comes from PARAPET_TOKEN",
    fr: 'faire analyser par un service, avec la branche, le commit et le tag de Git (ou --branch NAME, --release NAME) ; son jeton vient de PARAPET_TOKEN',
    of: ['scan', 'scan-all'],
  },
  {
    usage: '    --fail-on-new SEVERITY',
    en: 'exit code 1 for what is new since the scan before and not decided, as the service knows it',
    fr: 'code de sortie 1 pour ce qui est nouveau depuis l’analyse précédente et sans décision, selon le service',
    of: ONE,
  },
  {
    usage: '    --sarif-include-suppressed',
    en: 'SARIF tells suppressed findings too',
    fr: 'SARIF énumère aussi les constats masqués',
    of: WRITING,
  },
  {
    usage: '    --rules-url URL',
    en: 'where the rule reference is published',
    fr: 'où la référence des règles est publiée',
    of: [...SCANNING, 'explain'],
  },
  {
    usage: '    --no-cache',
    en: "read every file anew; --cache-dir DIR keeps results of files there instead of in the user's cache folder",
    fr: 'relire chaque fichier ; --cache-dir DIR y garde les résultats des fichiers au lieu du dossier de cache de l’utilisateur',
    of: ['scan', 'compare', 'lsp'],
  },
  {
    usage: '-j, --jobs N',
    en: 'threads that share a scan; without: as many as there are processors (8 at most), where the project is large enough',
    fr: 'fils qui se partagent une analyse ; sinon autant que de processeurs (8 au plus), si le projet est assez grand',
  },
  {
    usage: '    --resume',
    en: 'leave out what an earlier run into the same folder has done and what has not changed since',
    fr: 'laisser de côté ce qu’une exécution précédente vers le même dossier a fait et qui n’a pas changé depuis',
    of: ['scan-all'],
  },
  { usage: '-q, --quiet', en: 'only the totals, no progress', fr: 'seulement les totaux, sans progression' },
  {
    usage: '    --lang en|fr',
    en: 'the language; without: PARAPET_LANG, else English',
    fr: 'la langue ; sinon PARAPET_LANG, ou l’anglais',
    of: [...SCANNING, 'explain', 'rules', 'advisories', 'init', 'lsp'],
  },
]

const WORDS: Localized<{ readonly usage: string; readonly one: string; readonly exits: string }> = {
  en: {
    usage: 'Usage: ',
    one: 'parapet <command> --help: the options of one command\n',
    exits:
      'Exit codes: 0 done · 1 findings at or above --fail-on · 2 usage, settings or a refused project · 3 not everything could be looked at · 4 internal fault; scan-all: the worst of 4, 2, 1, 3 and 0, and 130 when it was interrupted\n',
  },
  fr: {
    usage: 'Usage : ',
    one: 'parapet <commande> --help : les options d’une commande\n',
    exits:
      'Codes de sortie : 0 terminé · 1 constats de gravité --fail-on ou plus · 2 usage, réglages ou projet refusé · 3 tout n’a pas pu être examiné · 4 erreur interne ; scan-all : le pire de 4, 2, 1, 3 et 0, et 130 s’il a été interrompu\n',
  },
}

/** What `--help` prints: all commands and options, or those of one command. */
export function helpText(locale: Locale, command?: string): string {
  const words = WORDS[locale]
  const named = COMMANDS.filter(({ name }) => name === command)
  const shown = named.length === 0 ? COMMANDS : named
  const calls = shown.map((one) => [`parapet ${one.name} ${wordUsage(one, locale)}`.trimEnd(), one[locale]] as const)
  const margin = ' '.repeat(words.usage.length)
  const head = columns(calls, 2).map((line, index) => `${index === 0 ? words.usage : margin}${line}`)
  const options = OPTIONS.filter(({ of = SCANNING, alone = false }) => (named.length === 0 ? !alone : of.includes(command ?? '')))
  const listed = columns(
    options.map((option) => [wordUsage(option, locale), option[locale]] as const),
    2,
  ).map((line) => `  ${line}`)
  const exits = named.length === 0 || SCANNING.includes(command ?? '') ? ['', words.exits] : ['']
  return [...head, '', ...listed, ...(named.length === 0 ? ['', words.one.trimEnd()] : []), ...exits].join('\n')
}

const wordUsage = ({ usage }: Line, locale: Locale): string => (typeof usage === 'string' ? usage : usage[locale])

/** Two columns; the first is as wide as the widest that has something beside it. */
function columns(rows: readonly (readonly [string, string])[], gap: number): readonly string[] {
  const width = Math.max(...rows.map(([left, right]) => (right === '' ? 0 : left.length))) + gap
  return rows.map(([left, right]) => (right === '' ? left : left.padEnd(width) + right))
}
