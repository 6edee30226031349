import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { resolveValue, valuesOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isDeveloperFile, isOfServerFolder, isToolFile, runsOnServer } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Variables of the environment that bundlers write into what they build, as `process.env` or `import.meta.env` has them. */
const PREFIXES = ['VITE_', 'REACT_APP_', 'NEXT_PUBLIC_', 'EXPO_PUBLIC_', 'VUE_APP_', 'NUXT_PUBLIC_', 'GATSBY_'] as const

/** The name of such a variable behind its prefix. */
function ownName(name: string): string | undefined {
  const prefix = PREFIXES.find((one) => name.startsWith(one))
  const own = prefix && name.slice(prefix.length)
  return own !== undefined && /^\w{1,80}$/.test(own) ? own : undefined
}

/** For which stage a variable is, behind its name. */
const STAGE = /_(?:DEV|TEST|QA|PROD|PRODUCTION|\d{1,2})$/
/** Names of what nobody but its owner may know. */
const SECRET =
  /(?:^|_)(?:SECRET|PASSWORD|PASSWD|PWD|PRIVATE_KEY|SECRET_KEY|SERVICE_ROLE(?:_KEY)?|CLIENT_SECRET|AUTH_TOKEN|REFRESH_TOKEN|JWT_SECRET|SIGNING_KEY)$/
/** Providers that are paid by the request, or act for the owner of the key: their documentation says that keys belong on a server. */
const PAID =
  /(?:^|_)(?:OPEN_?AI|GEMINI|GEN_?AI|GENERATIVE_?AI|ANTHROPIC|CLAUDE|MISTRAL|GROQ|COHERE|HUGGING_?FACE|DEEP_?SEEK|PERPLEXITY|REPLICATE|ELEVEN_?LABS|STABILITY|OPEN_?ROUTER|TOGETHER_?AI|TWILIO|SENDGRID|RESEND|MAILGUN|POSTMARK|PINECONE)_(?:\w{1,20}_)?(?:KEY|TOKEN)$/
/** What its owner means to be known, and what every page gets anew. */
const PUBLIC = /(?:^|_)(?:PUBLIC|PUBLISHABLE|ANON|CSRF|XSRF)(?:_|$)/
/** Keys that providers mean for pages, where the name does not call them secret. */
const FOR_PAGES = /(?:^|_)(?:MAPS?|MAPBOX|FIREBASE|SITE_KEY|(?:RE|H)?CAPTCHA)(?:_|$)/
/** Addresses, texts and switches of pages that are about a password or a secret. */
const ABOUT =
  /(?:^|_)(?:SHOW|HIDE|RESET|FORGOT(?:TEN)?|ENABLED?|DISABLED?|USE|WITH|ALLOW|REQUIRED?|HAS|IS|MIN|MAX|CHANGE|UPDATE|CREATE|SET|NEW|CONFIRM|VALIDATE|CHECK|VERIFY|RECOVER|URL|URI|ROUTE|PATH|PAGE|LINK|ENDPOINT|LABEL|TEXT|TITLE|MESSAGE|PLACEHOLDER|HINT)_(?:\w{1,40}_)?(?:PASSWORD|PASSWD|PWD|SECRET)$/

/** Whether a variable holds a credential, by the part of its name behind the prefix. */
function isCredential(written: string): boolean {
  const name = written.replace(STAGE, '')
  if (PUBLIC.test(name)) return false
  return SECRET.test(name) ? !ABOUT.test(name) : PAID.test(name) && !FOR_PAGES.test(name)
}

/** Files of a framework that run on the server alone. Facts: Next.js 15, "Route Handlers"; SvelteKit 2, "Server-only modules"; Expo 53, "API Routes". */
const SERVER_FILES = /(?:^|\/)pages\/api\/|(?:^|\/)(?:route|\+(?:page\.|layout\.)?server)\.[jt]s$|(?:\.server|\+api)\.[jt]sx?$/
/** Pages keep their requests in a folder of that name. */
const OWN_REQUESTS = /(?:^|\/)api\//g

/** Whether a script runs on a server, where variables stay. A folder `api` says so of no code that only a bundler of pages can build. */
function isOfServer(path: string, facts: ScriptFacts, isOfBundler: boolean): boolean {
  if (SERVER_FILES.test(path) || runsOnServer(path, facts)) return true
  const isOfPages = isOfBundler || /(?:^|\/)src\//.test(path)
  return isOfServerFolder(isOfPages ? path.replaceAll(OWN_REQUESTS, '/') : path)
}

