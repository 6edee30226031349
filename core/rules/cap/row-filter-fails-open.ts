import type { ImportedName } from '../../facts/index.ts'
import { isWithin } from '../../facts/span-index.ts'
import { resolveModule } from '../../flow/index.ts'
import type { CapRoot, CapService } from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { clientFilters } from './_rows/client-filters.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { chosenUsers } from './_callers/header-users.ts'
import { LIKE_WORDS, likeFilters } from './_rows/like-filters.ts'
import { listFilters } from './_rows/list-filters.ts'
import { listElements, ofUsers } from './_matches.ts'
import { createRegistrationReader, openReadings } from './_model/open-readings.ts'
import { easiestOf } from './_model/restricted-exposures.ts'
import { looseStates } from './_rows/loose-states.ts'
import { ownProfiles } from './_rows/own-profiles.ts'
import { overwrittenFilters } from './_rows/overwritten-filters.ts'
import { PATTERN_WORDS, patternChecks, tokenHandlers } from './_rows/pattern-checks.ts'
import { REPEATED_WORDS, repeatedQueries } from './_rows/repeated-queries.ts'
import { rowFilters } from './_rows/row-filters.ts'
import { entityHandlers, handlersFor, type EntityHandler } from './_handlers/write-handlers.ts'

/**
 * A handler that limits rows to those of the caller, and adds no condition where an attribute of the user is missing, a look-up of the caller finds nothing, or fails.
 * Facts: @sap/cds 9.9.3, lib/req/user.js (attributes that a token doesn't hold are undefined); capire, "Event handlers" (a before handler that returns lets the request
 * pass); a query without a condition reads all rows. OWASP Top 10 2021, A01 (deny by default).
 * The same where the query is made again without the condition when it finds nothing, where the client names the user: it may leave the name out; and where the condition stands beside that of the request without parentheses: an `or` goes past it.
 * Impact: users without the attribute or the row read the rows of all others; that there are such users is assumed, but where each user of the application has no row
 * until an operation is called that makes it, or where the look-up takes the user from a header, in which a client names somebody who is not there.
 */
