import { constantOf, excerptOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isLogCall } from '../../../model/script/index.ts'
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
  /^(?:(?:password|pwd)_?)?(?:reset|recovery|magic|invit\w{0,6}|activation|activate|sign_?in|log_?in|verification|verify|confirmation|confirm)_?(?:password_?)?(?:link|url|uri)$/i
const LINK = /(?:^|[a-z_])(?:link|url|uri)$|^(?:href|LINK|URL)$/i
/** What a text says before it: `password reset link for …:`. */
const SAYS_SO =
  /\b(?:reset|recovery|magic|invitation|invite|activation|sign-?in|log-?in|verification|confirmation)\s(?:link|url)\b[^\n]{0,60}$/i

/** Links with a secret code that a script writes to the log. Such names are of pages that people open, too: in a log of the server they are of mails. */
export function* linksLogged({ calls, guards }: ScriptFacts, text: string): Generator<LoggedLink> {
  const asked = guards.filter(({ test }) => 'operator' in test && test.operator === '!')
  for (const call of calls) {
    if (!isLogCall(call)) continue
    const found = linkIn(call)
    if (found === undefined) continue
    const isUnsure = asked.some(({ inside }) => inside.start <= call.start && call.end <= inside.end)
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
    if (NAMED.test(name) || (LINK.test(name) && SAYS_SO.test(before))) return part
    before = `${before} …`
  }
  return undefined
}

const MOST_BEFORE = 120

/** The page alone, whose code is added elsewhere. */
function isFixed(part: Value): boolean {
  return constantOf(resolveValue(part)) !== undefined || !('binding' in part || 'object' in part)
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
