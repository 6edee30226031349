import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import { quoteWord } from '../../quote.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { EITHER_WORDS, skippedMatches, skippedRequirements } from './_callers/skipped-requirements.ts'
import { unsetSecretChecks } from './_callers/unset-secrets.ts'
import { findCasedPaths } from './_routes/cased-paths.ts'
import { caughtRegistrations, createBindingReader, type OptionalGuard } from './_routes/optional-guards.ts'
import { createRunReader, isInUse, namesVariable } from './_routes/node-environment.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Names that promise a check of who calls: `requireAdmin`, `isAuthenticated`, `authorize`, `verifyToken`. */
const PROMISES =
  /^(?:(?:require|ensure|check|verify|validate|assert|enforce|restrict|protect|guard|is|has|only|must|needs?)_?\w{0,20}(?:auth|admin|role|scope|permission|privilege|login|logged|token|jwt|session|owner|access|api_?key|user)\w{0,20}|(?:auth|authenticate[ds]?|authori[sz]e[ds]?|admin|jwt|protect|protected|guard|permit|restrict)(?:_?(?:middleware|guard|only|user|users|request|jwt|token|admin|role|roles|check|to|required))?|\w{1,20}(?:Only|Guard|Required))$/i
/** What the name of a function that makes one begins with: `createAuthMiddleware`. */
const MAKER_PREFIX = /^(?:create|make|build)_?(?=[A-Za-z])/
/** Those that only note something for a later one. */
const PREPARES = /optional|attach|load|parse|decode|maybe|init|log(?!in|ged|on)|cache|cors|skip|mock|noop|dummy/i
/** Calls that refuse by what they throw. */
const THROWS =
  /verif|check|assert|ensure|require|authenti|authori|validat|guard|reject|deny|refuse|fail|abort|forbid|decode|parse/i

/** A middleware that refuses nobody, always or where a setting is missing. */
interface OpenGuard extends Span {
  readonly name: string
  /** As it is written; empty: always. */
  readonly setting: string
  /** Only where NODE_ENV is not production. */
  readonly isStage: boolean
}

/** Middlewares that refuse nobody where a setting is missing and NODE_ENV is not production: what runs there, deployments say. */
const guardsOfStages: Extract<OpenGuard> = defineExtract({
  name: 'cap-guards-of-stages',
  keywords: ['next()'],
  prefilter: (text) => text.includes('NODE_ENV'),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  collect: ({ facts, text, step }) => [...openGuards(facts, text, step)].filter(({ isStage }) => isStage),
})

/** Registrations that an error leaves out, and middlewares that refuse nobody without a binding: whether there is one, deployments say. */
const optionalGuards: Extract<OptionalGuard> = defineExtract({
  name: 'cap-optional-guards',
  keywords: ['next()', 'authenticate('],
  prefilter: (text) => BINDING.test(text) || text.includes('authenticate('),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  collect: ({ facts, text, step }) => [
    ...caughtRegistrations(facts, text, step),
    ...[...openGuards(facts, text, step)].filter(isForBinding),
  ],
})

/** What a platform binds: `getXsuaaConfig()`, `process.env.VCAP_SERVICES`. */
const BINDING = /xs_?uaa|vcap_services/i

function isForBinding({ setting, isStage }: OpenGuard): boolean {
  return !isStage && BINDING.test(setting)
}

function* openGuards(facts: ScriptFacts, text: string, step: (count: number) => void): Generator<OpenGuard> {
  for (const fact of facts.functions) {
    const next = nextOf(fact)
    if (next === undefined) continue
    step(facts.calls.length + facts.guards.length + facts.assignments.length)
    const name = promisedName(fact)
    if (name === undefined) continue
    const place = placeOf(fact, name, text)
    if (letsAllPass(fact, next, facts, text)) yield { ...place, name, setting: '', isStage: false }
    else {
      const found = settingThatOpens(fact, next, facts, text)
      if (found !== undefined) yield { ...place, name, ...found }
    }
  }
}

/**
 * A middleware whose name promises a check of the caller, and that calls next() in every case.
 * Facts: Express 5, "Writing middleware" (next() runs what comes next; a request is refused by an answer, by next(error) or by throwing).
 * Impact: routes behind it are open to all who reach them; whether another check stands before it, its file does not say. What is open without a service binding, or after an error
 * at the start, is nothing by itself where the deployment binds a service that authenticates.
 */