export const rowFilterFailsOpen: Rule = defineRule({
  id: 'cap/row-filter-fails-open',
  impact: 'data',
  evidence: 'assumed',
  grades: { looseState: { evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [636, 863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#programmatic-enforcement',
  on: 'cap-root',
  extracts: [
    rowFilters,
    listFilters,
    clientFilters,
    overwrittenFilters,
    repeatedQueries,
    looseStates,
    patternChecks,
    tokenHandlers,
    likeFilters,
    ownProfiles,
    chosenUsers,
    entityHandlers,
    ...callerCheckExtracts,
  ],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    for (const { file, value } of root.scripts.get(listFilters)) {
      root.step()
      const [first] = openReadings(root, { ...value, file, events: ['READ'] }, 'roles')
      if (first === undefined) continue
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: { entity: listElements([first.element.name]), value: quoteWord(value.rows) },
        exposure: ofUsers(reach.ofService(first.service)),
        evidence: 'shown',
        variant: 'single',
      }
    }
    for (const { file, value } of root.scripts.get(clientFilters)) {
      root.step()
      const [first] = openReadings(root, { ...value, file, events: ['READ'] }, 'roles')
      if (first === undefined) continue
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: { entity: listElements([first.element.name]), value: quoteWord(value.value) },
        exposure: ofUsers(reach.ofService(first.service)),
        evidence: 'shown',
        variant: 'client',
      }
    }
    yield* readPatterns(root, reach)
    yield* readLikes(root, reach)
    for (const { file, value } of root.scripts.get(looseStates)) {
      root.step()
      const [first] = openReadings(root, { ...value, file, events: ['READ'] }, 'roles')
      if (first === undefined) continue
      const exposure = ofUsers(reach.ofService(first.service))
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: { entity: listElements([first.element.name]), value: 'or' },
        exposure,
        // that the other rows are for somebody else, their state alone says, unless a role of some users has this service for itself
        ...(exposure.reach === 'privileged' && { evidence: 'shown' as const }),
        variant: 'looseState',
      }
    }
    for (const { file, value } of root.scripts.get(repeatedQueries)) {
      const at = { file, span: { start: value.start, end: value.end } }
      const { reach: caller } = reach.at(at)
      // that callers need no login is a finding of the service
      const isOpen = caller === 'anyone' && { reach: 'user' as const }
      yield { at, args: { entity: quoteWord(value.rows), value: value.query }, ...isOpen, variant: 'repeated' }
    }
    for (const { file, value } of root.scripts.get(overwrittenFilters))
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: { entity: quoteWord(value.field), value: quoteWord(value.value) },
        reach: 'user',
        variant: 'overwritten',
      }
    const filters = root.scripts.get(rowFilters).filter(({ value }) => value.opened !== undefined || value.isLoose === true)
    if (filters.length === 0) return
    const registered = createRegistrationReader(root)
    const isMadeLater = profilesMadeLater(root)
    const isNamedByClient = lookUpsByHeader(root)
    for (const { file, value } of filters) {
      root.step()
      const { opened, exported, isLoose, start, end, roles } = value
      const handlers = exported === '' ? [{ ...value, file, events: ['READ'] }] : registered(file, exported)
      const readings = handlers.flatMap((handler) => openReadings(root, handler, 'roles'))
      // another handler of the same rows may refuse such callers
      const open = readings.filter(
        ({ service, element }) =>
          allHave(roles, service) && !handlersFor(root, service, element).some((one) => one.refuses && isAsking(one, value)),
      )
      const [first] = open
      if (first === undefined) continue
      const exposure = easiestOf(open.map(({ service }) => reach.ofService(service)))
      const entity = listElements([first.element.name])
      const graded = exposure && { exposure: ofUsers(exposure) }
      if (isLoose === true)
        yield {
          at: { file, span: { start, end } },
          args: { entity, value: 'or' },
          ...graded,
          evidence: 'shown',
          variant: 'loose',
        }
      if (opened === undefined) continue
      yield {
        at: { file, span: { start: opened.start, end: opened.end } },
        args: { entity, value: quoteWord(opened.value) },
        ...graded,
        ...(exposure?.reach === 'user' &&
          (isMadeLater(opened.lookedUpIn) || isNamedByClient(file, opened.lookedUpBy)) && { evidence: 'shown' as const }),
        ...(opened.by === 'caught' && { variant: 'caught' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Row filter skipped if a value of the user is missing',
      message:
        'This handler limits the rows of {entity} to those of the caller only if {value} has a value; otherwise it adds no condition and the request passes.',
      why: 'A user without this attribute, or whom the look-up does not find, reads the rows of all other users.',
      fix: 'Reject the request if the value is missing, for example with req.reject(403), or add a condition that no row fulfills. Add the filter in all other cases.',
      variants: {
        repeated: REPEATED_WORDS.en,
        pattern: PATTERN_WORDS.en,
        like: LIKE_WORDS.en,
        overwritten: {
          title: 'Row filter of the caller overwritten by a request parameter',
          message: '{value} from the request overwrites {entity}, which limits the rows to those of the caller.',
          why: 'A user who sends the parameter can read rows of other users.',
          fix: 'Keep the condition and add the parameter as another one: SELECT.from(…).where(own).and({ … }). Or reject a value that is not among those of the caller.',
        },
        client: {
          title: 'Row filter skipped if the client names no user',
          message:
            'This handler limits the rows of {entity} by {value}, which the client sends; without it, the handler adds no condition and the request passes.',
          why: 'Any user reads the rows of all others by leaving the value out, or those of another user by sending another value.',
          fix: 'Take the user from req.user (req.user.id, req.user.attr) instead of the request, and reject the request if the value is missing, for example with req.reject(403).',
        },
        single: {
          title: 'Row filter skipped for a read by key',
          message:
            'This handler removes the rows of other users from {entity} only if {value} is a list; a read by key gives one row, which is returned as it is.',
          why: 'Any user reads the row of another user by its key, as in /Orders(<ID>), and counts the rows of all by $count.',
          fix: 'Filter in the database, which covers all kinds of reads: this.before("READ", "<Entity>", (req) => req.query.where({ owner: req.user.id })), or @restrict with where. Or treat a single row like the list.',
        },
        loose: {
          title: 'Row filter bypassed by an OR in $filter',
          message:
            'The handler appends its condition for {entity} to that of the request without parentheses: an "or" in $filter bypasses the filter.',
          why: 'Any user reads the rows of all others with a filter that holds an or, such as $filter=ID ne null or ID ne null: its first part is not limited.',
          fix: 'Add the condition with req.query.where({ … }), which puts that of the request in parentheses. Or group it in the list: [{ xpr: req.query.SELECT.where }, "and", …].',
        },
        looseState: {
          title: 'Row filter bypassed by an OR in $filter',
          message:
            'The handler appends its condition for {entity} to that of the request without parentheses: an "or" in $filter bypasses the filter.',
          why: 'Users of the service read the rows that the condition excludes with a filter that holds an or, such as $filter=ID ne null or ID ne null: its first part is not limited.',
          fix: 'Add the condition with req.query.where({ … }), which puts that of the request in parentheses. Or group it in the list: [{ xpr: req.query.SELECT.where }, "and", …].',
        },
        caught: {
          title: 'Row filter skipped after an exception',
          message:
            'This handler limits the rows of {entity} to those of the caller, but it catches the exception that {value} causes if it does not exist, and lets the request pass without a condition.',
          fix: 'Reject the request in the catch block, for example with req.reject(403), or remove the try statement: an exception then ends the request.',
        },
      },
    },
    fr: {
      title: 'Filtre de lignes ignoré si une valeur de l’utilisateur manque',
      message:
        'Ce gestionnaire ne limite les lignes de {entity} à celles de l’appelant que si {value} a une valeur ; sinon, il n’ajoute aucune condition et la requête passe.',
      why: 'Un utilisateur sans cet attribut, ou que la recherche ne trouve pas, lit les lignes de tous les autres utilisateurs.',
      fix: 'Rejetez la requête si la valeur manque, par exemple avec req.reject(403), ou ajoutez une condition qu’aucune ligne ne remplit. Dans tous les autres cas, ajoutez le filtre.',
      variants: {
        repeated: REPEATED_WORDS.fr,
        pattern: PATTERN_WORDS.fr,
        like: LIKE_WORDS.fr,
        overwritten: {
          title: 'Filtre de lignes de l’appelant écrasé par un paramètre de requête',
          message: '{value} de la requête écrase {entity}, qui limite les lignes à celles de l’appelant.',
          why: 'Un utilisateur qui envoie ce paramètre peut lire les lignes d’autres utilisateurs.',
          fix: 'Conservez la condition et ajoutez le paramètre comme seconde condition : SELECT.from(…).where(own).and({ … }). Ou rejetez toute valeur qui ne figure pas parmi celles de l’appelant.',
        },
        client: {
          title: 'Filtre de lignes ignoré si le client ne nomme aucun utilisateur',
          message:
            'Ce gestionnaire limite les lignes de {entity} selon {value}, que le client envoie ; sans cette valeur, il n’ajoute aucune condition et la requête passe.',
          why: 'Tout utilisateur lit les lignes de tous les autres en omettant la valeur, ou celles d’un autre en envoyant une autre valeur.',
          fix: 'Prenez l’utilisateur dans req.user (req.user.id, req.user.attr) au lieu de la requête, et rejetez la requête si la valeur manque, par exemple avec req.reject(403).',
        },
        single: {
          title: 'Filtre de lignes ignoré pour une lecture par clé',
          message:
            'Ce gestionnaire ne retire les lignes des autres utilisateurs de {entity} que si {value} est une liste ; une lecture par clé donne une seule ligne, renvoyée telle quelle.',
          why: 'Tout utilisateur lit la ligne d’un autre par sa clé, par exemple /Orders(<ID>), et compte les lignes de tous par $count.',
          fix: 'Filtrez dans la base, ce qui vaut pour toutes les lectures : this.before("READ", "<Entité>", (req) => req.query.where({ owner: req.user.id })), ou @restrict avec where. Ou traitez une ligne seule comme la liste.',
        },
        loose: {
          title: 'Filtre de lignes contourné par un opérateur OR dans $filter',
          message:
            'Le gestionnaire ajoute sa condition sur {entity} à celle de la requête sans parenthèses : un opérateur "or" dans $filter contourne le filtre.',
          why: 'Tout utilisateur lit les lignes de tous les autres avec un filtre contenant un or, par exemple $filter=ID ne null or ID ne null : sa première partie n’est pas limitée.',
          fix: 'Ajoutez la condition avec req.query.where({ … }), qui met celle de la requête entre parenthèses. Ou groupez-la dans la liste : [{ xpr: req.query.SELECT.where }, "and", …].',
        },
        looseState: {
          title: 'Filtre de lignes contourné par un opérateur OR dans $filter',
          message:
            'Le gestionnaire ajoute sa condition sur {entity} à celle de la requête sans parenthèses : un opérateur "or" dans $filter contourne le filtre.',
          why: 'Des utilisateurs du service lisent les lignes que la condition exclut avec un filtre contenant un or, par exemple $filter=ID ne null or ID ne null : sa première partie n’est pas limitée.',
          fix: 'Ajoutez la condition avec req.query.where({ … }), qui met celle de la requête entre parenthèses. Ou groupez-la dans la liste : [{ xpr: req.query.SELECT.where }, "and", …].',
        },
        caught: {
          title: 'Filtre de lignes ignoré après une exception',
          message:
            'Ce gestionnaire limite les lignes de {entity} à celles de l’appelant, mais intercepte l’exception que {value} provoque en cas d’absence, et laisse passer la requête sans condition.',
          fix: 'Rejetez la requête dans le bloc catch, par exemple avec req.reject(403), ou retirez l’instruction try : une exception met alors fin à la requête.',
        },
      },
    },
  }),
})

