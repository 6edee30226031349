import {
  accepts,
  areAmong,
  conditionOf,
  elementPaths,
  grantsEvent,
  isGuarded,
  placeIn,
  privilegesOf,
  restrictionsOf,
  usersOf,
  type CapMember,
  type CapRoot,
  type Privilege,
  type Restriction,
  type Users,
} from '../../model/cap/index.ts'
import type { CdsExpression } from '../../parse/cds/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { exposureOfRoles } from './_model/restricted-exposures.ts'
import { callerCheckExtracts, createHandledReader } from './_callers/caller-checks.ts'
import { changingHandlers, createNamedReader } from './_rows/changing-handlers.ts'
import { nameOf, ofUsers, usersWith, worstAtPlaces } from './_matches.ts'

/**
 * A condition on the rows of a user that does not apply to the rows which the user creates.
 * Facts: @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js: with CREATE only a condition without elements is evaluated; capire,
 * "Authorization", restricting by `where`; managed data (`@cds.on.insert` knows `$user`, `$now` and `$uuid`). CAP Java 4 checks what is created.
 * With UPDATE it is compared with the rows as they were: what they become nothing compares, also in drafts (run with @sap/cds 8.9.10 and 9.9.3).
 * Impact: rows are written in the name of others, beyond the rights of the user; what they set off there is not in the annotation. A handler that works with the name that was sent shows it.
 */
export const createNotInstanceChecked: Rule = defineRule({
  id: 'cap/create-not-instance-checked',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  extracts: [...callerCheckExtracts, changingHandlers],

  *check(root, { reach }) {
    if (root.runtime === 'java') return
    yield* worstAtPlaces([...matchesOf(root, reach), ...unlimitedOf(root, reach), ...movedOf(root, reach)])
  },

  text: () => ({
    en: {
      title: 'Missing instance check on CREATE',
      message:
        '@restrict on {element} limits access by {elements:and}, including for CREATE, but CAP Node.js does not evaluate this condition on CREATE, and no handler in the project does so instead.',
      why: 'A user can create rows that the condition should rule out, as a CREATE request may contain any value for {elements:and}.',
      fix: "Check the condition in srv.before('CREATE', '{entity}', …), for example: if (![{value} ?? []].flat().includes(req.data.{first})) req.reject(403).",
      variants: {
        user: {
          fix: "Set the value in srv.before('CREATE', '{entity}', …): req.data.{first} = req.user.id. Or annotate {first} with @readonly and @cds.on.insert: $user.",
        },
        single: {
          fix: "Set the value in srv.before('CREATE', '{entity}', …): req.data.{first} = {value}. Or reject other values there: if (req.data.{first} !== {value}) req.reject(403).",
        },
        unlimited: {
          message:
            '@restrict on {element} gives {users:or} only the rows whose {first} is the user’s, but lets them create rows without a condition, and nothing sets {first} on CREATE.',
          why: 'A user can create rows that belong to another user, as a CREATE request may contain any value for {first}.',
          fix: "Annotate {first} with @readonly and @cds.on.insert: $user. Or set it in srv.before('CREATE', '{entity}', …): req.data.{first} = req.user.id.",
        },
        moved: {
          title: 'Missing instance check on UPDATE',
          message:
            '@restrict on {element} lets users change only the rows whose {first} is theirs, but CAP Node.js does not evaluate this condition for the new values, and no handler of UPDATE in the project names {sent}.',
          why: 'A user can change {first} as well, so that a row of theirs becomes one of others, which the condition should rule out.',
          fix: "Annotate {first} with @Core.Immutable. Or check it in srv.before('UPDATE', '{entity}', …): if (req.data.{sent} !== undefined && ![{value} ?? []].flat().includes(req.data.{sent})) req.reject(403).",
        },
      },
    },
    fr: {
      title: 'Absence de contrôle par instance à la création',
      message:
        '@restrict sur {element} limite l’accès selon {elements:et}, y compris pour CREATE, mais CAP Node.js n’évalue pas cette condition à la création, et aucun gestionnaire du projet ne le fait à sa place.',
      why: 'Un utilisateur peut créer des lignes que la condition devait exclure, car une requête de création peut contenir n’importe quelle valeur pour {elements:et}.',
      fix: "Vérifiez la condition dans srv.before('CREATE', '{entity}', …), par exemple : if (![{value} ?? []].flat().includes(req.data.{first})) req.reject(403).",
      variants: {
        user: {
          fix: "Définissez la valeur dans srv.before('CREATE', '{entity}', …) : req.data.{first} = req.user.id. Ou annotez {first} avec @readonly et @cds.on.insert: $user.",
        },
        single: {
          fix: "Définissez la valeur dans srv.before('CREATE', '{entity}', …) : req.data.{first} = {value}. Ou rejetez-y les autres valeurs : if (req.data.{first} !== {value}) req.reject(403).",
        },
        unlimited: {
          message:
            '@restrict sur {element} ne donne aux appelants suivants, {users:ou}, que les lignes dont {first} est le leur, mais les laisse créer des lignes sans condition, et rien ne définit {first} à la création.',
          why: 'Un utilisateur peut créer des lignes qui appartiennent à un autre, car une requête de création peut contenir n’importe quelle valeur pour {first}.',
          fix: "Annotez {first} avec @readonly et @cds.on.insert: $user. Ou définissez sa valeur dans srv.before('CREATE', '{entity}', …) : req.data.{first} = req.user.id.",
        },
        moved: {
          title: 'Absence de contrôle par instance à la modification',
          message:
            '@restrict sur {element} ne laisse modifier que les lignes dont {first} est celui de l’utilisateur, mais CAP Node.js n’évalue pas cette condition pour les nouvelles valeurs, et aucun gestionnaire de UPDATE du projet ne nomme {sent}.',
          why: 'Un utilisateur peut modifier {first} aussi, et faire d’une de ses lignes celle d’autrui, ce que la condition devait exclure.',
          fix: "Annotez {first} avec @Core.Immutable. Ou vérifiez-le dans srv.before('UPDATE', '{entity}', …) : if (req.data.{sent} !== undefined && ![{value} ?? []].flat().includes(req.data.{sent})) req.reject(403).",
        },
      },
    },
  }),
})

