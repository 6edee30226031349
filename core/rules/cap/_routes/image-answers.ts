import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, stringConstantOf, pathOf, resolveValue, type CallValue } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isAround } from '../../../facts/span-index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { isAnswer, takesRequest } from './route-answers.ts'

/** Functions that answer with an image of the brand, and read nothing else: pages show it before anybody has logged in. */
export const imageAnswers: Extract<Span> = defineExtract({
  name: 'cap-image-answers',
  keywords: ['image/'],
  prefilter: (text) => /\.columns\s?\(/.test(text) && BRAND.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    const callsIn = createInnerIndex(facts.calls)
    for (const fact of facts.functions) {
      if (!takesRequest(fact)) continue
      const calls = callsIn(fact)
      step(calls.length)
      const choices = calls.filter((call) => lastNameOf(call.callee) === 'columns')
      const columns = choices.flatMap(({ args }) => args.map((one) => stringConstantOf(one)))
      const isOfBrand = columns.some((name) => name !== undefined && BRAND.test(name)) && columns.every(isOfImage)
      // each query names its columns, and nothing is sent but what they hold
      const queries = calls.filter(isQuery).length
      if (isOfBrand && queries <= choices.length && calls.some(isTypeOfImage) && calls.some(isAnswer))
        yield { start: fact.start, end: fact.end }
    }
  },
})

const BRAND = /logo|favicon|brand|(?:login|start)_?(?:image|background)/i
/** The image, what describes it, and what tells whether it has changed. */
const PART = /^(?:id|etag|version|modified(?:At)?|(?:mime_?type|media_?type|content_?type|file_?name|file_?size))$/i
/** Queries that choose rows, or change them. */
const QUERIES = /^(?:from|read|entries|INSERT|UPDATE|DELETE|UPSERT|exec|query|fetch)$/

function isQuery({ callee }: CallValue): boolean {
  // Buffer.from(row.logo)
  return QUERIES.test(lastNameOf(callee) ?? '') && !/^global:(?:Buffer|Array|Uint8Array)$/.test(pathOf(callee)?.[0] ?? '')
}

function isOfImage(name: string | undefined): boolean {
  return name !== undefined && (BRAND.test(name) || PART.test(name))
}

/** `res.setHeader('Content-Type', row.logoType || 'image/png')`, `res.type('image/png')`. */
function isTypeOfImage({ callee, args }: CallValue): boolean {
  const method = lastNameOf(callee) ?? ''
  const given = /^(?:setHeader|set|header)$/.test(method) ? args[1] : /^(?:type|contentType)$/.test(method) ? args[0] : undefined
  const made = given && resolveValue(given)
  const parts = made === undefined ? [] : made.kind === 'choice' ? made.options : [made]
  return parts.some((part) => String(constantOf(part)).startsWith('image/'))
}

/** Whether all functions that answer a route give nothing but such an image. Needs the extract `imageAnswers`. */
export function isOnlyImage(answering: readonly Place[], { scripts }: Pick<Project, 'scripts'>): boolean {
  return (
    answering.length > 0 &&
    answering.every(
      ({ file, span }) => span !== undefined && scripts.of(file, imageAnswers).some((one) => isAround(one, span.start)),
    )
  )
}