/** Whoever reaches the service has the roles that a filter asks for beside what is missing. */
function allHave(roles: readonly string[], { access }: CapService): boolean {
  return roles.length === 0 || (access.kind === 'roles' && roles.every((role) => access.roles.every((one) => one === role)))
}

/** Handlers that look for the caller in the text of the request: of services that leave it to them who logs in, too. */
function* readPatterns(root: CapRoot, reach: ReachModel): Generator<Match> {
  const tokens = readTokens(root)
  for (const { file, value } of root.scripts.get(patternChecks)) {
    root.step()
    const handler = { ...value, file, events: ['READ'] }
    const first = [...openReadings(root, handler, 'roles'), ...openReadings(root, handler, 'default-public')].find(
      ({ service, element }) => !handlersFor(root, service, element).some((one) => isAsking(one, value, tokens)),
    )
    if (first === undefined) continue
    yield {
      at: { file, span: { start: value.start, end: value.end } },
      args: { entity: listElements([first.element.name]), value: value.written },
      exposure: ofUsers(reach.ofService(first.service)),
      evidence: 'shown',
      variant: 'pattern',
    }
  }
}

/** Handlers that look for rows in which the name of the caller occurs: that it is a part of another name is assumed. */
function* readLikes(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const { file, value } of root.scripts.get(likeFilters)) {
    root.step()
    const first = openReadings(root, { ...value, file, events: ['READ'] }, 'roles').find(
      ({ service, element }) => !handlersFor(root, service, element).some((one) => isAsking(one, value)),
    )
    if (first === undefined) continue
    yield {
      at: { file, span: { start: value.start, end: value.end } },
      args: { entity: listElements([first.element.name]), value: value.written },
      exposure: ofUsers(reach.ofService(first.service)),
      variant: 'like',
    }
  }
}

