import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecretMasker } from '../../core/report/mask.ts'
import { createTextAutomaton } from '../../core/report/text-automaton.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { runs } from '../soak.ts'

/** What masking means: each value in turn, the longest first. */
function maskInTurn(text: string, values: Iterable<string>): string {
  const forms = [...values].flatMap((value) => [value, ...value.split(/\r?\n|\\n/)]).filter((form) => form.length >= 4)
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return ordered.reduce((masked, form) => masked.replaceAll(form, '***'), text)
}

function maskerOf(values: Iterable<string>): ReturnType<typeof createSecretMasker> {
  const masker = createSecretMasker()
  for (const value of values) masker.add('a', undefined, value)
  return masker
}

describe('masks as if each value was replaced in turn, the longest first', () => {
  test.each([
    ['one within another', 'user:hunter@host hunt', ['hunt', 'hunter'], 'user:***@host ***'],
    ['one that begins another', 'abcdefgh abcd', ['abcd', 'abcdefgh'], '*** ***'],
    ['one that ends another', 'xxabcdefgh efgh', ['efgh', 'abcdefgh'], 'xx*** ***'],
    ['two that overlap: the longer one', 'abcdefghijkl', ['abcdef', 'efghijkl'], 'abcd***'],
    ['what is left of it may be another one', 'abcdefghijkl', ['abcdef', 'efghijkl', 'abcd'], '******'],
    ['one that overlaps itself', 'abababab ababab', ['abab'], '****** ***ab'],
    ['side by side', 'abcdefgh', ['abcd', 'efgh'], '******'],
    ['equally long ones that overlap: in their order', 'zbcdabcz', ['bcda', 'dabc'], 'z***bcz'],
    ['too short to be told from words', 'abc abc', ['abc'], 'abc abc'],
    ['lines of a key', 'has "MIIEabc=" in it', ['-----BEGIN\nMIIEabc=\n-----END'], 'has "***" in it'],
    ['lines of a key that is written in one', 'has "MIIEabc=" in it', ['-----BEGIN\\nMIIEabc=\\n-----END'], 'has "***" in it'],
    ['letters beyond ASCII, and halves of pairs', 'le mot de passé 🔑🗝️ est là', ['passé', '🔑🗝️'], 'le mot de *** *** est là'],
    ['the end and the start', 'abcd', ['abcd'], '***'],
    ['nothing', '', ['abcd'], ''],
  ])('%s', (_, text, values, expected) => {
    expect(maskInTurn(text, values)).toBe(expected)
    expect(maskerOf(values).maskWhole(text)).toBe(expected)
  })

  test('a value as it is meant and as it is written', () => {
    const masker = createSecretMasker()
    masker.add('a', undefined, 'pa"ss\nword', 'pa\\"ss\\nword')
    expect(masker.maskWhole('pa"ss\nword, pa\\"ss\\nword')).toBe('***, ***')
  })

  test('a value with stars is never left over from masking others', () => {
    const masker = maskerOf(['secret', '***word', '****'])
    expect(masker.maskWhole('secretword ***** ab')).toBe('*** *** ab')
  })

  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 })
  // tails that many share, and forms that are longer than what is looked for of them
  const long = fc
    .tuple(letters, fc.constantFrom('x'.repeat(60), `${'xy'.repeat(40)}`, 'a'.repeat(70)), letters)
    .map((parts) => parts.join(''))
  const value = fc.oneof({ weight: 4, arbitrary: letters }, { weight: 1, arbitrary: long })

  test('whatever the values and the text are, also where values come in between', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(value, { maxLength: 6 }), fc.array(value, { maxLength: 12 })), { minLength: 1, maxLength: 6 }),
        (rounds) => {
          const masker = createSecretMasker()
          const known: string[] = []
          for (const [values, parts] of rounds) {
            for (const one of values) masker.add('a', undefined, one)
            known.push(...values)
            const text = parts.join('')
            expect(masker.maskWhole(text)).toBe(maskInTurn(text, known))
          }
        },
      ),
      { numRuns: runs(20_000) },
    )
  })

  test('credentials as they are drawn, in texts that quote some of them', () => {
    const kinds = ['password', 'sap-binding', 'rsa-key', 'rsa-key-escaped', 'token', 'password-percent'] as const
    const values = Array.from({ length: runs(2000) }, (_, index) =>
      drawSecret(kinds[index % kinds.length] ?? '', `mask ${index}`),
    )
    const masker = maskerOf(values)
    for (let index = 0; index < values.length; index += 7) {
      const [first = '', second = ''] = [values[index], values[(index * 31) % values.length]]
      const text = `const a = "${first}"; ${second}${first.slice(3)} // ${second.slice(0, -1)}`
      expect(masker.maskWhole(text)).toBe(maskInTurn(text, values))
    }
  })
})

