import { placeOf } from '../../model/approuter/index.ts'
import { runsJava, type Application } from '../../model/deployment/index.ts'
import { getsVersionsWithin } from '../../model/npm/index.ts'
import { joinPath } from '../../paths.ts'
import { at, itemsOf, membersOf, stringOf, textsBelow, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

const NAME = 'SAP_JWT_TRUST_ACL'
const DESCRIPTORS: ReadonlySet<string> = new Set(['mta', 'mtaext', 'cf-manifest', 'kubernetes', 'default-env', 'env'])

/** The first versions that do not read it. */
const READERS: readonly (readonly [string, string])[] = [
  ['@sap/xssec', '<3.0.0'],
  ['@sap/approuter', '<8.0.0'],
]

/** A variable that current SAP libraries do not read, and that old ones take for a list of clients whose tokens they accept.
 *  Facts: CHANGELOG of @sap/approuter 23.0.0: SAP_JWT_TRUST_ACL was removed in 8.0.0; CHANGELOG of @sap/xssec 3.2.18: in 3.0.0, and lib/xssec.js of 2.2.5 reads it; tokens are
 *  validated by their audience since.
 *  Impact: none, the variable has no effect; with an old library, the holder of a token for any other application passes for a user, if the list contains "*". */
export const obsoleteEnv: Rule = defineRule({
  id: 'approuter/obsolete-env',
  impact: 'hygiene',
  // which rights the token of another application has here, the project does not say
  grades: { read: { impact: 'data', reach: 'user', evidence: 'assumed' } },
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'project',

  *check(project) {
    const readers = findReaders(project)
    const ofJava = settingsOfJava(project)
    for (const { path, kind, content, scope } of project.files.values()) {
      if (content.as !== 'data' || scope !== 'all' || kind.test || !DESCRIPTORS.has(kind.role ?? '')) continue
      for (const { at, value } of findSettings(path, content.roots, project)) {
        const reader = readers.get(`${path} ${value.start}`)
        if (reader === undefined && ofJava.has(`${path} ${value.start}`)) continue
        yield {
          at,
          args: reader ?? { package: '', file: '' },
          ...(reader !== undefined && textsOf(value).some((text) => text.includes('*')) && { variant: 'read' }),
          groupKey: reader === undefined ? NAME : `${NAME} ${reader.file}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Obsolete environment variable SAP_JWT_TRUST_ACL',
      message: 'SAP_JWT_TRUST_ACL is set, but @sap/approuter has not read it since version 8.0.0, nor @sap/xssec since 3.0.0.',
      why: 'The restriction that the variable seems to define is not enforced. Old libraries that still read the variable accept tokens issued for any app if its value contains "*".',
      fix: 'Remove SAP_JWT_TRUST_ACL. Tokens are validated by their audience: if another app needs access, grant it a scope in xs-security.json with "granted-apps" (user tokens) or "grant-as-authority-to-apps" (client credentials).',
      variants: {
        read: {
          title: 'Tokens of any application accepted through SAP_JWT_TRUST_ACL',
          message:
            'SAP_JWT_TRUST_ACL contains "*", and {package} in the version of {file} still reads it: tokens issued for any client are accepted.',
          why: 'An attacker with a token for another application of the same landscape, even one of another customer, passes the token validation of this one.',
          fix: 'Update {package} in {file} to a current major version, and remove SAP_JWT_TRUST_ACL. If another app needs access, grant it a scope in xs-security.json with "granted-apps" or "grant-as-authority-to-apps".',
        },
      },
    },
    fr: {
      title: 'Variable d’environnement obsolète SAP_JWT_TRUST_ACL',
      message:
        'SAP_JWT_TRUST_ACL est définie, mais @sap/approuter ne la lit plus depuis la version 8.0.0, ni @sap/xssec depuis 3.0.0.',
      why: 'La restriction que la variable semble définir n’est pas appliquée. Si la variable contient "*", les anciennes bibliothèques qui la lisent encore acceptent les jetons émis pour n’importe quelle application.',
      fix: 'Supprimez SAP_JWT_TRUST_ACL. La validation des jetons repose sur leur audience : si une autre application a besoin d’un accès, accordez-lui un scope dans xs-security.json avec "granted-apps" (jetons d’utilisateur) ou "grant-as-authority-to-apps" (jetons du flux client credentials).',
      variants: {
        read: {
          title: 'Jetons de toute application acceptés par SAP_JWT_TRUST_ACL',
          message:
            'SAP_JWT_TRUST_ACL contient "*", et {package}, dans la version de {file}, la lit encore : les jetons émis pour n’importe quel client sont acceptés.',
          why: 'Un attaquant muni d’un jeton destiné à une autre application du même environnement, même d’un autre client SAP, passe la validation des jetons de celle-ci.',
          fix: 'Passez {package} à une version majeure actuelle dans {file}, et supprimez SAP_JWT_TRUST_ACL. Si une autre application a besoin d’un accès, accordez-lui un scope dans xs-security.json avec "granted-apps" ou "grant-as-authority-to-apps".',
        },
      },
    },
  }),
})

interface TrustSetting {
  readonly at: Place
  readonly value: DataNode
}

function* findSettings(path: string, roots: readonly DataNode[], { step }: Project): Generator<TrustSetting> {
  const open: DataNode[] = [...roots]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    step()
    open.push(...itemsOf(node))
    for (const { key, keySpan, value } of membersOf(node)) {
      if (key === NAME) yield { at: placeOf(path, keySpan), value }
      // a list of Kubernetes: { name: SAP_JWT_TRUST_ACL, value: … }
      else if (key === 'name' && stringOf(value) === NAME) yield { at: placeOf(path, value), value: at(node, 'value') ?? value }
      else open.push(value)
    }
  }
}

type Reader = Readonly<Record<'package' | 'file', string>>

/** By the place of the value: the old library of the application that gets it. */
function findReaders({ deployment, npm }: Project): ReadonlyMap<string, Reader> {
  const found = new Map<string, Reader>()
  for (const { folder, variables } of deployment.applications) {
    if (folder === undefined) continue
    const file = joinPath(folder, 'package.json')
    const name = READERS.find(([library, versions]) => getsVersionsWithin(file, library, versions, npm))?.[0]
    if (name === undefined) continue
    for (const { name: variable, place } of variables)
      if (variable === NAME) found.set(`${place.file} ${place.span?.start}`, { package: name, file })
  }
  return found
}

/** Those that applications get which run Java, and no others: of their libraries nothing is known. */
function settingsOfJava({ deployment }: Project): ReadonlySet<string> {
  const placesIn = (applications: readonly Application[]): readonly string[] =>
    applications.flatMap(({ variables }) =>
      variables.flatMap(({ name, place }) => (name === NAME ? `${place.file} ${place.span?.start}` : [])),
    )
  const { applications } = deployment
  const others = new Set(placesIn(applications.filter((application) => !runsJava(application))))
  return new Set(placesIn(applications.filter(runsJava)).filter((place) => !others.has(place)))
}

/** A list in the descriptor, or the same as a text of JSON. */
function textsOf(value: DataNode): string[] {
  return textsBelow(value).map(({ text }) => text)
}
