import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../core/index.ts'
import { narrowPlan } from '../../core/project/narrow.ts'
import { planScan } from '../../core/project/open.ts'

const LARGE = 600_000

function narrowed(paths: readonly string[], files: readonly (string | readonly [path: string, size: number])[]): unknown {
  const entries = files.map((file) => {
    const [path, size] = typeof file === 'string' ? [file, 100] : file
    return { path, size, read: () => new Uint8Array(size) }
  })
  const plan = planScan(
    { entries, notices: [], leftOut: [] },
    { limits: DEFAULT_LIMITS, suppressions: false, date: '2026-01-01' },
  )
  const found = narrowPlan(plan, paths)
  expect(found?.plan.of).toBe(found && plan)
  return found && { files: found.plan.files.map(({ path }) => path).sort(), paths: found.paths }
}

const HALLS = ['app/halls/webapp/manifest.json', 'app/halls/webapp/Main.js', 'app/halls/webapp/Main.view.xml']
const TOURS = ['app/tours/webapp/manifest.json', ['app/tours/webapp/a.js', LARGE], ['app/tours/webapp/b.js', LARGE]] as const
const WHOLE = ['package.json', 'mta.yaml', 'srv/halls.cds', 'srv/halls.js', ...HALLS, ...TOURS]

test('the module of the code and every descriptor', () => {
  const common = ['app/tours/webapp/manifest.json', 'mta.yaml', 'package.json', 'srv/halls.cds']
  expect(narrowed(['app/halls/webapp/Main.js'], WHOLE)).toEqual({
    files: [...HALLS, ...common].sort(),
    paths: ['app/halls/webapp/Main.js'],
  })
  // what lies in no app is a module, too
  expect(narrowed(['srv/halls.js', 'mta.yaml'], WHOLE)).toEqual({
    files: ['app/halls/webapp/manifest.json', 'srv/halls.js', ...common].sort(),
    paths: ['srv/halls.js'],
  })
})

test('a folder of sources is a module where nothing declares it', () => {
  const files = ['package.json', 'a/webapp/x.js', 'a/tool.js', ['b/webapp/y.js', LARGE * 2]] as const
  expect(narrowed(['a/webapp/x.js'], files)).toMatchObject({ files: ['a/webapp/x.js', 'package.json'] })
  expect(narrowed(['webapp/x.js'], ['webapp/x.js', ['y.js', LARGE * 2]])).toMatchObject({ files: ['webapp/x.js'] })
})

test('nothing where no code is meant, or little is left out', () => {
  expect(narrowed([], WHOLE)).toBeUndefined()
  expect(narrowed(['mta.yaml', 'no/such.js'], WHOLE)).toBeUndefined()
  expect(narrowed(['app/tours/webapp/a.js'], WHOLE)).toBeUndefined()
})
