import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { withoutComments } from '../../model/cap/index.ts'
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
  *collectText(written) {
    const text = withoutComments(written)
    if (!NAMES_SERVICE.test(text)) return
    const objects = accountsIn(text, USER, PASSWORD)
    if (objects.size > 0) yield* namesRead(text, objects, [NAME, CALLED]).slice(0, MOST_NAMES)
  },
})

/** Objects of which both parts of an account are read: `config.User` and `config.Password`. */
function accountsIn(text: string, user: RegExp, password: RegExp): ReadonlySet<string> {
  const users = new Set([...text.matchAll(user)].map(([, name = '']) => name))
  return new Set([...text.matchAll(password)].flatMap(([, name = '']) => (users.has(name) ? name : [])))
}

/** The destinations that these objects are made of, `config = await getDestination('ledger')`; where no line says so, all that the file names. */
function namesRead(text: string, objects: ReadonlySet<string>, all: readonly RegExp[]): readonly string[] {
  const made = [...text.matchAll(MADE)].filter(([, object = '']) => objects.has(object)).map(([, , , , name = '']) => name)
  const named = all.flatMap((one) => [...text.matchAll(one)].map(([, , name = '']) => name))
  return [...new Set(made.length > 0 ? made : named)]
}

const USER = /\b(\w{1,60})\.User\b/g
const PASSWORD = /\b(\w{1,60})\.Password\b/g
const NAMES_SERVICE = /destinationConfiguration|readDestination|getDestination|destination-configuration/i
/** A word that may be the name of a destination; in small letters it may be anything, such as the name of a module. */
const NAME = /(['"`])([A-Z][A-Z\d]{0,39}_[A-Z\d_]{1,39})\1/g
/** The name of a destination in any letters, where a call asks for it. */
const CALLED = /\b(getDestination|readDestination|destinationName)["'`]?\s{0,3}[(:]\s{0,5}["'`]([\w.-]{1,200})["'`]/g
/** The object that such a call gives. */
const MADE =
  /\b(\w{1,60})\s{0,5}=\s{0,5}(?:await\s{1,5})?(?:\w{1,60}\.){0,5}(getDestination|readDestination)\(\s{0,5}(["'`])([\w.-]{1,200})\3/g
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
    if (!/\bDestination|HttpDestination/.test(content.text)) continue
    const text = withoutComments(content.text)
    const objects = accountsIn(text, JAVA_USER, JAVA_PASSWORD)
    for (const [, , name = ''] of text.matchAll(CALLED)) names.add(name)
    if (objects.size > 0) for (const name of namesRead(text, objects, [CALLED])) beside.add(name)
    isRead ||= objects.size > 0
  }
  return beside.size > 0 ? beside : isRead && names.size === 1 ? names : new Set()
}

/** Fact: SAP Cloud SDK for Java, `DestinationProperties.get(String)`. */
const JAVA_USER = /\b(\w{1,60})\s{0,60}\.get\(\s{0,5}"User"/g
const JAVA_PASSWORD = /\b(\w{1,60})\s{0,60}\.get\(\s{0,5}"Password"/g
