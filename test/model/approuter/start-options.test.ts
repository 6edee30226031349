import { describe, expect, it } from 'vitest'
import { approutersOf, readProject } from '../project.ts'

function sources(script: string): string[] {
  const texts = { 'router/index.js': script, 'router/package.json': '{"dependencies":{"@sap/approuter":"^23"}}' }
  return approutersOf(readProject(texts)).map(
    ({ kind, routes }) =>
      `${kind}: ${routes.map(({ source, target, csrfProtection }) => `${source} ${target.name} ${csrfProtection}`).join(', ')}`,
  )
}

describe('descriptors in start scripts', () => {
  it('reads what constants hold, wherever they stand', () => {
    const script = `
      const source = '^/a'
      const routes = [{ source, destination: \`a\`, csrfProtection: false }, { source: '^/b', destination: name() }]
      const options = { port: 5000, xsappConfig: { routes, ...more } }
      require('@sap/approuter')().start(options)`
    expect(sources(script)).toEqual(['standalone: ^/a a false, ^/b  true'])
  })

  it('leaves other options alone', () => {
    expect(
      sources(`ar.start({ xsappConfig: require('./x.json') }); ar.start({ config: { routes: [{ source: '^/a' }] } })`),
    ).toEqual([])
  })

  it('follows names that stand for each other no further than a descriptor goes', () => {
    const names = Array.from(
      { length: 7 },
      (_, index) =>
        `const l${index} = [${Array(40)
          .fill(`l${index + 1}`)
          .join()}]`,
    )
    const script = `const l7 = [1]\n${names.reverse().join('\n')}\nar.start({ xsappConfig: { routes: l0 } })`
    expect(sources(script)).toEqual(['standalone: '])
  })
})
