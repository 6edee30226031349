/** Where a Git host shows a line of a commit; `commit` and `prefix` (`app/` of a folder below the root, or '') are filled in. */
type Host = (remote: URL, commit: string, prefix: string) => string | undefined

const github: Host = ({ origin, pathname }, commit, prefix) => `${origin}${pathname}/blob/${commit}/${prefix}{path}#L{line}`
const gitlab: Host = ({ origin, pathname }, commit, prefix) => `${origin}${pathname}/-/blob/${commit}/${prefix}{path}#L{line}`
const googleSource: Host = ({ origin, pathname }, commit, prefix) => `${origin}${pathname}/+/${commit}/${prefix}{path}#{line}`
const gerrit: Host = ({ hostname, pathname }, commit, prefix) =>
  `https://${hostname}/plugins/gitiles${pathname.replace(/^\/a\//, '/')}/+/${commit}/${prefix}{path}#{line}`
const azure: Host = ({ pathname }, commit, prefix) => {
  // git@ssh.dev.azure.com:v3/organization/project/repository, or https://dev.azure.com/organization/project/_git/repository
  const [, organization, project, repository] = /^\/(?:v3\/)?([^/]+)\/([^/]+)\/(?:_git\/)?([^/]+)$/.exec(pathname) ?? []
  if (organization === undefined || project === undefined || repository === undefined) return undefined
  const place = `path=/${prefix}{path}&version=GC${commit}&line={line}&lineEnd={line}&lineStartColumn=1&lineEndColumn=200`
  return `https://dev.azure.com/${organization}/${project}/_git/${repository}?${place}`
}

/** The remote of a Git checkout and its commit as an address with `{path}` and `{line}`; undefined where the host is none of those known. */
export function describeSource(remote: string, commit: string, prefix = ''): string | undefined {
  const url = parseRemote(remote)
  const encoded = prefix.split('/').map(encodeURIComponent).join('/')
  return url === undefined ? undefined : hostOf(url)?.(url.web, commit, encoded)
}

function hostOf({ web, port }: Remote): Host | undefined {
  const { hostname } = web
  if (hostname.endsWith('dev.azure.com')) return azure
  if (hostname.endsWith('.googlesource.com')) return googleSource
  if (port === '29418' || /(?:^|[.-])gerrit(?:[.-]|$)/.test(hostname)) return gerrit
  if (/(?:^|[.-])gitlab(?:[.-]|$)/.test(hostname)) return gitlab
  if (/(?:^|[.-])github(?:[.-]|$)/.test(hostname)) return github
  return undefined
}

interface Remote {
  /** Without who signs in, and without `.git`. */
  readonly web: URL
  readonly port: string
}

/** `https://…`, `ssh://git@host:port/…` or `git@host:owner/name`. */
function parseRemote(remote: string): Remote | undefined {
  const colon = remote.indexOf(':')
  const host = /^[\w.-]+$/.exec(remote.slice(remote.lastIndexOf('@', colon) + 1, colon))?.[0]
  const path = remote.slice(colon + 1)
  const text = host !== undefined && path !== '' && !path.startsWith('//') ? `ssh://${host}/${path.replace(/^\//, '')}` : remote
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, pathname } = new URL(text)
  if (!['https:', 'http:', 'ssh:'].includes(protocol) || hostname === '') return undefined
  const own = protocol === 'ssh:' || port === '' ? '' : `:${port}`
  const clean = pathname.replace(/\/$/, '').replace(/\.git$/, '')
  return { web: new URL(`${protocol === 'http:' ? 'http:' : 'https:'}//${hostname}${own}${clean}`), port }
}
