import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { NpmPackage } from '../npm/index.ts'
import { isOfUi5App } from '../script/index.ts'

/**
 * What reads the body of a request, or may do so: a parser of Express in whatever notation, a package for forms and files, a listener of the script's own, and a server
 * that parses by itself. Facts: Express 5, "req.body" (undefined until a parser has run), "express.json", "express.urlencoded", "express.text", "express.raw".
 */
const READS_BODY =
  /\bexpress\s{0,4}\.\s{0,4}(?:json|urlencoded|text|raw|bodyParser)\b|\burlencoded\s{0,4}[(,}]|[{,]\s{0,20}(?:json|text|raw)\s{0,20}(?::\s{0,4}\w{1,40}\s{0,20})?[,}][^;]{0,200}["'`]express["'`]|\.\s{0,4}use\s{0,4}\([^;\n]{0,200}\.\s{0,4}(?:json|urlencoded|text|raw)\s{0,4}\(|["'`]express["'`]\)?\s{0,4}\)?\s{0,4}\.\s{0,4}(?:json|urlencoded|text|raw)\b|["'`](?:body-parser|multer|busboy|formidable|multiparty|raw-body|co-body|get-stream|express-fileupload)|\breq(?:uest)?\s{0,4}\.\s{0,4}(?:on|once|pipe|setEncoding)\s{0,4}\(|\breq(?:uest)?\s{0,4}\.\s{0,4}(?:raw)?[bB]ody\s{0,4}=[^=]|\bof\s{1,4}req(?:uest)?\s{0,4}\)|\b[bB]odyParser\b/

/** Scripts that read bodies of requests, or may do so. */
export const bodyParsers: Extract<true> = defineExtract({
  name: 'reach-body-parsers',
  keywords:
    'express urlencoded body multer busboy formidable multiparty get-stream req.on request.on req.once req.pipe request.pipe setEncoding'.split(
      ' ',
    ),
  words: ['of req'],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    if (READS_BODY.test(text)) yield true
  },
})

/**
 * Packages that leave the bodies of an app as they are, by what they are for. `@sap/cds` parses those of its services alone: its app has no parser when `bootstrap` and
 * `served` come, nor later. Facts: @sap/cds 6.8.4, 7.9.5, 8.9.10 and 9.9.3 (server.js; lib/srv/protocols and libx: parsers within the adapters, and for the paths of a
 * message broker); README of the other packages.
 */
const LEAVES_BODIES =
  /^(?:@sap\/(?:cds|cds-dk|cds-common-content|xssec|xsenv|hana-client|hdi-deploy)|@cap-js\/(?:hana|sqlite|postgres|db-service|cds-types|cds-typer)|@sap-cloud-sdk\/[\w-]{1,40}|@types\/[\w-]{1,60}|express|passport(?:-jwt)?|axios|node-fetch|cors|helmet|compression|morgan|dotenv|uuid|lodash|moment|dayjs|date-fns|hdb|pg|(?:better-)?sqlite3?|mysql2?|mongodb|mongoose|jsonwebtoken|bcrypt(?:js)?|winston|pino|xlsx|exceljs|pdfkit|nodemailer|openai|typescript|tsx|ts-node|nodemon|cookie-parser|express-rate-limit|express-session|http-proxy-middleware)$/

/** What servers with routes of Express are made with. */
const SERVERS = /^(?:express|@sap\/cds)$/

/**
 * Whether no script and no package of a project can read the bodies of routes that are added to the app of CAP, so that `req.body` is undefined there. Of other servers only
 * a part may be in the project, or what runs them parses. Needs the extract `bodyParsers`.
 */
export function areBodiesUnread(scripts: Scripts, packages: readonly NpmPackage[]): boolean {
  const running = packages.map(({ dependencies }) => dependencies.filter(({ member }) => member !== 'devDependencies'))
  const serving = running.filter((dependencies) => dependencies.some(({ name }) => SERVERS.test(name)))
  return (
    serving.length > 0 &&
    serving.every(
      (dependencies) =>
        dependencies.some(({ name }) => name === '@sap/cds') && dependencies.every(({ name }) => LEAVES_BODIES.test(name)),
    ) &&
    scripts.get(bodyParsers).length === 0
  )
}
