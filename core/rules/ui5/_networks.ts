import { isUi5Network, readRemote, type Ui5App, type VersionSource } from '../../model/ui5/index.ts'
import { servesPreview } from './_local-versions.ts'

/** Whether the app loads UI5 from SAP's content delivery network, and so depends on what is still there. */
export function isFromNetwork(app: Ui5App, source: VersionSource): boolean {
  const { kind } = source
  const { pages } = app
  if (OF_NETWORK.has(kind)) return true
  // a launchpad brings its own, a page of the app gets what the routes of Neo name
  if (kind === 'neo-app') {
    const isLocal = (src: string | undefined): boolean => src !== undefined && readRemote(src) === undefined
    return (
      !servesPreview(app, source) &&
      pages.some(({ test, sandbox, bootstrap }) => !test && !sandbox && isLocal(bootstrap.src?.value))
    )
  }
  return isUi5Network(hostOf(app, source))
}

/** Whether that is the network of OpenUI5, which has patches of its own. */
export function isFromOpenNetwork(app: Ui5App, source: VersionSource): boolean {
  return /(?:^|\.)openui5\.org$/i.test(hostOf(app, source))
}

/** The host that a page loads UI5 from. */
function hostOf({ pages }: Ui5App, { kind, at }: VersionSource): string {
  const page = kind === 'bootstrap' ? pages.find(({ file }) => file === at.file) : undefined
  return readRemote(page?.bootstrap.src?.value ?? '')?.host ?? ''
}

/** Where an address of UI5's networks says the version. */
const OF_NETWORK: ReadonlySet<VersionSource['kind']> = new Set<VersionSource['kind']>(['mta', 'server'])
