import { quoteWord } from '../../quote.ts'
import { accessesOf, constantOf, excerptOf } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createDevelopmentReader, isLogCall, isToolFile, isXsScript } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { gradeHit, isRowKept } from './_flow-grade.ts'
import { LOGS_PASSWORD } from '../../parse/java-tokens.ts'
import { loggedPasswords } from './_java/logged-passwords.ts'
import { javaTokens } from './_java/sources.ts'
import { createAnswerReader } from './_logs/answers.ts'
import { objectApart, partApart, recordsWithPassword } from './_logs/apart.ts'
import { createUnsetReader, functionsBeforeLogin, isUnsetUser } from './_logs/before-login.ts'
import { bodiesLogged } from './_logs/bodies.ts'
import { CODE_LINK, linksLogged } from './_logs/code-links.ts'
import { earlyLogs, isLoggedBefore } from './_logs/early.ts'
import { isDrawnPin } from './_logs/drawn-pins.ts'
import { loggedRecords, recordsLogged } from './_logs/records.ts'
import { loggedRows, rowsLogged } from './_logs/rows.ts'
import { loggedParts, tokensOfCallbacks } from './_logs/parts.ts'
import { queriesLogged } from './_logs/queries.ts'
import { isSlip, plainName } from './_logs/slips.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What of a request, a user or the environment holds credentials, from the last step on. */
const SECRET =
  /^(?:authorization|cookie|authInfo|tokenInfo|token|accessToken|jwt|credentials|clientsecret|clientSecret|password|passwd|secret|apiKey|api_key|privateKey|VCAP_SERVICES)$/
/** Names that say so by themselves; a token may be one of a page, too. */
const NAMED =
  /^(?:credentials|password|passwd|pwd|secret|clientSecret|(?:access|refresh|bearer|auth|jwt|oauth|user|exchanged|xsuaa|uaa|technical)Token|apiKey|api_key|privateKey|jwt)\d{0,2}$/
/** Codes that are valid once, and passwords that somebody gets for the first login: `otp`, `tempPassword`, `verification_code`. */
const ONE_TIME =
  /^(?:(?:generated|new|email|sms|login)_?)?(?:otp(?:_?(?:code|value))?|one_?time_?(?:code|password|pass)|verification_?code|reset_?code)$|^(?:temp|temporary|initial|default|generated|new|random|plain|user)_?(?:password|passwd|pwd)$/i
/** The session of a back end, whose cookie XS classic sends by hand: `B1SESSION`, `sessionID`. */
const XS_SESSION = /^(?:\w{0,20}_?session_?id|b1session)$/i
/** What has no text of its own. */
const OBJECTS = /(?:^|\.)(?:headers|rawHeaders|cookies|authInfo|tokenInfo)$|^process\.env$/
/** A value whose name does not say so is the result of a call. */
const SAYS_SECRET = /passw|pwd|secret|token|jwt|key|credential|auth|header|cookie|VCAP/i

/**
 * A token, credentials or all headers of a request written to the log.
 * Facts: CAP, "cds.log"; @sap/xssec (authInfo and tokenInfo hold the token of the user); OWASP Logging Cheat Sheet, "Data to exclude". Impact: whoever reads the log can act as others, or sees data of people. Nothing of XS classic is written by `$.trace.debug` until an administrator raises the level (SAP HANA Administration Guide, "Database Trace": the default is ERROR).
 */
