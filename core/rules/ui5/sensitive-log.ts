import {
  accessesOf,
  constantOf,
  excerptOf,
  isConstant,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { groupBy } from '../../lists.ts'
import { createDevelopmentReader, isToolFile, SECRET_WORDS, secretNounOf, splitWords } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const CONSOLE = /^(?:log|trace|debug|info|warn|error|dir|table)$/
/** Where one of them may be called. */
const LOGS = /console\s{0,20}\.|\bLog\b|\.log\b/
const LOG = /^(?:fatal|error|warning|info|debug|trace)$/
/** Beside the words of secrets: headers that hold one, and data that tells of one person. */
const SENSITIVE = /^(?:authorization|bearer|iban|ssn|creditCard(?:Number)?)$/i
const SENSITIVE_WORDS = [
  'authorization',
  'bearer',
  'iban',
  'creditcard',
  // no className
  ...[' ', '.', '(', ',', '{', '"', "'", 'get'].map((before) => `${before}ssn`),
]
/** What protects one request or one login alone. */
const SHORT_LIVED: ReadonlySet<string> = new Set(['csrf', 'xsrf', 'nonce', 'salt'])
const MAX_DEPTH = 4

/**
 * A credential written to the console or the log of UI5. The name of what is logged decides, not the words of the message.
 * Facts: API reference of SAPUI5, sap/base/Log: entries are kept in the page, and handed to every listener. OWASP Logging Cheat Sheet, "Data to exclude".
 * Severity: it stays in the browser of the user, where a second fault has to read it (LOW).
 */
export const browserSensitiveLog: Rule = defineRule({
  id: 'ui5/sensitive-log',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [532],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html#data-to-exclude',
  keywords: [...SECRET_WORDS, ...SENSITIVE_WORDS],
  prefilter: (text) => LOGS.test(text),
  on: 'browser-script',

  *check({ path, text, content: { facts }, budget }) {
    if (isToolFile(path)) return
    const isForDevelopers = createDevelopmentReader(facts)
    const given = givenValues(facts)
    for (const call of facts.calls) {
      const secrets = isLog(call) ? call.args.flatMap((argument) => secretsIn(argument, given)) : []
      if (secrets.length === 0 || isForDevelopers(call)) continue
      for (const value of secrets) {
        budget.step()
        yield { at: { file: path, span: { start: value.start, end: value.end } }, args: { value: excerptOf(text, value) } }
      }
    }
  },

  text: {
    en: {
      title: 'Credentials written to the browser log',
      message: '{value} is written to the log of the browser.',
      why: 'Every script of the page and every listener of the log reads it, support files and screenshots contain it; an attacker who gets it acts as that user.',
      fix: 'Remove it from the log, or log only whether it is there: Log.info("token present: " + Boolean(sToken)).',
    },
    fr: {
      title: 'Données d’authentification dans le journal du navigateur',
      message: '{value} est écrit dans le journal du navigateur.',
      why: 'Tout script de la page et tout écouteur du journal le lit, fichiers de support et captures d’écran le contiennent ; un attaquant qui l’obtient agit comme cet utilisateur.',
      fix: 'Retirez-le du journal, ou n’indiquez que sa présence : Log.info("token present: " + Boolean(sToken)).',
    },
  },
})

function isLog({ kind, callee }: CallValue): boolean {
  if (kind !== 'call' || callee.kind !== 'member' || callee.name === undefined) return false
  const { name } = callee
  return accessesOf(callee.object).some(({ root, steps }) => {
    const path = steps.join(' ')
    if (root === 'global:console') return path === '' && CONSOLE.test(name)
    if (!LOG.test(name)) return false
    if (root === 'module:sap/base/Log') return path === '' || path === 'getLogger ()'
    return /^global:(?:jQuery|\$|sap)$/.test(root) && /^(?:sap log|base Log)(?: getLogger \(\))?$/.test(path)
  })
}

/** What calls in the file give the parameters of its functions. */
function givenValues({ calls }: ScriptFacts): (parameter: Binding) => readonly Value[] {
  let callsOf: ReadonlyMap<FunctionFact | undefined, readonly CallValue[]> | undefined
  return (parameter) => {
    callsOf ??= groupBy(calls, ({ callee }) => functionOf(callee))
    const index = parameter.function.parameters.indexOf(parameter)
    return index < 0 ? [] : (callsOf.get(parameter.function) ?? []).flatMap(({ args }) => args[index] ?? [])
  }
}

/** Parts of what is logged that are a secret by their name: themselves, in an object that they name, or as the caller has it. */
function secretsIn(argument: Value, given: (parameter: Binding) => readonly Value[]): readonly Value[] {
  return partsOf(argument, 0).filter((value) => {
    if (isConstant(value)) return false
    if (isSecret(nameOf(value))) return true
    const here = resolveValue(value)
    const behind = here.kind === 'reference' && here.binding?.kind === 'parameter' ? given(here.binding) : [here]
    return behind.some((one) => holdsSecret(one, 0))
  })
}

/** An object with a secret in a field, or a value that has the name of one. */
function holdsSecret(value: Value, depth: number): boolean {
  const here = resolveValue(value)
  if (depth > MAX_DEPTH) return false
  if (here.kind !== 'object') return depth > 0 ? false : value.kind !== 'object' && isSecret(nameOf(value)) && !isConstant(value)
  return here.fields.some((field) => (isSecret(field.key) && !isConstant(field.value)) || holdsSecret(field.value, depth + 1))
}

function isSecret(name: string | undefined): boolean {
  if (name === undefined) return false
  if (SENSITIVE.test(name)) return true
  const noun = secretNounOf(name)
  return noun !== undefined && !splitWords(name).some((word) => SHORT_LIVED.has(word))
}

/** `sToken`, `oHeaders.Authorization`, `xhr.getResponseHeader("Authorization")`. */
function nameOf(value: Value): string | undefined {
  if (value.kind !== 'call') return lastNameOf(value)
  const name = lastNameOf(value.callee) ?? ''
  const [first] = value.args
  const key = first && constantOf(first)
  if (/^get(?:ResponseHeader|Item|Property)?$/.test(name) && typeof key === 'string') return key.slice(key.lastIndexOf('/') + 1)
  return /^get[A-Z]/.test(name) && value.args.length === 0 ? name.slice('get'.length) : undefined
}

/** The parts of a text or an object, or what JSON is made of. */
function partsOf(value: Value, depth: number): readonly Value[] {
  if (depth > MAX_DEPTH) return []
  const deeper = (parts: readonly Value[]): readonly Value[] => parts.flatMap((part) => partsOf(part, depth + 1))
  switch (value.kind) {
    case 'template':
    case 'concat':
      return deeper(value.parts)
    case 'object':
      return deeper(value.fields.map((field) => field.value))
    case 'call':
      return lastNameOf(value.callee) === 'stringify' ? deeper(value.args.slice(0, 1)) : [value]
    case 'member':
    case 'reference':
      return [value]
    default:
      return []
  }
}
