import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import type { Project } from '../subjects.ts'

/**
 * Names that a script writes which sends the user and the password of a destination: `Basic ${btoa(`${config.User}:${config.Password}`)}` beside
 * `readDestination('LEDGER_BASIC')`. An approuter adds the same account to the requests of a route to the destination, whoever sends them.
 * Facts: SAP BTP Connectivity, "HTTP Destinations" (`BasicAuthentication`; the Destination service answers with `destinationConfiguration.User` and `.Password`).
 */
export const storedDestinations: Extract<string> = defineExtract({
  name: 'approuter-stored-destinations',
  keywords: ['Password'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collectText(text) {
    if (!NAMES_SERVICE.test(text) || !readsAccount(text)) return
    const found = [...text.matchAll(NAME), ...text.matchAll(CALLED)]
    const names = new Set(found.map(([, , name = '']) => name))
    yield* [...names].slice(0, MOST_NAMES)
  },
})

/** Both parts of the account, of one object: `config.User` and `config.Password`. */
function readsAccount(text: string): boolean {
  const objects = new Set([...text.matchAll(USER)].map(([, name]) => name))
  return [...text.matchAll(PASSWORD)].some(([, name]) => objects.has(name))
}

const USER = /\b(\w{1,60})\.User\b/g
const PASSWORD = /\b(\w{1,60})\.Password\b/g
const NAMES_SERVICE = /destinationConfiguration|readDestination|getDestination|destination-configuration/i
/** A word that may be the name of a destination; in small letters it may be anything, such as the name of a module. */
const NAME = /(['"`])([A-Z][A-Z\d]{0,39}_[A-Z\d_]{1,39})\1/g
/** The name of a destination in any letters, where a call asks for it. */
const CALLED = /\b(getDestination|readDestination|destinationName)["'`]?\s{0,3}[(:]\s{0,5}["'`]([\w.-]{1,200})["'`]/g
const MOST_NAMES = 400

/** A script of the project sends the account that is stored in the destination. Needs the extract `storedDestinations`. */
export function isReadAsStored(destination: string, project: Pick<Project, 'scripts' | 'files' | 'once'>): boolean {
  return (
    project.scripts.get(storedDestinations).some(({ value }) => value === destination) ||
    project.once(storedInJava).has(destination)
  )
}

/** The same of Java: names that it asks for in the file that reads both parts of the account, or the only one that it asks for at all. */
function storedInJava({ files }: Pick<Project, 'files'>): ReadonlySet<string> {
  const names = new Set<string>()
  const beside = new Set<string>()
  let isRead = false
  for (const { kind, content } of files.values()) {
    if (kind.role !== 'java' || kind.test || content.as !== 'text' || content.text === undefined) continue
    const { text } = content
    if (!/\bDestination|HttpDestination/.test(text)) continue
    const asked = [...text.matchAll(CALLED)].map(([, , name = '']) => name)
    const users = new Set([...text.matchAll(JAVA_USER)].map(([, name]) => name))
    const reads = [...text.matchAll(JAVA_PASSWORD)].some(([, name]) => users.has(name))
    for (const name of asked) names.add(name)
    if (reads) for (const name of asked) beside.add(name)
    isRead ||= reads
  }
  return beside.size > 0 ? beside : isRead && names.size === 1 ? names : new Set()
}

/** Fact: SAP Cloud SDK for Java, `DestinationProperties.get(String)`. */
const JAVA_USER = /\b(\w{1,60})\s{0,60}\.get\(\s{0,5}"User"/g
const JAVA_PASSWORD = /\b(\w{1,60})\s{0,60}\.get\(\s{0,5}"Password"/g
