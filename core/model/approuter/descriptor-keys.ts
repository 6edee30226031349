import { membersOf, type DataMember, type DataNode } from '../../parse/data.ts'

/** What an object of a descriptor may hold: keys with what stands below them; `any` is not looked at. */
interface Shape {
  readonly keys: Readonly<Record<string, Shape | 'any'>>
}

function shape(names: string, below: Readonly<Record<string, Shape | 'any'>> = {}): Shape {
  return { keys: { ...Object.fromEntries(names.split(' ').map((name) => [name, 'any' as const])), ...below } }
}

const SOURCE = shape('path matchCase')
const ORIGIN = shape('host protocol port')
const TARGET = shape('logoutPath logoutMethod endpoint')

/** Keys of xs-app.json (@sap/approuter 23.0.0, xs-app-schema.json, which allows no others). */
const DESCRIPTOR: Shape = shape(
  'welcomeFile authenticationMethod stateProtection sessionTimeout pluginMetadataEndpoint $schema',
  {
    routes: shape(
      'httpMethods target destination setBackendSessionCookies localDir csrfProtection preferLocal service endpoint authenticationType identityProvider dynamicIdentityProvider cacheControl',
      {
        source: SOURCE,
        scope: shape('GET POST HEAD PUT DELETE TRACE PATCH OPTIONS CONNECT default'),
        replace: shape('pathSuffixes vars services'),
      },
    ),
    responseHeaders: shape('name value'),
    destinations: { keys: { '*': TARGET } },
    services: { keys: { '*': TARGET } },
    logout: shape('backChannelLogoutEndpoint logoutEndpoint logoutPage logoutMethod csrfProtection'),
    login: shape('callbackEndpoint'),
    whitelistService: shape('endpoint'),
    compression: shape('enabled minSize compressResponseMixedTypeContent'),
    websockets: shape('enabled'),
    errorPage: shape('status file path'),
    cors: shape('hostPattern allowedMethods allowedHeaders allowedCredentials exposeHeaders maxAge', {
      uriPattern: SOURCE,
      allowedOrigin: ORIGIN,
    }),
  },
)

/** A key that the approuter does not know, and the path to the object that holds it: `routes`, `cors/allowedOrigin`, or '' for the descriptor. */
export interface UnknownKey {
  readonly member: DataMember
  readonly path: string
}

/** Keys of a descriptor that no version up to 23.0.0 knows. Items of a list stand for the list. */
export function findUnknownKeys(root: DataNode): UnknownKey[] {
  const found: UnknownKey[] = []
  const open: { node: DataNode; shape: Shape; path: string }[] = [{ node: root, shape: DESCRIPTOR, path: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, shape: allowed, path } = next
    if (node.kind === 'array') for (const item of node.items) open.push({ node: item, shape: allowed, path })
    for (const member of membersOf(node)) {
      const below = Object.hasOwn(allowed.keys, member.key) ? allowed.keys[member.key] : allowed.keys['*']
      if (below === undefined) found.push({ member, path })
      else if (below !== 'any')
        open.push({ node: member.value, shape: below, path: path === '' ? member.key : `${path}/${member.key}` })
    }
  }
  return found.sort((one, other) => one.member.keySpan.start - other.member.keySpan.start)
}
