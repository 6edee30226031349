import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { stringConstantOf, fieldOf, findPart, pathsOf, resolveValue, type FunctionFact } from '../../../facts/index.ts'
import type { ProjectFile } from '../../../files.ts'
import { endsWithAny, fileNameOf } from '../../../paths.ts'
import { runsInBrowser, isDeployedCode } from '../../../model/script/index.ts'
import { membersOf, stringOf, type DataNode } from '../../../parse/data.ts'
import { isPlaceholder, isReference } from '../../../secrets/values.ts'
import type { ProjectModels } from '../../subjects.ts'
import type { Match, Place } from '../../../types.ts'
import { namesPackage, signingCalls, SIGNING_KEYWORDS } from './signing-words.ts'

/** A variable of the environment with which a script verifies tokens. */
interface VerifyingVariable {
  readonly name: string
  readonly what: string
  /** The caller is made of the token, or let on by it. */
  readonly decides: boolean
}

export const verifyingVariables: Extract<VerifyingVariable> = defineExtract({
  name: 'cap-verifying-variables',
  keywords: SIGNING_KEYWORDS,
  prefilter: (text) => namesPackage(text) && text.includes('process.env'),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    for (const { call, row, key, identifies } of signingCalls(facts, step)) {
      // what the cookie of a session in a store holds is drawn
      if (row.onlySigns === true || row.what === 'express-session') continue
      for (const [root, part, name, ...more] of pathsOf(resolveValue(key)))
        if (root === 'global:process' && part === 'env' && name !== undefined && more.length === 0)
          yield { name, what: row.what, decides: identifies() || letsOn(call.function) }
    }
  },
})

/** `(req, res, next) => …`, or a callback in it. */
function letsOn({ parameters, parent }: FunctionFact): boolean {
  return parameters.length === 3 || parent?.parameters.length === 3
}

/**
 * Files that scripts load into the environment, as they end: `dotenv.config({ path: './config/config.env' })`,
 * `loadEnvFile(path.join(__dirname, '../config.env'))`. Facts: dotenv 17 (README, "path"); Node.js 24, `process.loadEnvFile`.
 */
export const loadedEnvironments: Extract<string> = defineExtract({
  name: 'cap-loaded-environments',
  keywords: ['dotenv', 'loadEnvFile'],
  isFor: isDeployedCode,
  *collect({ facts: { calls } }) {
    for (const { callee, args } of calls) {
      const loads = pathsOf(callee).map((path) => path.join(' '))
      const [first] = args
      if (first === undefined) continue
      const named = loads.some((path) => LOADS_FILE.test(path))
        ? first
        : loads.some((path) => LOADS_PATH.test(path))
          ? fieldOf(resolveValue(first), 'path')?.value
          : undefined
      const ends: string[] = []
      if (named !== undefined)
        findPart(named, (part) => {
          const text = stringConstantOf(part)
          if (text !== undefined && OF_ENVIRONMENT.test(text)) ends.push(text.replace(UPWARDS, ''))
          return false
        })
      yield* new Set(ends)
    }
  },
})

const LOADS_PATH = /^module:dotenv (?:default )?config$/
const LOADS_FILE = /^(?:global:process|module:(?:node:)?process) loadEnvFile$/
const OF_ENVIRONMENT = /[^/]\.env$/
const UPWARDS = /^(?:\.{0,2}\/)+/

/** `.env` and `.env.production`; `.env.example` and `.env.test` are for others. */
const IN_USE = /(?:^|\/)\.env(?:\.prod(?:uction)?)?$/
/** `config/dev.env`, `sample.env` */
const FOR_OTHERS = /(?:^|[._-])(?:dev(?:elop(?:ment)?)?|test|local|example|sample|template|ci)[._-]/i
/** What @sap/xsenv and CAP load beside the package.json of a server. */
const DEFAULTS = /(?:^|\/)default-env\.json$/
/** A word, and a few digits: dictionaries have it. */
const WORD = /^[a-z]{2,14}[-_]?(?:[a-z]{2,10})?\d{0,4}[!.]?$/i
const PLACEHOLDER = /^(?:your|my_?own|xxx|todo|replace|insert|enter|fill|set|change_?(?:me|this))|here$/i

/** A value that the project itself gives to a variable of the environment. */
interface SetVariable {
  readonly key: string
  readonly value: DataNode
  readonly place: Place
}

/**
 * What a committed file of the environment, or a descriptor of the deployment, gives to variables with which the project verifies tokens: words, and
 * values that only readers of the project know, where the caller is made of the token.
 * Facts: dotenv 17 and Node.js 24, "--env-file" (README, documentation); @sap/xsenv 5, `loadEnv` (default-env.json); Cloud Foundry, "App manifest attribute reference" (`env`).
 */
export function* environmentWords({ scripts, files, deployment }: EnvironmentModels): Generator<Match> {
  const verifying = new Map<string, VerifyingVariable>()
  for (const { value } of scripts.get(verifyingVariables))
    if (verifying.get(value.name)?.decides !== true) verifying.set(value.name, value)
  if (verifying.size === 0) return
  for (const { key, value, place } of setVariables({ scripts, files, deployment })) {
    const use = verifying.get(key)
    const text = stringOf(value)
    if (use === undefined || text === undefined || PLACEHOLDER.test(text)) continue
    const isWord = WORD.test(text)
    if (!isWord && !(use.decides && isKey(text, key))) continue
    yield {
      at: place,
      secret: text,
      args: { what: use.what, name: key },
      variant: isWord ? 'environment' : 'committed',
      ...(use.decides && { evidence: 'shown' }),
    }
  }
}

type EnvironmentModels = Pick<ProjectModels, 'scripts' | 'deployment'> & { readonly files: ReadonlyMap<string, ProjectFile> }

function* setVariables({ scripts, files, deployment }: EnvironmentModels): Generator<SetVariable> {
  const loaded = new Set(scripts.get(loadedEnvironments).map(({ value }) => value))
  const isLoaded = (path: string): boolean => !FOR_OTHERS.test(fileNameOf(path)) && endsWithAny(path, loaded)
  for (const { path, kind, content } of files.values()) {
    if (kind.test || content.as !== 'data') continue
    const isOfEnvironment = kind.role === 'env' ? IN_USE.test(path) || isLoaded(path) : DEFAULTS.test(path)
    if (!isOfEnvironment) continue
    for (const { key, value } of content.roots.flatMap(membersOf))
      yield { key, value, place: { file: path, span: { start: value.start, end: value.end } } }
  }
  for (const { variables, isStopped } of deployment.applications)
    if (!isStopped) for (const { name, value, place } of variables) yield { key: name, value, place }
}

/** Nothing that stands for another value. */
function isKey(text: string, name: string): boolean {
  return /^[^<{\s]{8,200}$/.test(text) && !text.includes('${') && !isReference(text) && !isPlaceholder(text, name)
}
