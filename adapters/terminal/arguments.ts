import { parseArgs } from 'node:util'
import {
  AREAS,
  EXPORT_FORMATS,
  LOCALES,
  SEVERITIES,
  type Area,
  type ExportFormat,
  type Locale,
  type Localized,
  type Severity,
} from '../../core/index.ts'
import { findNearMiss } from '../../core/host.ts'
import { readRule } from './find-rules.ts'
import { readSourceUrl } from './source-url.ts'
import { UsageFault } from './usage.ts'

export type Format = 'text' | 'json' | ExportFormat

/** One format, and the file that it goes to; without: standard output. */
export interface OutputRequest {
  readonly format: Format
  readonly file?: string
}

export interface Arguments {
  readonly command: string | undefined
  readonly operands: readonly string[]
  readonly help: boolean
  readonly version: boolean
  readonly locale: Locale
  readonly outputs: readonly OutputRequest[]
  /** `NEVER` turns off what the configuration of a project says. */
  readonly failOn?: Severity | 'NEVER'
  readonly minSeverity?: Severity
  readonly areas: readonly Area[]
  readonly rules: readonly string[]
  readonly baseline?: string
  readonly writeBaseline: boolean
  readonly changedSince?: string
  readonly details: boolean
  readonly quiet: boolean
  readonly includeSuppressed: boolean
  readonly rulesUrl?: string
  /** Where results of files are kept for the next scan; false: nowhere. */
  readonly cache: boolean
  readonly cacheDir?: string
  /** Threads that share a scan, its own among them; without it as many as there are processors. */
  readonly jobs?: number
  /** Where the source is shown: an https address as the service takes it, its commit not yet filled in. */
  readonly sourceUrl?: string
  /** The service that scans instead. */
  readonly server?: string
  /** Of Git's data, where it says none. */
  readonly branch?: string
  /** The same of its tag. */
  readonly release?: string
  readonly failOnNew?: Severity
  /** Of many projects: what an earlier run has done is not done again. */
  readonly resume: boolean
}

const FORMATS: readonly Format[] = ['text', 'json', ...EXPORT_FORMATS]

const THRESHOLDS = [...SEVERITIES, 'NEVER'] as const

const OPTIONS = {
  format: { type: 'string', short: 'f', multiple: true },
  output: { type: 'string', short: 'o', multiple: true },
  json: { type: 'boolean' },
  lang: { type: 'string' },
  'fail-on': { type: 'string' },
  'min-severity': { type: 'string' },
  area: { type: 'string', multiple: true },
  rule: { type: 'string', multiple: true },
  baseline: { type: 'string' },
  'write-baseline': { type: 'boolean' },
  'changed-since': { type: 'string' },
  details: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  'sarif-include-suppressed': { type: 'boolean' },
  'rules-url': { type: 'string' },
  'source-url': { type: 'string' },
  server: { type: 'string' },
  branch: { type: 'string' },
  release: { type: 'string' },
  'fail-on-new': { type: 'string' },
  'no-cache': { type: 'boolean' },
  'cache-dir': { type: 'string' },
  jobs: { type: 'string', short: 'j' },
  resume: { type: 'boolean' },
  // editors add these to the command of a language server; it speaks by standard input and output anyway
  stdio: { type: 'boolean' },
  clientProcessId: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Environment = Readonly<Record<string, string | undefined>>

const languageOf = (environment: Environment): Locale => (environment['PARAPET_LANG'] === 'fr' ? 'fr' : 'en')

/** The language of a command line that may be wrong. */
export function guessLocale(args: readonly string[], environment: Environment): Locale {
  const given = args.flatMap((arg, index) =>
    arg === '--lang' ? (args[index + 1] ?? '') : arg.startsWith('--lang=') ? arg.slice(7) : [],
  )
  return LOCALES.find((locale) => given.some((name) => name.toLowerCase() === locale)) ?? languageOf(environment)
}

/** Reads the command line; the environment says the language where it does not. Throws a UsageFault. */
export function readArguments(args: readonly string[], environment: Environment = {}): Arguments {
  const given = parse(args)
  const [command, ...operands] = given.positionals
  const [help, version] = [given.values.help === true, given.values.version === true]
  // whoever asks for help may not know yet what else has to be given, and how
  const isQuestion = help || version
  const { values, tokens } = isQuestion ? parse([]) : given
  return {
    command,
    operands,
    help,
    version,
    locale: isQuestion
      ? guessLocale(args, environment)
      : (choose('--lang', values.lang?.toLowerCase(), LOCALES) ?? languageOf(environment)),
    outputs: command === 'scan-all' && !isQuestion ? outputsInFolder(values, tokens) : pairOutputs(tokens),
    ...readThresholds(values),
    areas: (values.area ?? []).flatMap((area) => choose('--area', area.toLowerCase(), AREAS) ?? []),
    rules: (values.rule ?? []).map(readRule),
    baseline: values.baseline,
    writeBaseline: values['write-baseline'] === true,
    changedSince: values['changed-since'],
    details: values.details === true,
    quiet: values.quiet === true,
    includeSuppressed: values['sarif-include-suppressed'] === true,
    rulesUrl: values['rules-url'],
    sourceUrl: readSourceUrl(values['source-url']),
    ...readServer(values),
    cache: values['no-cache'] !== true,
    cacheDir: values['cache-dir'],
    jobs: readJobs(values.jobs),
    resume: readResume(command, values.resume),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, tokens: true, options: OPTIONS })
  } catch (error) {
    throw new UsageFault(explainFault(error))
  }
}

