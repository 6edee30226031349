import { H3, onError, type H3Event, type HTTPError } from 'h3'
import { createRequestLog } from './_request-log.ts'
import { addDashboard } from './_dashboard.ts'
import { createGuard } from './_guard.ts'
import { setSecurityHeaders } from './_headers.ts'
import { answerError } from './_problem.ts'
import { addRoutes, type Route } from './_route.ts'
import { createService, type ScannerOptions } from './_service.ts'
import { catalogueOverview } from './catalogue-overview.ts'
import { catalogueVersion } from './catalogue-version.ts'
import { decisionRoutes } from './decisions.ts'
import { directory } from './directory.ts'
import { html, sarif, sbom } from './exports.ts'
import { health } from './health.ts'
import { history } from './history.ts'
import { jobRoutes } from './jobs.ts'
import { limits } from './limits.ts'
import { metrics } from './metrics.ts'
import { createOpenApiRoute } from './openapi.ts'
import { projectRoutes } from './projects.ts'
import { ready } from './ready.ts'
import { addPage, answerBadAddress } from './page.ts'
import { removal, report } from './report.ts'
import { rules } from './rules.ts'
import { upload } from './upload.ts'

export { DASHBOARD_PATH } from './_dashboard.ts'
export { readReport } from './_read-report.ts'
export { createHistories, type HistoriesOptions } from './_spaces.ts'
export { loadLateModules } from './_late-modules.ts'
export { createScanIds } from './_scan-id.ts'
export { describeRefusal } from './_problem.ts'
export type { Problem } from './_problem.ts'
export type { Health, LimitsAnswer, RuleAnswer } from './_schemas.ts'
export type { Compress, Encoding } from './_encoding.ts'
export type { DirectoryResolver, MetricsReader, ScannerOptions, ServiceLimits } from './_service.ts'
export type { PageFile, PageFiles } from './page.ts'

const ROUTES: readonly Route[] = [
  health,
  ready,
  upload,
  directory,
  history,
  ...jobRoutes,
  report,
  removal,
  sarif,
  sbom,
  html,
  catalogueOverview,
  catalogueVersion,
  ...projectRoutes,
  ...decisionRoutes,
  rules,
  limits,
  metrics,
  createOpenApiRoute(() => ROUTES),
]

/** The app, and how it is shut down. */
export interface Scanner {
  readonly app: H3
  /** No new scans from now on. Resolves when the running ones are answered; those that take longer than `grace` ms are refused as `busy`. */
  drain(grace: number): Promise<void>
}

/** What operators ask of a process that takes no scans of clients. */
const PROBES: readonly Route[] = [health, metrics]

/** Makes the whole interface as an h3 app that shares nothing with another one. The caller shuts it down. */
export function createScanner(options: ScannerOptions = {}): Scanner {
  return createApp(options, ROUTES)
}

/** Makes an app of `/api/health` and `/api/metrics` alone, guarded as the whole interface is. */
export function createProbes(options: ScannerOptions): H3 {
  return createApp(options, PROBES).app
}

function createApp(options: ScannerOptions, routes: readonly Route[]): Scanner {
  const service = createService(options)
  const { dashboard, page } = options
  // of the app for what is never routed; as middleware for a host that mounts this app, whose own handler would answer else
  const answerFault = async (error: HTTPError, event: H3Event): Promise<Response> =>
    (page && (await answerBadAddress(error, event, page, service))) || answerError(error, event, service)
  const app = new H3({ silent: true, onError: answerFault })
  app.use(setSecurityHeaders)
  app.use(createRequestLog(service))
  app.use(onError(answerFault))
  const { hosts = [], loopback = false, tokens, origins, trustProxy } = options
  const guard = createGuard({
    hosts,
    loopback,
    token: options.token || undefined,
    tokens,
    origins,
    trustProxy,
    dashboard: dashboard !== undefined,
  })
  app.use((event) => {
    service.requestOf(event).space = guard(event)
  })
  addRoutes(app, routes, service)
  if (dashboard) addDashboard(app, dashboard)
  if (page) addPage(app, page, service)
  return { app, drain: (grace) => service.admission.drain(grace) }
}

/** The same for a host that has its own way to shut down: without options it works alone. */
export function createScannerApp(options: ScannerOptions = {}): H3 {
  return createScanner(options).app
}
