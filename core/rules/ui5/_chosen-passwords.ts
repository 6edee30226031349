import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { bindingOf } from '../../facts/asked-values.ts'
import { findPart, resolveValue, type Binding, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isPasswordName, isRepeatedPassword, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { PROVES } from './_page-resets.ts'
import { isTyped } from './_password-values.ts'
import { fieldsGiven, type NamedField } from './_sent-bodies.ts'
import { speaksOfLogin } from './_unchecked-logins.ts'

/** A new password for whichever account is entered beside it. */
interface ChosenPassword {
  readonly at: Span
  readonly field: string
}

/**
 * `model.update("/Users('" + row.Mail + "')", row)` of a login page, where `row.Mail` and `row.Password` are what stands in its fields: nothing in the request proves whose account it is.
 * Fact: SAPUI5 API, sap.ui.model.odata.v2.ODataModel, `update`.
 */
export const chosenPasswords: Extract<ChosenPassword> = defineExtract({
  name: 'ui5-chosen-passwords',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) =>
    mayNamePassword(text, hits) && /\.update\(/.test(text) && /\.getValue\(|\.getSelectedKey\(/.test(text),
  *collect({ facts, step }) {
    if (!facts.functions.some(({ name }) => speaksOfLogin(lastName(name)))) return
    for (const call of facts.calls) {
      const [path, row] = call.args
      if (lastNameOf(call.callee) !== 'update' || path === undefined || row === undefined) continue
      const fields = fieldsGiven(row, facts, step)
      const field = fields.find(({ key, value }) => isPasswordName(key) && !isRepeatedPassword(key) && isTyped(value))?.key
      if (field === undefined || fields.some(({ key }) => PROVES.test(key)) || provesIn(call, facts, step)) continue
      if (isOfEntered(path, bindingOf(row), fields)) yield { at: { start: call.start, end: call.end }, field }
    }
  },
})

/** What the same function reads may be the old password, or a code. */
function provesIn({ function: around }: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): boolean {
  step(calls.length)
  return calls.some(
    (call) =>
      call.start >= around.start &&
      call.end <= around.end &&
      findPart(call, (part) => part.kind === 'literal' && typeof part.value === 'string' && PROVES.test(part.value)) !==
        undefined,
  )
}

/** The key of the row is entered, too: as it is, or as a field of the same object. */
function isOfEntered(path: Value, row: Binding | undefined, fields: readonly NamedField[]): boolean {
  const key = findPart(resolveValue(path), (part) => {
    if (part.kind === 'call' && isTyped(part)) return true
    if (part.kind === 'reference') return isTyped(part)
    if (part.kind !== 'member' || row === undefined || bindingOf(part.object) !== row) return false
    return fields.some(({ key: name, value }) => name === part.name && isTyped(value))
  })
  return key !== undefined
}