/** What Node.js says of wrong options, and of one that does not exist which one was meant: its own advice is about operands. */
function explainFault(error: unknown): Localized<string> {
  if (!(error instanceof Error)) return { en: '', fr: '' }
  const [, option] = /^Unknown option '(-[^']{1,50})'/.exec(error.message) ?? []
  if (option === undefined) return { en: error.message, fr: error.message }
  const other = ELSEWHERE[option]
  if (other !== undefined) return other
  const meant = option.startsWith('--') ? findNearMiss(option.slice(2), Object.keys(OPTIONS)) : undefined
  return {
    en: `There is no option ${option}${meant === undefined ? '' : `: did you mean --${meant}?`}`,
    fr: `Il n’y a pas d’option ${option}${meant === undefined ? '' : ` : vouliez-vous dire --${meant} ?`}`,
  }
}

/** What other programs take as an option, and this one from the environment. */
const ELSEWHERE: Readonly<Record<string, Localized<string>>> = {
  '--no-color': fromEnvironment('--no-color', 'NO_COLOR=1 parapet scan .'),
  '--color': fromEnvironment('--color', 'FORCE_COLOR=1 parapet scan .'),
  '--port': fromEnvironment('--port', 'PORT=8080 parapet serve'),
  '--host': fromEnvironment('--host', 'HOST=127.0.0.1 parapet serve'),
}

function fromEnvironment(option: string, command: string): Localized<string> {
  return {
    en: `There is no option ${option}: it is set by the environment (${command})`,
    fr: `Il n’y a pas d’option ${option} : l’environnement le dit (${command})`,
  }
}

/** As other programs have it. */
const STANDARD_OUTPUT = '-'

const LONE_OUTPUT = {
  en: 'Each --output belongs to a --format, before or after it: -f json -o FILE',
  fr: 'Chaque --output va avec un --format, avant ou après lui : -f json -o FILE',
}

/** `-f sarif -o a.sarif -f text`: a file belongs to the format before it; where that has one, or there is none, to the next one: `-o a.sarif -f sarif`. */
function pairOutputs(tokens: ReturnType<typeof parse>['tokens']): OutputRequest[] {
  const outputs: OutputRequest[] = []
  let waiting: string | undefined
  const add = (format: Format): void => {
    outputs.push(waiting === undefined ? { format } : { format, file: waiting })
    waiting = undefined
  }
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    if (token.name === 'json') add('json')
    if (token.name === 'format') add(readFormat(token.value) ?? 'text')
    if (token.name !== 'output') continue
    const last = outputs.pop()
    if (waiting !== undefined) throw new UsageFault(LONE_OUTPUT)
    if (last !== undefined && last.file === undefined) outputs.push({ ...last, file: token.value })
    else {
      if (last !== undefined) outputs.push(last)
      waiting = token.value
    }
  }
  if (waiting !== undefined) throw new UsageFault(LONE_OUTPUT)
  const named = outputs.map(({ format, file }) =>
    file === undefined || file === STANDARD_OUTPUT ? { format } : { format, file },
  )
  if (named.filter(({ file }) => file === undefined).length > 1)
    throw new UsageFault({
      en: 'Only one --format can go to standard output: give the others an --output',
      fr: 'Un seul --format peut aller sur la sortie standard : donnez un --output aux autres',
    })
  return named.length === 0 ? [{ format: 'text' }] : named
}

/** Of many projects: each format once, JSON without any, all of them in the one folder. */
function outputsInFolder(
  { output = [] }: { readonly output?: readonly string[] | undefined },
  tokens: ReturnType<typeof parse>['tokens'],
): OutputRequest[] {
  const [folder, ...others] = output
  if (folder === undefined || ['', STANDARD_OUTPUT].includes(folder) || others.length > 0)
    throw new UsageFault({
      en: 'parapet scan-all takes one --output: the folder for its reports',
      fr: 'parapet scan-all attend un --output : le dossier de ses rapports',
    })
  const formats = tokens.flatMap((token): readonly Format[] => {
    if (token.kind !== 'option') return []
    if (token.name === 'json') return ['json']
    return token.name === 'format' ? [readFormat(token.value) ?? 'json'] : []
  })
  return [...new Set(formats.length === 0 ? (['json'] as const) : formats)].map((format) => ({ format, file: folder }))
}

