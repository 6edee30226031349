import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, stringConstantOf, findPart, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'

/** A credential that code reads from a row of an entity, to log in at another system. */
export interface StoredCredential {
  /** The last part of its name. */
  readonly entity: string
  /** The key that the row is selected by: `client_secret`. */
  readonly key: string
}

/** `SELECT.one.from(Settings).where({ code: 'client_secret' })` in a script that sends requests for tokens, or with a login. */
export const storedCredentials: Extract<StoredCredential> = defineExtract({
  name: 'cap-stored-credentials',
  keywords: ['SELECT'],
  prefilter: (text) => KEY.test(text) && SENDS.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      if (lastNameOf(call.callee) !== 'where') continue
      step()
      const base = baseOf(call)
      const entity = base?.kind === 'read' ? entityOf(base.call.args[0]) : undefined
      const key = entity === undefined ? undefined : call.args.flatMap((asked) => keyIn(asked) ?? [])[0]
      if (entity !== undefined && key !== undefined) yield { entity, key }
    }
  },
})

const KEY = /["'`](?:client_?secret|password|passwd|api_?key|private_?key)["'`]/i
const SENDS = /grant_type|client_credentials|Authorization['"`]?\s{0,4}[:=]|\bauth\s{0,4}:/
const KEY_ALONE = /^(?:client_?secret|password|passwd|api_?key|private_?key)$/i

/** The key as a value of the condition, by a name too. */
function keyIn(asked: Value): string | undefined {
  const found = findPart(asked, (part) => {
    const value = 'fields' in part ? undefined : constantOf(part)
    return typeof value === 'string' && KEY_ALONE.test(value)
  })
  return stringConstantOf(found)
}