export const sensitiveLog: Rule = defineRule({
  id: 'cap/sensitive-log',
  impact: 'takeover',
  reach: 'privileged',
  grades: {
    personal: { impact: 'data' },
    record: { impact: 'data' },
    // what callers send is not in the project
    body: { impact: 'data', evidence: 'assumed' },
    // one object of a storage, until the address expires
    signed: { impact: 'data' },
    content: { impact: 'data', evidence: 'assumed' },
    account: { impact: 'bounded', evidence: 'assumed' },
    // the session of the server holds no more than who somebody is
    caller: { impact: 'bounded' },
    // whether a destination logs on, its own settings say
    destination: { evidence: 'assumed' },
    // what the rows hold is not in the project
    queries: { impact: 'data', evidence: 'assumed' },
    // all that the app is asked and answers
    bodies: { impact: 'data' },
  },
  confidence: 'high',
  cwe: [532],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html#data-to-exclude',
  keywords: [
    'console.',
    'cds.log',
    '.log(',
    'logger.',
    '$.trace.',
    'mongoose',
    'knex',
    'sequelize',
    'morgan-body',
    'express-winston',
  ],
  prefilter: (text) =>
    /["'`](?:mongoose|knex|sequelize|morgan-body|express-winston|axios)["'`]|\.body\b|\.session\b|\.user\b(?!\s{0,4}\??\.)|[{,]\s{0,20}user\s{0,4}[,:}]|\battr\b|[cC]ontents?\b|[bB]ase64|(?:file|csv|excel|xlsx|pdf|document|attachment|upload)_?[A-Z]|readServices|getServices|[sS]igned(?:\w{0,8})U(?:rl|RL)|signUrl|SasUrl|presigned|_ACCOUNT_SID|ACCESS_KEY_ID|headers|cookie|authInfo|tokenInfo|[tT]oken|credentials|secret|Secret|passw|\bauth\s{0,3}:|VCAP_SERVICES|apiKey|api_key|jwt|[sS]ession_?I[dD]|B1SESSION|otp|Otp|OTP|ne_?[tT]ime|[Pp]assw|[Pp]wd|(?:erification|eset)_?[cC]ode|(?:pin|Pin|PIN)\b|sheet_to_|[lL]ink\b|(?:eset|agic|nvite|ctivation|erification)_?U(?:rl|RL)\b|PASSW|PWD\b/.test(
      text,
    ),
  extracts: [loggedRecords, loggedRows, earlyLogs, functionsBeforeLogin],
  checks: {
    *'cap-root'(root) {
      yield* recordsLogged(root)
      yield* rowsLogged(root)
    },

    *project({ files, step }) {
      for (const { file, tokens } of javaTokens(files.values(), LOGS_PASSWORD)) {
        step(tokens.length)
        for (const { start, end, text } of loggedPasswords(tokens))
          yield { at: { file, span: { start, end } }, args: { value: quoteWord(text) }, variant: 'configured', groupKey: file }
      }
    },

    *flow(hit, project) {
      const isOfDestination = hit.origin === 'destination-error'
      const isRequest = hit.origin === 'signed-error' || isOfDestination
      const isText = hit.concatenated || hit.detail === 'in-text' || hit.detail === 'as-text'
      if ((isRequest && isText) || isLoggedBefore(hit, project) || isUnsetUser(hit, project)) return
      // a column that is read again has a name of its own, and a table of settings other rows than the secret's
      if (SAYS_SECRET.test(hit.part) && isRowKept(hit)) return
      // "[object Object]"
      if (hit.detail === 'as-text' && (/^(?:exchange|caller)$/.test(hit.origin) || OBJECTS.test(hit.part))) return
      // the console of a tool is that of its user
      const [source] = hit.steps
      const match = {
        ...gradeHit(hit, isToolFile(hit.at.file) ? { reach: 'local' } : {}),
        args: { value: hit.quotedPart },
        // parts of one value in one statement
        ...(hit.call !== undefined &&
          source !== undefined && {
            groupKey: `${hit.at.file} ${hit.call} ${source.at.file} ${source.at.span?.start} ${hit.part}`,
          }),
      }
      if (hit.origin === 'personal') yield { ...match, variant: 'personal' }
      else if (isOfDestination) yield { ...match, variant: 'destination', groupKey: `destination ${hit.at.file}` }
      else if (isRequest) yield { ...match, variant: 'request' }
      else yield SAYS_SECRET.test(hit.part) ? { ...match, ...adviceOn(hit.part) } : { ...match, variant: 'result' }
    },

    *'server-script'({ path, text, content: { facts }, budget }): Generator<Match> {
      if (isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(facts)
      for (const { at, library, setting } of queriesLogged(facts, isForDevelopers))
        yield { at: { file: path, span: at }, args: { value: setting, library }, variant: 'queries' }
      for (const { at, library, variant } of bodiesLogged(facts, isForDevelopers))
        yield { at: { file: path, span: at }, args: { value: library }, variant }
      for (const { at, value, isUnsure } of linksLogged(facts, text))
        if (!isForDevelopers(at))
          yield {
            at: { file: path, span: at },
            args: { value: quoteWord(value) },
            variant: 'link',
            ...(isUnsure && { evidence: 'assumed' }),
          }
      const isXs = isXsScript(path)
      const tokens = tokensOfCallbacks(facts)
      const declared = new Set(facts.bindings.map(({ name }) => plainName(name)))
      const answerIn = createAnswerReader(facts, (count) => budget.step(count))
      const isUnset = createUnsetReader(facts, text)
      const withPassword = recordsWithPassword(facts)
      for (const call of facts.calls) {
        if (!isLogCall(call)) continue
        for (const { value, at, isPassword } of call.args.flatMap((argument) =>
          loggedParts(argument, facts, (count) => budget.step(count)),
        )) {
          budget.step()
          const apart = partApart(value) ?? answerIn(value) ?? objectApart(value, call, withPassword)
          if (apart !== undefined && !isForDevelopers(call) && !isUnset(at)) {
            yield {
              at: { file: path, span: { start: at.start, end: at.end } },
              args: { value: quoteWord(excerptOf(text, value)) },
              variant: apart,
            }
            continue
          }
          const isSecret =
            isPassword === true ||
            value.kind === 'call' ||
            isDrawnPin(value) ||
            (value.kind === 'reference' && value.binding !== undefined && tokens.has(value.binding)) ||
            (isXs && value.kind === 'reference' && XS_SESSION.test(value.name)) ||
            (value.kind === 'reference' &&
              !(isSlip(value, declared, text) && !isXs) &&
              (NAMED.test(value.name) || (value.binding !== undefined && ONE_TIME.test(value.name))) &&
              constantOf(value) === undefined) ||
            accessesOf(value).some(({ root, steps }) => {
              const last = lastWordOf(steps.at(-1) ?? '')
              if (steps.includes('()') && !SECRET.test(last) && !ONE_TIME.test(last)) return false
              if (root === 'global:process') return last === 'VCAP_SERVICES' || (steps.length === 1 && last === 'env')
              return steps.length > 0 && (SECRET.test(last) || ONE_TIME.test(last))
            })
          if (!isSecret || isForDevelopers(call) || isUnset(at)) continue
          const logged = excerptOf(text, value)
          yield {
            at: { file: path, span: { start: at.start, end: at.end } },
            args: { value: quoteWord(logged) },
            ...(isXs && lastNameOf(call.callee) === 'debug' && { evidence: 'assumed' }),
            ...adviceOn(logged),
          }
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Credentials or tokens written to the log',
      message: '{value} is written to the log.',
      why: 'Logs are often accessible to more people and systems than the application’s own data. An attacker who finds a token or password there can act as the user or service to which it belongs.',
      fix: 'Remove the value from the log statement. To identify a request, log req.id and req.user.id in a CAP handler, req.method and req.path in Express middleware, or a harmless header such as req.headers["x-correlation-id"].',
      variants: {
        queries: {
          title: 'Database queries logged with their values',
          message: '{value} makes {library} write each query with its values to the log, in production too.',
          why: 'The values of queries are data of users, and at times password hashes or tokens. An attacker with access to the logs can read them.',
          fix: 'Remove {value} from the settings of {library}, or set it only where NODE_ENV is "development".',
        },
        configured: {
          fix: 'Remove the value from the log statement, and rotate credentials that have already been logged.',
        },
        result: {
          message: 'The result of {value} can contain credentials or tokens, and it is written to the log.',
          fix: 'Remove the value from the log statement, and rotate credentials that have already been logged.',
        },
        request: {
          title: 'Exception of an HTTP request written to the log',
          message: '{value}, the whole exception of an HTTP request that is sent with credentials, is written to the log.',
          why: 'The exception contains the configuration of the request: its Authorization header, password or API key becomes part of the log, which more people and systems can read.',
          fix: 'Log only its message and status: error.message, error.response?.status. Then rotate credentials that have already been logged.',
        },
        destination: {
          title: 'Exception of a request to a destination in the log',
          message: '{value}, the whole exception of an HTTP request to a destination, is written to the log.',
          why: 'The exception contains the headers that were sent, also those that the destination adds: a password (Basic authentication) or token becomes part of the log, which more people and systems can read.',
          fix: 'Log only its message and status: error.message, error.response?.status. Then rotate credentials that have already been logged.',
        },
        answer: {
          title: 'Response of an HTTP request written to the log',
          message: '{value}, the whole response of an HTTP request that is sent with credentials, is written to the log.',
          why: 'The response of axios contains the configuration of the request: its Authorization header, password or client secret becomes part of the log, which more people and systems can read.',
          fix: 'Log only its status: response.status. Then rotate credentials that have already been logged.',
        },
        bodies: {
          title: 'Bodies of all requests written to the log',
          message: '{value} writes the bodies of all requests or responses to the log, in production too.',
          why: 'What users send and get becomes part of the log, which more people and systems can read, and which can have other retention periods.',
          fix: 'Remove {value}, or use it only where NODE_ENV is "development". To log requests, log method, path and status alone, such as with morgan("tiny").',
        },
        headers: {
          message: '{value} writes the headers of all requests to the log, with tokens and cookies.',
          fix: 'Give {value} headerBlacklist: ["authorization", "cookie"], or a requestWhitelist without headers.',
        },
        body: {
          title: 'Request body written to the log',
          message: '{value}, the whole body of the request, is written to the log.',
          why: 'Request bodies can contain tokens, passwords and personal data. Logs are often accessible to more people and systems than the application’s own data.',
          fix: 'Log only the fields that identify the request, such as an ID, instead of the whole body.',
        },
        content: {
          title: 'Content of a file written to the log',
          message: '{value}, the whole content of a file, is written to the log.',
          why: 'All rows of the file become part of the log, which more people and systems can read than the data of the application.',
          fix: 'Log only the name and the size of the file, or the number of its rows.',
        },
        signed: {
          title: 'Signed URL written to the log',
          message: '{value}, a signed address that needs no further login, is written to the log.',
          why: 'Until it expires, anyone who reads the log can use the address to read or replace the object to which it leads.',
          fix: 'Log the key of the object instead of the address.',
        },
        account: {
          title: 'Account identifier written to the log',
          message: '{value} is written to the log.',
          why: 'The identifier is one half of the credential of an external service; anyone who reads the log can use it to target the account.',
          fix: 'Remove the value from the log statement.',
        },
        row: {
          message: '{value}, a row of {entity} as it was read, with {members:and}, is written to the log.',
          fix: 'Log the key of the row alone, or read only the elements that the handler needs: SELECT.one.from(…).columns(…). Then replace credentials that have already been logged.',
        },
        caller: {
          title: 'Session or user attributes written to the log',
          message: '{value}, with all that it holds of the user, is written to the log.',
          why: 'Attributes, e-mail addresses and roles of users become part of the log, which more people and systems can read, and which can have other retention periods.',
          fix: 'Log req.user.id, or the single value that the statement is about.',
        },
        record: {
          title: 'Personal data written to the log',
          message: '{value}, with elements of {entity} such as {members:and}, is written to the log.',
          why: 'Logs are often accessible to more people and systems than the application’s own data, and can have other retention periods: the restrictions of the model do not apply there.',
          fix: 'Log what identifies the request or the row instead, such as its key, or mask the value first.',
        },
        link: CODE_LINK.en,
        personal: {
          title: 'Personal data written to the log',
          message:
            'According to the model, the result of {value} contains personal data, and one of its elements is written to the log.',
          why: 'Logs are often accessible to more people and systems than the application’s own data, and can have other retention periods: the protection declared in the model does not apply there.',
          fix: 'Log what identifies the request or the row instead, such as its key, or mask the value first.',
        },
      },
    },
    fr: {
      title: 'Identifiants ou jetons écrits dans les journaux',
      message: '{value} est écrit dans les journaux.',
      why: 'Les journaux sont souvent accessibles à plus de personnes et de systèmes que les données de l’application. Un attaquant qui y trouve un jeton ou un mot de passe peut agir au nom de l’utilisateur ou du service auquel il appartient.',
      fix: 'Retirez la valeur de l’instruction de journalisation. Pour identifier une requête, journalisez req.id et req.user.id dans un gestionnaire CAP, req.method et req.path dans un middleware Express, ou un en-tête sans danger comme req.headers["x-correlation-id"].',
      variants: {
        queries: {
          title: 'Requêtes de base de données journalisées avec leurs valeurs',
          message: '{value} fait écrire à {library} chaque requête avec ses valeurs dans le journal, aussi en production.',
          why: 'Les valeurs des requêtes sont des données d’utilisateurs, parfois des empreintes de mots de passe ou des jetons. Un attaquant ayant accès aux journaux peut les lire.',
          fix: 'Supprimez {value} des réglages de {library}, ou ne le définissez que si NODE_ENV vaut "development".',
        },
        configured: {
          fix: 'Retirez la valeur de l’instruction de journalisation, et renouvelez les identifiants déjà journalisés.',
        },
        result: {
          message: 'Le résultat de {value} peut contenir des identifiants ou des jetons, et il est écrit dans les journaux.',
          fix: 'Retirez la valeur de l’instruction de journalisation, et renouvelez les identifiants déjà journalisés.',
        },
        request: {
          title: 'Exception d’une requête HTTP écrite dans les journaux',
          message: '{value}, l’exception complète d’une requête HTTP envoyée avec des identifiants, est écrit dans les journaux.',
          why: 'L’exception contient la configuration de la requête : son en-tête Authorization, son mot de passe ou sa clé d’API figurent alors dans les journaux, que davantage de personnes et de systèmes peuvent lire.',
          fix: 'Journalisez seulement son message et son statut : error.message, error.response?.status. Renouvelez ensuite les identifiants déjà journalisés.',
        },
        destination: {
          title: 'Exception d’une requête vers une destination dans les journaux',
          message: '{value}, l’exception complète d’une requête HTTP vers une destination, est écrit dans les journaux.',
          why: 'L’exception contient les en-têtes envoyés, y compris ceux que la destination ajoute : un mot de passe (authentification Basic) ou un jeton figure alors dans les journaux, que davantage de personnes et de systèmes peuvent lire.',
          fix: 'Journalisez seulement son message et son statut : error.message, error.response?.status. Renouvelez ensuite les identifiants déjà journalisés.',
        },
        answer: {
          title: 'Réponse d’une requête HTTP écrite dans les journaux',
          message: '{value}, la réponse complète d’une requête HTTP envoyée avec des identifiants, est écrit dans les journaux.',
          why: 'La réponse d’axios contient la configuration de la requête : son en-tête Authorization, son mot de passe ou son secret figurent alors dans les journaux, que davantage de personnes et de systèmes peuvent lire.',
          fix: 'Journalisez seulement son statut : response.status. Renouvelez ensuite les identifiants déjà journalisés.',
        },
        bodies: {
          title: 'Corps de toutes les requêtes écrits dans les journaux',
          message: '{value} écrit dans les journaux le corps de toutes les requêtes ou réponses, y compris en production.',
          why: 'Ce que les utilisateurs envoient et reçoivent figure alors dans les journaux, que davantage de personnes et de systèmes peuvent lire et dont la durée de conservation peut différer.',
          fix: 'Supprimez {value}, ou ne l’utilisez que si NODE_ENV vaut "development". Pour journaliser les requêtes, contentez-vous de la méthode, du chemin et du statut, par exemple avec morgan("tiny").',
        },
        headers: {
          message: '{value} écrit dans les journaux les en-têtes de toutes les requêtes, avec jetons et cookies.',
          fix: 'Donnez à {value} headerBlacklist: ["authorization", "cookie"], ou une requestWhitelist sans headers.',
        },
        body: {
          title: 'Corps de requête écrit dans les journaux',
          message: '{value}, le corps entier de la requête, est écrit dans les journaux.',
          why: 'Le corps d’une requête peut contenir des jetons, des mots de passe et des données personnelles. Les journaux sont souvent accessibles à plus de personnes et de systèmes que les données de l’application.',
          fix: 'Journalisez seulement les champs qui identifient la requête, comme un ID, et non le corps entier.',
        },
        content: {
          title: 'Contenu d’un fichier écrit dans les journaux',
          message: '{value}, le contenu entier d’un fichier, est écrit dans les journaux.',
          why: 'Toutes les lignes du fichier figurent alors dans les journaux, que davantage de personnes et de systèmes peuvent lire que les données de l’application.',
          fix: 'Journalisez seulement le nom et la taille du fichier, ou le nombre de ses lignes.',
        },
        signed: {
          title: 'URL signée écrite dans le journal',
          message: '{value}, une adresse signée qui ne demande aucune autre authentification, est écrite dans le journal.',
          why: 'Jusqu’à son expiration, quiconque lit le journal peut utiliser l’adresse pour lire ou remplacer l’objet auquel elle mène.',
          fix: 'Journalisez la clé de l’objet au lieu de l’adresse.',
        },
        account: {
          title: 'Identifiant de compte écrit dans les journaux',
          message: '{value} est écrit dans les journaux.',
          why: 'L’identifiant est la moitié des informations d’authentification d’un service externe : quiconque lit les journaux peut s’en servir pour cibler le compte.',
          fix: 'Retirez la valeur de l’instruction de journalisation.',
        },
        row: {
          message: '{value}, une ligne de {entity} telle qu’elle a été lue, avec {members:et}, est écrit dans les journaux.',
          fix: 'Journalisez seulement la clé de la ligne, ou ne lisez que les éléments utiles au gestionnaire : SELECT.one.from(…).columns(…). Remplacez ensuite les identifiants déjà journalisés.',
        },
        caller: {
          title: 'Session ou attributs de l’utilisateur écrits dans les journaux',
          message: '{value}, avec tout ce que cet objet contient de l’utilisateur, est écrit dans les journaux.',
          why: 'Attributs, adresses électroniques et rôles des utilisateurs figurent alors dans les journaux, que davantage de personnes et de systèmes peuvent lire et dont la durée de conservation peut différer.',
          fix: 'Journalisez req.user.id, ou la seule valeur qui concerne l’instruction.',
        },
        record: {
          title: 'Données personnelles écrites dans les journaux',
          message: '{value}, avec des éléments de {entity} tels que {members:et}, est écrit dans les journaux.',
          why: 'Les journaux sont souvent accessibles à plus de personnes et de systèmes que les données de l’application, et leur durée de conservation peut différer : les restrictions du modèle ne s’y appliquent pas.',
          fix: 'Journalisez plutôt ce qui identifie la requête ou la ligne, comme sa clé, ou masquez d’abord la valeur.',
        },
        link: CODE_LINK.fr,
        personal: {
          title: 'Données personnelles écrites dans les journaux',
          message:
            'Selon le modèle, le résultat de {value} contient des données personnelles, et l’un de ses éléments est écrit dans les journaux.',
          why: 'Les journaux sont souvent accessibles à plus de personnes et de systèmes que les données de l’application, et leur durée de conservation peut différer : la protection prévue par le modèle ne s’y applique pas.',
          fix: 'Journalisez plutôt ce qui identifie la requête ou la ligne, comme sa clé, ou masquez d’abord la valeur.',
        },
      },
    },
  }),
})

/** `password` of `settings["mail.password"]`, as Java names properties. */
function lastWordOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

/** A value of no request is one of the configuration, which does not change by itself. */
function adviceOn(value: string): { readonly variant?: string } {
  return /\b(?:req|oReq)(?:uest)?\b|header|cookie|authInfo|tokenInfo|authorization|otp|one_?time|_?code$/i.test(value)
    ? {}
    : { variant: 'configured' }
}
