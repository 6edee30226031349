import { isClosed, isOfBasicLogin } from './basic-logins.ts'
import type { Budget } from '../budget.ts'
import type { FileKind } from '../files.ts'
import type { Assignment } from './assignments.ts'
import type { Candidate, Rank } from './candidate.ts'
import { gradeAt, isShownWithLogin, type Needs } from './beside.ts'
import { weakenEvidence, type Grade } from './grade.ts'
import { countLook } from './layers.ts'
import { isInvented } from './invented.ts'
import { isIdOfPair } from './key-ids.ts'
import { isOfFilledForm, isOfPolicy } from './login-forms.ts'
import { logsOnToTenant } from './login-scripts.ts'
import { isDefaultPassword, isDrawn, isPassphrase } from './made-up.ts'
import { isOfBasicHeader } from './logon-calls.ts'
import { isNoValue, isRowKey, isSentHash } from './no-value.ts'
import { isOfPage } from './in-pages.ts'
import { isProvided } from './provided.ts'
import { findProviderRow } from './providers.ts'
import { isOfOneFile, isOfPublicData } from './public-data.ts'
import { isAppPassword, isOddlyCased, isRandomLooking, isWordLike } from './randomness.ts'
import { findSapRow } from './sap-context.ts'
import { isHandedOn, isSentToPublic, REQUESTS } from './sent-keys.ts'
import { isWholeServiceKey } from './service-keys.ts'
import { surroundingsOf } from './surroundings.ts'
import { ROW_BY_NAME } from './table/index.ts'
import { classifyHost, isWeak } from './values.ts'

/** The file that an assignment stands in. */
export interface JudgedFile {
  readonly path: string
  readonly text: string
  readonly kind: FileKind
  readonly isSample: boolean
  /** Texts for people, and minified code: only tokens that their shape gives away. */
  readonly isGenericSilent: boolean
}

/** What becomes of an assignment: a finding, a mask alone, or nothing. */
export type Judgement = { readonly candidate: Omit<Candidate, 'span'> } | { readonly mask: string } | undefined

/** Patterns of siblings, each tried on the whole text around a value. */
const SIBLING_PATTERNS = 4
/** Whether a value is a word, drawn, a placeholder: some microseconds. */
const STEPS_PER_VALUE = 40

/** The text of the layer that the offsets of assignments belong to. */
export interface JudgedText {
  readonly text: string
  /** Whether an assignment is that of a constant which nothing in the text compares with a password (`createComparedReader`). */
  readonly isUncompared: (assignment: Assignment) => boolean
}

