import type { PhpExpression, PhpFunction, PhpSource } from '../../parse/php/index.ts'
import type { Span } from '../../types.ts'
import { eitherValue, NOTHING, type PhpValue, type Unknown } from './values.ts'

export type PhpCall = PhpExpression & { readonly kind: 'call' }

/** What is wrong at a place of a script. */
export type PhpFaultKind = 'sql' | 'password' | 'html' | 'code' | 'file' | 'upload' | 'cors' | 'error' | 'tls' | 'redirect'

export interface PhpFault {
  readonly kind: PhpFaultKind
  readonly variant?: string
  readonly at: { readonly file: string; readonly span: Span }
  readonly sink: string
  readonly part: string
  /** Nothing has looked at who calls before. */
  readonly isOpen: boolean
  /** It stands in a function that no code of the project calls. */
  readonly isUncalled: boolean
}

/** The first statement of a script that reads data, or one that changes it; where another file holds it, the call of the script that leads there. */
export interface DataUse {
  readonly at: { readonly file: string; readonly span: Span }
  readonly sink: string
  readonly isChange: boolean
  /** Its statement names people, or what belongs to them. */
  readonly isPersonal: boolean
  /** The file that holds the statement, where that is another one. */
  readonly by?: string
  /** Its statement selects a column of passwords. */
  readonly givesPasswords?: boolean
  /** Its statement sets the password of a user whom the request names. */
  readonly changesPasswords?: boolean
  /** Its statement is about a table that only runs tell. */
  readonly isOfAnyTable?: boolean
  /** It is a list of the columns of a table, by which such statements are made, and this is one of passwords. */
  readonly passwordColumn?: string
}

export interface PhpFile {
  readonly path: string
  readonly text: string
  readonly source: PhpSource
  /** Somewhere in it stands HTML. */
  readonly hasHtml: boolean
}

export interface FoundFunction {
  readonly file: PhpFile
  readonly function: PhpFunction
}

export interface PhpProject {
  readonly files: ReadonlyMap<string, PhpFile>
  readonly functions: ReadonlyMap<string, readonly FoundFunction[]>
  /** By the last part of their paths. */
  readonly byName: ReadonlyMap<string, readonly PhpFile[]>
  readonly step: (count?: number) => void
  /** Steps of all runs that are left. */
  left: number
  /** Some run used up its steps. */
  isCut: boolean
}

/** What holds at one place of a run. */
export interface Environment {
  variables: Map<string, PhpValue>
  /** Whoever gets here is logged in. */
  isLoggedIn: boolean
  /** What stands behind is not reached. */
  left: 'no' | 'break' | 'return' | 'exit'
}

/** One request to a script, with all that it includes. */
export interface Run {
  readonly project: PhpProject
  readonly entry: PhpFile
  file: PhpFile
  environment: Environment
  /** The value that the function gives which runs. */
  returned: PhpValue
  /** Whether whoever gets to its `return` is logged in: at all of them, at some. */
  returns: { readonly all: boolean; readonly some: boolean } | undefined
  readonly running: Set<PhpFunction>
  readonly called: Set<PhpFunction>
  readonly included: Set<string>
  /** Fields of `$this`, whatever the object. */
  readonly fields: Map<string, PhpValue>
  readonly faults: PhpFault[]
  readonly uses: DataUse[]
  /** The first description of a table with a column of passwords: `['table' => 'users', 'fields' => ['email', 'password_hash']]`. */
  passwordColumns: (Pick<DataUse, 'at'> & { readonly column: string }) | undefined
  isUncalled: boolean
  /** Its answer is no page. */
  isData: boolean
  /** It looks at a session, a token, a password; or no web server runs it. */
  asksLogin: boolean
  /** It compares a code, or looks a row up by one: enough for who forgot a password. */
  asksCode: boolean
  /** It looks at what kind of file an upload is. */
  asksUploads: boolean
  /** A statement was prepared in which a placeholder stands for a password: one that looks for it, one that makes an account, or one that sets it anew. */
  bindsPassword: 'asked' | 'stored' | 'changed' | undefined
  depth: number
  left: number
  /** What holds where `break` and `continue` leave the loop around. */
  broken: Environment[]
}

