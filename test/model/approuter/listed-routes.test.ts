import { describe, expect, it } from 'vitest'
import { scanFiles } from '../../scan-files.ts'

async function listed(descriptor: object, more: Readonly<Record<string, string>> = {}): Promise<readonly [string, string][]> {
  const files = new Map(Object.entries({ 'README.md': '', 'router/xs-app.json': JSON.stringify(descriptor), ...more }))
  const { en, fr } = await scanFiles(files)
  const french = fr.results.approuter.routes
  return en.results.approuter.routes.map(({ authentication }, index) => [authentication, french[index]?.authentication ?? ''])
}

const SRV = { source: '^/srv/(.*)$', destination: 'srv-api' }

describe('the listed routes', () => {
  it.each<[string, object, string, string]>([
    ['typed', { routes: [{ ...SRV, authenticationType: 'ias' }] }, 'By ias: the route says so.', 'Par ias : la route l’indique.'],
    [
      'open',
      { routes: [{ ...SRV, authenticationType: 'none' }] },
      'Nobody is asked: the route says "authenticationType": "none".',
      'Personne n’est authentifié : la route indique « "authenticationType": "none" ».',
    ],
    [
      'open, all of them',
      { authenticationMethod: 'none', routes: [{ ...SRV, authenticationType: 'xsuaa' }] },
      'Nobody is asked: "authenticationMethod" is none for all routes.',
      'Personne n’est authentifié : « authenticationMethod » vaut none pour toutes les routes.',
    ],
    [
      'scoped',
      { routes: [{ ...SRV, authenticationType: 'xsuaa', scope: { GET: 'a', default: ['b', 'c'] } }] },
      'By xsuaa: the route says so. Needs a scope: GET a; b, c.',
      'Par xsuaa : la route l’indique. Exige un scope : GET a; b, c.',
    ],
    [
      'the runtime',
      { routes: [{ source: '^/resources/', destination: 'ui5', authenticationType: 'none' }] },
      'Nobody is asked: the route says none, and serves the public UI5 runtime.',
      'Personne n’est authentifié : la route indique none et sert le runtime UI5, qui est public.',
    ],
  ])('say how a route authenticates and why: %s', async (_, descriptor, english, french) => {
    expect(await listed(descriptor)).toEqual([[english, french]])
  })

  it('name the service that the approuter is bound to', async () => {
    const mta =
      "_schema-version: '3.3'\nID: a\nmodules:\n  - name: r\n    type: approuter.nodejs\n    path: router\n    requires: [{ name: ias }]\n" +
      'resources:\n  - name: ias\n    parameters: { service: identity }\n'
    const [[english] = []] = await listed({ routes: [SRV] }, { 'mta.yaml': mta })
    expect(english).toBe('By Identity Authentication: the route names no type, and the approuter is bound to identity.')
  })

  it('say who gets through, and where that stands', async () => {
    const descriptor = JSON.stringify(
      {
        routes: [
          { ...SRV, authenticationType: 'none' },
          { ...SRV, authenticationType: 'xsuaa', scope: '$XSAPPNAME.admin' },
          { ...SRV, authenticationType: 'xsuaa' },
        ],
      },
      undefined,
      1,
    )
    const { en } = await scanFiles(new Map([['router/xs-app.json', descriptor]]))
    const lineOf = (type: string, nth: number): number =>
      descriptor.split('\n').flatMap((line, index) => (line.includes(`"${type}"`) ? index + 1 : []))[nth] ?? 0
    expect(en.results.approuter.routes.map(({ exposure }) => exposure)).toEqual([
      { reach: 'anyone', by: { file: 'router/xs-app.json', line: lineOf('none', 0) } },
      { reach: 'privileged', by: { file: 'router/xs-app.json', line: lineOf('xsuaa', 0) } },
      { reach: 'user', by: { file: 'router/xs-app.json', line: lineOf('xsuaa', 1) } },
    ])
  })

  it('say which route before takes its URLs', async () => {
    const routes = [
      { ...SRV, source: '/pub', authenticationType: 'none' },
      { ...SRV, authenticationType: 'xsuaa', source: '^/admin/(.*)$' },
    ]
    const [, [english] = []] = await listed({ routes })
    expect(english).toBe('By xsuaa: the route says so. But route /pub before it takes GET /admin/pub and asks for less.')
  })
})
