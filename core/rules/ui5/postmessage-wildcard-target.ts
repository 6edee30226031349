import { quoteWord } from '../../quote.ts'
import {
  accessesOf,
  constantOf,
  excerptOf,
  fieldOf,
  findPart,
  isConstant,
  resolveValue,
  type CallValue,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Names of numbers that tell how large or where something is: `count`, `itemCount`, `ITEM_COUNT`; no `account`. */
const MEASURES =
  /(?:^|_)(?:height|width|top|left|right|bottom|size|length|count|index|offset|scroll[xy]?|progress|version|type|timestamp|HEIGHT|WIDTH|SIZE|LENGTH|COUNT|INDEX|OFFSET|VERSION|TYPE)$|(?:Height|Width|Top|Left|Right|Bottom|Size|Length|Count|Index|Offset|Scroll[XY]?|Progress|Version|Type|Timestamp|scroll[XY])$/

/**
 * Data sent to another window, whatever page it shows by then. A message to the own window reaches no other page.
 * Facts: HTML standard, "Web messaging": with `*` the origin of the receiver is not checked.
 * Impact: what the app tells one window reaches a malicious page that frames or opened it; constants and measures are none, and the path of the open page is little.
 */
export const postmessageWildcardTarget: Rule = defineRule({
  id: 'ui5/postmessage-wildcard-target',
  impact: 'bounded',
  reach: 'anyone',
  // a window that the app shows itself has to show another page first
  evidence: 'assumed',
  grades: { parent: { evidence: 'shown' }, opener: { evidence: 'shown' }, sender: { evidence: 'shown' } },
  confidence: 'high',
  cwe: [201],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/browser-security-91f3b66.md',
  keywords: ['postMessage'],
  prefilter: (text) => /postMessage/.test(text) && /["'`]\*["'`]/.test(text),
  on: 'script',

  *check({ path, text, content: { facts }, budget }) {
    const known = (value: Value): boolean | undefined => {
      budget.step()
      return isMeasure(value) ? true : undefined
    }
    for (const call of facts.calls) {
      const { callee, args, start, end } = call
      const [payload, target] = args
      if (payload === undefined || target === undefined || callee.kind !== 'member' || callee.name !== 'postMessage') continue
      if (!isAnyOrigin(target) || isOwnWindow(callee.object) || isConstant(payload, known)) continue
      budget.step(facts.calls.length)
      if (isFilledWithConstants(payload, facts.calls, known)) continue
      const receiver = excerptOf(text, callee.object)
      yield {
        at: { file: path, span: { start, end } },
        args: {
          part: quoteWord(excerptOf(text, payload)),
          target: receiver,
          event: receiver.replace(/\.source$/, ''),
          origin: shownOrigin(text, target),
        },
        variant: variantOf(receiver),
        // which page of the app is open, by the path of its address, may hold the key of a row, and mostly is no secret
        ...(isConstant(payload, (value) => known(value) ?? (isPathname(value) ? true : undefined)) && {
          evidence: 'assumed' as const,
        }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Data sent with postMessage to any origin',
      message: '{part} is sent to {target} with the target origin {origin}.',
      why: 'If the window has navigated to a page that an attacker controls, that page receives the data.',
      fix: 'Replace {origin} with the origin of the receiver, such as "https://shell.example.com", or with location.origin if it is a page of the app itself.',
      variants: {
        parent: { why: 'A malicious page that shows the app in a frame receives the data.' },
        opener: { why: 'A malicious page that opened the app in a new window receives the data.' },
        sender: {
          why: 'Any page that sends a message to this listener can receive the data in reply, even a malicious one.',
          fix: "Check the origin at the start of the listener, if ({event}.origin !== 'https://shell.example.com') return, and replace {origin} with {event}.origin.",
        },
      },
    },
    fr: {
      title: 'Données envoyées par postMessage à toute origine',
      message: '{part} est envoyé à {target} avec l’origine cible {origin}.',
      why: 'Si la fenêtre de destination affiche entre-temps une page qu’un attaquant contrôle, cette page reçoit les données.',
      fix: 'Remplacez {origin} par l’origine du destinataire, comme "https://shell.example.com", ou par location.origin s’il s’agit d’une page de l’application.',
      variants: {
        parent: { why: 'Une page malveillante qui affiche l’application dans une iframe reçoit les données.' },
        opener: { why: 'Une page malveillante qui a ouvert l’application dans une nouvelle fenêtre reçoit les données.' },
        sender: {
          why: 'Toute page, même malveillante, qui envoie un message à ce gestionnaire peut recevoir les données en réponse.',
          fix: "Vérifiez l’origine au début du gestionnaire, if ({event}.origin !== 'https://shell.example.com') return, et remplacez {origin} par {event}.origin.",
        },
      },
    },
  }),
})

/** Which page may be in the window: the one around the app, the one that opened it, the one that sent a message, or one that it shows itself. */
function variantOf(target: string): 'parent' | 'opener' | 'sender' | undefined {
  if (target.endsWith('.source')) return 'sender'
  if (/(?:^|\.)opener$/.test(target)) return 'opener'
  return /(?:^|\.)(?:parent|top)$/.test(target) ? 'parent' : undefined
}

/** `'*'`, `origin || '*'`, `{ targetOrigin: '*' }`. */
function isAnyOrigin(target: Value): boolean {
  const value = resolveValue(target)
  const given = value.kind === 'object' ? fieldOf(value, 'targetOrigin')?.value : value
  if (given === undefined) return false
  const resolved = resolveValue(given)
  return resolved.kind === 'choice' ? resolved.options.some((option) => constantOf(option) === '*') : constantOf(resolved) === '*'
}

/** `"*"`, or the expression that may result in it. */
function shownOrigin(text: string, target: Value): string {
  const value = resolveValue(target)
  const given = (value.kind === 'object' ? fieldOf(value, 'targetOrigin')?.value : undefined) ?? target
  return constantOf(given) === '*' ? '"*"' : excerptOf(text, given)
}

function isOwnWindow(receiver: Value): boolean {
  const accesses = accessesOf(receiver)
  return (
    accesses.length > 0 &&
    accesses.every(({ root, steps }) => steps.length === 0 && /^global:(?:window|self|globalThis)$/.test(root))
  )
}

function isMeasure(value: Value): boolean {
  if (value.kind === 'member' || value.kind === 'reference') return MEASURES.test(value.name ?? '')
  return value.kind === 'call' && MEASURES.test(lastNameOf(value.callee) ?? '')
}

/** `location.pathname`, also shortened; what stands behind a question mark or a hash is another member. */
function isPathname(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'member') return made.name === 'pathname' && lastNameOf(made.object) === 'location'
  const isOfText = made.kind === 'call' && made.callee.kind === 'member' && SHORTENS.test(made.callee.name ?? '')
  // a function, or a value in the place of a part, may bring in anything
  const isPlain = (given: Value): boolean => given.kind === 'regex' || constantOf(given) !== undefined
  return isOfText && made.callee.kind === 'member' && made.args.every(isPlain) && isPathname(made.callee.object)
}

const SHORTENS = /^(?:replace(?:All)?|slice|substr(?:ing)?|trim|toLowerCase)$/

/** The payload is a parameter of a function of this file, and every call of it passes constants. */
function isFilledWithConstants(
  payload: Value,
  calls: readonly CallValue[],
  known: (value: Value) => boolean | undefined,
): boolean {
  const part = findPart(payload, (value) => value.kind === 'reference' && value.binding?.definitions[0]?.kind === 'parameter')
  if (part?.kind !== 'reference' || !isConstant(payload, (value) => (isSame(value, part) ? true : known(value)))) return false
  const around = part.binding?.function
  const position = part.binding?.definitions[0]?.parameter
  const name = around?.name.slice(around.name.lastIndexOf('.') + 1)
  if (position === undefined || name === undefined || name === '') return false
  const callers = calls.filter(({ callee }) => lastNameOf(callee) === name)
  return callers.length > 0 && callers.every(({ args }) => args[position] === undefined || isConstant(args[position], known))
}

function isSame(value: Value, other: Extract<Value, { kind: 'reference' }>): boolean {
  return value.kind === 'reference' && value.binding === other.binding
}