/** Judges the value of an assignment. */
export function judgeAssignment(
  assignment: Assignment,
  { text, isUncompared }: JudgedText,
  file: JudgedFile,
  budget: Budget,
): Judgement {
  budget.step(STEPS_PER_VALUE + Math.ceil(assignment.value.length / 2))
  const value = unwrapped(assignment.value.trim().replace(/^(?:Bearer|Basic|Token|ApiKey|SSWS) +/i, ''))
  if (isNoValue(value, assignment) && !isSentHash(value, assignment, text)) return undefined
  if (isUncompared(assignment) || isRowKey(value, assignment, file.path)) return undefined
  budget.step(STEPS_PER_VALUE + value.length)
  if (file.isGenericSilent) return toMask(value, file)
  const around = surroundingsOf(text, assignment.nameStart, assignment.end)
  countLook(budget, around.length * SIBLING_PATTERNS)
  const found = findRow(assignment, value, around, text, file, budget)
  if (found === undefined) return toMask(value, file)
  const { row, rank, variant } = found
  const { start, end, name } = assignment
  if (rank === 'generic' && isIdOfPair(name, text, start, budget)) return toMask(value, file)
  // what the key opens is there for everybody
  const isPublic =
    assignment.kind === 'secret' &&
    (rank === 'generic' || row === 'key-in-url') &&
    (isOfPublicData(text, start, end, budget) || (row === 'key-in-url' && isOfOneFile(text, start, budget)))
  if (isPublic) return { candidate: { row, rank, value, name, ...PUBLIC_KEY } }
  // the header is all that the host wants; or records beside it hold the rest
  const isSent =
    rank === 'generic' &&
    ((assignment.isComplete === true && isDrawn(value)) ||
      (assignment.kind === 'secret' && isSentToPublic({ ...assignment, value }, text, file, budget)))
  const graded = gradeAt(
    isSent ? NAMED : found.grade,
    isSent ? undefined : found.needs,
    {
      text,
      ...(text === file.text && { path: file.path }),
      start,
      end,
      // notes have settings that stand together, and no objects that they are members of
      ...(!NOTES.test(file.path) && { around }),
      isSample: file.isSample,
      isWholeKey: rank === 'structure' && file.isSample && isWholeServiceKey(file.path, text, { start, end }, budget),
    },
    budget,
  )
  const weakened = row === 'npmrc-credential' && isOfRetiredRegistry(text, start) ? weakenEvidence(graded) : graded
  const isReal = (): boolean =>
    graded.evidence === 'assumed' &&
    ((TEXT.test(file.path) && isDrawn(value) && !isInvented(value) && isShownWithLogin({ text, start, end }, budget)) ||
      (assignment.kind === 'password' && logsOnToTenant(file.path, text, { name, value, start }, budget)))
  // only its name says it, and nothing is meant to be real there but requests, and in texts what was drawn, with its user and public host
  const isGuess = file.isSample && rank === 'generic' && !isSent && !REQUESTS.test(file.path) && !isReal()
  const grade = isGuess ? { ...weakened, evidence: 'guessed' as const } : weakened
  return {
    candidate: { row, rank, value, name, ...grade, ...(variant !== undefined && { variant }) },
  }
}

/** `${gen-…}` with what a machine drew: no variable has a hyphen in its name and letters of both cases with digits among each other. */
function unwrapped(value: string): string {
  const inner = /^\$\{([\w-]{24,200})\}$/.exec(value)?.[1] ?? ''
  return inner.includes('-') && isDrawn(inner) ? inner : value
}

/** A registry that takes no packages and logins any more. Fact: SAP Community, "SAP NPM packages now on npmjs.org" (2020: npm.sap.com is phased out). */
const RETIRED_REGISTRY = /\/\/npm\.sap\.com\/[^\s]{0,80}$/i

function isOfRetiredRegistry(text: string, start: number): boolean {
  return RETIRED_REGISTRY.test(text.slice(Math.max(0, start - 120), start))
}

const NOTES = /\.txt$/i
/** Texts of developers for developers. */
const TEXT = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i

/** What may be a credential is masked where it stands; what was drawn also wherever a text quotes it. */
function toMask(value: string, { isGenericSilent }: JudgedFile): Judgement {
  if (isRandomLooking(value)) return { mask: value }
  return isGenericSilent ? undefined : { mask: '' }
}

interface FoundRow {
  readonly row: string
  readonly rank: Rank
  readonly grade: Grade
  readonly needs?: Needs
  readonly variant?: 'weak' | 'test' | 'browser'
}

