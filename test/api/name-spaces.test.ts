import { createStorage } from 'unstorage'
import { expect, test } from 'vitest'
import { describeMatrix, type Init } from './matrix.ts'
import { createFixture } from './sample.ts'

const tokens = { red: 'r'.repeat(20), blue: 'b'.repeat(20) }
const token = 't'.repeat(20)
const as = (word: string): Init => ({ headers: { authorization: `Bearer ${word}` } })

describeMatrix('name spaces', (send) => {
  for (const storage of [undefined, createStorage()]) {
    test(`each token sees its own scans alone, ${storage === undefined ? 'in memory' : 'in one storage'}`, async () => {
      const { app } = createFixture({ token, tokens, storage })
      const scan = async (word: string): Promise<string> => {
        const init = {
          method: 'POST',
          body: '{"dirPath":"/p"}',
          headers: { ...as(word).headers, 'content-type': 'application/json' },
        }
        const answer = await send(app, '/api/scan/directory', init)
        expect(answer.status).toBe(201)
        return answer.headers.get('location') ?? ''
      }
      const paths = { [tokens.red]: await scan(tokens.red), [tokens.blue]: await scan(tokens.blue), [token]: await scan(token) }
      for (const [word, own] of Object.entries(paths)) {
        const history = await (await send(app, '/api/scan/history', as(word))).json()
        expect(history.map(({ scanId }: { scanId: string }) => `/api/scan/${scanId}`)).toEqual([own])
        for (const path of Object.values(paths)) {
          const expected = path === own ? 200 : 404
          for (const part of ['', '/sarif', '/html', '/sbom'])
            expect((await send(app, path + part, as(word))).status).toBe(expected)
          if (path !== own) expect((await send(app, path, { ...as(word), method: 'DELETE' })).status).toBe(404)
        }
      }
      expect((await send(app, paths[tokens.red] ?? '', { ...as(tokens.red), method: 'DELETE' })).status).toBe(204)
      expect(await (await send(app, '/api/scan/history', as(tokens.red))).json()).toEqual([])
      expect((await send(app, paths[tokens.blue] ?? '', as(tokens.blue))).status).toBe(200)
    })
  }

  test('without one of them nothing is told', async () => {
    const { app } = createFixture({ tokens })
    for (const word of ['', 'red', 'r'.repeat(19), `${tokens.red}r`, `red=${tokens.red}`]) {
      expect((await send(app, '/api/scan/history', as(word))).status).toBe(401)
    }
    expect((await send(app, '/api/scan/history')).status).toBe(401)
  })
})
