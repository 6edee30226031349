import { describe, expect, it } from 'vitest'
import { javaVersion } from '../../../core/model/cap/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

const POM = '<project><dependencies><dependency><groupId>com.sap.cds</groupId></dependency></dependencies></project>'
function foldersOf(texts: Readonly<Record<string, string>>): string[] {
  return capRootsOf(readProject(texts)).map(({ root }) => root)
}

describe('findCapRoots', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['nothing', { 'package.json': '{}', 'a.js': '' }, []],
    ['a dependency', { 'package.json': PACKAGE }, ['']],
    ['a configuration', { 'package.json': '{"cds":{"requires":{}}}' }, ['']],
    ['a .cdsrc.json', { 'shop/.cdsrc.json': '{}' }, ['shop']],
    ['a pom.xml', { 'pom.xml': POM, 'srv/pom.xml': POM }, ['']],
    ['a pom.xml of something else', { 'pom.xml': '<project><groupId>com.sap</groupId></project>' }, []],
    [
      'parts with a package.json of their own',
      { 'package.json': PACKAGE, 'srv/package.json': PACKAGE, 'db/package.json': PACKAGE },
      [''],
    ],
    ['a folder that is only named like a part', { 'srv/package.json': PACKAGE }, ['srv']],
    [
      'several, one inside another',
      { 'package.json': PACKAGE, 'a/package.json': PACKAGE, 'b/package.json': PACKAGE, 'b/mtx/sidecar/package.json': PACKAGE },
      ['', 'a', 'b', 'b/mtx/sidecar'],
    ],
    [
      'models alone',
      { 'x/db/schema.cds': 'entity E { }', 'x/srv/cat.cds': 'service S { }', 'y/only.cds': 'type T : String;' },
      ['x', 'y'],
    ],
    ['models without definitions', { 'x/index.cds': "using from './srv';" }, []],
  ])('%s', (_, texts, expected) => {
    expect(foldersOf(texts)).toEqual(expected)
  })

  it('gives each file to the nearest root', () => {
    const roots = capRootsOf(readProject({ 'package.json': PACKAGE, 'a/package.json': PACKAGE, 'a/srv/x.js': '', 'ab/y.js': '' }))
    expect(roots.map(({ files }) => files.map(({ path }) => path))).toEqual([
      ['ab/y.js', 'package.json'],
      ['a/package.json', 'a/srv/x.js'],
    ])
  })

  it('tells the runtime', () => {
    const runtimeOf = (texts: Record<string, string>): string | undefined => capRootsOf(readProject(texts))[0]?.runtime
    expect(runtimeOf({ 'package.json': PACKAGE })).toBe('node')
    expect(runtimeOf({ 'package.json': PACKAGE, 'pom.xml': POM })).toBe('java')
    expect(runtimeOf({ 'package.json': PACKAGE, 'srv/pom.xml': POM, 'srv/cat-service.js': '' })).toBe('node')
  })

  it('tells the version of CAP Java', () => {
    const versionOf = (pom: string): string | undefined => {
      const found = javaVersion('', readProject({ 'pom.xml': pom }))
      return found && `${found.version} ${pom.slice(found.place.span?.start, found.place.span?.end)}`
    }
    expect(versionOf('<p><properties><cds.services.version> 3.1.0\n</cds.services.version></properties></p>')).toBe('3.1.0 3.1.0')
    const bom = (version: string): string =>
      `<p><dependency><artifactId>cds-services-bom</artifactId><version>${version}</version></dependency></p>`
    expect(versionOf(bom('4.9.0'))).toBe('4.9.0 4.9.0')
    for (const pom of [bom('${cds.version}'), bom(''), '<p/>', '<p><cds.services.version><x/></cds.services.version></p>'])
      expect(versionOf(pom)).toBeUndefined()
  })

  it('is linear in roots and descriptors', () => {
    const texts: Record<string, string> = {}
    for (let index = 0; index < 3000; index++) {
      texts[`p${index}/package.json`] = PACKAGE
      texts[`p${index}/Dockerfile`] = 'ENV A=1'
    }
    const files = readProject(texts)
    const started = cpuTime()
    expect(capRootsOf(files).filter(({ deployed }) => deployed)).toHaveLength(3000)
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})

describe('deployments', () => {
  const variablesOf = (texts: Record<string, string>, folder = ''): unknown =>
    capRootsOf(readProject(texts))
      .find(({ root }) => root === folder)
      ?.deployments.map(({ file, name, variables }) => [
        file,
        name,
        Object.fromEntries(variables.map(({ name, value }) => [name, 'value' in value ? value.value : value.kind])),
      ])

  it('reads modules of an MTA that run the root', () => {
    const mta = `modules:
  - name: srv
    type: nodejs
    path: gen/srv
    properties: { A: 1, B: x }
  - { name: db, type: hdb, path: gen/db }
  - { name: router, type: approuter.nodejs, path: app/router, properties: { NODE_ENV: development } }
  - { name: away, type: nodejs, path: ../srv }
  - { name: whole, type: nodejs }
`
    expect(variablesOf({ 'package.json': PACKAGE, 'mta.yaml': mta })).toEqual([
      ['mta.yaml', 'srv', { A: 1, B: 'x' }],
      ['mta.yaml', 'whole', {}],
    ])
  })

  it('gives modules of a common MTA to the roots that they name', () => {
    const texts = {
      'mta.yaml': 'modules:\n - {name: a, type: nodejs, path: a/gen/srv}\n - {name: b, type: java, path: b/srv}\n',
      'a/package.json': PACKAGE,
      'b/package.json': PACKAGE,
      'c/package.json': PACKAGE,
    }
    expect(variablesOf(texts, 'a')).toEqual([['mta.yaml', 'a', {}]])
    expect(variablesOf(texts, 'b')).toEqual([['mta.yaml', 'b', {}]])
    expect(capRootsOf(readProject(texts)).map(({ deployed }) => deployed)).toEqual([true, true, false])
  })

  it('reads the environment of images', () => {
    const docker = `FROM node:22 AS build
# ENV COMMENT=1
ENV A=1 B="x y" C='z'
  env D spaced value \nENV E=1 \\
    F=2
RUN echo ENV G=3
`
    const files = readProject({ 'package.json': PACKAGE, 'srv/Dockerfile': docker })
    const variables = capRootsOf(files)[0]?.deployments[0]?.variables ?? []
    expect(variables.map(({ name, value }) => `${name}=${'value' in value ? value.value : ''}`)).toEqual([
      'A=1',
      'B=x y',
      'C=z',
      'D=spaced value',
      'E=1',
      'F=2',
    ])
    expect(variables.map(({ place }) => docker.slice(place.span?.start, place.span?.end))).toEqual([
      '1',
      'x y',
      'z',
      'spaced value',
      '1',
      '2',
    ])
  })

  it('knows a chart', () => {
    const deployed = (texts: Record<string, string>): boolean | undefined =>
      capRootsOf(readProject({ 'package.json': PACKAGE, ...texts }))[0]?.deployed
    expect(deployed({ 'chart/Chart.yaml': 'name: x' })).toBe(true)
    expect(deployed({ 'test/Dockerfile': 'FROM x' })).toBe(false)
    expect(deployed({})).toBe(false)
  })
})
