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
    const names = new Set([...text.matchAll(NAME)].map(([, , name = '']) => name))
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
const MOST_NAMES = 400

/** A script of the project sends the account that is stored in the destination. Needs the extract `storedDestinations`. */
export function isReadAsStored(destination: string, { scripts }: Pick<Project, 'scripts'>): boolean {
  return scripts.get(storedDestinations).some(({ value }) => value === destination)
}