describe('in time', () => {
  /** Look-ups of edges and hashes of characters: what masking does, in numbers that are the same on every machine. */
  function countSteps(work: () => void): number {
    const { imul } = Math
    let steps = 0
    Math.imul = (a, b) => {
      steps += 1
      return imul(a, b)
    }
    try {
      work()
    } finally {
      Math.imul = imul
    }
    expect(steps).toBeGreaterThan(0)
    return steps
  }
  const values = Array.from({ length: runs(10_000) }, (_, index) => drawSecret('password', `time ${index}`))
  const texts: Readonly<Record<string, (length: number) => string>> = {
    'that holds none': (length) => 'lorem ipsum dolor '.repeat(length / 18),
    'full of them': (length) =>
      values
        .join(' ')
        .repeat(1 + length / 10_000)
        .slice(0, length),
    'full of what begins like them': (length) =>
      `${values.map((value) => value.slice(0, -1)).join('')}${values[0]}`.repeat(1 + length / 10_000).slice(0, length),
  }

  test.each(Object.entries(texts))('a text %s: twice as long, twice the steps, however many values are known', (_, make) => {
    const masker = maskerOf(values)
    // what is built once is built
    masker.maskWhole(make(200_000))
    const [one, two] = [50_000, 100_000].map((length) => countSteps(() => masker.maskWhole(make(length))))
    expect((two ?? 0) / (one ?? 1)).toBeLessThan(2.1)
    const few = maskerOf(values.slice(0, values.length / 10))
    few.maskWhole(make(200_000))
    const withFew = countSteps(() => few.maskWhole(make(50_000)))
    expect((one ?? 0) / withFew).toBeLessThan(4)
  })

  test('values that come one by one, each before a text that holds one: ten times as many take ten times as long, and a little', () => {
    const steps = [values.length / 10, values.length].map((count) =>
      countSteps(() => {
        const masker = createSecretMasker()
        for (const value of values.slice(0, count)) {
          masker.add('a', undefined, value)
          masker.maskWhole(`const a = "${value}"`)
        }
      }),
    )
    // each is built into an automaton once for each time that they double
    expect((steps[1] ?? 0) / (steps[0] ?? 1)).toBeLessThan(20)
  })

  test('texts that end with one another, in a text made of them', () => {
    const nested = Array.from({ length: 200 }, (_, index) => 'ab'.repeat(index + 2))
    const masker = maskerOf(nested)
    const text = 'ab'.repeat(20_000)
    expect(masker.maskWhole(text)).toBe(maskInTurn(text, nested))
    const [one, two] = [20_000, 40_000].map((length) => countSteps(() => masker.maskWhole('ab'.repeat(length))))
    expect((two ?? 0) / (one ?? 1)).toBeLessThan(2.1)
  })

  test('a file with very many spans is asked for those that it shows', () => {
    const masker = createSecretMasker()
    for (let index = 0; index < 10_000; index++) masker.add('a', { start: index * 10, end: index * 10 + 5 }, `value-${index}`)
    masker.add('a', { start: 0, end: 200 }, 'wide')
    expect(masker.spansIn('a', 50_000, 50_012)).toEqual([
      { start: 50_000, end: 50_005 },
      { start: 50_010, end: 50_015 },
    ])
    expect(masker.spansIn('a', 190, 201)).toEqual([
      { start: 0, end: 200 },
      { start: 190, end: 195 },
      { start: 200, end: 205 },
    ])
    expect(masker.spansIn('a', 5, 10)).toEqual([{ start: 0, end: 200 }])
    expect(masker.spansIn('b', 0, 10)).toEqual([])
  })

  test('very many credentials in one report: none is shown', async () => {
    const count = runs(10_000)
    const secrets = Array.from({ length: count }, (_, index) => drawSecret('password', `report ${index}`))
    const files = new Map<string, string>([['package.json', '{"name":"x","dependencies":{"@sap/cds":"9"}}']])
    for (let file = 0; file * 100 < count; file++) {
      const own = secrets.slice(file * 100, file * 100 + 100)
      const lines = own.map((secret, index) => `const u${index} = "postgres://u${index}:${secret}@db${index}.corp.cloud/shop"`)
      files.set(`srv/f${file}.js`, `${lines.join('\n')}\n`)
    }
    const { en } = await scanFiles(files)
    expect(allFindings(en).length).toBeGreaterThanOrEqual(count)
    const shown: string[] = []
    const automaton = createTextAutomaton(secrets)
    automaton.find(JSON.stringify(en), (_, secret) => shown.push(secrets[secret] ?? ''))
    expect(shown).toEqual([])
  })
})

describe('the automaton', () => {
  test('tells of the longest pattern at each end, and of those that it ends with', () => {
    const automaton = createTextAutomaton(['he', 'she', 'hers', 'his', 'e'])
    const found: [number, string][] = []
    automaton.find('ushers', (end, pattern) => found.push([end, automaton.patterns[pattern] ?? '']))
    expect(found).toEqual([
      [4, 'she'],
      [6, 'hers'],
    ])
    const shorter = (pattern: string): string | undefined => {
      const next = automaton.shorter(automaton.patterns.indexOf(pattern))
      return next === undefined ? undefined : automaton.patterns[next]
    }
    expect(['she', 'he', 'e', 'hers'].map(shorter)).toEqual(['he', 'e', undefined, undefined])
  })

  test('without patterns it finds nothing', () => {
    createTextAutomaton([]).find('text', () => expect.unreachable())
  })
})
