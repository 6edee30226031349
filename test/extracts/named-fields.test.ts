import { expect, test } from 'vitest'
import type { Extract } from '../../core/extracts/extract.ts'
import { wordsOf } from '../../core/keywords/index.ts'
import { computedResults } from '../../core/rules/ui5/_computed-results.ts'
import { decidedValues } from '../../core/rules/ui5/_decided-values.ts'
import { namedPersons } from '../../core/rules/ui5/_technical-accounts.ts'
import { collectExpressions } from '../regular-expressions/collect.ts'

const { literals } = collectExpressions()

/** The source of the expression of a file that begins so. */
function sourceOf(file: string, beginning: string): string {
  const found = literals.find(({ place, source }) => place.startsWith(`rules/ui5/${file}.ts:`) && source.startsWith(beginning))
  if (found === undefined) throw new Error(`${file} has no expression that begins so: ${beginning}`)
  return found.source
}

/** Names that an expression of groups, classes of letters and `?` fits. */
function namesOf(source: string): readonly string[] {
  let at = 0
  const readChoice = (): readonly string[] => {
    const options = [readSequence()]
    while (source[at] === '|') {
      at++
      options.push(readSequence())
    }
    return options.flat()
  }
  const readSequence = (): readonly string[] => {
    let texts: readonly string[] = ['']
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const next = readPart()
      texts = texts.flatMap((text) => next.map((one) => text + one))
    }
    return texts
  }
  const readPart = (): readonly string[] => {
    const found = readOne()
    if (source[at] !== '?') return found
    at++
    return ['', ...found]
  }
  const readOne = (): readonly string[] => {
    const sign = source[at++] ?? ''
    if (sign === '^' || sign === '$') return ['']
    if (sign === '[') {
      const end = source.indexOf(']', at)
      const signs = source.slice(at, end).split('')
      at = end + 1
      return signs
    }
    if (sign !== '(') return [sign]
    at += '?:'.length
    const inner = readChoice()
    at++
    return inner
  }
  return readChoice()
}

/** Of the many that prefixes and endings make, some of each. */
const MOST = 2000

function someNamesOf(file: string, beginning: string): readonly string[] {
  const names = namesOf(sourceOf(file, beginning))
  const every = Math.ceil(names.length / MOST)
  return names.filter((_, index) => index % every === 0)
}

function* fieldsOf(file: string, beginning: string): Generator<string> {
  for (const name of someNamesOf(file, beginning)) {
    yield `save({ ${name}: value })`
    yield `save({ ["${name}"]: value })`
    yield `save({ ${name} })`
  }
}

/** The texts that a prefilter leaves out. */
function leftOut<Found>({ prefilter }: Extract<Found>, texts: Iterable<string>, beside: string): readonly string[] {
  return [...texts].filter((text) => prefilter?.(`${text}${beside}`, wordsOf(`${text}${beside}`)) === false)
}

test('the name of a person passes in front of a value, and as the value', () => {
  const beginning = '^(?:[iep]v?_?'
  expect(leftOut(namedPersons, fieldsOf('_technical-accounts', beginning), '')).toEqual([])
  const forms = [
    (name: string): string => String.raw`read('/Trips(${name}=\'' + code + '\')')`,
    (name: string): string => `read("/Trips('" + ${name} + "')"); new Filter("Owner", "EQ", ${name}!)`,
    (name: string): string => `new Filter("Owner", "EQ", ${name} as string)`,
    (name: string): string => `read("/Trips?$filter=${name} eq '" + code + "'")`,
    (name: string): string => `new Filter("${name}", "EQ", code)`,
  ]
  const names = someNamesOf('_technical-accounts', beginning)
  for (const form of forms) expect(leftOut(namedPersons, names.map(form), '')).toEqual([])
})

test('the name of what a server has to decide passes as a field', () => {
  const beside = '; fetch(address); cart'
  for (const beginning of ['^(?:total|grand', '^(?:is_?)?(?:paid', '^(?:punch|clock)'])
    expect(leftOut(decidedValues, fieldsOf('_decided-values', beginning), beside)).toEqual([])
})

test('the name of a result passes as a field', () => {
  const beside = '; fetch(address); question.isCorrect'
  expect(leftOut(computedResults, fieldsOf('_computed-results', '^(?:(?:total|final'), beside)).toEqual([])
})