export const guardWithoutCheck: Rule = defineRule({
  id: 'cap/guard-without-check',
  impact: 'data',
  // whether the setting is there where it runs is not in the project
  grades: {
    unset: { evidence: 'assumed' },
    stage: { evidence: 'assumed' },
    skipped: { evidence: 'assumed' },
    unsetSecret: { evidence: 'assumed' },
    caught: { evidence: 'assumed' },
    // another check may stand behind
    cased: { evidence: 'assumed' },
  },
  confidence: 'medium',
  cwe: [862, 863],
  since: '0.3.0',
  docs: 'https://expressjs.com/en/guide/writing-middleware.html',
  keywords: ['next()'],
  extracts: [guardsOfStages, optionalGuards, unsetSecretChecks, skippedRequirements],
  checks: {
    *project({ scripts, deployment, files, reach }) {
      yield* skippedMatches({ scripts, reach })
      const isBound = createBindingReader(deployment)
      for (const { file, value } of scripts.get(optionalGuards)) {
        const { start, end, name, setting } = value
        yield {
          at: { file, span: { start, end } },
          args: { name: quoteWord(name), setting: setting === '' ? '' : quoteWord(setting) },
          variant: setting === '' ? 'caught' : 'unset',
          ...(isBound(file) ? BOUND : { reach: 'user' as const }),
        }
      }
      const found = [...scripts.get(unsetSecretChecks)]
      if (found.length === 0) return
      const isDeployed = deployment.applications.length > 0 || [...files.values()].some(({ kind }) => kind.role === 'dockerfile')
      for (const { file, value } of found) {
        const { start, end, setting, isOnly } = value
        const isUnset = isDeployed && !namesVariable(lastName(setting), files, isInUse)
        yield {
          at: { file, span: { start, end } },
          args: { name: '', setting: quoteWord(setting) },
          // the secret is all that such a route asks for
          reach: isUnset && isOnly === true ? 'anyone' : 'user',
          variant: isUnset ? 'unsetSecret' : 'skipped',
        }
      }
    },

    *'cap-root'(root, { deployment, files }) {
      if (root.test) return
      const runOf = createRunReader({ deployment, files })
      for (const { file, value } of root.scripts.get(guardsOfStages)) {
        // buildpacks set NODE_ENV to production, unless the deployment says otherwise
        if (root.deployments.length > 0 && runOf(file) === undefined) continue
        const { start, end, name, setting } = value
        const args = { name: quoteWord(name), setting: quoteWord(setting) }
        yield { at: { file, span: { start, end } }, args, reach: 'user', variant: 'stage' }
      }
    },

    *'server-script'({ path, text, content: { facts }, budget }) {
      if (isDeveloperFile(path)) return
      for (const { start, end, path: asked } of findCasedPaths(facts, text, (count) => budget.step(count))) {
        const args = { name: '', setting: text.slice(asked.start, asked.end) }
        yield { at: { file: path, span: { start, end } }, args, reach: 'user', variant: 'cased' }
      }
      for (const guard of openGuards(facts, text, (count) => budget.step(count))) {
        const { start, end, name, setting, isStage } = guard
        if (!isStage && !isForBinding(guard))
          yield {
            at: { file: path, span: { start, end } },
            args: { name: quoteWord(name), setting: setting === '' ? '' : quoteWord(setting) },
            reach: 'user',
            ...(setting !== '' && { variant: 'unset' }),
          }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Authorization middleware that lets every request pass',
      message: '{name} calls next() in every case: it neither answers nor throws, so it refuses no request.',
      why: 'Routes behind this middleware look protected, but every caller can use them, with or without the role that its name promises.',
      fix: 'Check the user in it and refuse the others before next(): if (!req.authInfo?.checkLocalScope("<scope>")) return res.sendStatus(403). Or remove the middleware and require the role where the route is registered.',
      variants: {
        unset: {
          title: 'Authorization middleware open where its configuration is missing',
          message: '{name} calls next() without a check where {setting} is not set.',
          why: 'If the binding or the variable is missing after a deployment or a mistake, every caller passes, and nothing fails that would show it.',
          fix: 'Answer 503 or stop the server where {setting} is missing: if (!{setting}) return res.sendStatus(503). Allow requests without a check only where process.env.NODE_ENV is "development".',
        },
        stage: {
          title: 'Authorization middleware open where its configuration is missing',
          message:
            '{name} calls next() without a check where {setting} is not set and NODE_ENV is not "production", and the deployment does not set NODE_ENV to "production".',
          why: 'If the variable is missing where the application is deployed, every caller passes, and nothing fails that would show it.',
          fix: 'Allow requests without a check only where process.env.NODE_ENV is "development", and stop the server elsewhere where {setting} is missing.',
        },
        either: EITHER_WORDS.en,
        skipped: {
          title: 'Check of a secret left out where the secret is missing',
          message: 'This check lets every request pass where {setting} is not set.',
          why: 'If the variable is missing after a deployment or a mistake, every caller passes as if they knew the secret, and nothing fails that would show it.',
          fix: 'Refuse requests where {setting} is missing: if (!{setting}) return res.sendStatus(503). Or stop the server at the start. Then compare in every case.',
        },
        unsetSecret: {
          title: 'Check of a secret left out where the secret is missing',
          message: 'This check lets every request pass where {setting} is not set, and nothing in the project sets it.',
          why: 'Unless someone sets the variable by hand, every caller passes as if they knew the secret, and nothing fails that would show it.',
          fix: 'Refuse requests where {setting} is missing: if (!{setting}) return res.sendStatus(503). Or stop the server at the start. Then compare in every case.',
        },
        cased: {
          title: 'Check of the caller skipped for a path in other letters',
          message:
            'This check runs only where {setting} is written in these letters, but the routes of Express match in upper and lower case.',
          why: 'An attacker writes a part of the path in capital letters: the check does not see it, and the route answers.',
          fix: 'Register the check for the path instead of comparing it: app.use("/admin", check). Or compare {setting}.toLowerCase().',
        },
        caught: {
          title: 'Server starts without authentication after a caught error',
          message:
            '{name} is registered in a try block whose catch block goes on: after an error, the routes below are registered without it.',
          why: 'If credentials are missing or a package fails to load after a deployment, every caller passes, and only the log shows it.',
          fix: 'End the catch block with throw or process.exit(1), so that the server does not start without authentication.',
        },
      },
    },
    fr: {
      title: 'Middleware d’autorisation qui laisse passer toutes les requêtes',
      message: '{name} appelle next() dans tous les cas : ni réponse ni exception, aucune requête n’est donc refusée.',
      why: 'Les routes placées derrière ce middleware semblent protégées, mais tout appelant peut les utiliser, avec ou sans le rôle que son nom annonce.',
      fix: 'Vérifiez l’utilisateur et refusez les autres requêtes avant next() : if (!req.authInfo?.checkLocalScope("<scope>")) return res.sendStatus(403). Ou supprimez le middleware et exigez le rôle là où la route est déclarée.',
      variants: {
        unset: {
          title: 'Middleware d’autorisation ouvert si sa configuration manque',
          message: '{name} appelle next() sans contrôle quand {setting} n’est pas défini.',
          why: 'Si la liaison ou la variable manque après un déploiement ou une erreur, tout appelant passe, et aucun échec ne le signale.',
          fix: 'Répondez 503 ou arrêtez le serveur si {setting} manque : if (!{setting}) return res.sendStatus(503). N’autorisez des requêtes sans contrôle que si process.env.NODE_ENV vaut "development".',
        },
        stage: {
          title: 'Middleware d’autorisation ouvert si sa configuration manque',
          message:
            '{name} appelle next() sans contrôle quand {setting} n’est pas défini et que NODE_ENV ne vaut pas "production" ; le déploiement ne lui donne pas cette valeur.',
          why: 'Si la variable manque là où l’application est déployée, tout appelant passe, et aucun échec ne le signale.',
          fix: 'N’autorisez des requêtes sans contrôle que si process.env.NODE_ENV vaut "development", et arrêtez ailleurs le serveur si {setting} manque.',
        },
        either: EITHER_WORDS.fr,
        skipped: {
          title: 'Contrôle d’un secret omis si ce secret manque',
          message: 'Ce contrôle laisse passer toute requête quand {setting} n’est pas défini.',
          why: 'Si la variable manque après un déploiement ou une erreur, tout appelant passe comme s’il connaissait le secret, et aucun échec ne le signale.',
          fix: 'Refusez les requêtes si {setting} manque : if (!{setting}) return res.sendStatus(503). Ou arrêtez le serveur au démarrage. Comparez ensuite dans tous les cas.',
        },
        unsetSecret: {
          title: 'Contrôle d’un secret omis si ce secret manque',
          message:
            'Ce contrôle laisse passer toute requête quand {setting} n’est pas défini, et rien dans le projet ne le définit.',
          why: 'Sauf si quelqu’un définit la variable à la main, tout appelant passe comme s’il connaissait le secret, et aucun échec ne le signale.',
          fix: 'Refusez les requêtes si {setting} manque : if (!{setting}) return res.sendStatus(503). Ou arrêtez le serveur au démarrage. Comparez ensuite dans tous les cas.',
        },
        cased: {
          title: 'Contrôle de l’appelant contourné par la casse du chemin',
          message:
            'Ce contrôle ne s’exécute que si {setting} est écrit avec ces lettres, alors que les routes d’Express ne distinguent pas majuscules et minuscules.',
          why: 'Un attaquant écrit une partie du chemin en majuscules : le contrôle ne la voit pas, et la route répond.',
          fix: 'Déclarez le contrôle pour ce chemin au lieu de le comparer : app.use("/admin", check). Ou comparez {setting}.toLowerCase().',
        },
        caught: {
          title: 'Démarrage du serveur sans authentification après une erreur interceptée',
          message:
            '{name} est enregistré dans un bloc try dont le bloc catch continue : après une erreur, les routes plus bas sont enregistrées sans lui.',
          why: 'Si des identifiants manquent ou si un paquet ne se charge pas après un déploiement, tout appelant passe, et seul le journal le montre.',
          fix: 'Terminez le bloc catch par throw ou process.exit(1), afin que le serveur ne démarre pas sans authentification.',
        },
      },
    },
  }),
})

