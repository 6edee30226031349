import type { H3, H3Event } from 'h3'
import { Refusal } from '../core/index.ts'
import { setDataHeaders } from './_headers.ts'

/** Where the operator sees the shared queue. */
export const DASHBOARD_PATH = '/admin/queues'

export const isDashboard = (pathname: string): boolean => pathname === DASHBOARD_PATH || pathname.startsWith(`${DASHBOARD_PATH}/`)

/** Puts it beside the interface; the guard lets nobody through to it but the operator. */
export function addDashboard(app: H3, dashboard: H3): void {
  // its page sets others
  app.use((event) => {
    if (isDashboard(event.url.pathname)) setDataHeaders(event)
  })
  app.mount(DASHBOARD_PATH, dashboard)
  const refuse = ({ req }: H3Event): never => {
    if (req.method === 'GET') throw new Refusal('not-found')
    throw new Refusal('method-not-allowed', { allow: 'GET' })
  }
  app.all(DASHBOARD_PATH, refuse)
  app.all(`${DASHBOARD_PATH}/**`, refuse)
}