/** Steps of one run: what goes on longer is no script that somebody wrote. */
const MOST_STEPS = 200_000
/** Of all of them together. */
export const MOST_STEPS_OF_ALL = 3_000_000
export const MOST_DEPTH = 150

export function createRun(project: PhpProject, entry: PhpFile): Run {
  return {
    project,
    entry,
    file: entry,
    environment: { variables: new Map(), isLoggedIn: false, left: 'no' },
    returned: NOTHING,
    returns: undefined,
    running: new Set(),
    called: new Set(),
    included: new Set([entry.path]),
    fields: new Map(),
    faults: [],
    uses: [],
    passwordColumns: undefined,
    isUncalled: false,
    isData: false,
    // a command
    asksLogin: entry.text.startsWith('#!'),
    asksCode: false,
    asksUploads: false,
    bindsPassword: undefined,
    depth: 0,
    left: MOST_STEPS,
    broken: [],
  }
}

/** Spends steps; false: they are used up, and the run is over. */
export function spend(run: Run, count = 1): boolean {
  run.project.step(count)
  run.left -= count
  run.project.left -= count
  const goesOn = run.left > 0 && run.project.left > 0
  if (!goesOn) run.project.isCut = true
  return goesOn
}

export function copyOf(run: Run, { variables, isLoggedIn, left }: Environment): Environment {
  spend(run, 1 + (variables.size >> 3))
  return { variables: new Map(variables), isLoggedIn, left }
}

/** From what leaves least. */
const LEAVES: readonly Environment['left'][] = ['no', 'break', 'return', 'exit']

/** What a request sends: kept where a field of it is proved, or written. */
const SENT: readonly string[] = ['_GET', '_POST', '_REQUEST', '_COOKIE', '_FILES', '_SERVER']

/** What holds behind two branches. */
export function joinEnvironments(run: Run, one: Environment, other: Environment): Environment {
  if (one.left !== 'no') return LEAVES.indexOf(one.left) < LEAVES.indexOf(other.left) ? { ...other, left: one.left } : other
  if (other.left !== 'no') return one
  spend(run, 1 + (one.variables.size >> 3))
  for (const [name, value] of other.variables) {
    const known = one.variables.get(name)
    if (known !== undefined) one.variables.set(name, eitherValue(known, value))
    else if (!SENT.includes(name)) one.variables.set(name, value)
  }
  for (const name of SENT) if (!other.variables.has(name)) one.variables.delete(name)
  return { ...one, isLoggedIn: one.isLoggedIn && other.isLoggedIn }
}

/** Code as it is written, on one line. */
export function writtenAt({ file }: Run, { start, end }: PhpExpression): string {
  return file.text.slice(start, Math.min(end, start + 80)).replaceAll(/\s{1,80}/g, ' ')
}

export function addFault(
  run: Run,
  at: { readonly start: number; readonly end: number },
  fault: { readonly kind: PhpFaultKind; readonly variant?: string; readonly sink: string; readonly part?: string },
): void {
  const { kind, variant, sink, part = '' } = fault
  run.faults.push({
    kind,
    ...(variant !== undefined && { variant }),
    at: { file: run.file.path, span: { start: at.start, end: at.end } },
    sink,
    part,
    isOpen: !run.environment.isLoggedIn,
    isUncalled: run.isUncalled,
  })
}

/** Data of a caller that is not cleaned for a purpose. */
export function isRaw({ origin, clean }: Unknown, purpose: 'html' | 'path' | 'command' | 'sql'): boolean {
  const isSent = origin === 'request' || origin === 'body' || origin === 'upload' || origin === 'header'
  return isSent && !clean.includes('all') && !clean.includes(purpose)
}