/** The binding, or what an error at the start would take away, has to fail first. */
const BOUND = { impact: 'defence', reach: 'anyone', evidence: 'shown' } as const

/** `(req, res, next) => …` */
function nextOf({ parameters }: FunctionFact): Binding | undefined {
  const next = parameters[2]
  return parameters.length === 3 && next !== undefined && /^_?next$/.test(next.name) ? next : undefined
}

/** Its own name, or that of the function that makes it. */
function promisedName(fact: FunctionFact): string | undefined {
  const maker = fact.parent?.returns.some((made) => functionOf(made) === fact) === true ? fact.parent : undefined
  const promises = (name: string): boolean => PROMISES.test(name) && !PREPARES.test(name)
  const own = lastName(fact.name)
  if (promises(own)) return own
  const made = lastName(maker?.name ?? '')
  return promises(made.replace(MAKER_PREFIX, '')) ? made : undefined
}

function letsAllPass(fact: FunctionFact, next: Binding, { calls, guards, assignments }: ScriptFacts, text: string): boolean {
  const isInside = (span: Span): boolean => isWithin(span, fact)
  const own = text.slice(fact.start, fact.end)
  if (/\bthrow\b/.test(own)) return false
  const inside = calls.filter(isInside)
  const isNext = ({ callee }: CallValue): boolean => 'binding' in callee && callee.binding === next
  const passing = inside.filter(isNext)
  const isCaught = /\bcatch\b/.test(own)
  const [request, response] = fact.parameters
  const touches = (binding: Binding | undefined, call: CallValue): boolean =>
    accessesOf(call.callee).some((access) => access.binding === binding && binding !== undefined) ||
    call.args.some((given) => 'binding' in given && given.binding === binding && binding !== undefined)
  const refuses = inside.some(
    (call) =>
      (isNext(call) && call.args.some((given) => constantOf(given) !== null)) ||
      (!isNext(call) &&
        (touches(response, call) ||
          touches(next, call) ||
          // a function of another file that is given the request may refuse by throwing
          (!isCaught && (THROWS.test(lastNameOf(call.callee) ?? '') || isOwn(call, request))))),
  )
  if (refuses) return false
  // it notes for a later one who calls
  if (assignments.some(({ target, start, end }) => isInside({ start, end }) && isOfExchange(target, [request, response])))
    return false
  const around = guards.filter((guard) => guard.function === fact)
  const leaves = around.some(({ inside: body, exits }) => exits && !passing.some((call) => isWithin(call, body)))
  const always = passing.some((call) => !around.some(({ inside: body }) => isWithin(call, body)))
  return !leaves && always
}

