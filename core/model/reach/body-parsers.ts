import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { foldersAround } from '../../paths.ts'
import type { NpmPackage, NpmProject } from '../npm/index.ts'
import { isOfUi5App } from '../script/index.ts'

/**
 * What reads the body of a request, or may do so: a parser of Express, a package for forms and files, a listener or a loop over what comes in, whatever the request is
 * called, and a server that parses by itself. Facts: Express 5, "req.body" (undefined until a parser has run), "express.json", "express.urlencoded", "express.text",
 * "express.raw"; Node.js 20, "stream/consumers"; Kyma, "Serverless: function's specification" (`event.extensions.request`, whose body is parsed).
 */
const READS_BODY: readonly RegExp[] = [
  /\bexpress\s{0,4}\.\s{0,4}(?:json|urlencoded|text|raw|bodyParser)\b|\burlencoded\s{0,4}[(,}]|\b[bB]odyParser\b/,
  /\.\s{0,4}use\s{0,4}\([^;\n]{0,200}\.\s{0,4}(?:json|urlencoded|text|raw)\s{0,4}\(/,
  /\.\s{0,4}use\s{0,4}\([\s[]{0,80}[\w$.]{1,60}\.(?:json|urlencoded|text|raw)\s{0,4}\(/,
  /["'`]express["'`]\)?\s{0,4}\)?\s{0,4}\.\s{0,4}(?:json|urlencoded|text|raw)\b/,
  /["'`](?:body-parser|multer|busboy|formidable|multiparty|raw-body|co-body|get-stream|express-fileupload|(?:node:)?stream\/consumers)/,
  /\b(?:req|oReq)(?:uest)?\s{0,4}\.\s{0,4}(?:on|once|pipe|setEncoding)\s{0,4}\(|\.\s{0,4}(?:on|once)\s{0,4}\(\s{0,4}["'`](?:data|readable)["'`]/,
  /\.\s{0,4}(?:raw)?[bB]ody\s{0,4}(?:\?\?|\|\||&&)?=(?![=>])|\[\s{0,4}["'`]body["'`]\s{0,4}\]\s{0,4}=(?![=>])/,
  /\bfor\s{1,4}await\b|\bextensions\s{0,4}\.\s{0,4}request\b/,
]

const NAMES_EXPRESS = /["'`]express["'`]/
const PARSER = /\b(?:json|urlencoded|text|raw)\b/g
/** Before such a name: what answers, and what reads the answer of another server. */
const ANSWERS =
  /(?:\b_?res(?:p|ponse)?|\))\s{0,40}\.\s{0,20}$|\bawait\s{1,4}[\w$.]{1,60}\.$|\bthen\(\s{0,4}\(?\w{1,40}\)?\s{0,4}=>\s{0,4}\w{1,40}\.$/
/** How far around a name is read. */
const AROUND = 100

/** A script that names Express takes a parser out of it, whatever it calls the two: `web.json()`, `const { json: parse } = express`. */
function takesParser(text: string): boolean {
  if (!NAMES_EXPRESS.test(text)) return false
  for (const { 0: name, index } of text.matchAll(PARSER)) {
    const before = text.slice(Math.max(0, index - AROUND), index)
    const after = text.slice(index + name.length, index + name.length + AROUND)
    if (ANSWERS.test(before)) continue
    const isMember = name !== 'text' && /\.\s{0,4}$/.test(before) && !/^["'`]/.test(after)
    const isTaken = /[{,]\s{0,20}$/.test(before) && /^\s{0,20}(?::\s{0,4}(?!true\b|false\b)[A-Za-z_$]|as\s|[,}=])/.test(after)
    if (isMember || isTaken || /^\s{0,4}\(/.test(after) || /\[\s{0,4}["'`]$/.test(before)) return true
  }
  return false
}

/** Scripts that read bodies of requests, or may do so. */
export const bodyParsers: Extract<true> = defineExtract({
  name: 'reach-body-parsers',
  keywords: [
    ...'express urlencoded body multer busboy formidable multiparty get-stream stream/consumers extensions.request'.split(' '),
    ...'req.on request.on Req.on Request.on req.once Req.once Request.once req.pipe request.pipe Req.pipe Request.pipe setEncoding .use('.split(
      ' ',
    ),
    'for await',
    "'data'",
    '"data"',
    '`data`',
    'readable',
  ],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    if (READS_BODY.some((form) => form.test(text)) || takesParser(text)) yield true
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

/** What is asked of a project. */
interface Asked {
  readonly scripts: Scripts
  readonly npm: NpmProject
}

/**
 * Tells of which files the routes get no bodies: those of a package for CAP, where no script and no such package of the project can read the bodies of routes that are added
 * to the app of CAP, so that `req.body` is undefined there. Of other servers only a part may be in the project, or what runs them parses, as for XSJS and functions of
 * a cloud. Needs the extract `bodyParsers`.
 */
export function findUnreadBodies({ scripts, npm }: Asked): (file: string) => boolean {
  const { packages, byFolder } = npm
  const serving = packages.filter((one) => runningOf(one).some((name) => SERVERS.test(name)))
  const areUnread = serving.length > 0 && serving.every(leavesBodies) && scripts.get(bodyParsers).length === 0
  return (file) => {
    if (!areUnread || /\.xsjs(?:lib)?$/.test(file)) return false
    for (const folder of foldersAround(file)) {
      const own = byFolder.get(folder)
      if (own !== undefined) return leavesBodies(own)
    }
    return false
  }
}

function leavesBodies(own: NpmPackage): boolean {
  const names = runningOf(own)
  return names.includes('@sap/cds') && names.every((name) => LEAVES_BODIES.test(name))
}

function runningOf({ dependencies }: NpmPackage): readonly string[] {
  return dependencies.flatMap(({ name, member }) => (member === 'devDependencies' ? [] : name))
}