function findRow(
  assignment: Assignment,
  value: string,
  around: string,
  text: string,
  file: JudgedFile,
  budget: Budget,
): FoundRow | undefined {
  const isDemo = isDemoOf(assignment, value, around, text, file)
  if (isDemo && (isWeak(value) || !isRandomLooking(value))) return undefined
  const sap =
    isDemo || /^(?:parameter|record)$/.test(assignment.form) ? undefined : findSapRow(assignment, { value, around, text }, file)
  if (sap !== undefined) return gradeStructure(sap, value, assignment, file)
  const provider = findProviderRow(assignment, value, text, file.path)
  if (provider !== undefined) {
    const { name, lesser, impact, confidence = 'high', needs } = provider.row
    const evidence = provider.isComplete ? 'shown' : (provider.row.evidence ?? 'shown')
    if (lesser?.when.test(value) === true)
      return { row: name, rank: 'provider', grade: { impact: lesser.impact, evidence, confidence }, variant: 'test' }
    // a key that is called one of administrators is none for pages
    if (
      provider.row.inPages !== undefined &&
      !/admin|write/i.test(assignment.name) &&
      isOfPage(provider.row, file.path, text, assignment)
    )
      return {
        row: name,
        rank: 'provider',
        grade: { impact: provider.row.inPages.impact, evidence: 'shown', confidence },
        variant: 'browser',
      }
    return { row: name, rank: 'provider', grade: { impact, evidence, confidence }, ...(!provider.isComplete && { needs }) }
  }
  const generic = gradeGeneric(assignment, value, isDemo, text, file, budget)
  if (generic === undefined) return undefined
  const row = rowOfForm(assignment, text, file) ?? (assignment.kind === 'password' ? 'generic-password' : 'generic-secret')
  if (row === 'npmrc-credential' && !isDemo && isToken(value)) return { row, rank: 'command', grade: TOKEN, needs: 'host' }
  const found = { ...generic, row, rank: row.startsWith('generic-') ? 'generic' : 'command' } as const
  // the address says what the key opens: no more than that
  return row === 'key-in-url' && assignment.kind === 'secret' ? { ...found, grade: URL_KEY, needs: undefined } : found
}

/** What opens a registry is told by the setting, not by a name alone. */
const TOKEN: Grade = { impact: 'takeover', evidence: 'shown', confidence: 'high' }
/** A user of a public host may still have the password that everybody tries first; what examples put together is nobody's. */
function gradeWeak(value: string, confidence: Grade['confidence']): Pick<FoundRow, 'grade' | 'needs'> {
  if (isInvented(value)) return { grade: { ...GUESSED, confidence } }
  return { grade: { ...NAMED, confidence }, needs: 'answering' }
}

const URL_KEY: Grade = { impact: 'bounded', evidence: 'shown', confidence: 'medium' }
/** Nothing but the quota of an account, and who pays for more is not told. */
const PUBLIC_KEY: Grade = { impact: 'bounded', evidence: 'assumed', confidence: 'medium' }
/** A password of a person, or a value drawn by a machine, that a name calls a credential. */
const NAMED: Grade = { impact: 'takeover', evidence: 'shown', confidence: 'medium' }
const DEMO_PASSWORD = /^(?:demo|test|sample)[\W_]?\d{1,6}[\W_]?$/i
const SEED = /(?:^|\/)seed(?:s|er|ing)?(?:[-_.][\w.-]{1,60})?\.[cm]?[jt]s$|(?:^|\/)seed(?:s|ers?)\/[^/]{1,100}\.[cm]?[jt]s$/i
/** Only the name says that it is one. */
const GUESSED: Grade = { impact: 'takeover', evidence: 'guessed', confidence: 'low' }
/** Nexus Repository gives out `NpmToken.` and a UUID, GitLab and others a UUID alone. */
const UUID = /^(?:NpmToken\.)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

function isToken(value: string): boolean {
  return isRandomLooking(value) || UUID.test(value)
}

