import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { valuesOf, type ObjectField } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A mutation that a script declares, with the directives that stand behind it and behind its type. */
export interface DeclaredMutation extends Span {
  readonly name: string
  readonly directives: readonly string[]
}

/** A function that answers a mutation. */
export interface MutationResolver {
  readonly name: string
  /** It looks at the caller, or hands the whole context on to what may. */
  readonly asksCaller: boolean
}

const TYPE = /\btype\s{1,20}Mutation\b([^{}`]{0,300})\{/g
const FIELD = /^[\s,]{0,500}(\w{1,100})\s{0,20}(?:\([^()]{0,4000}\))?\s{0,20}:\s{0,20}[[\]!\w]{1,100}/
const DIRECTIVE = /^\s{0,200}@(\w{1,60})\s{0,20}(?:\([^()]{0,500}\))?/
/** Descriptions, comments and defaults, which may hold anything. */
const PROSE = /"""[^"]{0,2000}"""|"[^"\n]{0,1000}"|#[^\n]{0,1000}/g
const MAX_TEXT = 100_000

/** Fact: GraphQL specification, October 2021, 3.6 (fields of object types) and 3.13 (type system directives). */
export const declaredMutations: Extract<DeclaredMutation> = defineExtract({
  name: 'cap-graphql-mutations',
  keywords: ['Mutation'],
  prefilter: (text) => /\btype\s{1,20}Mutation\b/.test(text),
  isFor: isDeployedCode,
  *collectText(text) {
    for (const { index, 0: head, 1: ofType = '' } of text.matchAll(TYPE))
      yield* fieldsIn(text, index + head.length, directivesIn(ofType))
  },
})

function* fieldsIn(text: string, from: number, ofType: readonly string[]): Generator<DeclaredMutation> {
  const end = text.indexOf('}', from)
  if (end < 0 || end - from > MAX_TEXT) return
  let rest = text.slice(from, end).replaceAll(PROSE, (part) => ' '.repeat(part.length))
  for (let found = FIELD.exec(rest); found !== null; found = FIELD.exec(rest)) {
    const [whole, name = ''] = found
    const start = end - rest.length + whole.indexOf(name)
    rest = rest.slice(whole.length)
    const directives = [...ofType]
    for (let one = DIRECTIVE.exec(rest); one !== null; one = DIRECTIVE.exec(rest)) {
      directives.push(one[1] ?? '')
      rest = rest.slice(one[0].length)
    }
    yield { name, directives, start, end: start + name.length }
  }
}

function directivesIn(text: string): readonly string[] {
  return [...text.matchAll(/@(\w{1,60})/g)].map(([, name = '']) => name)
}

/** What looks at who calls, by any name of the field. */
const CALLER = /user|auth|session|token|viewer|role|permission|account|\bme\b|cookie|header/i

/** Functions below the key `Mutation` of an object. Facts: Apollo Server 4 and graphql-tools 10 (README): a resolver gets parent, arguments and context. */
export const mutationResolvers: Extract<MutationResolver> = defineExtract({
  name: 'cap-graphql-resolvers',
  keywords: ['Mutation'],
  isFor: isDeployedCode,
  *collect({ text, facts, step }) {
    for (const { value } of valuesOf(facts)) {
      step()
      if (!('fields' in value)) continue
      for (const { key, value: given } of value.fields)
        if (key === 'Mutation' && 'fields' in given) yield* given.fields.flatMap((field) => toResolver(field, text))
    }
  },
})

function toResolver({ key, value }: ObjectField, text: string): readonly MutationResolver[] {
  const fact = functionOf(value)
  if (key === undefined || fact === undefined) return []
  const body = text.slice(fact.start, fact.end)
  const [context] = fact.parameters[2]?.definitions ?? []
  const name = fact.parameters[2]?.name
  // a context that is not taken apart goes on as a whole
  const isWhole = context !== undefined && context.path.length === 0 && name !== undefined && body.split(name).length > 2
  return [{ name: key, asksCaller: isWhole || CALLER.test(body) }]
}