function* matchesOf(root: CapRoot, reach: ReachModel): Generator<Match> {
  const isHandled = createHandledReader(root)
  const isTaken = createNamedReader(root, 'creation')
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || !element.writable) continue
    if (element.annotations.has('assert') || isInsertOff(restriction)) continue
    const privileges = privilegesOf(annotation.value)
    for (const privilege of privileges) {
      const { where } = privilege
      if (where === undefined || !grantsEvent(privilege, 'CREATE')) continue
      const free = freeElements(where, restriction, root)
      if (
        free.length === 0 ||
        isGrantedAnyway(privilege, privileges, restriction) ||
        isHandled(restriction.service, element, 'CREATE')
      )
        continue
      const value = userValueIn(where)
      const args = { element: nameOf(restriction), elements: listNames(free), entity: element.name, first: free[0] ?? '', value }
      // the foreign key of an association has no place for annotations
      const first = root.membersOf(element.qualified).get(args.first)
      const isUser = value === 'req.user.id' && first !== undefined && first.type !== 'Association'
      const variant = isUser ? 'user' : value.startsWith('req.user.attr') ? undefined : 'single'
      yield {
        at: placeIn(annotation, where),
        args,
        // handlers work with what was sent for another user
        ...(isTaken(restriction.service, element, free) && { evidence: 'shown' as const }),
        exposure:
          privilege.to === undefined
            ? ofUsers(reach.ofElement(restriction.service, element, ['CREATE']))
            : exposureOfRoles(restriction.service, element, privilege.to, reach, { events: ['CREATE'] }),
        ...(variant && { variant }),
      }
    }
  }
}

/**
 * The same users get their own rows alone, and create rows without a condition. What is sent or handed to others is theirs by its element (`recipient`, `assignee`):
 * rows of an owner, which only that owner changes, are not, and neither are rows that an applicant makes for others to process.
 */
