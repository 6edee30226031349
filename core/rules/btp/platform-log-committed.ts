import { fileNameOf } from '../../paths.ts'
import { classifyHost, type CredentialFile } from '../../secrets/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findMails } from './_found-mails.ts'

/** Fewer are a sample in a text for people. */
const FEWEST_ENTRIES = 20

/**
 * The log of a deployed app, as `cf logs` writes it, in a file of the project. Tokens and passwords in it are told by the rules on secrets, one by one.
 * What a .gitignore covers is in the folder of a developer alone.
 * Facts: Cloud Foundry documentation, "App and system logs" (`RTR` writes address, referrer and x_forwarded_for of each request; `APP` what the app prints).
 * Impact: readers of the repository learn who uses the app, from where, with which requests; without persons, or of one that may well be who fetched the log, only how it is built.
 */
export const platformLogCommitted: Rule = defineRule({
  id: 'btp/platform-log-committed',
  impact: 'bounded',
  reach: 'privileged',
  usage: 'deployed',
  isOfRepository: true,
  grades: { persons: { reach: 'anyone' }, author: {} },
  confidence: 'high',
  cwe: [532, 540],
  since: '0.3.0',
  docs: 'https://docs.cloudfoundry.org/devguide/deploy-apps/streaming-logs.html',
  keywords: ['Retrieving logs for app', '[RTR/', '[APP/PROC/', '[APP/TASK/'],
  on: 'credentials',

  *check(credentials) {
    const found = credentials.isSample ? undefined : readLog(credentials)
    if (found === undefined) return
    const { span, entries, mails, addresses, isByAuthor } = found
    const { path } = credentials.file
    const at: Match['at'] = { file: path, span }
    const args = { file: path, entries: String(entries), pattern: fileNameOf(path) }
    // one log in two encodings is one finding, whose lines may end in two ways
    const size = credentials.file.text.replaceAll('\r', '').trim().length
    const groupKey = `${credentials.file.text.slice(span.start, span.end)} ${entries} ${mails} ${addresses} ${size}`
    if (mails + addresses === 0) yield { at, args, groupKey }
    else {
      const variant = isByAuthor ? 'author' : 'persons'
      yield { at, args: { ...args, mails: String(mails), addresses: String(addresses) }, variant, groupKey }
    }
  },

  text: () => ({
    en: {
      title: 'Log of a deployed app in the project',
      message: '{file} contains the output of "cf logs" of a deployed app (entries: {entries}).',
      why: 'An attacker with read access to the repository learns host names, requests and errors of the running app, and everything that the app printed.',
      fix: 'Delete the file, and add the line "{pattern}" to .gitignore. If it was committed, remove it from the history too (git filter-repo).',
      variants: {
        persons: {
          title: 'Log with personal data of users in the project',
          message:
            '{file} contains the output of "cf logs" of a deployed app (entries: {entries}) with personal data: email addresses: {mails}, client IP addresses: {addresses}.',
          why: 'An attacker with read access to the repository learns who uses the app, when and from where, with the requests and errors of each person. Privacy law requires a purpose and a retention period for such data.',
        },
        author: {
          title: 'Log with personal data of a developer in the project',
          message:
            '{file} contains the output of "cf logs" of a deployed app (entries: {entries}). What it tells of persons may all be of its author: email addresses: {mails}, client IP addresses: {addresses}.',
        },
      },
    },
    fr: {
      title: 'Journal d’une application déployée dans le projet',
      message: '{file} contient la sortie de "cf logs" d’une application déployée (entrées : {entries}).',
      why: 'Un attaquant qui peut lire le dépôt y apprend les noms d’hôtes, les requêtes et les erreurs de l’application, ainsi que tout ce qu’elle a écrit.',
      fix: 'Supprimez le fichier et ajoutez la ligne "{pattern}" au fichier .gitignore. S’il a été versionné, retirez-le aussi de l’historique (git filter-repo).',
      variants: {
        persons: {
          title: 'Journal avec des données personnelles dans le projet',
          message:
            '{file} contient la sortie de "cf logs" d’une application déployée (entrées : {entries}) avec des données personnelles : adresses e-mail : {mails}, adresses IP de clients : {addresses}.',
          why: 'Un attaquant qui peut lire le dépôt y apprend qui utilise l’application, quand et d’où, avec les requêtes et les erreurs de chacun. La loi exige une finalité et une durée de conservation pour ces données.',
        },
        author: {
          title: 'Journal avec des données personnelles d’un développeur dans le projet',
          message:
            '{file} contient la sortie de "cf logs" d’une application déployée (entrées : {entries}). Les données personnelles peuvent toutes être celles de son auteur : adresses e-mail : {mails}, adresses IP de clients : {addresses}.',
        },
      },
    },
  }),
})

