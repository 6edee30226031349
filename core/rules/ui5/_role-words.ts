import { constantOf, stringConstantOf, findPart } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Value } from '../../facts/types.ts'
import type { WordPlaces } from '../../keywords/index.ts'

/** Roles of the user by names that mean nothing else: `EvAdmin`, which a function of ABAP exports, `isAdmin`, `bIsAdmin`, `isKeyUser`, `hasRole`, `hasAdminRole`. */
const ROLE =
  /^[_b]{0,2}(?:user)?_?(?:ev_?(?:is_?)?(?:admin|superuser|approver)|is_?(?:(?:app|system|user)_?)?(?:admin(?:istrator)?|superuser|poweruser|keyuser|approver|supervisor|auditor)|has_?\w{0,40}(?:roles?|scopes?)|isInRole|userRoles?|userScopes?)$/iu
/** Names that a row may have as well: they count where a user is spoken of. */
const OF_USER =
  /^(?:roles?|scopes?|admin|is_?manager|is_?editor|b?is_?[a-z]{2,30}_?(?:user|manager|admin|approver|editor)(?:_?only)?)$/iu
const USER = /^[_o]{0,2}(?:current|loggedIn|session|my)?_?(?:user(?:info|model|data|details?)?|auth|session|permissions?|me)$/iu
/** Models that hold nothing but what the user may do: `authorizations>/Approve`. */
const OF_RIGHTS = /^(?:user_?)?(?:auth(?:ori[sz]ations?)?|permissions?|privileges|rights)(?:_?model)?$/iu
/** What such a model says of itself. */
const OF_MODEL = /^(?:busy|count|length|size|loaded|loading|error|items?|list|editable|selected\w{0,40})$/iu
/** Objects that hold what the user may do: a flag of one that is compared with a constant is a right. */
const OF_DETAILS =
  /^[_o]{0,2}(?:current|my)?_?(?:user_?(?:details?|auth(?:ori[sz]ations?)?|rights|permissions|roles?)|auth(?:ori[sz]ations?)?|permissions|privileges|rights)$/iu
/** What such an object says of the user besides. */
const NO_RIGHT = /active|valid|locked|exist|name|mail|lang|phone|status|type|result|message|success|error|token|id$/iu
/** What holds the list that a service answered. */
const ANSWERED = /^[_oa]{0,2}user_?roles?_?(?:data|list|response|result)$/i
/** A user who is administered, not the one who looks on. */
const OTHER_USER = /^(?:selected|edited|new|edit|detail|item|row)/iu

/** Fields of a row that say whose it is. */
const OWNER = /^(?:owner|created_?by|requested_?by|requestor|requester|creator|ernam|uname|user(?:_?(?:name|id))?|usuario)$/iu
/** The user who looks on, by name. */
const CALLER =
  /(?:^|current|logged_?in|session|my|own)_?(?:user|usuario)(?:_?(?:name|id|code|info))?$|^(?:getUser(?:Info)?|getId|getEmail)$/iu

