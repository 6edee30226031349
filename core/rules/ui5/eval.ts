import type { FlowHit } from '../../flow/index.ts'
import { quoteWord } from '../../quote.ts'
import { holdsAt, matchesAt, type WordPlaces } from '../../keywords/index.ts'
import {
  accessesOf,
  stringConstantOf,
  excerptOf,
  isConstant,
  resolveValue,
  type CallValue,
  type Value,
} from '../../facts/index.ts'
import type { Locale, Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { outsideArgs } from './_attack-ways.ts'
import { gradeByOrigin, variantOf } from './_flow-grade.ts'

/** What takes text and runs it. */
const EVALUATORS: ReadonlySet<string> = new Set([
  'global:eval',
  'global:execScript',
  'global:Function',
  'global:jQuery globalEval',
  'global:$ globalEval',
  'global:jQuery sap globalEval',
  'global:$ sap globalEval',
  'module:sap/ui/thirdparty/jquery globalEval',
  'module:jquery.sap.global globalEval',
  'module:jquery.sap.global sap globalEval',
])
/** What takes a function, and runs text as well. */
const TIMERS: ReadonlySet<string> = new Set(['global:setTimeout', 'global:setInterval'])

/** What the rule is about, before anything is parsed: the global by its name. */
const RUNS_TEXT =
  /\beval\b|\bexecScript\b|\bglobalEval\b|(?<=\bnew\s{1,8})Function\b|(?<![\w$])Function(?:\.(?:apply|call))?\s{0,8}\(/y
const RUNNERS = ['eval', 'execScript', 'globalEval', 'Function']
const TIMER_NAMES = ['setTimeout', 'setInterval']

/** A timer that is not handed a function on the spot; with what it is handed, where that is a name. */
const TIMER =
  /\bset(?:Timeout|Interval)\s{0,8}\(\s{0,80}(?!function\b|\(|async\b|[\w$]{1,40}\s{0,8}=>|[\w$.[\]()"']{1,100}\.(?:bind|proxy|hitch)\(|\)|\s)(?:([\w$.]{1,100})\s{0,8}[,)])?/y

/** Whether a script may run text: most timers get the name of a function that the file itself has. */
function mayRunText(text: string, hits: WordPlaces): boolean {
  if (holdsAt(text, hits.places(text, RUNNERS), RUNS_TEXT)) return true
  for (const [, path] of matchesAt(text, hits.places(text, TIMER_NAMES), TIMER)) {
    const name = path?.slice(path.lastIndexOf('.') + 1)
    if (name === undefined || !isFunctionName(text, name)) return true
  }
  return false
}

function isFunctionName(text: string, name: string): boolean {
  // fnCallback, as UI5 names functions, and what was bound before
  if (/^_?fn[A-Z]|(?:Bound|Proxy)$|^(?:resolve|reject)$/.test(name)) return true
  return (
    text.includes(`function ${name}(`) ||
    ['', ' '].some((blank) => text.includes(`${name}${blank}= function`) || text.includes(`${name}${blank}: function`)) ||
    text.includes(`${name} = (`) ||
    text.includes(`${name} = async`)
  )
}

type Runner = 'code' | 'timer' | 'script'

const FIXES: Localized<Readonly<Record<Runner, string>>> = {
  en: {
    code: 'Parse data with JSON.parse, and look up functions by name in a constant object. Evaluate formulas with a parser that supports only the operators that you need.',
    timer:
      'Pass a function to the timer instead of text, as in {call}(() => refresh(id), delay). If data chooses the function, look it up by its name in a constant object.',
    script:
      'Move the code into a module of the app and load the module with sap.ui.require. Load data as JSON instead of code, and read it with JSON.parse.',
  },
  fr: {
    code: 'Lisez les données avec JSON.parse et cherchez les fonctions par leur nom dans un objet constant. Évaluez les formules avec un analyseur limité aux opérateurs nécessaires.',
    timer:
      'Passez une fonction au minuteur au lieu d’un texte, par exemple {call}(() => refresh(id), delai). Si des données choisissent la fonction, cherchez-la par son nom dans un objet constant.',
    script:
      'Déplacez le code dans un module de l’application et chargez ce module avec sap.ui.require. Chargez les données en JSON et non sous forme de code, et lisez-les avec JSON.parse.',
  },
}

/** A script element needs no 'unsafe-eval'. */
const SCRIPT_RISK: Localized<string> = {
  en: 'If an attacker can influence that text, for example through backend data or a link, it runs as code in the user’s session.',
  fr: 'Un texte qu’un attaquant peut influencer, par exemple par des données du backend ou un lien, s’exécute comme du code dans la session de l’utilisateur.',
}

/** Who may have written the text that runs: whoever sends a link or a message, whoever writes data of the backend, or nobody knows. */
const ORIGINS: Localized<Readonly<Record<'tainted' | 'stored' | 'dynamic', Partial<RuleText>>>> = {
  en: {
    dynamic: {},
    tainted: {
      title: 'Code injection: external input run as code',
      message: '{call} runs code from {part}, that is, from {source}.',
      why: '{bait} is enough to run code in the user’s session and to read and change everything that the user can access.',
    },
    stored: {
      title: 'Stored code injection: backend data run as code',
      message: '{call} runs code from {part}.',
      why: 'An attacker who can write that data in the backend can store code there, which runs in the session of every user of this page, with their permissions.',
    },
  },
  fr: {
    dynamic: {},
    tainted: {
      title: 'Injection de code : donnée externe exécutée comme du code',
      message: '{call} exécute du code issu de {part}, c’est-à-dire de {source}.',
      why: '{bait} suffit pour exécuter du code dans la session de l’utilisateur, et pour lire et modifier tout ce à quoi il a accès.',
    },
    stored: {
      title: 'Injection de code persistante : donnée du backend exécutée comme du code',
      message: '{call} exécute du code issu de {part}.',
      why: 'Un attaquant qui peut écrire cette donnée dans le backend peut y stocker du code, qui s’exécute dans la session de chaque utilisateur de cette page, avec les droits de cet utilisateur.',
    },
  },
}

/**
 * Text that is run as code in the page. Only what resolves to the global counts: a method `eval` or a parameter of that name does not.
 * Constant text is no finding, whatever a content security policy says about it. The argument of a timer has to be text for certain.
 * Facts: documentation of SAPUI5, "Content Security Policy"; HTML standard, timer handlers.
 * Impact: whoever chooses the text, by a link or in data, runs code in the session of the user. Where nothing tells the origin of the text, nothing is
 * proven.
 */
export const evalRule: Rule = defineRule({
  id: 'ui5/eval',
  impact: 'session',
  confidence: 'high',
  cwe: [95],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  // eval as a name is part of many words: it counts where it is called, passed on, or ends a statement
  keywords: [
    'eval(',
    'eval (',
    'eval)',
    'eval;',
    'eval,',
    'eval.',
    'eval`',
    'eval\n',
    'eval\r',
    'eval]',
    'eval}',
    'eval:',
    'eval"',
    "eval'",
    'new Function',
    'Function("',
    "Function('",
    'Function(`',
    '.Function(',
    ' Function(',
    '(Function(',
    '=Function(',
    'Function.apply',
    'Function.call',
    'setTimeout',
    'setInterval',
    'execScript',
  ],
  words: [...RUNNERS, ...TIMER_NAMES],
  prefilter: mayRunText,
  checks: {
    // whatever the text is made of: what flows into it says more of the same place
    *'browser-script'(file) {
      for (const call of file.content.facts.calls) {
        const run = textsRunBy(call)
        if (run === undefined) continue
        const isSafe = (value: Value): boolean | undefined => {
          file.budget.step()
          return isEncoded(value) ? true : undefined
        }
        const first = run.texts.find((text) => !isConstant(text, isSafe))
        if (first === undefined || (run.isTimer && !isSurelyText(first))) continue
        const args = { call: quoteWord(excerptOf(file.text, call.callee)), part: quoteWord(excerptOf(file.text, first)) }
        const variant = run.isTimer ? 'dynamic-timer' : undefined
        const at = { file: file.path, span: { start: call.start, end: call.end } }
        yield { at, args, variant, evidence: 'guessed' }
      }
    },

    *flow(hit, project) {
      const args = { call: hit.quotedSink, part: hit.quotedPart, ...outsideArgs(hit) }
      const variant = variantOf(hit)
      const origin = variant === undefined ? 'tainted' : variant === 'stored' ? variant : 'dynamic'
      yield { ...gradeByOrigin(hit, project), args, variant: `${origin}-${runnerOf(hit.api)}` }
    },
  },

  text: () => ({
    en: {
      title: 'Code injection: dynamic text run as code',
      message: '{call} runs text that is known only at run time: {part}.',
      why: "If an attacker can influence that text, for example through backend data or a link, it runs as code in the user’s session. The call also requires 'unsafe-eval' in the CSP.",
      fix: FIXES.en.code,
      variants: variantsFor('en'),
    },
    fr: {
      title: 'Injection de code : texte dynamique exécuté comme du code',
      message: '{call} exécute un texte connu seulement à l’exécution : {part}.',
      why: "Un texte qu’un attaquant peut influencer, par exemple par des données du backend ou un lien, s’exécute comme du code dans la session de l’utilisateur. L’appel exige en outre 'unsafe-eval' dans la CSP.",
      fix: FIXES.fr.code,
      variants: variantsFor('fr'),
    },
  }),
})

/** What runs the text: each has a remedy of its own. */
function runnerOf({ effects }: FlowHit['api']): Runner {
  if (effects.has('timer')) return 'timer'
  return effects.has('script') ? 'script' : 'code'
}

/** A text for each origin of the value and each way to run it. */
function variantsFor(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = {}
  for (const [origin, text] of Object.entries(ORIGINS[locale]))
    for (const [runner, fix] of Object.entries(FIXES[locale])) texts[`${origin}-${runner}`] = { ...text, fix }
  texts['dynamic-script'] = { ...texts['dynamic-script'], why: SCRIPT_RISK[locale] }
  return texts
}

/** The arguments that a call runs as code; undefined where it runs none. */
function textsRunBy(call: CallValue): { texts: readonly Value[]; isTimer: boolean } | undefined {
  if (call.kind === 'tagged') return undefined
  for (const { root, steps } of accessesOf(call.callee)) {
    const [last] = steps.slice(-1)
    const isIndirect = last === 'call' || last === 'apply'
    const name = [root, ...(isIndirect ? steps.slice(0, -1) : steps)].join(' ')
    const args = isIndirect ? call.args.slice(1) : call.args
    if (EVALUATORS.has(name)) return { texts: name === 'global:Function' || isIndirect ? args : args.slice(0, 1), isTimer: false }
    if (TIMERS.has(name)) return { texts: args.slice(0, 1), isTimer: true }
  }
  return undefined
}

const MAX_DEPTH = 5

/** A sum with a literal text in it, or a template: never a function, never a number. */
function isSurelyText(value: Value, depth = 0): boolean {
  const here = resolveValue(value)
  if (depth > MAX_DEPTH) return false
  if (here.kind === 'template') return here.texts.some((text) => text !== '')
  if (here.kind === 'concat') return here.parts.some((part) => isLiteralText(part) || isSurelyText(part, depth + 1))
  // a name that is built up: code += "run()"
  const definitions = here.kind === 'reference' ? (here.binding?.definitions ?? []) : []
  return definitions.some(({ operator, value: given }) => operator === '+=' && given !== undefined && isLiteralText(given))
}

function isLiteralText(value: Value): boolean {
  const text = stringConstantOf(value)
  return text !== undefined && text !== ''
}

/** JSON and encodeJS give text that is data wherever it stands in code. */
function isEncoded(value: Value): boolean {
  if (value.kind !== 'call') return false
  return accessesOf(value.callee).some(({ root, steps }) => {
    if (root === 'global:JSON') return steps[0] === 'stringify'
    return root === 'module:sap/base/security/encodeJS' || (steps.at(-1) === 'encodeJS' && steps.at(-2) === 'sap')
  })
}
