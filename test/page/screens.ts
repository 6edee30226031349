import { sampleFiles, scanByApi, type Service, type Watched } from './browser.ts'

/** Two scans of one project: in the second a fault is repaired and another one came in. */
export interface Scans {
  readonly first: string
  readonly second: string
}

export async function scanTwice(service: Service): Promise<Scans> {
  const files = sampleFiles()
  const { scanId: first } = await scanByApi(service, files, 'sample-shop')
  const { 'srv/catalog-service.js': _, ...repaired } = files
  const { scanId: second } = await scanByApi(service, { ...repaired, 'srv/other.js': 'eval(process.argv[2])\n' }, 'sample-shop')
  return { first, second }
}

/** The screens that are looked at in every combination, by name. */
export function mainScreens({ first, second }: Scans): Readonly<Record<string, string>> {
  return {
    start: 'scan',
    projects: 'projects',
    project: 'projects/sample-shop',
    report: `scans/${first}`,
    map: `scans/${first}?view=map`,
    history: 'history',
    compare: `compare/${first}/${second}`,
    rule: 'rules/cap/cql-injection',
  }
}

/** Beside them. */
export function otherScreens({ first }: Scans): Readonly<Record<string, string>> {
  return {
    looked: `scans/${first}?view=looked`,
    notices: `scans/${first}?view=notices`,
    suppressed: `scans/${first}?view=suppressed`,
    rules: 'rules',
    limits: 'limits',
    expired: 'scans/01900000-0000-7000-8000-000000000000',
    unknown: 'nowhere/at/all/here',
  }
}

/** Opens a screen as a reader has it: of a report one finding is open, with its code and its flow, of a rule one example. */
export async function show(service: Service, { page, settled }: Watched, path: string): Promise<void> {
  await page.goto(`${service.url}${path}`)
  await settled()
  if (/^scans\/[^?]*$/.test(path) && (await page.locator('.finding').count()) > 0) {
    await page.locator('.finding', { hasText: 'cds.db.run' }).locator('summary').first().click()
    await page.locator('.finding[open] .code-frame').waitFor()
  }
  if (path.startsWith('rules/')) await page.locator('.sample-project > summary').first().click()
  await page.evaluate(() => scrollTo(0, 0))
}
