import { describe, expect, test } from 'vitest'
import type { Report } from '../../core/report/types.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { disagreeingReaches } from './reaches.ts'

const AUTHENTICATIONS = ['jwt', 'mocked', 'dummy'] as const
const SERVICES = ['', "@requires: 'authenticated-user'", "@requires: 'any'"] as const
const RESTRICTIONS = [
  '',
  "@restrict: [{ grant: 'READ', to: 'Clerk' }, { grant: ['CREATE', 'UPDATE'], to: 'any' }]",
  "@restrict: [{ grant: 'READ', to: 'authenticated-user' }, { grant: 'WRITE', to: 'Clerk' }]",
] as const
const CHECKED = ['', "'DELETE'", "['CREATE', 'UPDATE']", "['READ', 'DELETE']"] as const

interface Setting {
  readonly authentication: (typeof AUTHENTICATIONS)[number]
  readonly service: string
  readonly restriction: string
  /** The events that handlers check a role for. */
  readonly checked: string
}

async function scanClaims({ authentication, service, restriction, checked }: Setting): Promise<Report> {
  const handler =
    checked === '' ? '' : `  srv.before(${checked}, 'Claims', (req) => { if (!req.user.is('Admin')) req.reject(403) })\n`
  const requires = { auth: { kind: authentication } }
  const { en } = await scanFiles(
    new Map([
      ['package.json', JSON.stringify({ dependencies: { '@sap/cds': '^9' }, cds: { requires } })],
      ['Dockerfile', 'FROM node:22\nENV NODE_ENV=production\nCOPY . .\nUSER node\nCMD ["npx", "cds-serve"]\n'],
      [
        'srv/desk.cds',
        `${service}\nservice Desk {\n  ${restriction}\n  entity Claims { key ID: UUID; text: String; status: String; role: String; passwordHash: String; }\n  actions { action approve(); }\n}\n`,
      ],
      [
        'srv/desk.js',
        `module.exports = (srv) => {\n${handler}  srv.on('approve', 'Claims', (req) => { if (!req.user.is('Boss')) return req.reject(403); return UPDATE('Claims').set({ status: 'approved' }).where({ ID: req.params[0].ID }) })\n}\n`,
      ],
    ]),
  )
  return en
}

/** Who may set the element whose name tells of a privilege. */
async function writersIn(setting: Setting): Promise<string | undefined> {
  const found = allFindings(await scanClaims(setting))
  return found.find(({ ruleId, message }) => ruleId.endsWith('mass-assignment') && message.includes('role'))?.grade?.reach
}

describe('who reaches an entity is the same in all rules', () => {
  for (const authentication of AUTHENTICATIONS)
    test(`with ${authentication}`, async () => {
      for (const service of SERVICES)
        for (const restriction of RESTRICTIONS)
          for (const checked of CHECKED) {
            const setting: Setting = { authentication, service, restriction, checked }
            expect(disagreeingReaches(await scanClaims(setting)), JSON.stringify(setting)).toEqual([])
          }
    })

  const setting: Setting = { authentication: 'jwt', service: SERVICES[1], restriction: '', checked: '' }

  test('a check of one event says nothing of another', async () => {
    expect(await writersIn({ ...setting, checked: CHECKED[1] })).toBe('user')
    expect(await writersIn({ ...setting, checked: CHECKED[2] })).toBe('privileged')
    expect(await writersIn({ ...setting, checked: CHECKED[3] })).toBe('user')
  })

  test('a privilege for one event says nothing of another', async () => {
    expect(await writersIn({ ...setting, restriction: RESTRICTIONS[1] })).toBe('user')
    expect(await writersIn({ ...setting, restriction: RESTRICTIONS[2] })).toBe('privileged')
  })

  test('the user of the dummy authentication has each role', async () => {
    expect(await writersIn({ ...setting, authentication: 'dummy', checked: CHECKED[2] })).toBe('user')
  })
})
