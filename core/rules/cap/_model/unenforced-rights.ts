import {
  AUTHENTICATED_ROLES,
  createAnswers,
  grantsEvent,
  isTrue,
  privilegesOf,
  servedServices,
  uncheckedInCode,
  wordsOf,
  type BareService,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'

/** A service whose elements say who may use them, where nothing checks it. */
export interface UnenforcedRights {
  readonly service: CapService
  readonly bare: BareService
  readonly open: readonly CapElement[]
  /** What is open is known: handlers of the class do something, and none of them stands in another file. */
  readonly isKnown: boolean
}

/**
 * Services of classes without the generic handlers, with what their own handlers answer to users whom `@requires` or `@restrict` of the element should refuse.
 * Facts: @sap/cds 9.9.3, run with a class whose `init` doesn't call `super.init()`: READ, CREATE, DELETE and actions without the role are answered by 200, 201 and 204, and by 403 with the call;
 * `@requires` of the service is checked before (lib/srv/protocols/http.js), so that it refuses all the same.
 */
export function* unenforcedRights(root: CapRoot): Generator<UnenforcedRights> {
  const { bare: bareOf } = createAnswers(root)
  for (const service of servedServices(root)) {
    const bare = bareOf(service)
    if (bare === undefined) continue
    const users = usersOf(service)
    const entities = new Map(service.elements.flatMap((one) => (one.kind === 'entity' ? [[one.name, one] as const] : [])))
    const answered = service.elements.flatMap((element) => {
      const asked = [...bare.eventsOf(element)]
      root.step(1 + asked.length * (1 + users.length))
      const events = asked.filter((event) => users.some((user) => !mayUse(user, element, event, entities)))
      const answers = events
        .map((event) => bare.answersTo(element, event))
        .filter((all) => all.every(({ asksUser }) => asksUser !== true))
        .flat()
      return answers.length === 0 ? [] : [{ element, answers }]
    })
    const unchecked = new Set(
      uncheckedInCode(
        root,
        service,
        answered.map(({ element }) => element),
      ),
    )
    const open = answered.filter(({ element }) => unchecked.has(element))
    if (open.length === 0) continue
    const isKnown = open.some(({ answers }) => answers.some(({ isIdle, asksUser }) => asksUser === false && !isIdle))
    yield { service, bare, open: open.map(({ element }) => element), isKnown }
  }
}

/** Whom the check of the service lets in. */
function usersOf({ access: { kind, roles } }: CapService): readonly string[] {
  if (kind === 'none') return []
  if (kind === 'public' || kind === 'default-public') return ['any']
  return kind === 'roles' ? roles : ['authenticated-user']
}

/** The annotations of an element leave an event to a user for any row. A bound operation without words of its own needs a privilege of its entity. */
function mayUse(user: string, element: CapElement, event: string, entities: ReadonlyMap<string, CapElement>): boolean {
  const { kind, entity } = element
  const isSaid = ['requires', 'restrict'].some((name) => element.annotations.has(name))
  const whole = isSaid || entity === undefined ? undefined : entities.get(entity)
  const { annotations } = whole ?? element
  const required = wordsOf(annotations.get('requires')?.value)
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  // the operation of an entity without a privilege for it; the grant of an operation's own says nothing
  const granting =
    kind === 'entity' || whole !== undefined ? privileges.filter((one) => grantsEvent(one, lastName(event))) : privileges
  const isGranted = granting.some(({ to, where }) => includes(to ?? ['any'], user) && isAnyRow(where))
  return (required.length === 0 || includes(required, user)) && (privileges.length === 0 || isGranted)
}

function isAnyRow(where: ReturnType<typeof privilegesOf>[number]['where']): boolean {
  return where === undefined || isTrue(where)
}

function includes(roles: readonly string[], user: string): boolean {
  if (roles.includes(user) || roles.includes('any')) return true
  return user !== 'any' && roles.some((role) => AUTHENTICATED_ROLES.has(role))
}
