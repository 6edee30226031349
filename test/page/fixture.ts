import { afterAll, beforeAll } from 'vitest'
import { openBrowser, startService, type OpenBrowser, type Service } from './browser.ts'
import { scanTwice, type Scans } from './screens.ts'

/** What a test file of the page works with: there from the first test on. */
export interface PageFixture {
  readonly service: Service
  readonly browser: OpenBrowser
  readonly scans: Scans
}

/** A service with two scans of one project, and a browser; ended with the file. */
export function usePage(): PageFixture {
  let started: PageFixture | undefined
  const here = (): PageFixture => {
    if (started === undefined) throw new Error('not started yet')
    return started
  }
  beforeAll(async () => {
    const service = await startService()
    const browser = await openBrowser(service)
    started = { service, browser, scans: await scanTwice(service) }
  })
  afterAll(async () => {
    await started?.browser.close()
    started?.service.stop()
  })
  return {
    get service() {
      return here().service
    },
    get browser() {
      return here().browser
    },
    get scans() {
      return here().scans
    },
  }
}
