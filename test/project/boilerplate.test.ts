import { expect, test } from 'vitest'
import { boilerplateOf, lineHashes } from '../../core/project/boilerplate.ts'
import { BOILERPLATE } from '../../core/project/boilerplate-lines.ts'

test('the templates are as the script writes them', () => {
  expect(BOILERPLATE.map(({ name }) => name)).toContain('locate-reuse-libs.js')
  for (const { mark, lines } of BOILERPLATE) {
    expect(mark).not.toBe('')
    for (const hash of lines.split(' ')) expect(hash).toMatch(/^[0-9a-z]{1,7}$/)
  }
})

test('quotes, indentation, semicolons and comments of a line do not count', () => {
  const hashes = (text: string): readonly number[] => [...lineHashes(text)]
  expect(hashes('  var url = "/sap/bc/ui2/app_index"; // the index')).toEqual(hashes("var url='/sap/bc/ui2/app_index'"))
  expect(hashes('}\n  });\n')).toEqual([])
})

test('a file with the mark of a template and lines of its own is no boilerplate', () => {
  const own = Array.from({ length: 40 }, (_, index) => `const lineOfMyOwn${index} = compute(${index})`).join('\n')
  expect(boilerplateOf(`// ui5_app_info\n${own}`)).toBeUndefined()
  expect(boilerplateOf('')).toBeUndefined()
})