interface FoundLog {
  /** Of the first entry: when and which part of the platform wrote it. */
  readonly span: Span
  readonly entries: number
  /** Different ones. */
  readonly mails: number
  readonly addresses: number
  /** The only persons in it may be who fetched it: their address above the log, and one client, their own browser. */
  readonly isByAuthor: boolean
}

const ENTRY =
  /^[ \t]{0,8}(\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:[+-]\d\d:?\d\d|Z) \[(?:APP|RTR|CELL|API|STG|SSH|LGR|PROXY|HEALTH)(?:\/[A-Z]{3,8}){0,3}\/\d{1,6}\]) (?:OUT|ERR)(?= |\r|$)/gm

function readLog({ file: { text, budget } }: CredentialFile): FoundLog | undefined {
  let span: Span | undefined
  let entries = 0
  for (const { index, 0: whole, 1: stamp = '' } of text.matchAll(ENTRY)) {
    budget.step()
    entries++
    if (span !== undefined) continue
    const start = index + whole.indexOf(stamp)
    span = { start, end: start + stamp.length }
  }
  if (span === undefined || entries < FEWEST_ENTRIES) return undefined
  const logged = text.slice(span.start)
  const author = AUTHOR.exec(text.slice(0, span.start))?.[1]?.toLowerCase()
  const mails = new Set(findMails(logged).map(({ name, host }) => `${name}@${host}`))
  const isByAuthor = author !== undefined && [...mails].every((mail) => mail === author)
  if (author !== undefined) mails.add(author)
  const addresses = findClients(logged).size
  const isAlone = isByAuthor && addresses <= 1 && !namesOthers(logged, author)
  return { span, entries, mails: mails.size, addresses, isByAuthor: isAlone }
}

const FORWARDED = /x_forwarded_for:"([\d.]{7,15}|[\da-f:]{6,39})[",]/gi

/** Who fetched the log, in the line above it. Fact: Cloud Foundry CLI, `cf logs`. */
const AUTHOR = /^Retrieving logs for app .{1,200} as ([^\s@]{1,64}@[\w.-]{1,120}?)\.{3}\s{0,8}$/m

/** Users by their ids and names: `user P1234567 (Mary Jones)`, `user john.smith`, `"user_name":"JSMITH"`. */
const USERS: readonly RegExp[] = [
  /(?<![\w-])([PSDIC]\d{6,10})(?![\w-])/g,
  /\b(?:[Uu]ser|USER)(?:_?[Nn]ame|_?[Ii]d)?["']?\s{0,2}[:=]?\s{0,2}["'(]{0,2}([A-Za-z]{2,20}[._][A-Za-z]{2,30}|[A-Z][a-z]{1,20} [A-Z][a-z]{1,30})\b/g,
  /\b(?:user(?:_?name|_?id)?|logon_?name|given_?name|family_?name|(?:created|modified)_?by)["']?\s{0,2}[:=]\s{0,2}["']([A-Za-z][\w.-]{1,29})["']/gi,
]
/** Of the platform, of databases, and of nobody. */
const NOBODY =
  /^(?:anonymous|privileged|system|internal|technical|null|undefined|none|unknown|default|root|admin|dbadmin|test)\w{0,10}$/i

/** Whether a log names a user who isn't, by name, the one who fetched it. */
function namesOthers(logged: string, author: string): boolean {
  const lettersOf = (name: string): string => name.replaceAll(/[\W_]/g, '').toLowerCase()
  const own = lettersOf(author.split('@')[0] ?? '')
  return USERS.some((form) =>
    [...logged.matchAll(form)].some(([, name = '']) => !NOBODY.test(name) && !own.includes(lettersOf(name))),
  )
}

/** Addresses that requests came from, before they passed the landscape. */
function findClients(logged: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, address = ''] of logged.matchAll(FORWARDED))
    if (classifyHost(address.includes(':') ? `[${address}]` : address) === 'public') found.add(address)
  return found
}