function* unlimitedOf(root: CapRoot, reach: ReachModel): Generator<Match> {
  const isHandled = createHandledReader(root)
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element, service } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || !element.writable) continue
    if (element.annotations.has('assert') || isInsertOff(restriction)) continue
    const privileges = privilegesOf(annotation.value)
    const creating = privileges.find(
      (privilege) => privilege.where === undefined && privilege.to !== undefined && grantsEvent(privilege, 'CREATE'),
    )
    if (creating?.to === undefined || grantsEvent(creating, 'UPDATE')) continue
    const users = usersOf(creating, service)
    const granted = (event: string): readonly Privilege[] =>
      privileges.filter((one) => grantsEvent(one, event) && sharesUsers(usersOf(one, service), users))
    const owner = (event: string): string | undefined => {
      const granting = granted(event)
      const owners = new Set(granting.map((one) => (one.where === undefined ? undefined : ownerIn(one.where, restriction, root))))
      const [first] = owners
      return owners.size === 1 ? first : undefined
    }
    const first = owner('READ')
    if (first === undefined || isHandled(service, element, 'CREATE')) continue
    // of rows that others process the word says whose they are
    if (first !== owner('UPDATE') && (granted('UPDATE').length > 0 || !MAKER.test(first))) continue
    const exposure = exposureOfRoles(service, element, creating.to, reach, { events: ['CREATE'] })
    yield {
      at: placeIn(annotation, creating.record),
      args: { element: nameOf(restriction), entity: element.name, first, users: usersWith(creating.to) },
      // whoever gets their own rows alone has no privilege by that role
      exposure: { ...exposure, ...(exposure.reach === 'privileged' && { reach: 'user' as const }) },
      variant: 'unlimited',
    }
  }
}

/**
 * Users change the rows that one attribute of theirs opens to them, and the element that is compared with it, too. Whoever may create rows for others anyway gains nothing; what
 * belongs to a single user may be handed on.
 */
function* movedOf(root: CapRoot, reach: ReachModel): Generator<Match> {
  const isHandled = createHandledReader(root)
  const isNamed = createNamedReader(root, 'changes')
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element, service } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || !element.writable || element.annotations.has('assert')) continue
    if (!accepts(element, 'UPDATE')) continue
    const privileges = privilegesOf(annotation.value)
    for (const privilege of privileges) {
      const { where } = privilege
      const moved = where === undefined || !grantsEvent(privilege, 'UPDATE') ? undefined : movableIn(where, restriction, root)
      if (where === undefined || moved === undefined) continue
      const users = usersOf(privilege, service)
      // what a few of them may do beside, the others may not
      const others = privileges.filter((one) => one !== privilege && areAmong(users, usersOf(one, service)))
      const creates = [privilege, ...others].some((one) => grantsEvent(one, 'CREATE')) && !isInsertOff(restriction)
      if (creates && !isHandled(service, element, 'CREATE')) continue
      if (others.some((one) => grantsEvent(one, 'UPDATE'))) continue
      if (isHandled(service, element, 'UPDATE') || isNamed(service, element, moved.sent)) continue
      yield {
        at: placeIn(annotation, where),
        args: {
          element: nameOf(restriction),
          entity: element.name,
          first: moved.name,
          sent: moved.sent[0],
          value: userValueIn(where),
        },
        exposure:
          privilege.to === undefined
            ? ofUsers(reach.ofElement(service, element, ['UPDATE']))
            : exposureOfRoles(service, element, privilege.to, reach, { events: ['UPDATE'] }),
        variant: 'moved',
      }
    }
  }
}

/** An element that an update changes, and the names by which clients send it. */
interface Moved {
  readonly name: string
  readonly sent: readonly [string, ...string[]]
}

/** The only element of a condition that compares it with an attribute of the user, where an update may change it. */
function movableIn(where: NonNullable<Privilege['where']>, restriction: Restriction, root: CapRoot): Moved | undefined {
  const condition = conditionOf(where)
  if (condition === undefined || typeof condition === 'string') return undefined
  const text = condition.text.trim()
  const path = IS_OF_USER.exec(text)?.[1] ?? USER_IS_OF.exec(text)?.[1] ?? ''
  const [name = '', ...rest] = path.split('.')
  const member = root.membersOf(restriction.element?.qualified ?? '').get(name)
  if (name === '' || member === undefined || member.key || member.annotations.has('Core.Immutable')) return undefined
  if (freeElements(where, restriction, root)[0] !== name) return undefined
  if (member.type !== 'Association') return { name, sent: [name] }
  // clients send the foreign key, whatever of the target the condition compares
  const keys = [...root.membersOf(member.target ?? '').values()].filter(({ key }) => key)
  root.step(1 + keys.length)
  const [key = rest.join('_'), ...others] = keys.map((one) => one.name.replaceAll('.', '_'))
  return { name, sent: [`${name}_${key}`, ...others.map((one) => `${name}_${one}`)] }
}

