import type { FileKind, Role } from '../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../parse/data.ts'

/**
 * Words that descriptors hold and hardly anything else does. A JSON, YAML or properties file whose name tells nothing is parsed where one of them stands in it:
 * `path: ./security/uaa.json` of an MTA, `cf create-service … -c config/auth.json`, `kubectl apply -f deploy/srv.yaml` may name any file.
 */
export const DESCRIPTOR_KEYWORDS: readonly string[] = [
  'xsappname',
  'role-templates',
  'oauth2-configuration',
  'tenant-mode',
  'xsuaa-cross-consumption',
  'provided-apis',
  'consumed-services',
  'VCAP_SERVICES',
  'ProxyType',
  'init_data',
  '_schema-version',
  'apiVersion',
  'serviceOfferingName',
  'applications:',
  'whitelistIPs',
]

/** Of these one has to stand in a file called like a configuration of the approuter that is none. */
const SECURITY_KEYWORDS: readonly string[] = ['xsappname', 'role-templates', 'oauth2-configuration']

/** What properties files hold that keep the addresses of back ends. */
export const ADDRESS_KEYWORDS: readonly string[] = ['http://', 'https://']

/** Whether a file keeps addresses for a model of UI5, if its manifest says so. */
export function mayKeepAddresses(path: string, { role, language }: FileKind, has: (keyword: string) => boolean): boolean {
  return role === undefined && language === 'text' && /\.properties$/i.test(path) && ADDRESS_KEYWORDS.some(has)
}

/** How a file is to be parsed so that `roleByContent` may tell what it is; undefined: its name says enough, or nothing in it makes it worth the while. */
export function languageByText(path: string, { role, language }: FileKind, has: (keyword: string) => boolean): Candidate {
  if (role === 'xs-app') return SECURITY_KEYWORDS.some(has) ? 'json' : undefined
  if (role !== undefined || language !== 'text') return undefined
  const ending = /\.(json|ya?ml|properties)$/i.exec(path)?.[1]?.toLowerCase()
  // the cockpit exports a destination under its own name, with any ending or none
  if (ending === 'properties' || (ending === undefined && !/\.[a-z]\w{0,9}$/i.test(path)))
    return has('ProxyType') ? 'properties' : undefined
  if (ending === undefined || !DESCRIPTOR_KEYWORDS.some(has)) return undefined
  return ending === 'json' ? 'json' : 'yaml'
}

type Candidate = 'json' | 'yaml' | 'properties' | undefined

/** What a file is by the keys on top of it; undefined: no descriptor. */
export function roleByContent(roots: readonly DataNode[]): Role | undefined {
  if (roots.some(isKubernetes)) return 'kubernetes'
  const [root] = roots
  if (root === undefined) return undefined
  const has = (key: string): boolean => at(root, key) !== undefined
  if (has('_schema-version') && (has('modules') || has('resources') || has('ID'))) return has('extends') ? 'mtaext' : 'mta'
  if (itemsOf(at(root, 'applications')).some(isPushed)) return 'cf-manifest'
  if (at(root, 'VCAP_SERVICES')?.kind === 'object' || typeof stringOf(at(root, 'VCAP_SERVICES')) === 'string')
    return 'default-env'
  if (isDestinations(root)) return 'destination'
  if (at(root, 'data', 'whitelistIPs')?.kind === 'array') return 'hana-parameters'
  return isServiceConfiguration(root) ? 'xs-security' : undefined
}

/** An object of Kubernetes, or values of a chart that make instances of services. */
function isKubernetes(root: DataNode): boolean {
  if (stringOf(at(root, 'apiVersion')) !== undefined && stringOf(at(root, 'kind')) !== undefined) return true
  // of a chart itself, or of one that it holds
  const makes = (node: DataNode): boolean => at(node, 'serviceOfferingName') !== undefined
  return membersOf(root).some(({ value }) => makes(value) || membersOf(value).some((member) => makes(member.value)))
}

/** Other tools have lists of applications too; these keys are of Cloud Foundry ("App manifest attribute reference"). */
function isPushed(item: DataNode): boolean {
  const keys = [
    'memory',
    'disk_quota',
    'buildpack',
    'buildpacks',
    'routes',
    'random-route',
    'no-route',
    'health-check-type',
    'services',
  ]
  return stringOf(at(item, 'name')) !== undefined && keys.some((key) => at(item, key) !== undefined)
}

/** `init_data`, one destination, or a list of them: as the cockpit exports them. */
function isDestinations(root: DataNode): boolean {
  if (at(root, 'init_data')?.kind === 'object') return true
  const [first = root] = [...itemsOf(root), ...itemsOf(at(root, 'destinations'))]
  const named = stringOf(at(first, 'Name')) ?? stringOf(at(first, 'name'))
  return named !== undefined && stringOf(at(first, 'ProxyType')) !== undefined
}

/** Parameters of an instance of XSUAA or of the identity service. A service key has the name of the application too, and a client. */
function isServiceConfiguration(root: DataNode): boolean {
  if (at(root, 'clientid') !== undefined || at(root, 'uaa') !== undefined) return false
  if (['role-templates', 'oauth2-configuration', 'provided-apis', 'consumed-services'].some((key) => isNested(at(root, key))))
    return true
  if (['xsappname', 'tenant-mode'].some((key) => stringOf(at(root, key)) !== undefined)) return true
  if (at(root, 'xsuaa-cross-consumption') !== undefined) return true
  return itemsOf(at(root, 'scopes')).some((scope) => stringOf(at(scope, 'name'))?.startsWith('$XSAPPNAME') === true)
}

function isNested(node: DataNode | undefined): boolean {
  return node?.kind === 'array' || node?.kind === 'object'
}
