import { loadLateModules as loadThoseOfCore } from '../core/index.ts'
import { loadScanner } from './_load-scanner.ts'

/** Loads what requests would else load when they first want it. A service that runs on while `npm ci` replaces its packages would not find it then. */
export async function loadLateModules(): Promise<void> {
  await Promise.all([
    loadThoseOfCore(),
    loadScanner(),
    import('./_annotate.ts'),
    import('./_decisions.ts'),
    import('./_openapi.ts'),
    import('./_projects.ts'),
    import('./_source-url.ts'),
  ])
}