/** Handlers that verify a token: those that do no more filter no rows (false); others refuse by what it tells (true). */
function readTokens(root: CapRoot): ReadonlyMap<EntityHandler, boolean> {
  const keyOf = (file: string, { start, end }: Span): string => `${file} ${start} ${end}`
  const found = new Map(root.scripts.get(tokenHandlers).map(({ file, value }) => [keyOf(file, value), value.asks]))
  if (found.size === 0) return new Map()
  return new Map(
    root.scripts.get(entityHandlers).flatMap(({ file, value }) => {
      const asks = value.spans.map((span) => found.get(keyOf(file, span))).find((one) => one !== undefined)
      return asks === undefined ? [] : [[value, asks] as const]
    }),
  )
}

/** Another handler of the same rows asks who reads them. */
function isAsking(handler: EntityHandler, here: Span, tokens?: ReadonlyMap<EntityHandler, boolean>): boolean {
  const { asks, events, spans } = handler
  return (
    (tokens?.get(handler) ?? asks === 'yes') &&
    events.some((name) => name === 'READ' || name === '*') &&
    !spans.some((span) => isWithin(here, span))
  )
}

/** Tells whether a user has no row of an entity until an operation makes it: nothing makes it before whatever else the user does. */
function profilesMadeLater(root: CapRoot): (entity: string | undefined) => boolean {
  const made = new Map<string, boolean>()
  for (const { value } of root.scripts.get(ownProfiles)) {
    root.step()
    made.set(value.entity, (made.get(value.entity) ?? true) && value.isAsked)
  }
  return (entity) => entity !== undefined && made.get(entity) === true
}

/** Tells functions that look the caller up by a header which any client sends. */
function lookUpsByHeader(root: CapRoot): (file: string, asked: ImportedName | undefined) => boolean {
  const readers = new Map<
    string,
    { readonly path: string; readonly exported: ReadonlySet<string>; readonly names: Set<string> }
  >()
  for (const { file: path, value } of root.scripts.get(chosenUsers)) {
    root.step()
    if (value.isRole === true) continue
    const known = readers.get(path) ?? { path, exported: new Set(value.exported), names: new Set<string>() }
    readers.set(path, known)
    for (const name of value.offered) known.names.add(name)
  }
  return (file, asked) => {
    const reader = asked && resolveModule(file, asked.source, readers)
    // a method of what a class makes, or what another function gives, has no name among the exported functions
    return reader !== undefined && (reader.names.has(asked?.name ?? '') || !reader.exported.has(asked?.name ?? ''))
  }
}
