import {
  accessesOf,
  constantOf,
  excerptOf,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContextRoot, isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A link that opens an account, in a log. */
interface LoggedLink {
  readonly at: Span
  readonly value: string
  /** Only where something is missing, `if (!isConfigured())`, and whether that is so in production, the project does not tell. */
  readonly isUnsure: boolean
}

/** `resetLink`, `magicUrl`: by its name it carries a code. */
const NAMED =
  /^(?:(?:password|pwd)_?)?(?:reset|recovery|magic|invit\w{0,6}|activation|activate|verification|verify|confirmation|confirm)_?(?:password_?)?(?:link|url|uri)$/i
const LINK = /(?:^|[a-z_])(?:link|url|uri)$|^(?:href|LINK|URL)$/i
/** What a text says before it: `password reset link for …:`. */
const SAYS_SO = /\b(?:reset|recovery|magic|invitation|invite|activation|verification|confirmation)\s(?:link|url)\b[^\n]{0,60}$/i

/** Often the page for the login alone: `loginUrl`, `login link`. */
const OF_LOGIN = /^(?:sign|log)_?in_?(?:link|url|uri)$/i
const SAYS_LOGIN = /\b(?:sign|log)-?in\s(?:link|url)\b[^\n]{0,60}$/i

/** Links with a secret code that a script writes to the log. Such names are of pages that people open, too: in a log of the server they are of mails. */
export function* linksLogged({ calls, guards }: ScriptFacts, text: string): Generator<LoggedLink> {
  const asked = guards.filter(({ test }) => 'operator' in test && test.operator === '!')
  for (const call of calls) {
    if (!isLogCall(call)) continue
    const found = linkIn(call)
    if (found === undefined) continue
    const isUnsure = asked.some(({ inside }) => isWithin(call, inside))
    yield { at: { start: found.start, end: found.end }, value: excerptOf(text, found), isUnsure }
  }
}

function linkIn({ args }: CallValue): Value | undefined {
  let before = ''
  for (const part of args.flatMap(partsOf)) {
    const written = constantOf(part)
    if (written !== undefined) {
      before = `${before} ${String(written)}`.slice(-MOST_BEFORE)
      continue
    }
    const name = lastNameOf(part) ?? ''
    if (isFixed(part)) continue
    const made = addressOf(part)
    const isLogin = OF_LOGIN.test(name) || (LINK.test(name) && SAYS_LOGIN.test(before))
    if (isLogin && CODE.test(made ?? '')) return part
    const isTold = NAMED.test(name) || (LINK.test(name) && SAYS_SO.test(before) && !isOfRequest(part))
    // without a part that is not known behind its host it is a page for everybody
    if (isTold && (made === undefined || made.replace(HOST, '').includes(UNKNOWN))) return part
    before = `${before} ${UNKNOWN}`
  }
  return undefined
}

const MOST_BEFORE = 120

/** The page alone, whose code is added elsewhere. */
function isFixed(part: Value): boolean {
  return constantOf(resolveValue(part)) !== undefined || !('binding' in part || 'object' in part)
}

/** `req.originalUrl`: where the client that asks for a link is. */
function isOfRequest(part: Value): boolean {
  return accessesOf(part).some(({ root }) => isContextRoot(root))
}

/** What stands for a part that is not known. */
const UNKNOWN = '¤'
const HOST = /^(?:¤|[\w.+-]{0,200})(?::?\/\/(?:¤|[^/?#¤]{0,200})(?::¤)?)?/
const CODE = /[?&#/](?:\w{1,20}_)?(?:token|otp|code|ticket)[=/]¤/i

/** The text of an address that is put together, or of a setting; undefined: nothing here makes it. */
function addressOf(part: Value): string | undefined {
  const made = resolveValue(part)
  if (pathOf(made)?.slice(0, 2).join(' ') === 'global:process env') return ''
  if (made.kind !== 'concat' && made.kind !== 'template') return undefined
  return partsOf(made)
    .map((one) => String(constantOf(resolveValue(one)) ?? UNKNOWN))
    .join('')
}

/** Parts of a text that is put together, constants among them. */
function partsOf(value: Value): readonly Value[] {
  if (value.kind === 'concat') return value.parts
  if (value.kind !== 'template') return [value]
  const { start, end } = value
  return value.texts.flatMap((text, index) => {
    const part = value.parts[index]
    return [{ kind: 'literal' as const, start, end, value: text }, ...(part === undefined ? [] : [part])]
  })
}

export const CODE_LINK = {
  en: {
    title: 'Link that opens an account written to the log',
    message: '{value}, a link with which its receiver gets into an account, is written to the log.',
    why: 'Anyone who can read the log, or the system that collects it, can request such a link for another user and open it before the user does: it sets a password or logs in.',
    fix: 'Log that the message was sent, without the link. For tests, write it only where process.env.NODE_ENV === "development".',
  },
  fr: {
    title: 'Lien ouvrant un compte écrit dans les journaux',
    message: '{value}, un lien par lequel son destinataire accède à un compte, est écrit dans les journaux.',
    why: 'Toute personne qui lit les journaux, ou le système qui les collecte, peut demander un tel lien pour un autre utilisateur et l’ouvrir avant lui : il définit un mot de passe ou connecte.',
    fix: 'Journalisez l’envoi du message, sans le lien. Pour les tests, ne l’écrivez que si process.env.NODE_ENV === "development".',
  },
}