function rowOfForm({ form, name, kind, nameStart }: Assignment, text: string, { path }: JudgedFile): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (/^_?auth$|_authtoken$|_password$|^npmauth/i.test(name) && /npmrc|yarnrc/.test(file)) return 'npmrc-credential'
  if (/^nuget.*\.config$/.test(file)) return 'nuget-password'
  if (form === 'element' && kind === 'password' && /^settings.*\.xml$/.test(file)) return 'maven-password'
  if (form === 'flag') return 'command-password'
  if (form === 'part') return 'connection-string'
  if (form === 'segment') return 'key-in-url'
  // not the body of a request, a cookie, a variable of a command
  if (form === 'parameter' && /(?:\?[^?\s"'`]*|["'`]&)$/.test(text.slice(Math.max(0, nameStart - 200), nameStart)))
    return 'key-in-url'
  return undefined
}

/** What a test calls the credential that its fake gives: `pay-secret-1`, `token_2`. */
const CALLED_SO = /^(?:[a-z]{2,16}[-_]){0,3}(?:client|secret|token|key|password|pwd)(?:[-_][a-z]{2,16}){0,2}[-_]?\d{0,4}$/i

/** A password that everybody tries first is less where nothing else says that it is one of a system. */
function gradeStructure(row: string, value: string, assignment: Assignment, file: JudgedFile): FoundRow | undefined {
  const known = ROW_BY_NAME.get(row)
  if (known === undefined) return undefined
  if (isWeak(value)) {
    return file.isSample ? undefined : { row, rank: 'structure', ...gradeWeak(value, 'medium'), variant: 'weak' }
  }
  const isText = (isWordLike(value) && !/\d/.test(value)) || (file.isSample && CALLED_SO.test(value))
  if (isText && (assignment.kind === 'secret' || value.length < 6)) return undefined
  if (isText && isOddlyCased(value)) return { row, rank: 'structure', grade: NAMED, needs: 'answering' }
  if (isText) return { row, rank: 'structure', grade: { ...GUESSED, confidence: 'medium' } }
  const { impact, evidence = 'shown', confidence = 'high', needs } = known
  return { row, rank: 'structure', grade: { impact, evidence, confidence }, needs }
}

/** The grade of what only its name gives away. Undefined: under the bar. */
function gradeGeneric(
  { name, kind, form, isQuoted, start, end, nameStart, verifies }: Assignment,
  value: string,
  isDemo: boolean,
  text: string,
  { path, isSample }: JudgedFile,
  budget: Budget,
): Pick<FoundRow, 'grade' | 'needs' | 'variant'> | undefined {
  if (isWeak(value)) {
    if (kind === 'secret' || isSample || form === 'compared') return undefined
    if (isDefaultPassword(name, value)) return { grade: { ...NAMED, evidence: 'assumed' }, variant: 'weak' }
    if (isQuoted && isOfPolicy(value) && isOfFilledForm(text, start, end, budget))
      return { grade: { ...NAMED, evidence: 'assumed' } }
    return { ...gradeWeak(value, 'low'), variant: 'weak' }
  }
  if (verifies === true) return { grade: NAMED }
  if (form === 'returned' && isProvided(path, text, nameStart) && !isSample) return { grade: NAMED }
  if (kind === 'secret') {
    if (value.length < 10 || /\s/.test(value)) return undefined
    if (form === 'call' && isPassphrase(value)) return { grade: { ...NAMED, evidence: 'assumed' } }
    if (!/[A-Za-z]/.test(value) || !(/\d/.test(value) || isRandomLooking(value)) || isWordLike(value)) return undefined
    const isDrawn = isRandomLooking(value) || (KEY_HEADER.test(name) && UUID.test(value))
    if (!isDrawn && (value.match(/\d/g)?.length ?? 0) < 3) return undefined
    if (!isDrawn) return { grade: GUESSED }
    return SECRET_NAME.test(name) ? { grade: { ...NAMED, evidence: 'assumed' } } : { grade: NAMED, needs: 'hint' }
  }
  // what fills an empty database by hand, with users of a demonstration
  if (isDemo || (DEMO_PASSWORD.test(value) && SEED.test(path))) return { grade: GUESSED }
  if (isAppPassword(value)) return { grade: NAMED, needs: 'login' }
  if (/\s/.test(value) && !isRandomLooking(value.replaceAll(/\s/g, ''))) return undefined
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((sort) => sort.test(value)).length
  if (isRandomLooking(value) || (classes >= 3 && value.length >= 8)) return { grade: NAMED, needs: 'login' }
  if (/\d/.test(value) && classes >= 2 && value.length >= 6) return { grade: NAMED, needs: 'hint' }
  if (
    isSample ||
    form === 'compared' ||
    form === 'parameter' ||
    value.length < 6 ||
    (isQuoted && isWordLike(value) && /[a-z][A-Z]|[-_.:]/.test(value))
  )
    return undefined
  return isOddlyCased(value) || isOfBasicHeader(text, start) ? { grade: NAMED, needs: 'answering' } : { grade: GUESSED }
}

/** `X-DESK-APIKEY`: a request header that carries a key. A UUID in it is the key, no id of a row. */
const KEY_HEADER = /^x-(?:[a-z\d]{1,30}-){0,4}(?:api-?key|(?:auth|access)-?(?:token|key))$/i

/** Keys and tokens may be of anything; what these words stand in is kept from strangers whatever it opens. */
const SECRET_NAME = /secret|private|signing|encrypt|master/i

/** Mock users of CAP, and what works on the machine itself alone: a user that has his name for a password, a server on localhost. */
function isDemoOf(assignment: Assignment, value: string, around: string, text: string, file: JudgedFile): boolean {
  const { nameStart } = assignment
  const { kind, path } = file
  const isConfiguration = kind.role === 'package' || kind.role === 'cdsrc'
  const before = text.slice(Math.max(0, nameStart - (isConfiguration ? 3000 : 800)), nameStart)
  if (isConfiguration && isAmongUsers(before))
    return !isOfPerson(before, value) && !(isOfBasicLogin(before, text) && !isWeak(value))
  if (!isConfiguration && (/mock[\w.]{0,20}["']?\s{0,4}[:=]/i.test(before) || isWhereMocked(before))) return true
  if (REQUESTS.test(path) && isForOwnMachine(text)) return !(isDrawn(value) && isHandedOn(assignment, text, file.path))
  if (!isWeak(value)) return false
  return (
    /localhost|127\.0\.0\.1|dummy|\bdemo\b/i.test(around) ||
    new RegExp(`user\\w{0,8}["']?\\s{0,4}[:=]\\s{0,4}["']?${escapePattern(value)}\\b`, 'i').test(around)
  )
}

const USERS = /["']?(?:mocked|users)["']?\s{0,4}:/g

/** Whether the mocked users of a configuration are open in front of a name: what stands behind their end is of something else. */
function isAmongUsers(before: string): boolean {
  return [...before.matchAll(USERS)].some(({ 0: whole, index }) => {
    const rest = before.slice(index + whole.length)
    return !/^\s{0,20}\{/.test(rest) || !isClosed(rest)
  })
}

const MOCKED = /\bkind\s{0,4}={2,3}\s{0,4}["']mocked["']\s{0,4}\)\s{0,9}(?=\{)/g

/** `if (cds.env.requires.auth?.kind === 'mocked') {`, where it is not closed in front of a name. */
function isWhereMocked(before: string): boolean {
  return [...before.matchAll(MOCKED)].some(({ 0: whole, index }) => !isClosed(before.slice(index + whole.length)))
}

const HOSTS = /\bhttps?:\/\/([^\s/"'{}<>]{1,200})/gi

/** All that a collection of requests calls is the machine on which it is sent. */
function isForOwnMachine(text: string): boolean {
  const hosts = [...text.slice(0, MAX_REQUESTS).matchAll(HOSTS)]
  return hosts.length > 0 && text.length <= MAX_REQUESTS && hosts.every(([, host = '']) => isOwnMachine(host))
}

const MAX_REQUESTS = 20_000

function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host)
}

/** Users of CAP's mocked authentication that are called by an address: `"a.weber@corp.cloud": { "password": "…"`. */
const ADDRESS = /["']?([\w.+-]{2,60})@([\w.-]{4,100})["']?\s{0,4}:\s{0,4}\{[^{}]{0,400}$/
const NOBODY =
  /alice|bob|carol|dave|erin|fred|mallory|yves|jane|john|max|test|demo|admin|user|dummy|sample|mock|privileged|tenant/i

/** Whether a user of tests is a person, with a password that nobody invented for a test: people have it elsewhere, too. */
function isOfPerson(before: string, value: string): boolean {
  const [, name = '', host = ''] = ADDRESS.exec(before) ?? []
  return name !== '' && !NOBODY.test(name) && classifyHost(host) === 'public' && isRandomLooking(value)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, '\\$&')
}
