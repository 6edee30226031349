import {
  accessesOf,
  constantOf,
  excerptOf,
  findPart,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { quoteWord } from '../../../quote.ts'
import type { Localized, Match, RuleText } from '../../../types.ts'
import { XS_PASSWORD_WORDS, xsPasswordChanges } from './password-changes.ts'

/** Names that stand for a user who logs in. */
const USER = /^(?:user|user_?(?:id|name)|login_?(?:id|name)|employee_?id|created_?by)$/i
/** The script knows who calls, logs users in, or is asked for one of them. */
const KNOWS =
  /getUsername|AppPrivilege|SystemPrivilege|samlAttribute|\bbody\.\w{0,20}(?:passw|pwd)|\.get\(\s{0,4}["'`]\w{0,20}(?:passw|pwd)/i

/**
 * `setDevice(body.DeviceToken, body.UserId)`, `statement.setString(1, $.request.parameters.get("userid"))` in a script that never asks who calls.
 * Fact: SAP HANA XS JavaScript API Reference, `$.session.getUsername`, `$.request.parameters`, `$.request.body`.
 */
export function* xsIdentities(facts: ScriptFacts, path: string, text: string, step: (count?: number) => void): Generator<Match> {
  yield* xsPasswordChanges(facts, path, text, step)
  if (!/\.xsjs$/i.test(path) || KNOWS.test(text) || !text.includes('$.request')) return
  const isBody = createBodyReader(facts, step)
  for (const call of facts.calls) {
    step()
    if (call.kind !== 'call' || /^(?:stringify|parse|debug|info|warning|error|push)$/.test(lastNameOf(call.callee) ?? ''))
      continue
    for (const given of call.args) {
      const named = namedParameter(given) ?? (isFieldOf(given, isBody) ? excerptOf(text, given) : undefined)
      if (named === undefined) continue
      yield {
        at: { file: path, span: { start: given.start, end: given.end } },
        args: { column: quoteWord(excerptOf(text, call.callee)), value: named },
        variant: 'xs',
        ...(call.args.some(isOfView) && { evidence: 'guessed' as const }),
        groupKey: `xs ${path}`,
      }
    }
  }
}

/** A parameter of a calculation view: `SELECT … FROM "shop::graph" (placeholder."$$IP_USER$$"=>?)`. What the view looks for with it, its name alone says. */
function isOfView(value: Value): boolean {
  const text = findPart(value, (part) => PLACEHOLDER.test(String(constantOf(part) ?? '')))
  return text !== undefined
}

const PLACEHOLDER = /\bplaceholder\s{0,4}\.\s{0,4}"\$\$/i

/** `$.request.parameters.get('userid')`, or a name that holds it. */
function namedParameter(value: Value): string | undefined {
  const found = findPart(value, (part) => part.kind === 'call' && isOfRequest(part, 'request.parameters.get'))
  if (value.kind !== 'reference' && value !== found) return undefined
  const name = found?.kind === 'call' && found.args[0] !== undefined ? constantOf(found.args[0]) : undefined
  return typeof name === 'string' && USER.test(name) ? `$.request.parameters.get("${name}")` : undefined
}

function isFieldOf(value: Value, isBody: (binding: Binding) => boolean): boolean {
  if (value.kind !== 'member' || !USER.test(value.name ?? '')) return false
  const { object } = value
  return object.kind === 'reference' && object.binding !== undefined && isBody(object.binding)
}

/** Tells the names that hold the body of the request, those of parameters that get it too. */
function createBodyReader({ calls }: ScriptFacts, step: (count?: number) => void): (binding: Binding) => boolean {
  const isOfBody = (value: Value): boolean =>
    findPart(value, (part) => part.kind === 'call' && isOfRequest(part, 'request.body.asString')) !== undefined
  return (binding) => {
    if (binding.kind !== 'parameter') return binding.definitions.some(({ value }) => value !== undefined && isOfBody(value))
    const at = binding.function.parameters.indexOf(binding)
    step(calls.length)
    return calls.some(({ callee, args }) => {
      const given = functionOf(callee) === binding.function ? args[at] : undefined
      return given !== undefined && isOfBody(given)
    })
  }
}

function isOfRequest({ callee }: CallValue, wanted: string): boolean {
  return accessesOf(callee).some(({ root, steps }) => root === 'global:$' && steps.join('.') === wanted)
}

type Words = Pick<RuleText, 'title' | 'message' | 'why' | 'fix'>

const IDENTITY_WORDS: Localized<Words> = {
  en: {
    title: 'User of an XSJS script taken from the request',
    message: '{column} is given {value}, which the client sends; the script never asks for the user of the session.',
    why: 'A user can send the ID of another user, and so read or change what belongs to that user, or act in their name.',
    fix: 'Use $.session.getUsername() instead of {value}. If some users may act for others, call $.session.assertAppPrivilege first.',
  },
  fr: {
    title: 'Utilisateur d’un script XSJS pris dans la requête',
    message: '{column} reçoit {value}, envoyé par le client ; le script ne demande jamais l’utilisateur de la session.',
    why: 'Un utilisateur peut envoyer l’ID d’un autre, et ainsi lire ou modifier ce qui appartient à ce dernier, ou agir en son nom.',
    fix: 'Utilisez $.session.getUsername() au lieu de {value}. Si certains utilisateurs peuvent agir pour d’autres, appelez d’abord $.session.assertAppPrivilege.',
  },
}

/** What is told of both, by the variants. */
export const XS_WORDS: Localized<{ readonly xs: Words; readonly 'xs-password': Words }> = {
  en: { xs: IDENTITY_WORDS.en, 'xs-password': XS_PASSWORD_WORDS.en },
  fr: { xs: IDENTITY_WORDS.fr, 'xs-password': XS_PASSWORD_WORDS.fr },
}
