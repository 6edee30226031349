import { defineExtract, type Extract, type OpenScript } from '../../../extracts/extract.ts'
import { createCodeReader, importedNames, type FunctionFact } from '../../../facts/index.ts'
import { exportedFunctions } from '../../../facts/callbacks.ts'
import { resolveModule } from '../../../flow/index.ts'
import { isLoginPath } from '../../../flow/tables/routes.ts'
import {
  findHandlers,
  REFUSES,
  VERIFIES,
  withoutComments,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { codeOf } from '../_handlers/preparing-handlers.ts'

/** A function that lets only callers with a token or a session of the project's own get further. */
type CallerGate =
  /** It runs before all events of a service: `srv.before('*', …)`. */
  | (GatedService & { readonly kind: 'handler' })
  /** The same with a function of another file. */
  | (GatedService & { readonly kind: 'imported'; readonly source: string; readonly name: string })
  /** A function that other files may take. */
  | { readonly kind: 'offered'; readonly name: string }

interface GatedService {
  readonly service: string | undefined
  readonly isConnected: boolean
}

/** What runs before all events of a service and verifies a token, and functions of files that do so. */
export const callerGates: Extract<CallerGate> = defineExtract({
  name: 'cap-caller-gates',
  keywords: ['.before(', 'token', 'session'],
  prefilter: (text) =>
    /\.before\(\s{0,20}['"`]\*/.test(text) || (/exports?\b/.test(text) && REFUSES.test(text) && VERIFIES.test(text)),
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const { facts } = script
    const isGate = createGateReader(script)
    const handlers = findHandlers(facts).flatMap(({ phase, events, isTargeted, service, fact, callee }): CallerGate[] => {
      if (phase !== 'before' || isTargeted || !events.includes('*')) return []
      const of = { service: service.name, isConnected: service.kind === 'connected' }
      if (fact !== undefined) return isGate(fact) ? [{ kind: 'handler', ...of }] : []
      return importedNames(callee).map((name) => ({ kind: 'imported', ...of, ...name }))
    })
    const offered = exportedFunctions(facts).flatMap(([name, fact]): CallerGate[] =>
      fact.parameters.length > 0 && isGate(fact) ? [{ kind: 'offered', name }] : [],
    )
    return [...handlers, ...offered]
  },
})

function createGateReader({ facts, text, step }: OpenScript): (fact: FunctionFact) => boolean {
  const refuses = createCodeReader(text, (code) => REFUSES.test(withoutComments(code)))
  const verifies = createCodeReader(text, (code) => VERIFIES.test(withoutComments(code)))
  return (fact) => {
    step(facts.calls.length)
    const code = codeOf(fact, facts)
    return code.some(refuses) && code.some(verifies)
  }
}

/** Services whose callers are let in by code of the project alone. Needs the extract `callerGates`. */
export function gatedServices(root: CapRoot): ReadonlySet<CapService> {
  const items = root.scripts.get(callerGates)
  const paths = new Map(root.files.map(({ path }) => [path, path]))
  const offered = new Set(items.flatMap(({ file, value }) => (value.kind === 'offered' ? [`${file} ${value.name}`] : [])))
  return new Set(
    items.flatMap(({ file, value }) => {
      root.step()
      if (value.kind === 'offered') return []
      if (value.kind === 'imported') {
        const from = resolveModule(file, value.source, paths)
        if (from === undefined || !offered.has(`${from} ${value.name}`)) return []
      }
      const { services, isCertain } = root.eventOf({ file, ...value, events: [], entities: undefined })
      return isCertain ? services : []
    }),
  )
}

/** What people call to get a login, before they have one. */
export function isLogin({ kind, name }: CapElement): boolean {
  return (kind === 'action' || kind === 'function') && LOGINS.test(name)
}

const LOGINS =
  /^(?:user_?)?(?:log_?(?:in|out|on|off)|sign_?(?:in|out|up)|register(?:_?(?:user|account))?|authenticate|refresh_?(?:access_?)?tokens?|forgot_?password)$/i

/** By which somebody becomes a member or customer: who may do so, its name does not tell. */
export function isJoining({ kind, name, entity }: CapElement): boolean {
  return kind !== 'entity' && entity === undefined && (SIGNS_UP.test(name) || REGISTERS.test(name))
}

const SIGNS_UP = /^(?:[sS]elf_?)?[sS]ign_?[uU]p(?![a-z])/
const REGISTERS =
  /^(?:register|enrol{1,2})_?(?:as_?)?(?:new_?)?(?:member|user|customer|account|participant|guest|visitor|student|patient)s?$/i

/** Each operation of a service without entities takes what proves who calls: a role for it would lock out those whom it lets in. */
export function isLoginService(service: CapService, root: CapRoot, isChecked: (element: CapElement) => boolean): boolean {
  const own = service.elements.filter((element) => !isChecked(element))
  return (
    own.some((element) => isProof(element, service, root)) &&
    own.every((element) => isLogin(element) || isBesideLogin(element) || isProof(element, service, root))
  )
}

/** What people call on the way to a login that an operation beside it gives; what sets a password has to take a proof. */
function isBesideLogin({ kind, name, entity }: CapElement): boolean {
  if (kind === 'entity' || entity !== undefined) return false
  return BESIDE.test(name) || (isLoginPath(name) && !SETS_PASSWORD.test(name))
}

/** An operation that compares a code of who logs in, whatever its parameters are called: `checkOTP(input : object)`. */
export function isLoginStep({ kind, name, entity }: CapElement): boolean {
  return kind !== 'entity' && entity === undefined && STEP.test(name)
}

const STEP =
  /^(?:verif(?:y|ied)|validate|check|confirm)_?(?:user_?)?(?:otp|passcode|one_?time_?(?:code|password)|verification_?code)(?:_?code)?$/i

/** What a login gives anew says its cookie; a code goes to the owner of an account. */
const BESIDE =
  /^(?:refresh|(?:(?:re_?)?send|request|generate|start|verif(?:y|ied)|confirm(?:ed)?)_?(?:user_?)?(?:registration|sign_?up|e?mail|phone(?:_?number)?|otp|(?:verification|confirmation)(?:_?(?:code|e?mail))?))$/i
const SETS_PASSWORD = /^(?:reset|recover)/i

/** Callers of the project's own services log in with what it stores. */
export function hasOwnLogin(root: CapRoot): boolean {
  return root.services.some((service) => {
    root.step(service.elements.length)
    return service.elements.some((element) => isLogin(element) || isProof(element, service, root))
  })
}

const PROVING =
  /^(?:fn|fnc|ac|do)?_?(?:verif(?:y|ied)|validate|check|confirm|redeem|exchange|activate|log_?in|sign_?in|re_?set_?password)/i
const PROOF =
  /(?:^|_|[a-z](?=[A-Z]))(?:token|pin|otp|passcode|one_?time_?code|verification_?code|access_?code|password|passwort|kennwort|senha|contrase\w{1,3}|clave)$/i

/** `verifyPin(token: String, pin: String)` */
function isProof({ kind, name, entity }: CapElement, service: CapService, root: CapRoot): boolean {
  if (kind === 'entity' || entity !== undefined || !PROVING.test(name)) return false
  const { data } = root.eventOf({
    file: service.place.file,
    service: service.name,
    isConnected: false,
    events: [name],
    entities: undefined,
  })
  return [...(data?.fields?.keys() ?? [])].some((parameter) => PROOF.test(parameter))
}