interface Variable extends Span {
  readonly name: string
  /** By `import.meta.env`, which Node.js does not have. */
  readonly isOfBundler: boolean
}

/** Credentials that code of pages reads from the environment. */
const bundledCredentials: Extract<Variable> = defineExtract({
  name: 'ui5-bundled-credentials',
  keywords: PREFIXES,
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  *collect({ path, facts, text }) {
    for (const variable of variablesRead(facts, text)) {
      const { name, isOfBundler } = variable
      const own = ownName(name)
      if (own === undefined || !isCredential(own)) continue
      if (!isOfServer(path, facts, isOfBundler || name.startsWith('EXPO_'))) yield variable
    }
  },
})

/**
 * Code of a page reads a credential from a variable of the environment that its bundler writes into the bundle.
 * Facts: Vite 7, "Env Variables and Modes" (VITE_ variables end up in the bundle and should hold nothing sensitive); Create React App, "Adding Custom Environment Variables"; Next.js 15, Expo 53, Vue CLI 5, Nuxt 3 and Gatsby 5,
 * "Environment variables"; OpenAI, "Best practices for API key safety" (never in browsers or mobile apps); Google AI, "Using Gemini API keys".
 * Impact: whoever opens the page or unpacks the app has the credential. That the variable is set for what is built is assumed.
 */
export const secretInBundle: Rule = defineRule({
  id: 'ui5/secret-in-bundle',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [522, 540],
  since: '0.3.0',
  docs: 'https://vite.dev/guide/env-and-mode',
  extracts: [bundledCredentials],
  on: 'project',

  *check({ scripts }) {
    for (const { file, value } of scripts.get(bundledCredentials)) {
      const { start, end, name } = value
      yield { at: { file, span: { start, end } }, args: { name: quoteWord(name) }, groupKey: `${file} ${name}` }
    }
  },

  text: () => ({
    en: {
      title: 'Credential built into a page or mobile app',
      message: 'The code reads {name}, which the bundler writes into the files that every user downloads.',
      why: 'An attacker finds the value in the scripts of the page or app and uses it like its owner: requests to a paid API at the owner’s expense, or data that the credential opens.',
      fix: 'Move the call to a server that reads the variable under a name without the public prefix, and let the page ask that server. Revoke the credential: it counts as known once the page was built with it.',
    },
    fr: {
      title: 'Identifiant intégré à une page ou à une application mobile',
      message: 'Le code lit {name}, que l’outil de build écrit dans les fichiers téléchargés par chaque utilisateur.',
      why: 'Un attaquant trouve cette valeur dans les scripts de la page ou de l’application et s’en sert comme son propriétaire : appels d’une API payante à ses frais, ou données que l’identifiant ouvre.',
      fix: 'Déplacez l’appel vers un serveur qui lit la variable sous un nom sans préfixe public, et faites appeler ce serveur par la page. Révoquez l’identifiant : il est réputé connu dès que la page a été construite avec lui.',
    },
  }),
})

/** `import.meta.env.VITE_KEY`, `const { VITE_KEY } = import.meta.env`, and the same of a name that the environment has in the file. */
function* variablesRead(facts: ScriptFacts, text: string): Generator<Variable> {
  for (const { value } of valuesOf(facts)) {
    if (!('object' in value) || value.name === undefined || ownName(value.name) === undefined) continue
    const environment = environmentOf(value.object, text)
    if (environment !== undefined)
      yield { start: value.start, end: value.end, name: value.name, isOfBundler: environment === 'bundler' }
  }
  for (const { definitions } of facts.bindings) {
    for (const { start, end, value, path } of definitions) {
      const [name = ''] = path
      const environment = value !== undefined && ownName(name) !== undefined ? environmentOf(value, text) : undefined
      if (environment !== undefined) yield { start, end, name, isOfBundler: environment === 'bundler' }
    }
  }
}

/** `process.env`, `import.meta.env`. */
function environmentOf(given: Value, text: string): 'process' | 'bundler' | undefined {
  const value = resolveValue(given)
  if (!('object' in value) || value.name !== 'env') return undefined
  const { object } = value
  if ('binding' in object) return object.name === 'process' && object.binding === undefined ? 'process' : undefined
  return /^import\s{0,4}\.\s{0,4}meta$/.test(text.slice(object.start, object.end)) ? 'bundler' : undefined
}
