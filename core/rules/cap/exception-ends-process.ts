import { booleanOf } from '../../parse/data.ts'
import {
  isCdsBelow,
  rowEventsOf,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
  type EventFacts,
} from '../../model/cap/index.ts'
import { resolveModule } from '../../flow/index.ts'
import { groupBy } from '../../lists.ts'
import { lastName } from '../../paths.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { createLinkReader, handlerLinks } from './_handlers/handler-links.ts'
import { ANY } from './_routes/sent-parts.ts'
import { throwingEvents, type EventNote, type EventThrow, type HandedCall } from './_handlers/throwing-events.ts'
import type { EventCheck } from './_handlers/throw-checks.ts'
import {
  isRowMissing,
  mayBeLeftOut,
  mayBeMalformed,
  runsBefore,
  sentEvents,
  type Handled,
  type HandledElement,
} from './_model/left-out.ts'
import { worstAtPlaces } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'

/**
 * A handler of a CAP service that one request makes throw a TypeError, SyntaxError, RangeError or URIError, and nothing catches it: CAP takes these for errors of the program
 * and ends the process.
 * Facts: @sap/cds 9.9.3, lib/log/cds-error.js (`isSystemError`), libx/odata/middleware/error.js (`pass_through`), lib/srv/middlewares/errors.js (`cds.shutdown`) and bin/serve.js
 * (also for what an un-awaited promise rejects with), unless `cds.server.shutdown_on_uncaught_errors` is false (so called since 8.2). Tried with 6.8.4, 7.9.5, 8.9.4 and 9.9.3,
 * also in production: members of what clients leave out, rows that do not exist, malformed JSON and dates, and exceptions that a catch throws again or gives to `req.reject`.
 * Listeners of the project on the process change nothing. Not refused: a missing parameter with a default, with 8 one that is `not null`, and in changes an element with `@mandatory`.
 * Impact: one request ends the process, for all users. The platform starts it again, and the attacker sends the next request.
 */
export const exceptionEndsProcess: Rule = defineRule({
  id: 'cap/exception-ends-process',
  impact: 'bounded',
  confidence: 'medium',
  cwe: [248, 755],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/node.js/best-practices#error-handling',
  extracts: [throwingEvents, handlerLinks],
  on: 'cap-root',

  *check(root, { reach, files }) {
    // older versions are not tried
    if (root.test || root.runtime === 'java' || keepsRunning(root) || isCdsBelow(6, files, root)) return
    const notes = root.scripts.get(throwingEvents)
    if (!notes.some(({ value }) => value.kind !== 'check' && value.kind !== 'call')) return
    const [isBelow7 = false, isBelow8 = false, isBelow9 = false] = [7, 8, 9].map((major) => isCdsBelow(major, files, root))
    const version = { isBelow7, isBelow8, isBelow9 }
    const served = servedServices(root).filter(({ endpoints }) =>
      endpoints.some(({ kind }) => kind.startsWith('odata') || (kind === 'rest' && !isBelow9)),
    )
    const matches: Match[] = []
    const checks: PlacedNote<EventCheck>[] = []
    const places: PlacedNote<EventThrow>[] = []
    for (const one of placedNotes(notes, root)) {
      if (one.note.kind === 'check') checks.push({ ...one, note: one.note })
      else if (one.note.kind !== 'call') places.push({ ...one, note: one.note })
    }
    for (const { file, note, handled, facts, caller } of places) {
      root.step(1 + served.length)
      for (const service of served.filter((one) => facts.services.includes(one)))
        for (const element of targetsOf(service, handled)) {
          root.step(1 + checks.length)
          const events = sentEvents(element, handled)
          if (!throwsFor(note, { root, service, element, handled, facts, events, version })) continue
          const isChecked = checks.some(
            (one) =>
              (one.file !== file || one.note.from !== note.from) &&
              one.note.from !== caller &&
              one.facts.services.includes(service) &&
              runsBefore(one.handled, handled) &&
              isCheckedBy(one.note, note),
          )
          if (isChecked) continue
          matches.push({
            at: { file, span: { start: note.start, end: note.end } },
            args: { code: note.code, field: quoteWord(note.field) },
            ...(note.kind !== 'missing' && { variant: note.kind }),
            // one advice for all places of a file
            groupKey: file,
            exposure: exposureOf(service, element, reach, events),
          })
        }
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Uncaught exception in a CAP handler ends the server',
      message:
        '`{code}` throws if a request leaves out {field}, outside of try and catch. CAP takes a TypeError for an error of the program and ends the process.',
      why: 'An attacker ends the whole server, for all users and services, with one such request, and repeats it after each restart.',
      fix: 'Reject the request before this line, if (!…) return req.reject(400), or use ?. and ??. Of a parameter or a new row, CAP refuses what lacks an element with @mandatory.',
      variants: {
        row: {
          message:
            '`{code}` throws if the request names a row that does not exist, outside of try and catch. CAP takes a TypeError for an error of the program and ends the process.',
          fix: 'Reject the request where the query finds no row, before its members are read: if (!row) return req.reject(404).',
        },
        malformed: {
          message:
            '`{code}` throws if {field} is malformed, outside of try and catch. CAP takes such an exception for an error of the program and ends the process.',
          fix: 'Put this line in try { … } catch { return req.reject(400) }: the exception itself, passed to req.reject or thrown again, still ends the process.',
        },
        header: {
          message:
            '`{code}` throws if a request has no header {field}, outside of try and catch. CAP takes a TypeError for an error of the program and ends the process.',
          fix: 'Reject the request before this line if the header is missing, or use ?. and ??.',
        },
      },
    },
    fr: {
      title: 'Exception non interceptée : un gestionnaire CAP arrête le serveur',
      message:
        '`{code}` lève une exception si une requête omet {field}, hors de tout try et catch. CAP tient une TypeError pour une erreur du programme et arrête le processus.',
      why: 'Un attaquant arrête tout le serveur, pour tous les utilisateurs et services, avec une seule requête de ce genre, et recommence après chaque redémarrage.',
      fix: 'Rejetez la requête avant cette ligne, if (!…) return req.reject(400), ou utilisez ?. et ??. Pour un paramètre ou une nouvelle ligne, CAP refuse ce qui omet un élément annoté @mandatory.',
      variants: {
        row: {
          message:
            '`{code}` lève une exception si la requête désigne une ligne qui n’existe pas, hors de tout try et catch. CAP tient une TypeError pour une erreur du programme et arrête le processus.',
          fix: 'Rejetez la requête si la ligne n’est pas trouvée, avant d’en lire les champs : if (!row) return req.reject(404).',
        },
        malformed: {
          message:
            '`{code}` lève une exception si {field} est mal formé, hors de tout try et catch. CAP tient une telle exception pour une erreur du programme et arrête le processus.',
          fix: 'Placez cette ligne dans try { … } catch { return req.reject(400) } : l’exception elle-même, passée à req.reject ou relancée, arrête toujours le processus.',
        },
        header: {
          message:
            '`{code}` lève une exception si une requête n’a pas d’en-tête {field}, hors de tout try et catch. CAP tient une TypeError pour une erreur du programme et arrête le processus.',
          fix: 'Rejetez la requête avant cette ligne si l’en-tête manque, ou utilisez ?. et ??.',
        },
      },
    },
  }),
})