interface ThresholdValues {
  readonly 'fail-on'?: string
  readonly 'fail-on-new'?: string
  readonly 'min-severity'?: string
}

function readThresholds(values: ThresholdValues): Pick<Arguments, 'failOn' | 'failOnNew' | 'minSeverity'> {
  const failOn = choose('--fail-on', values['fail-on']?.toUpperCase(), THRESHOLDS)
  const failOnNew = readSeverity('--fail-on-new', values['fail-on-new'])
  const minSeverity = readSeverity('--min-severity', values['min-severity'])
  checkMinimum({ minSeverity }, '--fail-on', failOn === 'NEVER' ? undefined : failOn)
  checkMinimum({ minSeverity }, '--fail-on-new', failOnNew)
  return { failOn, failOnNew, minSeverity }
}

function readResume(command: string | undefined, value: boolean | undefined): boolean {
  if (value === true && command !== 'scan-all')
    throw new UsageFault({ en: '--resume goes with parapet scan-all', fr: '--resume va avec parapet scan-all' })
  return value === true
}

interface ServerValues {
  readonly server?: string
  readonly branch?: string
  readonly release?: string
  readonly 'fail-on-new'?: string
}

function readServer(values: ServerValues) {
  const { server, branch, release } = values
  if (server === undefined && [branch, release, values['fail-on-new']].some((value) => value !== undefined))
    throw new UsageFault({
      en: '--branch, --release and --fail-on-new go with --server: it knows the scans before',
      fr: '--branch, --release et --fail-on-new vont avec --server : lui connaît les analyses précédentes',
    })
  return { server, branch, release }
}

const MOST_JOBS = 64

function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (jobs < 1 || jobs > MOST_JOBS)
    throw new UsageFault({
      en: `--jobs takes a whole number from 1 to ${MOST_JOBS}`,
      fr: `--jobs attend un nombre entier de 1 à ${MOST_JOBS}`,
    })
  return jobs
}

const readFormat = (text: string | undefined): Format | undefined => choose('--format', text?.toLowerCase(), FORMATS)

/** A severity by its name in any case. */
export function readSeverity(flag: string, text: string | undefined): Severity | undefined {
  return choose(flag, text?.toUpperCase(), SEVERITIES)
}

/** At or above which a finding fails the run: the command line goes before the `failOn` of a configuration, where it asks for new findings alone too. */
export function thresholdOf(
  { failOn, failOnNew }: Pick<Arguments, 'failOn' | 'failOnNew'>,
  configured: string | undefined,
): Severity | undefined {
  if (failOn !== undefined) return failOn === 'NEVER' ? undefined : failOn
  return failOnNew === undefined ? readSeverity('failOn', configured) : undefined
}

/** Throws a UsageFault where findings that shall fail the run would be left out of it. `flag`: where the threshold stands. */
export function checkMinimum(
  { minSeverity }: Pick<Arguments, 'minSeverity'>,
  flag: string,
  threshold: Severity | undefined,
): void {
  if (minSeverity === undefined || threshold === undefined) return
  if (SEVERITIES.indexOf(minSeverity) >= SEVERITIES.indexOf(threshold)) return
  const [least, most] = [minSeverity.toLowerCase(), threshold.toLowerCase()]
  throw new UsageFault({
    en: `--min-severity ${least} leaves out findings that ${flag} (${most}) counts: it may be ${most} at most`,
    fr: `--min-severity ${least} écarte des constats que ${flag} (${most}) compte : il peut être ${most} au plus`,
  })
}

/** The same of the threshold of a configuration, where it holds. */
export function checkConfiguredMinimum(args: Arguments, threshold: Severity | undefined): void {
  if (args.failOn === undefined) checkMinimum(args, '"failOn" of parapet.config.json', threshold)
}

function choose<Value extends string>(flag: string, text: string | undefined, values: readonly Value[]): Value | undefined {
  if (text === undefined) return undefined
  const found = values.find((value) => value === text)
  if (found === undefined) throw new UsageFault(wrongValue(flag, text, values))
  return found
}

function wrongValue(flag: string, text: string, values: readonly string[]): Localized<string> {
  const known = values.join(', ').toLowerCase()
  const isList = flag === '--format' && text.includes(',')
  return {
    en: isList ? 'Several formats are given one by one: -f json -o a.json -f sarif -o a.sarif' : `${flag} takes ${known}`,
    fr: isList ? 'Plusieurs formats se donnent un par un : -f json -o a.json -f sarif -o a.sarif' : `${flag} attend ${known}`,
  }
}
