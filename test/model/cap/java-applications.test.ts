import { describe, expect, it } from 'vitest'
import { findJavaApplications, type JavaApplication } from '../../../core/model/cap/index.ts'
import { artifactName } from '../../../core/model/maven/index.ts'
import { capRootsOf, readProject } from '../project.ts'

const dependency = (name: string, more = ''): string => {
  const [group, artifact] = name.split(':')
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${more}</dependency>`
}
const pom = (artifact: string, dependencies: string, more = ''): string =>
  `<project>${more}<groupId>shop</groupId><artifactId>${artifact}</artifactId><dependencies>${dependencies}</dependencies></project>`

function applicationsOf(texts: Readonly<Record<string, string>>): JavaApplication[] {
  const files = readProject(texts)
  return capRootsOf(files).flatMap((root) => findJavaApplications(root, files))
}

const STARTER = dependency('com.sap.cds:cds-starter-spring-boot')

describe('modules that run CAP Java', () => {
  it('with what reaches their class path', () => {
    const [application, ...others] = applicationsOf({
      'pom.xml': pom('parent', dependency('com.sap.cds:cds-services-bom')),
      'srv/pom.xml': pom('srv', STARTER + dependency('shop:lib') + dependency('junit:junit', '<scope>test</scope>')),
      'lib/pom.xml': pom('lib', dependency('org.example:json')),
      'db/pom.xml': pom('db', dependency('com.sap.cds:cds-services-api')),
    })
    expect(others).toEqual([])
    expect(application?.module.artifactId).toBe('srv')
    expect(application?.dependencies.map(artifactName)).toEqual([
      'com.sap.cds:cds-starter-spring-boot',
      'shop:lib',
      'org.example:json',
    ])
  })

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['all is there', { 'srv/pom.xml': pom('srv', STARTER) }, true],
    ['a library of the same company', { 'srv/pom.xml': pom('srv', STARTER + dependency('shop:base')) }, false],
    ['a group that nothing tells', { 'srv/pom.xml': pom('srv', STARTER + dependency('${nobody}:base')) }, false],
    [
      'a parent from elsewhere',
      {
        'srv/pom.xml': pom(
          'srv',
          STARTER,
          '<parent><groupId>corp</groupId><artifactId>parent</artifactId><version>1</version></parent>',
        ),
      },
      false,
    ],
    [
      'a parent that only manages versions',
      {
        'srv/pom.xml': pom(
          'srv',
          STARTER,
          '<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.5.0</version></parent>',
        ),
      },
      true,
    ],
  ])('what is known of it: %s', (_, texts, expected) => {
    expect(applicationsOf({ 'srv/a.cds': 'service A { }', ...texts }).map(({ isComplete }) => isComplete)).toEqual([expected])
  })

  it('none in a project of Node.js', () => {
    expect(applicationsOf({ 'package.json': JSON.stringify({ dependencies: { '@sap/cds': '^9' } }) })).toEqual([])
  })
})
