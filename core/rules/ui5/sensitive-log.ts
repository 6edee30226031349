import { quoteWord } from '../../quote.ts'
import {
  accessesOf,
  excerptOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { holdsAt, type WordPlaces } from '../../keywords/index.ts'
import { groupBy } from '../../lists.ts'
import {
  createDevelopmentReader,
  createReturnReader,
  isToolFile,
  LASTING_SECRET_WORDS,
  mayNameSecret,
  secretPartsOf,
} from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { createSecretReader } from './_read-secrets.ts'

const CONSOLE = /^(?:log|trace|debug|info|warn|error|dir|table)$/
/** Where one of them may be called. */
const LOGS = /console\s{0,20}\.|\bLog\b|\.log\b/y
const LOG_WORDS = ['console', 'Log', '.log']
const LOG = /^(?:fatal|error|warning|info|debug|trace)$/
/** Beside the words of secrets. */
const SENSITIVE_WORDS = ['authorization', 'bearer', 'iban', 'creditcard']
/** No className. */
const BEFORE_SSN = [' ', '.', '(', ',', '{', '"', "'", 'get']

const WORDS = [...LASTING_SECRET_WORDS, ...SENSITIVE_WORDS]

function* secretPlaces(text: string, hits: WordPlaces): Generator<number> {
  yield* hits.places(text, WORDS)
  for (const before of BEFORE_SSN) for (const at of hits.places(text, [`${before}ssn`])) yield at + before.length
}

/**
 * A credential written to the console or the log of UI5. The name of what is logged decides, not the words of the message.
 * Facts: API reference of SAPUI5, sap/base/Log: entries are kept in the page, and handed to every listener. OWASP Logging Cheat Sheet, "Data to exclude".
 * Impact: it stays in the browser of the user, where a second fault has to read it.
 */
export const browserSensitiveLog: Rule = defineRule({
  id: 'ui5/sensitive-log',
  impact: 'defence',
  confidence: 'medium',
  cwe: [532],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html#data-to-exclude',
  keywords: [...WORDS, ...BEFORE_SSN.map((before) => `${before}ssn`)],
  words: LOG_WORDS,
  prefilter: (text, hits) => holdsAt(text, hits.places(text, LOG_WORDS), LOGS) && mayNameSecret(text, secretPlaces(text, hits)),

  checks: {
    *'browser-script'({ path, text, content: { facts }, budget }) {
      if (isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(facts)
      const behind = {
        given: givenValues(facts),
        returned: createReturnReader(facts, budget.step),
        readsSecret: createSecretReader(text, facts, budget.step),
      }
      const fields = fieldsOf(facts)
      for (const call of facts.calls) {
        const secrets = isLog(call, fields) ? call.args.flatMap((argument) => secretPartsOf(argument, behind)) : []
        if (secrets.length === 0 || isForDevelopers(call)) continue
        for (const value of secrets) {
          budget.step()
          yield {
            at: { file: path, span: { start: value.start, end: value.end } },
            args: { value: quoteWord(excerptOf(text, value)) },
          }
        }
      }
    },
    // what other files hand to a function that logs it under another name
    *flow({ at, part, steps }) {
      if (!isToolFile(at.file)) yield { at, args: { value: quoteWord(part) }, flow: steps }
    },
  },

  text: () => ({
    en: {
      title: 'Credentials logged in the browser',
      message: '{value} is logged in the browser (console or UI5 log).',
      why: 'Anyone who gets the log, for example in a support file or a screenshot, can use the value to act as the user.',
      fix: 'Remove the value from the log call, or log only whether it is present: Boolean(value).',
    },
    fr: {
      title: 'Données d’authentification journalisées dans le navigateur',
      message: '{value} est journalisé dans le navigateur (console ou journal d’UI5).',
      why: 'Toute personne qui obtient le journal, par exemple dans un fichier de support ou une capture d’écran, peut utiliser la valeur pour agir au nom de l’utilisateur.',
      fix: 'Retirez la valeur de cet appel, ou ne journalisez que sa présence : Boolean(valeur).',
    },
  }),
})

/** What fields of `this` are given, by their names: `this.logger = Log.getLogger("…")`. */
function fieldsOf({ assignments, classes }: ScriptFacts): ReadonlyMap<string, Value> {
  const assigned = assignments.flatMap(({ target, value }) =>
    target.object.kind === 'this' && target.name !== undefined ? [[target.name, value] as const] : [],
  )
  const members = classes.flatMap((fact) =>
    fact.members.flatMap(({ name, value }) => (name === undefined || value === undefined ? [] : [[name, value] as const])),
  )
  return new Map([...members, ...assigned])
}

function isLog({ kind, callee }: CallValue, fields: ReadonlyMap<string, Value>): boolean {
  if (kind !== 'call' || callee.kind !== 'member' || callee.name === undefined) return false
  const { name, object } = callee
  if (!CONSOLE.test(name) && !LOG.test(name)) return false
  const held = object.kind === 'member' && object.object.kind === 'this' ? fields.get(object.name ?? '') : undefined
  return accessesOf(held ?? object).some(({ root, steps }) => {
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
