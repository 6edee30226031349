import type { Assignment } from './assignments.ts'
import type { JudgedFile } from './judge.ts'

/** A condition on the file, the name and the siblings; the first row that fits is that of a value. */
interface Place {
  readonly row: string
  readonly role?: RegExp
  readonly path?: RegExp
  readonly name?: RegExp
  readonly value?: RegExp
  /** All of them, in the object or the lines around. */
  readonly around?: readonly RegExp[]
  /** In the text around, its object and others. */
  readonly near?: RegExp
}

const CLIENT_SECRET = /(?:^|[._-])(?:uaa[._-]?)?client[ _-]?secret$|^clientSecret$/i
const PASSWORD = /(?:password|passwd|pwd|pass)$/i
/** `SANDBOX-API-KEY`, `APIKeyHubSandbox`, `API_HUB_KEY`: a key, and the hub or its sandbox. */
const OF_SANDBOX =
  /(?:sandbox|(?:api|accelerator|business)[_-]?hub)[\w-]{0,20}key|api[_-]?key[\w-]{0,20}(?:sandbox|(?:api|accelerator|business)[_-]?hub)/i
/** Fact: SAP Business Accelerator Hub, "Trying out APIs in a sandbox environment" (the key that a signed-in user is shown). */
const HUB_KEY = /^[A-Za-z0-9]{32}(?:\s|$)/

/** In the order in which they are asked. Facts: service keys of SAP BTP, destination files, MTA and manifest descriptors, `hdb` and `@sap/hana-client`. */
const PLACES: readonly Place[] = [
  // the sandbox takes any key that SAP gives to everybody who asks: wherever it stands, it opens no more
  { row: 'sap-apihub-key', name: OF_SANDBOX, value: HUB_KEY },
  { row: 'sap-apihub-key', name: /api[_-]?key$/i, value: HUB_KEY, near: /sandbox\.api\.sap\.com/i },
  { row: 'sap-mtaext', role: /^mtaext$/ },
  { row: 'sap-destination-password', role: /^(?:mta|destination)$/, name: /^password$/i, around: [/authentication/i] },
  {
    row: 'sap-destination-clientsecret',
    role: /^(?:mta|destination)$/,
    name: /^(?:clientsecret|tokenservicepassword|tokenservicepass|clientkey|keystorepassword)$/i,
  },
  { row: 'sap-mta-property', role: /^mta$/ },
  { row: 'cf-manifest-env', role: /^cf-manifest$/ },
  { row: 'ui5-deploy-env', name: /^(?:UI5_TASK_\w+PASSWORD|FIORI_TOOLS_PASSWORD)$/ },
  { row: 'ui5-yaml-credentials', role: /^ui5-yaml$/ },
  { row: 'ui5-yaml-credentials', path: /(?:^|\/)\.ui5deployrc/ },
  { row: 'sap-hdi-password', name: /^hdi_password$/i },
  { row: 'sap-hana-rt-password', name: PASSWORD, around: [/_RT\b|hdi_user/] },
  { row: 'sap-ias-secret', name: CLIENT_SECRET, around: [/app_tid|accounts\d{0,3}\.(?:ondemand|cloud\.sap)/] },
  { row: 'sap-instance-secret', name: CLIENT_SECRET, value: /^[A-Za-z0-9+/]{27}=$/ },
  { row: 'sap-instance-secret', name: /^secret$/i, value: /^[A-Za-z0-9+/]{27}=$/, around: [/\bsb-[\w.-]{2,100}![bit]\d/] },
  // variables of a file of requests: `@uaaSecret = …` below `@uaaClient = sb-orders!t123`
  { row: 'sap-instance-secret', name: /secret$/i, value: /^[A-Za-z0-9+/]{27}=$/, near: /\bsb-[\w.-]{2,100}![bit]\d/ },
  { row: 'sap-rfc-passwd', name: /^passw(?:or)?d$/i, around: [/\bashost\b|\bsysnr\b|\bmshost\b/i] },
  {
    row: 'sap-hana-connect',
    name: PASSWORD,
    around: [
      /\bservernode\b|hana-client|hdb\.createclient|jdbc:sap|hdbsql|hdb[_.-]?user|hana[_.-]?user|"?uid"?\s{0,4}[:=](?!\s{0,4}\d)/i,
    ],
  },
  // drivers of other databases have it too: `mysql.createConnection({ … })`
  { row: 'sap-hana-connect', name: PASSWORD, around: [/createconnection/i], near: /hana|hdb/i },
  { row: 'sap-hana-connect', name: /^(?:hana|hdb)[\w.-]{0,40}(?:password|passwd|pwd)$/i },
  {
    row: 'sap-destination-password',
    name: /^password$/i,
    around: [/\bproxytype\b|"authentication"|^authentication\s{0,4}[=:]/im],
  },
  { row: 'sap-destination-clientsecret', name: /^(?:tokenservicepassword|tokenservicepass)$/i },
  { row: 'sap-destination-clientsecret', name: /^clientsecret$/i, around: [/tokenserviceurl/i] },
  { row: 'sap-uaa-clientsecret', name: CLIENT_SECRET, around: [/client[_-]?id|xsappname|uaadomain|\bsb-[\w!|-]{4,}/i] },
  { row: 'cap-credentials', role: /^(?:cdsrc|package)$/, around: [/credentials/] },
  { row: 'sap-apihub-key', name: /^api[_-]?key$/i, value: HUB_KEY, near: /api\.sap\.com|apihub/i },
  { row: 'abap-constant', path: /\.abap$/i, name: PASSWORD },
  { row: 'kubeconfig', name: /^token$/i, around: [/\bclusters:|kind:\s{0,4}Config\b|\busers:/] },
]

const NEAR = 800

/** The row of SAP that a value belongs to by where it stands. `around`: its object, or the lines around; `text`: of its layer. */
export function findSapRow(
  { name, kind, nameStart }: Assignment,
  { value, around, text }: { readonly value: string; readonly around: string; readonly text: string },
  { path, kind: { role } }: JudgedFile,
): string | undefined {
  const leaf = name.split('.').at(-1) ?? ''
  return PLACES.find((place) => {
    if (place.role?.test(role ?? '') === false || place.path?.test(path) === false) return false
    if (place.name?.test(leaf) === false || place.value?.test(value) === false) return false
    // names of tokens are too common for a place alone
    if (place.name === undefined && kind === 'secret' && !/[a-z]/i.test(value)) return false
    if (place.near?.test(text.slice(Math.max(0, nameStart - NEAR), nameStart + NEAR)) === false) return false
    return place.around?.every((sibling) => sibling.test(around)) ?? true
  })?.row
}
