import { isUi5Network, readRemote, type Ui5App, type VersionSource } from '../../model/ui5/index.ts'
import { servesPreview } from './_local-versions.ts'

/** Whether the app loads UI5 from SAP's content delivery network, and so depends on what is still there. */
export function isFromNetwork(app: Ui5App, source: VersionSource): boolean {
  const { kind, at } = source
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
  const page = kind === 'bootstrap' ? pages.find(({ file }) => file === at.file) : undefined
  return isUi5Network(readRemote(page?.bootstrap.src?.value ?? '')?.host ?? '')
}

/** Where an address of UI5's networks says the version. */
const OF_NETWORK: ReadonlySet<VersionSource['kind']> = new Set<VersionSource['kind']>(['mta', 'server'])