/**
 * `if (!getConfiguration()) return next()`: what is asked there is no part of the request, and no stage for developers. Beside `process.env.NODE_ENV !== 'production'` it is open
 * wherever nothing says that it is.
 */
function settingThatOpens(
  fact: FunctionFact,
  next: Binding,
  { calls, guards }: ScriptFacts,
  text: string,
): Pick<OpenGuard, 'setting' | 'isStage'> | undefined {
  const passing = calls.filter(
    (call) => 'binding' in call.callee && call.callee.binding === next && call.args.length === 0 && isWithin(call, fact),
  )
  for (const { test, inside, exits, function: around } of guards) {
    if (around !== fact || !exits || !passing.some((call) => isWithin(call, inside))) continue
    const all = 'options' in test && test.isAnd === true ? test.options : [test]
    const others = all.filter((part) => !(part.kind === 'operation' && OTHER_STAGE.test(text.slice(part.start, part.end))))
    const [only] = others
    const asked = only?.kind === 'operation' && only.operator === '!' ? only.operands[0] : undefined
    const setting = others.length === 1 && asked ? settingOf(asked, fact, text) : undefined
    // what tests are let through does not say that it is closed in production
    if (setting !== undefined)
      return { setting, isStage: all.some(({ start, end }) => NO_PRODUCTION.test(text.slice(start, end))) }
  }
  return undefined
}

