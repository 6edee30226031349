import { expect, test } from 'vitest'
import type { Log } from 'sarif'
import { describeMatrix } from './matrix.ts'
import { createFixture, createUpload, SAMPLE_TITLE } from './sample.ts'

const UNKNOWN = '0198c0de-0000-7000-8000-000000000000'

describeMatrix('exports', (send) => {
  test('SARIF tells the findings of the report, in the language of the request', async () => {
    const { app } = createFixture()
    const created = await send(app, '/api/scan/upload', createUpload())
    const path = `${created.headers.get('location')}/sarif`
    for (const locale of ['en', 'fr'] as const) {
      const response = await send(app, `${path}?lang=${locale}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/sarif+json')
      expect(response.headers.get('content-language')).toBe(locale)
      const log: Log = await response.json()
      expect(log.runs[0]?.results?.map(({ message }) => message.text)).toEqual([SAMPLE_TITLE[locale]])
    }
    expect((await send(app, path, { method: 'HEAD' })).status).toBe(200)
    expect((await send(app, `${path}?suppressed=include`)).status).toBe(200)
    expect((await send(app, `${path}?suppressed=yes`)).status).toBe(400)
    expect((await send(app, path, { method: 'DELETE' })).status).toBe(405)
  })

  test('the SBOM and the page, which may use its own script alone', async () => {
    const { app } = createFixture()
    const created = await send(app, '/api/scan/upload', createUpload())
    const sbom = await send(app, `${created.headers.get('location')}/sbom`)
    expect(sbom.headers.get('content-type')).toBe('application/vnd.cyclonedx+json')
    expect(await sbom.json()).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'shop' } } })
    const page = await send(app, `${created.headers.get('location')}/html?lang=fr`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'; sandbox/,
    )
    expect(await page.text()).toContain(SAMPLE_TITLE.fr)
  })

  test.each(['sarif', 'sbom', 'html'])('%s of a scan that is not there', async (format) => {
    const { app } = createFixture()
    expect((await send(app, `/api/scan/${UNKNOWN}/${format}`)).status).toBe(404)
    expect((await send(app, `/api/scan/nothing/${format}`)).status).toBe(400)
  })
})
