import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, excerptOf, resolveValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { writtenParts } from '../../../facts/written-parts.ts'
import { isDeployedCode, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isAnswer } from './route-answers.ts'

/** A security context that becomes a response: `req.authInfo` as it is written there. */
interface ContextAnswer extends Span {
  readonly text: string
}

/**
 * `res.json(req.authInfo)`, `const body = JSON.stringify({ user: req.authInfo })` … `res.send(body)`.
 * Facts: @sap/xssec 2.2.5, lib/xssec.js (`this.token`, `this.config` with `clientsecret`); 3.6.2, lib/ctx/xsuaa.js and 4.15, src/context/SecurityContext.js keep them private.
 */
export const contextAnswers: Extract<ContextAnswer> = defineExtract({
  name: 'cap-context-answers',
  keywords: ['authInfo'],
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    for (const call of facts.calls) {
      step()
      if (!isAnswer(call)) continue
      for (const part of call.args.flatMap(partsOfAnswer))
        if (isSecurityContext(part)) yield { start: part.start, end: part.end, text: excerptOf(text, part) }
    }
  },
})

/** The parts of an answer, also where a variable holds its JSON. */
function partsOfAnswer(answer: Value): readonly Value[] {
  const made = resolveValue(answer)
  const isJson = 'callee' in made && lastNameOf(made.callee) === 'stringify'
  return writtenParts(isJson ? made : answer)
}

function isSecurityContext(value: Value): boolean {
  return accessesOf(resolveValue(value)).some(
    ({ binding, steps }) => isRequestName(binding?.name) && steps.length === 1 && steps[0] === 'authInfo',
  )
}