/** A stage that is none of those for developers alone. */
const OTHER_STAGE = /^process\.env\.NODE_ENV\s{0,4}!==?\s{0,4}['"](?:production|test|testing)['"]$/
const NO_PRODUCTION = /^process\.env\.NODE_ENV\s{0,4}!==?\s{0,4}['"]production['"]$/

/** What is asked, where it comes from the environment, a configuration or a function that gets nothing of the request. */
function settingOf(asked: Value, fact: FunctionFact, text: string): string | undefined {
  const made = resolveValue(asked)
  const written = text.slice(made.start, made.end)
  const isOfRequest = (value: Value): boolean =>
    findPart(value, (part) => 'binding' in part && part.binding !== undefined && fact.parameters.includes(part.binding)) !==
    undefined
  if (isOfRequest(made) || isOfRequest(asked) || /NODE_ENV|stage|develop|test|local/i.test(written)) return undefined
  const isSetting =
    made.kind === 'call'
      ? SETTINGS.test(lastNameOf(made.callee) ?? '')
      : /^process\.env\b|^(?:config|settings|options|env)\b/.test(written)
  return isSetting && written.length <= MAX_SETTING && !/[\n'"`]/.test(written) ? written : undefined
}

const SETTINGS = /config|settings|credential|secret|key|xsuaa|binding|service/i
const MAX_SETTING = 60

/** `check(req)` */
function isOwn({ args }: CallValue, request: Binding | undefined): boolean {
  return args.some((given) => 'binding' in given && request !== undefined && given.binding === request)
}

function isOfExchange(target: Parameters<typeof accessesOf>[0], exchange: readonly (Binding | undefined)[]): boolean {
  return accessesOf(target).some(({ binding }) => binding !== undefined && exchange.includes(binding))
}

/** The name where the function gets it, or where it begins. */
function placeOf({ start }: FunctionFact, name: string, text: string): Span {
  const inside = text.slice(start, text.indexOf('(', start)).indexOf(name)
  const at = inside >= 0 ? start + inside : text.lastIndexOf(name, start)
  return at >= 0 && start - at < MAX_BETWEEN ? { start: at, end: at + name.length } : { start, end: start + 1 }
}

const MAX_BETWEEN = 100