/** The field of a row by which a condition compares its owner with the user who looks on. */
export function ownerIn(test: Value, depth = 0): string | undefined {
  if (depth > MAX_DEPTH || (test.kind !== 'operation' && test.kind !== 'choice')) return undefined
  const operands = test.kind === 'choice' ? test.options : test.operands
  if (test.kind === 'operation' && /^[!=]==?$/.test(test.operator)) {
    for (const [index, field] of operands.entries()) {
      const other = operands[1 - index]
      const name = field.kind === 'member' ? (field.name ?? '') : ''
      if (OWNER.test(name) && other !== undefined && !CALLER.test(ownerOf(field)) && isCaller(other)) return name
    }
  }
  for (const operand of operands) {
    const found = ownerIn(operand, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The user who looks on, by a name of a variable: `sUserId`, `this._UserID`. */
const USER_ID = /^[_os]{0,2}(?:current|logged_?in|login)?_?user_?(?:id|name|code)$/i

/** The name by which a condition compares the user who looks on with something, such as what a row shows. */
export function userComparedIn(test: Value): string | undefined {
  const comparison = findPart(
    test,
    (part) =>
      part.kind === 'operation' &&
      /^[!=]==?$/.test(part.operator) &&
      part.operands.some((one) => USER_ID.test(lastNameOf(one) ?? '')),
  )
  const operands = comparison?.kind === 'operation' ? comparison.operands : []
  if (operands.some((one) => constantOf(one) !== undefined)) return undefined
  const user = operands.find((one) => USER_ID.test(lastNameOf(one) ?? ''))
  return user && lastNameOf(user)
}

/** What a page shows or edits, not who looks on. */
const MODEL_OF_VIEW = /view|detail|edit|form|dialog|filter|select|item|row|list|table/i

function ownerOf(value: Value): string {
  return value.kind === 'member' ? (lastNameOf(value.object) ?? '') : ''
}

/** What a model that is not of rows holds of the user, or what is called so. */
function isCaller(value: Value): boolean {
  if (value.kind === 'reference') {
    const [only, ...more] = value.binding?.definitions ?? []
    if (more.length === 0 && only?.value !== undefined && only.path.length === 0 && isCaller(only.value)) return true
  }
  if (value.kind === 'call') {
    const name = lastNameOf(value.callee) ?? ''
    if (CALLER.test(name)) return true
    if (name !== 'getProperty' || value.callee.kind !== 'member') return false
    const path = textOf(value.args[0]).split(/[/>]/)
    if (path.some((step) => OTHER_USER.test(step))) return false
    const model = modelOf(value.callee.object)
    // what a model of the whole app holds beside its rows
    const isOfApp = model !== '' && path.length === 2 && path[0] === '' && !MODEL_OF_VIEW.test(model)
    return isOfApp || CALLER.test(path.at(-1) ?? '') || USER.test(path.at(-2) ?? '') || USER.test(model)
  }
  return CALLER.test(lastNameOf(value) ?? '')
}

/** Whether a path of a binding reads a role of the user: `user>/isAdmin`, `authorizations>/Approve`. One relative to a row speaks of that row. */
export function isRolePath(model: string, path: string): boolean {
  if (!path.startsWith('/')) return false
  const steps = path.slice(1).split('/')
  if (steps.some((step) => OTHER_USER.test(step))) return false
  const [first = ''] = steps
  if (OF_RIGHTS.test(model) && steps.length === 1 && !OF_MODEL.test(first)) return true
  return steps.some(
    (step, index) => ROLE.test(step) || (OF_USER.test(step) && [model, ...steps.slice(0, index)].some((name) => USER.test(name))),
  )
}

/** Words of which one stands in the names that scripts give to roles. */
export const ROLE_KEYWORDS: readonly string[] = ['role', 'admin', 'scope', 'approver', 'permission', 'authori', 'userdetail']
/** In front of a name that counts with its owner: `user.role`, `getUser().role`, `user["role"]`, `user>/role`. */
const OWNED = /(?:[)/>]\??\.?|\[["'`]|([\w$]{1,60})(?:\?\.|\.))$/
const LONGEST_NAME = 80

/**
 * Whether `roleIn` may find anything in a text: most scripts speak of roles of controls and scopes of functions, and need not be parsed for them. Linear: of
 * each word the name around it is read, up to a length.
 */
export function mayAskRole(text: string, hits: WordPlaces): boolean {
  let end = 0
  // most names stand there again and again
  const others = new Set<string>()
  for (const place of hits.places(text, ROLE_KEYWORDS)) {
    if (place >= end - LONGEST_NAME && place < end) continue
    let start = place
    while (start > 0 && place - start < LONGEST_NAME && /[\w$]/.test(text[start - 1] ?? '')) start--
    const name = /^[\w$]*/.exec(text.slice(start, start + 2 * LONGEST_NAME))?.[0] ?? ''
    end = start + name.length
    if (others.has(name)) continue
    if (ROLE.test(name) || ANSWERED.test(name)) return true
    if (OF_DETAILS.test(name) && /^\s{0,3}(?:\?\.|[.["'`>])/.test(text.slice(end, end + 6))) return true
    if (OF_RIGHTS.test(name) && /^["'`>]/.test(text.slice(end, end + 1))) return true
    if (!OF_USER.test(name)) {
      // what these mean, the next character tells
      if (!OF_DETAILS.test(name) && !OF_RIGHTS.test(name)) others.add(name)
      continue
    }
    const owned = OWNED.exec(text.slice(Math.max(0, start - LONGEST_NAME), start))
    if (owned !== null && (owned[1] === undefined || USER.test(owned[1]))) return true
  }
  return false
}

const MAX_DEPTH = 6
/** Calls that ask a list of roles. */
const ASKS: ReadonlySet<string> = new Set(['includes', 'indexOf', 'some', 'find', 'has'])

/** The name of the role that a condition asks for; undefined: it asks for something else. */
export function roleIn(test: Value, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  switch (test.kind) {
    case 'operation':
      return firstRoleIn(test.operands, depth + 1) ?? detailComparedIn(test)
    case 'choice':
      return firstRoleIn(test.options, depth + 1)
    case 'await':
      return roleIn(test.value, depth + 1)
    case 'reference': {
      if (ROLE.test(test.name)) return test.name
      const definitions = test.binding?.definitions ?? []
      const [only] = definitions
      return definitions.length === 1 && only?.value !== undefined && only.kind !== 'parameter'
        ? roleIn(only.value, depth + 1)
        : undefined
    }
    case 'member':
      return roleOfMember(test)
    case 'call': {
      const { callee, args } = test
      const name = lastNameOf(callee) ?? ''
      if (ROLE.test(name)) return name
      if (callee.kind !== 'member') return undefined
      if (ASKS.has(name)) return roleIn(callee.object, depth + 1) ?? answeredRolesIn(callee.object)
      const path = name === 'getProperty' || name === 'getObject' ? textOf(args[0]) : ''
      const [model, rest] = path.includes('>') ? path.split('>') : [modelOf(callee.object), path]
      return isRolePath(model ?? '', rest ?? '') ? path : undefined
    }
    default:
      return undefined
  }
}

function firstRoleIn(values: readonly Value[], depth: number): string | undefined {
  for (const value of values) {
    const found = roleIn(value, depth)
    if (found !== undefined) return found
  }
  return undefined
}

/** `user.UserDetails.Auditor === true`, `permissions.Release === "X"`. */
function detailComparedIn({ operator, operands }: Value & { readonly kind: 'operation' }): string | undefined {
  if (!/^[!=]==?$/.test(operator) || !operands.some((one) => /^(?:true|X|Y)$/.test(String(constantOf(one))))) return undefined
  for (const operand of operands) {
    const name = operand.kind === 'member' ? (operand.name ?? '') : ''
    if (name !== '' && OF_DETAILS.test(ownerOf(operand)) && !NO_RIGHT.test(name)) return name
  }
  return undefined
}

/** `oUserRolesData.value`: the list in what a service answered. */
function answeredRolesIn(list: Value): string | undefined {
  const name = list.kind === 'member' ? (lastNameOf(list.object) ?? '') : ''
  return ANSWERED.test(name) ? name : undefined
}

function roleOfMember(value: Value & { readonly kind: 'member' }): string | undefined {
  const name = value.name ?? ''
  const owner = lastNameOf(value.object) ?? ''
  if (OTHER_USER.test(owner)) return undefined
  return ROLE.test(name) || (OF_USER.test(name) && USER.test(owner)) ? name : undefined
}

/** `this.getView().getModel("user")`, or a name that it has. */
export function modelOf(value: Value): string {
  if (value.kind === 'call' && /^get\w{0,20}Model\w{0,20}$/.test(lastNameOf(value.callee) ?? '')) return textOf(value.args[0])
  const [only, ...more] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  const given = more.length === 0 && only?.path.length === 0 ? only.value : undefined
  return given?.kind === 'call' ? modelOf(given) : (lastNameOf(value) ?? '')
}

/** A text that stands there as it is, else an empty one. */
export function textOf(value: Value | undefined): string {
  return stringConstantOf(value) ?? ''
}

/** Handlers whose names say that they change something, where an inherited method does so. */
export const SAYS_CHANGE: RegExp =
  /delet|remov|approv|reject|save|submit|updat|upload|releas|excluir|elimin|borrar|aprov|aprob|rechaz|salvar|guardar|gravar|loesch|genehm|ablehn/i