const IS_OF_USER = /^\(?\s{0,4}([\w.]{1,80})(?:\s{0,4}=|\s{1,4}in\s)\s{0,4}\$user\.(?!id\b)\w{1,60}\s{0,4}\)?$/
const USER_IS_OF = /^\(?\s{0,4}\$user\.(?!id\b)\w{1,60}\s{0,4}=\s{0,4}([\w.]{1,80})\s{0,4}\)?$/

function sharesUsers(some: Users, others: Users): boolean {
  return some === 'all' || others === 'all' || [...some].some((role) => others.has(role))
}

/** The element that a condition compares with the id of the user, and nothing else. */
function ownerIn(where: NonNullable<Privilege['where']>, restriction: Restriction, root: CapRoot): string | undefined {
  const condition = conditionOf(where)
  if (condition === undefined || typeof condition === 'string') return undefined
  const [, name] = IS_USER.exec(condition.text.trim()) ?? []
  return name !== undefined && OWNER.test(name) && freeElements(where, restriction, root)[0] === name ? name : undefined
}

const IS_USER = /^\(?\s{0,4}(\w{1,60})\s{0,4}=\s{0,4}\$user(?:\.id)?\s{0,4}\)?$/
/** Who has a row, and not who shall do something with it. */
const OWNER =
  /^(?:owner|user|employee|customer|member|author|account|student|patient|applicant|claimant|buyer|request[oe]r|reporter|submitter|(?:requested|reported|submitted|ordered)_?by)(?:_?(?:id|name|e?mail|login))?$/i
/** Who made it, and not who gets it. */
const MAKER =
  /^(?:owner|author|applicant|claimant|buyer|request[oe]r|reporter|submitter|(?:requested|reported|submitted|ordered)_?by)(?:_?(?:id|name|e?mail|login))?$/i

function isInsertOff({ element }: Restriction): boolean {
  const names = ['Capabilities.InsertRestrictions.Insertable', 'Capabilities.Insertable']
  return names.some((name) => {
    const value = element?.annotations.get(name)?.value
    return value?.kind === 'boolean' && value.value === false
  })
}

/** Elements that a condition compares with the user and that the user sets freely; none where the runtime fills one of them. */
function freeElements(where: NonNullable<Privilege['where']>, { element }: Restriction, root: CapRoot): string[] {
  const condition = conditionOf(where)
  if (element === undefined || condition === undefined || typeof condition === 'string' || !namesUser(condition)) return []
  const members = root.membersOf(element.qualified)
  const names = new Set(
    elementPaths(condition).flatMap(({ path, at }) => (at.base === undefined ? [path.split('.', 1)[0] ?? ''] : [])),
  )
  const free: string[] = []
  for (const name of names) {
    const member = members.get(name) ?? members.get(name.replace(/_[^_]{1,100}$/, ''))
    if (member === undefined || isFilled(member)) return []
    // rows of other entities are not made by this one
    if (!member.toMany && member.type !== 'Composition') free.push(name)
  }
  return free
}

/** How a handler reads what the condition compares with: attributes of users may be lists. */
function userValueIn(where: NonNullable<Privilege['where']>): string {
  const condition = conditionOf(where)
  const paths = condition === undefined || typeof condition === 'string' ? [] : condition.paths
  const name = paths.find((path) => /^\$user\b/.test(path.name))?.name ?? '$user'
  if (name === '$user' || name === '$user.id') return 'req.user.id'
  return name === '$user.tenant' ? 'req.tenant' : name.replace('$user.', 'req.user.attr.')
}

function namesUser({ paths }: CdsExpression): boolean {
  return paths.some(({ name }) => /^\$user\b/.test(name))
}

const FILLED = [
  'cds.on.insert',
  'cds.on.update',
  'readonly',
  'Core.Computed',
  'odata.on.insert',
  'assert',
  'FieldControl.ReadOnly',
]

/** Values from outside are not taken, or are checked: elements of `managed`, calculated ones, and those annotated so. */
function isFilled(member: CapMember): boolean {
  return isGuarded(member) || FILLED.some((name) => member.annotations.has(name))
}

/** Another privilege allows the same users to create without a condition: so it is intended. */
function isGrantedAnyway(privilege: Privilege, privileges: readonly Privilege[], { service }: Restriction): boolean {
  return privileges.some(
    (other) =>
      other.where === undefined && grantsEvent(other, 'CREATE') && areAmong(usersOf(privilege, service), usersOf(other, service)),
  )
}
