import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  accepts,
  entityWords,
  isAdministrative,
  isGuarded,
  isReadable,
  isTrue,
  servedServices,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type WriteEvent,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import { isOfUi5App } from '../../model/script/index.ts'
import type { Exposure, Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { draftParts } from './_model/draft-parts.ts'
import { isReadOnlyBySource } from './_model/entity-rights.ts'
import { ofUsers, usersWith } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { entityHandlers, handlersFor, mayRefuse } from './_handlers/write-handlers.ts'
import { lastName } from '../../paths.ts'

/** Names of the entities that code of a server enters rows into: `INSERT.into('Logs')`, `INSERT.into(db.Logs)`, `srv.create('Logs')`. */
const enteredByCode: Extract<string> = defineExtract({
  name: 'cap-entered-by-code',
  keywords: ['INSERT', 'UPSERT', '.create('],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    for (const [, name] of text.matchAll(ENTERS)) if (name !== undefined) yield lastName(name)
  },
})

const ENTERS = /(?:\b(?:INSERT|UPSERT)(?:\s{0,10}\.\s{0,10}into)?|\.create)\s{0,4}\(\s{0,20}['"`]?([A-Za-z_][\w.]{0,120})/g

/**
 * A record of what happened, such as an audit log or a history of prices, that users can change or delete with plain requests.
 * Facts: capire, "Input Validation" (`@readonly`, `@insertonly`); OWASP Logging Cheat Sheet, "Protection" (tamper protection).
 * Impact: users forge the record, or remove what tells of their own actions. That it serves as evidence, its name alone says, unless code enters the rows of an audit log, and who changes them also finds them.
 */
export const auditTrailWritable: Rule = defineRule({
  id: 'cap/audit-trail-writable',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [284],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html#protection',
  on: 'cap-root',
  extracts: [enteredByCode, entityHandlers],
  yieldsTo: ['cap/entity-without-restriction', 'cap/writable-authorization-entity'],

  *check(root, { reach }) {
    if (root.test) return
    const entered = new Set(root.scripts.get(enteredByCode).map(({ value }) => value.toLowerCase()))
    for (const service of servedServices(root)) {
      const { kind } = service.access
      // what lets everybody in is told of the service, without what has roles of its own
      const isOpen = kind === 'public' || kind === 'default-public'
      const parts = draftParts(service, root)
      for (const element of service.elements) {
        root.step()
        if (isOpen && element.access?.kind !== 'roles') continue
        const isNamed = isRecord(element, entered)
        if (!isNamed && !isOfServer(element, entered)) continue
        const events = parts.has(element.qualified) ? [] : changesOf(element, service, root)
        if (events.length === 0) continue
        const writers = writersOf(element, service, events)
        if (writers.every((role) => TECHNICAL.test(role))) continue
        // that callers need no login is a finding of the service
        const exposure = ofUsers(exposureOf(service, element, reach, events))
        yield {
          at: element.place,
          args: { entity: `${service.name}.${element.name}`, users: usersWith(writers, exposure), hint: hintOf(element) ?? '' },
          exposure,
          ...(isAuditOfCode(element, entered) && isFound(element, service, exposure, reach) && { evidence: 'shown' as const }),
          groupKey: `${service.place.file} ${service.name} ${isNamed ? '' : 'server'}`,
          ...(!isNamed && { variant: 'server' }),
        }
      }
      yield* partsOfWholes(root, service, entered, reach)
    }
  },

  text: () => ({
    en: {
      title: 'Audit trail can be modified by its users',
      message:
        '{users:and} can change or delete rows of {entity} with plain requests: the entity is neither @readonly nor @insertonly.',
      why: 'A user can forge entries, or delete those that document their own actions. Others then rely on a record that no longer shows what happened.',
      fix: 'Annotate {entity} with @readonly: code on the server can still add rows. If clients add rows themselves, use @insertonly.',
      variants: {
        deep: {
          title: 'Read-only audit trail written by deep updates',
          message:
            '{entity} is read-only, but {users:and} can add, change and delete its rows with a deep update of {whole}, which is composed of them ({association}).',
          why: 'CAP Node.js checks the entity that a request addresses, not the parts that it writes along. A user can forge entries, such as decisions of others, or delete those that document their own actions.',
          fix: "Reject {association} in srv.before(['CREATE', 'UPDATE'], '{whole}', …). Or turn the composition into an association, which deep updates do not follow.",
        },
        server: {
          title: 'Records of the server can be modified by users',
          message:
            '{users:and} can change or delete rows of {entity} with plain requests: {hint} only hides the button for new rows, and CAP does not enforce it.',
          why: 'Only code on the server enters these rows. A user can forge the state or the log of what it did, or delete it, and others rely on a record that no longer shows what happened.',
          fix: 'Annotate {entity} with @readonly: code on the server can still write rows. Use @Capabilities.DeleteRestrictions.Deletable if users must delete rows, and let the other capabilities be false.',
        },
      },
    },
    fr: {
      title: 'Piste d’audit modifiable par ses utilisateurs',
      message:
        '{users:et} peuvent modifier ou supprimer des lignes de {entity} par de simples requêtes : l’entité n’est ni @readonly ni @insertonly.',
      why: 'Un utilisateur peut falsifier des entrées, ou supprimer celles qui documentent ses propres actions. D’autres se fient alors à un journal qui ne montre plus ce qui s’est passé.',
      fix: 'Annotez {entity} avec @readonly : le code du serveur peut toujours ajouter des lignes. Si les clients ajoutent eux-mêmes des lignes, utilisez @insertonly.',
      variants: {
        deep: {
          title: 'Piste d’audit en lecture seule modifiée en profondeur',
          message:
            '{entity} est en lecture seule, mais {users:et} peuvent ajouter, modifier et supprimer ses lignes par une mise à jour profonde de {whole}, qui en est composée ({association}).',
          why: 'CAP Node.js vérifie l’entité que vise la requête, et non les parties qu’elle écrit avec elle. Un utilisateur peut falsifier des entrées, comme des décisions d’autrui, ou supprimer celles qui documentent ses propres actions.',
          fix: "Rejetez {association} dans srv.before(['CREATE', 'UPDATE'], '{whole}', …). Ou remplacez la composition par une association, que les mises à jour profondes ne suivent pas.",
        },
        server: {
          title: 'Enregistrements du serveur modifiables par les utilisateurs',
          message:
            '{users:et} peuvent modifier ou supprimer des lignes de {entity} par de simples requêtes : {hint} ne fait que masquer le bouton des nouvelles lignes, et CAP ne l’applique pas.',
          why: 'Seul le code du serveur saisit ces lignes. Un utilisateur peut falsifier l’état ou le journal de ce qui a été fait, ou le supprimer ; d’autres se fient alors à un enregistrement qui ne montre plus ce qui s’est passé.',
          fix: 'Annotez {entity} avec @readonly : le code du serveur peut toujours écrire des lignes. Si les utilisateurs doivent en supprimer, utilisez @Capabilities.DeleteRestrictions.Deletable et mettez les autres capacités à false.',
        },
      },
    },
  }),
})

/**
 * Records that are read-only, which users write together with the entity that is composed of them.
 * Fact: @sap/cds 9.9.3, tried: a deep PATCH of the whole adds, changes and deletes rows of a part that is `@readonly`, also where `@restrict` grants READ alone.
 */
function* partsOfWholes(root: CapRoot, service: CapService, entered: ReadonlySet<string>, reach: ReachModel): Generator<Match> {
  if (root.runtime === 'java') return
  for (const { from, to, element, composition } of service.links()) {
    root.step()
    if (!composition || !isTrue(to.annotations.get('readonly')?.value) || !isRecord(to, entered)) continue
    // the changes of its own that it takes, and those of what it is a part of
    if (!accepts(from, 'UPDATE') || from.members().some((member) => member.name === element && isGuarded(member))) continue
    const handlers = handlersFor(root, service, from)
    const writers = writersOf(from, service, ['UPDATE'])
    if (mayRefuse(handlers, 'UPDATE') || isReadOnlyBySource(from, root, handlers) || writers.every(isTrusted)) continue
    const exposure = ofUsers(exposureOf(service, from, reach, ['UPDATE']))
    yield {
      at: to.place,
      args: {
        entity: `${service.name}.${to.name}`,
        users: usersWith(writers, exposure),
        whole: `${service.name}.${from.name}`,
        association: element,
      },
      variant: 'deep',
      exposure,
      groupKey: `${service.place.file} ${service.name} deep`,
    }
  }
}

/** Whoever administers the whole may correct its record. */
function isTrusted(role: string): boolean {
  return TECHNICAL.test(role) || isAdministrative(role)
}

/** What its name alone says: nobody enters such rows by hand. */
const AUDIT =
  /(?:^| )(?:audit(?: \w{1,20}){0,2}|(?:audit|change|security|access|activity) (?:log|logs|trail|trails|history|histories|entry|entries))$/
/** People keep such rows as well: of work, of journeys. */
const RECORDS = /(?:^| )(?:history|histories|logs?|trails?|journal)$/
const TECHNICAL = /^(?:system-user|internal-user)$/

function isRecord(element: CapElement, entered: ReadonlySet<string>): boolean {
  return namesOf(element).some((one) => {
    const words = entityWords(one)
    return AUDIT.test(words) || (RECORDS.test(words) && isEntered(one, entered))
  })
}

function namesOf({ name, source }: CapElement): readonly string[] {
  return [name, source?.name ?? name]
}

function isEntered(name: string, entered: ReadonlySet<string>): boolean {
  return entered.has(lastName(name).toLowerCase())
}

/** The server notes there what happened. */
function isAuditOfCode(element: CapElement, entered: ReadonlySet<string>): boolean {
  const names = namesOf(element)
  return names.some((one) => AUDIT.test(entityWords(one))) && names.some((one) => isEntered(one, entered))
}

/** Those who change its rows read them too, and so their keys. */
function isFound(element: CapElement, service: CapService, changing: Exposure, reach: ReachModel): boolean {
  return isReadable(element) && ofUsers(exposureOf(service, element, reach, ['READ'])).reach === changing.reach
}

/** What pages show of work that the server does: of such rows users enter none. */
const WORK = /(?:^| )(?:jobs?|runs?|executions?|protocols?)$/
const PROTOCOL = /^(?:log|logs|log_?text|protocol|trace)$/i

/** Code enters the rows, no page has a button for it, and they tell what the server did. */
function isOfServer(element: CapElement, entered: ReadonlySet<string>): boolean {
  // rows that are only deleted were meant to be
  if (hintOf(element) === undefined || !(accepts(element, 'CREATE') || accepts(element, 'UPDATE'))) return false
  const names = namesOf(element)
  if (!names.some((one) => isEntered(one, entered))) return false
  return (
    names.some((one) => WORK.test(entityWords(one))) && element.members().some((member) => PROTOCOL.test(lastName(member.name)))
  )
}

/** Says to pages alone that there are no new rows. Facts: capire, "Input Validation" (what CAP enforces); SAP annotations of OData V2 (`sap:creatable`). */
function hintOf({ annotations }: CapElement): string | undefined {
  const isSaid = (name: string, wanted: boolean): boolean => {
    const value = annotations.get(name)?.value
    return value?.kind === 'boolean' && value.value === wanted
  }
  if (isSaid('UI.CreateHidden', true)) return '@UI.CreateHidden'
  return isSaid('sap.creatable', false) ? '@sap.creatable: false' : undefined
}

/** The changes of rows that clients may send, and that no handler refuses or answers. */
function changesOf(element: CapElement, service: CapService, root: CapRoot): readonly WriteEvent[] {
  const events = (['UPDATE', 'DELETE'] as const).filter((event) => accepts(element, event))
  if (events.length === 0) return []
  const handlers = handlersFor(root, service, element)
  return isReadOnlyBySource(element, root, handlers) ? [] : events.filter((event) => !mayRefuse(handlers, event))
}
