import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMavenModules, type MavenDependency, type MavenModule } from '../../../core/model/maven/index.ts'
import { runs } from '../../soak.ts'
import { readProject } from '../project.ts'

function modulesOf(texts: Readonly<Record<string, string>>): readonly MavenModule[] {
  const files = readProject(texts)
  return findMavenModules([...files.values()], files)
}

const describeDependency = ({ groupId, artifactId, version, scope, profile }: MavenDependency): string =>
  [groupId, artifactId, version ?? '?', scope || 'compile', ...(profile === undefined ? [] : [profile])].join(':')

const dependency = (groupId: string, artifactId: string, rest = ''): string =>
  `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId>${rest}</dependency>`

const ROOT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>shop</groupId><artifactId>shop-parent</artifactId><version>\${revision}</version><packaging>pom</packaging>
  <properties><revision>1.0.0</revision><sec.version>3.2.1</sec.version><a>\${b}</a><b>\${a}</b></properties>
  <dependencyManagement><dependencies>
    ${dependency('com.sap.cds', 'cds-services-bom', '<version>4.2.0</version><type>pom</type><scope>import</scope>')}
    ${dependency('x', 'managed', '<version>${sec.version}</version>')}
    ${dependency('x', 'tested', '<version>1</version><scope>test</scope>')}
  </dependencies></dependencyManagement>
  <dependencies>${dependency('x', 'inherited', '<version>${project.version}</version>')}</dependencies>
</project>`

describe('findMavenModules', () => {
  it('resolves versions over properties, management and the parent in the upload', () => {
    const [, srv] = modulesOf({
      'pom.xml': ROOT,
      'srv/pom.xml': `<project><parent><groupId>shop</groupId><artifactId>shop-parent</artifactId><version>1.0.0</version></parent>
        <artifactId>shop</artifactId>
        <properties><own>9</own></properties>
        <dependencies>
          ${dependency('x', 'managed')}
          ${dependency('x', 'tested')}
          ${dependency('x', 'own', '<version>${own}.1</version><scope>runtime</scope>')}
          ${dependency('x', 'circle', '<version>${a}</version>')}
          ${dependency('${project.groupId}', 'none')}
        </dependencies>
        <profiles><profile><id>dev</id><dependencies>${dependency('x', 'tool', '<version>2</version>')}</dependencies></profile></profiles>
      </project>`,
    })
    expect(srv?.dependencies.map(describeDependency)).toEqual([
      'x:managed:3.2.1:compile',
      'x:tested:1:test',
      'x:own:9.1:runtime',
      'x:circle:?:compile',
      'shop:none:?:compile',
      'x:tool:2:compile:dev',
      'x:inherited:1.0.0:compile',
    ])
    expect(srv?.boms.map(describeDependency)).toEqual(['com.sap.cds:cds-services-bom:4.2.0:import'])
    expect(srv?.groupId).toBe('shop')
    expect(srv?.foreignParent).toBeUndefined()
  })

  it('marks a version where it is written', () => {
    const text = `<project><properties><v>3.0.1</v></properties><dependencies>${dependency('x', 'y', '<version>${v}</version>')}</dependencies></project>`
    const [found] = modulesOf({ 'pom.xml': text })[0]?.dependencies ?? []
    const span = found?.versionPlace?.span
    expect(text.slice(span?.start, span?.end)).toBe('3.0.1')
    expect(text.slice(found?.place.span?.start, found?.place.span?.end)).toBe('y')
  })

  it.each([
    ['outside of the upload', '', 'org.springframework.boot:spring-boot-starter-parent:3.2.0'],
    [
      'another pom.xml than the one that lies there',
      '<project><artifactId>other</artifactId></project>',
      'org.springframework.boot:spring-boot-starter-parent:3.2.0',
    ],
  ])('a parent %s', (_, above, expected) => {
    const texts: Record<string, string> = {
      'srv/pom.xml':
        '<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent><artifactId>a</artifactId></project>',
    }
    if (above !== '') texts['pom.xml'] = above
    const parent = modulesOf(texts).find(({ file }) => file === 'srv/pom.xml')?.foreignParent
    expect(parent && `${parent.groupId}:${parent.artifactId}:${parent.version}`).toBe(expected)
  })

  it('a circle of parents ends', () => {
    const pom = (own: string, parent: string, path: string): string =>
      `<project><parent><artifactId>${parent}</artifactId><relativePath>${path}</relativePath></parent><artifactId>${own}</artifactId></project>`
    expect(modulesOf({ 'a/pom.xml': pom('a', 'b', '../b/pom.xml'), 'b/pom.xml': pom('b', 'a', '../a') })).toHaveLength(2)
  })

  it('never fails, whatever elements a pom.xml has', () => {
    const name = fc.constantFrom(
      'project',
      'parent',
      'properties',
      'dependencies',
      'dependencyManagement',
      'dependency',
      'profiles',
      'profile',
      'groupId',
      'artifactId',
      'version',
      'scope',
      'type',
      'relativePath',
      'id',
    )
    const { element } = fc.letrec((tie) => ({
      element: fc
        .tuple(
          name,
          fc.array(fc.oneof({ maxDepth: 6 }, fc.constantFrom('${a}', '${project.version}', '1', ' ', '..'), tie('element')), {
            maxLength: 4,
          }),
        )
        .map(([tag, inside]) => `<${tag}>${inside.join('')}</${tag}>`),
    }))
    fc.assert(
      fc.property(element, element, (one, two) => {
        modulesOf({
          'pom.xml': `<project>${String(one)}</project>`,
          'srv/pom.xml': `<project>${String(two)}${String(one)}</project>`,
        })
      }),
      { numRuns: runs(10_000) },
    )
  })
})
