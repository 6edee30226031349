import { resolveValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { Binding, Deployment } from '../../../model/deployment/index.ts'
import { ownerOf } from '../../../paths.ts'
import type { Span } from '../../../types.ts'

/** One that is open only where an error or a missing service binding leaves it out. */
export interface OptionalGuard extends Span {
  readonly name: string
  readonly setting: string
}

/** Tells whether each application that runs a script is bound to a service that authenticates. */
export function createBindingReader({ applications }: Deployment): (file: string) => boolean {
  const servers = applications.filter(({ isApprouter, isStopped }) => !isApprouter && !isStopped)
  const folders = new Set(servers.flatMap(({ folder }) => folder ?? []))
  return (file) => {
    const folder = ownerOf(file, folders)
    const running = servers.filter((one) => one.folder === folder)
    return folder !== undefined && running.every(({ bindings }) => bindings.some(isForLogin))
  }
}

function isForLogin({ service }: Binding): boolean {
  return service === 'xsuaa' || service === 'identity'
}

const REGISTERS = /^(?:use|all|get|post|put|patch|delete)$/

/** `try { app.use(passport.authenticate('JWT')) } catch { … } app.use('/api', router)`: an error leaves what follows open. */
export function* caughtRegistrations(
  { calls, partial }: ScriptFacts,
  text: string,
  step: (count: number) => void,
): Generator<OptionalGuard> {
  for (const call of calls) {
    const check = REGISTERS.test(lastNameOf(call.callee) ?? '') ? call.args.find(isAuthentication) : undefined
    if (check === undefined || call.callee.kind !== 'member') continue
    const app = lastNameOf(call.callee.object)
    step(partial.length + calls.length)
    const block = partial.find((span) => isWithin(call, span) && CAUGHT.test(text.slice(span.end, span.end + 60)))
    const caught =
      block &&
      partial.find(
        ({ start }) => start > block.end && /^\s{0,20}catch\s{0,4}(?:\([^)]{0,80}\)\s{0,4})?$/.test(text.slice(block.end, start)),
      )
    if (block === undefined || caught === undefined || app === undefined) continue
    // the process ends there, or every request is refused
    if (/\bthrow\b|\bexit\(|\babort\(|\b(?:use|all)\(|\b(?:40[13]|503)\b/.test(text.slice(caught.start, caught.end))) continue
    const { function: around } = call
    const isOpened = calls.some(
      ({ callee, args: [path, ...handlers], function: within, start }) =>
        within === around &&
        start > block.end &&
        callee.kind === 'member' &&
        REGISTERS.test(callee.name ?? '') &&
        lastNameOf(callee.object) === app &&
        path?.kind === 'literal' &&
        handlers.length > 0 &&
        !handlers.some(isAuthentication),
    )
    const start = block.end + text.slice(block.end).search(/catch/)
    if (isOpened) yield { start, end: start + 'catch'.length, name: text.slice(check.start, check.end), setting: '' }
  }
}

const CAUGHT = /^\s{0,20}catch\b/

/** Facts: passport (`authenticate`), @sap/xssec (JWTStrategy, XssecPassportStrategy), which it runs. */
function isAuthentication(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'call' && lastNameOf(here.callee) === 'authenticate' && here.callee.kind === 'member'
}
