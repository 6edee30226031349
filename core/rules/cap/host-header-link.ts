import {
  accessesOf,
  stringConstantOf,
  constantOf,
  findPart,
  functionAround,
  resolveValue,
  valuesOf,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { excerptOf } from '../../facts/index.ts'
import { isContextRoot, isDeveloperFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

const HEADERS = /^(?:x-forwarded-host|x-original-host|x-host|host|origin|referer)$/i
/** Names of what only the receiver of a link may know. */
const CODE =
  /(?:token|otp|secret|hash|nonce|ticket|verification|activation|(?:reset|verify|invite|confirm\w{0,6}|activation|magic|one_?time|login)_?(?:code|key|id))$/i
/** A part of an address in front of such a code. */
const BEFORE_CODE = /(?:reset|forgot|verif|activat|invit|confirm|magic|unsubscribe|password|token|code|otp)[\w/?&=.-]{0,40}[=/]$/i
/** Steps of OAuth, where the server of the provider compares the address. */
const OAUTH = /redirect_uri|response_type|grant_type/
/** Links that confirm an address or activate an account, and those that open one: whoever asks for the former made the account, with a password of their own. */
const ACTIVATES = /activat|verif|confirm/i
const OPENS = /reset|pass|pwd|forgot|recover|log_?in|sign_?in|magic|otp|invit|deletion/i
/** The code around it makes the account, and resets nothing. */
const MAKES_ACCOUNT = /regist|sign_?up|creat|insert|\/accounts?['"`/]|\bnew (?:User|Account|Customer|Member)\b/i
const OPENS_AROUND = /reset|forgot|recover|magic|passwordless|change_?(?:mail|email|password)/i
const MAX_HOPS = 4

/**
 * A link with a secret code whose host is that of the request: the client chooses it by a header.
 * Facts: RFC 9110, 7.2 (Host); Express 5, req.hostname and "trust proxy" (X-Forwarded-Host); OWASP Forgot Password Cheat Sheet, "URL Tokens".
 * Impact: the receiver's code arrives at the attacker's host if the link is opened; whether the platform forwards requests with a foreign host is not in the project.
 * The code of a new account gives its maker no more than an address that is not theirs.
 */
export const hostHeaderLink: Rule = defineRule({
  id: 'cap/host-header-link',
  impact: 'takeover',
  reach: 'user',
  evidence: 'assumed',
  grades: {
    activation: { impact: 'bounded', reach: 'anyone' },
    // it takes a deployment that lacks the setting
    unset: { impact: 'defence', evidence: 'shown' },
  },
  confidence: 'medium',
  cwe: [640, 644],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html#url-tokens',
  keywords: ['host', 'origin', 'Host', 'referer'],
  prefilter: (text) => /\b(?:token|code|otp|hash|secret|reset|invite|verif)/i.test(text),
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    if (isDeveloperFile(path)) return
    let last = -1
    let answered: ReadonlySet<number> | undefined
    for (const { value } of valuesOf(facts)) {
      budget.step()
      const parts = partsOf(value)
      if (parts === undefined || value.start < last || OAUTH.test(text.slice(value.start, value.end))) continue
      const at = parts.findIndex((part) => hostIn(part) !== undefined)
      const host = at < 0 ? undefined : hostIn(parts[at] ?? value)
      if (host === undefined || !parts.slice(at + 1).some((part, index, later) => isCode(part, later[index - 1]))) continue
      answered ??= redirectedOnly(facts)
      if (answered.has(value.start)) continue
      last = value.end
      const written = text.slice(value.start, value.end)
      const setting = settingBefore(parts[at] ?? value)
      const match = {
        at: { file: path, span: { start: value.start, end: value.end } },
        args: { host: quoteWord(excerptOf(text, host)), setting: quoteWord(setting ?? '') },
      }
      yield {
        ...match,
        ...(ACTIVATES.test(written) &&
          !OPENS.test(written) &&
          isOfNewAccount(value.start, facts, text) && { variant: 'activation' }),
        ...(setting !== undefined && { variant: 'unset' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Link with a secret code built on the Host header',
      message: 'The host of this link is {host}, which the client of the request chooses, and the link contains a secret code.',
      why: 'An attacker can request a link for another user with a host of their own. When the user opens it, the attacker gets the code, and with it the account.',
      fix: 'Take the address of the application from the configuration instead of the request, for example process.env.APP_URL or application_uris in VCAP_APPLICATION. Or compare the host with a list of allowed hosts before.',
      variants: {
        activation: {
          title: 'Link that confirms an address built on the Host header',
          why: 'An attacker can sign up with the address of another person and a host of their own. When the receiver opens the link, the attacker gets the code, and confirms an address that is not theirs.',
        },
        unset: {
          title: 'Host header in links with a secret code where a setting is missing',
          message:
            'Where {setting} is not set, the host of this link is {host}, which the client of the request chooses, and the link contains a secret code.',
          why: 'In a deployment without the setting, an attacker can request a link for another user with a host of their own. When the user opens it, the attacker gets the code, and with it the account.',
          fix: 'Leave the header out: refuse to start, or to send the link, where {setting} is not set.',
        },
      },
    },
    fr: {
      title: 'Lien avec un code secret construit à partir de l’en-tête Host',
      message: 'L’hôte de ce lien est {host}, que choisit le client de la requête, et le lien contient un code secret.',
      why: 'Un attaquant peut demander un lien pour un autre utilisateur avec un hôte à lui. Quand l’utilisateur l’ouvre, l’attaquant obtient le code, et avec lui le compte.',
      fix: 'Prenez l’adresse de l’application dans la configuration et non dans la requête, par exemple process.env.APP_URL ou application_uris de VCAP_APPLICATION. Ou comparez d’abord l’hôte à une liste d’hôtes autorisés.',
      variants: {
        activation: {
          title: 'Lien de confirmation d’une adresse construit à partir de l’en-tête Host',
          why: 'Un attaquant peut s’inscrire avec l’adresse d’une autre personne et un hôte à lui. Quand celle-ci ouvre le lien, l’attaquant obtient le code et confirme une adresse qui n’est pas la sienne.',
        },
        unset: {
          title: 'En-tête Host dans des liens avec un code secret si un réglage manque',
          message:
            'Si {setting} n’est pas défini, l’hôte de ce lien est {host}, que choisit le client de la requête, et le lien contient un code secret.',
          why: 'Dans un déploiement sans ce réglage, un attaquant peut demander un lien pour un autre utilisateur avec un hôte à lui. Quand l’utilisateur l’ouvre, l’attaquant obtient le code, et avec lui le compte.',
          fix: 'Renoncez à l’en-tête : refusez de démarrer, ou d’envoyer le lien, si {setting} n’est pas défini.',
        },
      },
    },
  }),
})

/** Addresses to which only the sender of the header itself is sent on: no page can make a browser send one of its choice. Fact: Fetch Standard, "forbidden request-header". */
function redirectedOnly({ calls }: ScriptFacts): ReadonlySet<number> {
  const [redirected, others] = [new Set<number>(), new Set<number>()]
  for (const { callee, args } of calls) {
    const isRedirect = /^(?:redirect|location)$/.test(lastNameOf(callee) ?? '')
    for (const given of args)
      findPart(given, (part) => {
        ;(isRedirect ? redirected : others).add(resolveValue(part).start)
        return false
      })
  }
  return new Set([...redirected].filter((start) => !others.has(start)))
}

/** Parts of a text that is put together, constants among them. */
function partsOf(value: Value): readonly Value[] | undefined {
  if (value.kind === 'concat') return value.parts
  if (value.kind !== 'template') return undefined
  const { start, end } = value
  return value.texts.flatMap((text, index) => {
    const part = value.parts[index]
    return [{ kind: 'literal' as const, start, end, value: text }, ...(part === undefined ? [] : [part])]
  })
}

/** `req.headers.host`, `req.get('host')`, `req.hostname`, under whatever name, as what a text begins with. */
function hostIn(part: Value, hops = 0): Value | undefined {
  if (hops > MAX_HOPS) return undefined
  const made = resolveValue(part)
  if (isHost(part) || isHost(made)) return isHost(made) ? made : part
  if (made.kind === 'choice') return firstHost(made.options, hops)
  if (made.kind === 'template' || made.kind === 'concat') return firstHost(made.parts, hops)
  if (made.kind === 'call') return firstHost(functionOf(made.callee)?.returns ?? [], hops)
  return undefined
}

function firstHost(values: readonly Value[], hops: number): Value | undefined {
  for (const value of values) {
    const found = hostIn(value, hops + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function isHost(value: Value): boolean {
  if (value.kind === 'call') {
    const name = stringConstantOf(value.args[0])
    const isAsked = value.callee.kind === 'member' && accessesOf(value.callee.object).some(({ root }) => isContextRoot(root))
    return isAsked && /^(?:get|header)$/.test(lastNameOf(value.callee) ?? '') && name !== undefined && HEADERS.test(name)
  }
  return accessesOf(value).some(({ root, steps }) => {
    const own = steps.filter((step) => !/^(?:request|http|req|_)$/.test(step))
    if (!isContextRoot(root)) return false
    if (own.length === 1) return /^(?:hostname|host|origin)$/.test(own[0] ?? '')
    return own.length === 2 && own[0] === 'headers' && HEADERS.test(own[1] ?? '')
  })
}

/** `PUBLIC_URL` of `process.env.PUBLIC_URL || req.headers.host`: the host of the request is the default of a setting, under whatever name. */
function settingBefore(part: Value, hops = 0): string | undefined {
  const made = resolveValue(part)
  if (hops > MAX_HOPS || !('options' in made) || isHost(made)) return undefined
  // `NODE_ENV === 'development' ? process.env.DEV_URL : …`: in production it is always the host
  if (made.test !== undefined && findPart(made.test, isOfDevelopers) !== undefined) return undefined
  for (const option of made.options) {
    if (hostIn(option, hops) !== undefined) return settingBefore(option, hops + 1)
    const [access] = accessesOf(resolveValue(option))
    if (access !== undefined && SETTINGS.test(`${access.root} ${access.steps[0]}`)) return access.steps.at(-1)
  }
  return undefined
}

function isOfDevelopers(part: Value): boolean {
  return /^(?:dev|test|local)/i.test(String(constantOf(part) ?? ''))
}

/** Facts: Node.js 20, process.env; capire, cds.env. */
const SETTINGS = /^(?:global:(?:process|cds)|module:(?:process|node:process|@sap\/cds)) env$/

/** A value by its name, or by what stands in front of it. */
function isCode(part: Value, before: Value | undefined): boolean {
  if (part.kind === 'literal') return false
  const written = stringConstantOf(before)
  const isNamed = findPart(part, (one) => CODE.test(lastNameOf(one) ?? '')) !== undefined
  return isNamed || (written !== undefined && BEFORE_CODE.test(written) && hostIn(part) === undefined)
}

/** The function around a place, with the line that begins it: the path of its route. */
function isOfNewAccount(place: number, facts: ScriptFacts, text: string): boolean {
  const around = functionAround(facts, place)
  const code = text.slice(text.lastIndexOf('\n', around?.start ?? 0) + 1, around?.end)
  return MAKES_ACCOUNT.test(code) && !OPENS_AROUND.test(code)
}
