import { describe, expect, test } from 'vitest'
import { createBuiltReader } from '../../core/project/built-apps.ts'

const BUILD = [
  'app/fleet/dist/manifest.json',
  'app/fleet/dist/Component-dbg.js',
  'app/fleet/dist/Component.js',
  'app/fleet/dist/Component-preload.js',
  'app/fleet/dist/controller/Main-dbg.controller.js',
  'app/fleet/dist/controller/Main.controller.js',
  'app/fleet/dist/view/Main.view.xml',
  'app/fleet/dist/localService/mockserver-dbg.js',
]

/** The class of each file that the reader knows. */
function classesOf(paths: readonly string[]): Readonly<Record<string, string>> {
  const classify = createBuiltReader(paths)
  return Object.fromEntries(
    paths.flatMap((path) => {
      const found = classify(path)
      return found === undefined
        ? []
        : [[path.replace('app/fleet/dist/', ''), found.class === 'all' && found.kind.test ? 'test' : found.class]]
    }),
  )
}

describe('builds of UI5 apps', () => {
  test('are read where the project holds nothing else of the app: debug copies in place of their minified twins', () => {
    expect(classesOf(BUILD)).toEqual({
      'manifest.json': 'all',
      'Component-dbg.js': 'all',
      'Component.js': 'out',
      'Component-preload.js': 'secrets',
      'controller/Main-dbg.controller.js': 'all',
      'controller/Main.controller.js': 'out',
      'view/Main.view.xml': 'all',
      'localService/mockserver-dbg.js': 'test',
    })
  })

  test('are left out where the source lies beside them, or in another folder of that name', () => {
    expect(classesOf([...BUILD, 'app/fleet/webapp/Component.js'])).toEqual({})
    expect(classesOf([...BUILD, 'sources/fleet/webapp/Component.ts'])).toEqual({})
    expect(Object.keys(classesOf([...BUILD, 'app/berths/webapp/Component.js']))).toHaveLength(BUILD.length)
  })

  test('are left out where a source anywhere has their id, and read where that of their folder has another one', () => {
    const ids = new Map([
      ['app/fleet/dist/manifest.json', 'harbour.fleet'],
      ['ui/webapp/manifest.json', 'harbour.fleet'],
      ['app/fleet/webapp/manifest.json', 'harbour.berths'],
    ])
    const textOf = (path: string): string => `{ "sap.app": { "type": "application", "id": "${ids.get(path)}" } }`
    const source = (folder: string): string[] => [`${folder}/manifest.json`, `${folder}/Component.js`]
    const build = 'app/fleet/dist/view/Main.view.xml'
    expect(createBuiltReader([...BUILD, ...source('ui/webapp')], textOf)(build)).toBeUndefined()
    expect(createBuiltReader([...BUILD, ...source('app/fleet/webapp')], textOf)(build)?.class).toBe('all')
  })

  test('are read beside other apps whose folders have a name in common that all apps have', () => {
    const paths = [
      'apps/fleet/app/dist/manifest.json',
      'apps/fleet/app/dist/Component-dbg.js',
      'apps/berths/app/webapp/Component.js',
    ]
    expect(createBuiltReader(paths)('apps/fleet/app/dist/manifest.json')?.class).toBe('all')
  })

  test('have folders whose names end like theirs', () => {
    expect(createBuiltReader(BUILD)('app/fleet/dist/mydist/Show-dbg.js')?.class).toBe('all')
  })

  test('at the top of a project count where it has no source of any app', () => {
    const top = ['dist/manifest.json', 'dist/Component-dbg.js']
    expect(Object.values(classesOf(top))).toEqual(['all', 'all'])
    expect(classesOf([...top, 'webapp/Component.js'])).toEqual({})
  })

  test('without manifest or debug copies, of packages and in other folders are none', () => {
    expect(classesOf(['app/a/dist/manifest.json', 'app/a/dist/Component.js'])).toEqual({})
    expect(classesOf(['app/a/dist/Component-dbg.js'])).toEqual({})
    expect(classesOf(['node_modules/a/dist/manifest.json', 'node_modules/a/dist/Component-dbg.js'])).toEqual({})
    expect(classesOf(['app/a/build/manifest.json', 'app/a/build/Component-dbg.js'])).toEqual({})
  })
})