/** Fact: @sap/cds 9.9.3, lib/env/defaults.js (`server.shutdown_on_uncaught_errors`, true by default). */
function keepsRunning(root: CapRoot): boolean {
  return root.productive().some((one) => booleanOf(one.value('server', 'shutdown_on_uncaught_errors')?.node) === false)
}

type Notes = readonly { readonly file: string; readonly value: EventNote }[]

interface PlacedNote<Note extends EventNote = EventNote> {
  /** Where the code stands. */
  readonly file: string
  readonly note: Note
  readonly handled: Handled
  readonly facts: EventFacts
  /** Where the handler begins that calls it from another file. */
  readonly caller?: number
}

/** Notes with each event that they are about, also where another file registers the handler. */
function* placedNotes(notes: Notes, root: CapRoot): Generator<PlacedNote> {
  const linksTo = createLinkReader(root)
  const callsTo = createCallReader(notes, root)
  for (const { file, value: note } of notes) {
    root.step()
    for (const handled of note.handled) yield { file, note, handled, facts: root.eventOf({ file, ...handled }) }
    if (note.exported === undefined) continue
    for (const link of linksTo(file, note.exported))
      if (!link.isCalled) yield { file, note, handled: link, facts: root.eventOf({ ...link, file: link.from }) }
    if (note.kind === 'check' || note.kind === 'call') continue
    for (const call of callsTo(file, note))
      for (const handled of call.value.handled)
        yield { file, note, handled, facts: root.eventOf({ file: call.file, ...handled }), caller: call.value.from }
  }
}

/** The handlers of other files that hand their request to the function of a place. */
function createCallReader(notes: Notes, root: CapRoot): (file: string, note: EventThrow) => readonly Handing[] {
  const handed: Handing[] = notes.flatMap(({ file, value }) => (value.kind === 'call' ? [{ file, value }] : []))
  const byName = groupBy(handed, ({ value }) => value.name)
  return (file, { exported = '', request, field }) => {
    const own = new Map([[file, true]])
    const named = byName.get(exported) ?? []
    root.step(1 + named.length)
    return named.filter(
      ({ file: from, value: { source, position, fields } }) =>
        position === request && !fields.includes(field) && resolveModule(from, source, own) === true,
    )
  }
}

interface Handing {
  readonly file: string
  readonly value: HandedCall
}

function isCheckedBy({ isOpen, fields, formed, rows }: EventCheck, { kind, field, entity }: EventThrow): boolean {
  if (isOpen) return true
  if (kind === 'row') return entity === '' ? rows.length > 0 : rows.includes('subject') || rows.includes(entity)
  const asked = kind === 'malformed' ? formed : fields
  return asked.includes(field) || asked.includes(ANY)
}

/** The operations and entities of a service that a handler is registered for. */
function targetsOf({ elements }: CapService, { events, entities }: Handled): readonly CapElement[] {
  const isForRows = events.some((event) => rowEventsOf(event).length > 0)
  return elements.filter(({ kind, name, entity }) =>
    kind === 'entity'
      ? isForRows && entities?.includes(lastName(name)) === true
      : events.includes(lastName(name)) &&
        (entity === undefined || entities === undefined || entities.includes(lastName(entity))),
  )
}

function throwsFor(note: EventThrow, asked: HandledElement): boolean {
  const { element, events } = asked
  if (element.kind === 'entity' && events.length === 0) return false
  if (note.kind === 'header') return true
  if (note.kind === 'row') return isRowMissing(note, asked)
  return note.kind === 'missing' ? mayBeLeftOut(note, asked) : mayBeMalformed(note.field, asked)
}
