import {
  packageOf,
  dependencyOf,
  exposedEntities,
  keyIn,
  placeKey,
  productionSettings,
  wordOf,
  type CapAnnotation,
  type CapRoot,
} from '../../model/cap/index.ts'
import { quoteValue } from '../../quote.ts'
import { booleanOf, stringOf } from '../../parse/data.ts'
import { elementsOf } from '../../parse/markup.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/**
 * Personal data is annotated in the model, and no audit log records who read or changed it.
 * Facts: capire, "Audit Logging" and "Java: AuditLog Service" (cds-feature-auditlog-v2, cds-feature-auditlog-ng); @cap-js/audit-logging 1.2.0, package.json.
 * Impact: an attack that has happened is harder to see; it makes none possible.
 */
export const auditLoggingMissing: Rule = defineRule({
  id: 'cap/audit-logging-missing',
  impact: 'defence',
  confidence: 'high',
  cwe: [778],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/dpp-audit-logging#setup',
  docsByVariant: { java: 'https://cap.cloud.sap/docs/java/auditlog#handler-v2' },
  on: 'cap-root',

  *check(root, project) {
    const marked = findMarked(root)
    const logged = isLogged(root, project)
    if (marked !== undefined && !logged) {
      const { at, element, mark } = marked
      const isJava = root.runtime === 'java'
      const { add } = packageOf(root, project.npm)?.manager ?? project.npm.manager
      // both keep a package among the devDependencies where it stands there
      const keepsPlace = dependencyOf(root, project.files, PLUGIN) === 'development' && /^p?npm /.test(add)
      const args: Record<string, string> = {
        element,
        mark,
        add: keepsPlace ? `${add} --save-prod` : add,
        missing: isJava ? 'cds-feature-auditlog-v2' : PLUGIN,
      }
      yield { at, args, ...(isJava && { variant: 'java' }) }
    }
    // "audit-log": "audit-log-to-console" has no key of its own for the kind
    const shorthands = new Set([...productionSettings(root, 'requires', 'audit-log')].map(placeKey))
    for (const [path, word, variant] of SETTINGS) {
      if (variant === 'off' && (marked === undefined || !logged)) continue
      for (const setting of productionSettings(root, 'requires', ...path)) {
        const value = String(booleanOf(setting.node) ?? stringOf(setting.node) ?? '')
        if (value !== word) continue
        const args: Record<string, string> = {
          key: keyIn(setting, 'requires', ...(shorthands.has(placeKey(setting)) ? ['audit-log'] : path)),
          value: quoteValue(value),
          file: setting.place.file,
        }
        yield { at: setting.place, args, variant }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Missing audit logging of personal data',
      message:
        '{element} is annotated with {mark}, but {missing} is not a production dependency: no read or change of this data is audit-logged.',
      why: 'An attacker or insider who reads or changes personal data leaves no entry in an audit log, which makes a leak hard to detect and to attribute.',
      fix: 'Run "{add} {missing}" in the folder of the CAP project, and bind an instance of the SAP Audit Log service (auditlog, plan premium) in production. Entities without @PersonalData.EntitySemantics are not logged: add it there.',
      variants: {
        java: {
          message:
            '{element} is annotated with {mark}, but no pom.xml contains an audit log feature ({missing}): no read or change of this data reaches the SAP Audit Log service.',
          fix: 'Add the dependency com.sap.cds:{missing} to srv/pom.xml, and bind an instance of the SAP Audit Log service (auditlog, plan premium). Entities without @PersonalData.EntitySemantics are not logged: add it there.',
        },
        console: {
          title: 'Audit log written to the console in production',
          message:
            '{key} is {value} in {file} and applies to production: audit entries go to the application log instead of the SAP Audit Log service.',
          why: 'Anyone with access to the application log can read the personal data in the entries, and entries there can be altered or lost.',
          fix: 'Remove {key} from {file}, or move it into "[development]", and bind an instance of the SAP Audit Log service (auditlog, plan premium) in production.',
        },
        off: {
          title: 'Audit log disabled in production',
          message: '{key} is {value} in {file} and applies to production: no access to personal data is audit-logged.',
          fix: 'Remove {key} from {file}, or move it into "[development]", and bind an instance of the SAP Audit Log service (auditlog, plan premium) in production.',
        },
      },
    },
    fr: {
      title: 'Absence de journal d’audit pour des données personnelles',
      message:
        '{element} porte l’annotation {mark}, mais {missing} ne figure pas parmi les dépendances de production : aucune lecture ni modification de ces données n’est consignée dans un journal d’audit.',
      why: 'Un attaquant, même interne, qui lit ou modifie des données personnelles ne laisse aucune entrée dans un journal d’audit : une fuite est alors difficile à détecter et à attribuer.',
      fix: 'Exécutez "{add} {missing}" dans le dossier du projet CAP, et liez en production une instance du service SAP Audit Log (auditlog, plan premium). Les entités sans @PersonalData.EntitySemantics ne sont pas journalisées : ajoutez-leur cette annotation.',
      variants: {
        java: {
          message:
            '{element} porte l’annotation {mark}, mais aucun pom.xml ne contient de fonctionnalité de journal d’audit ({missing}) : aucune lecture ni modification de ces données n’atteint le service SAP Audit Log.',
          fix: 'Ajoutez la dépendance com.sap.cds:{missing} à srv/pom.xml, et liez une instance du service SAP Audit Log (auditlog, plan premium). Les entités sans @PersonalData.EntitySemantics ne sont pas journalisées : ajoutez-leur cette annotation.',
        },
        console: {
          title: 'Journal d’audit écrit sur la console en production',
          message:
            '{key} vaut {value} dans {file} et s’applique à la production : les entrées d’audit vont dans le journal applicatif, pas dans le service SAP Audit Log.',
          why: 'Toute personne ayant accès au journal applicatif peut lire les données personnelles contenues dans les entrées d’audit ; ces entrées peuvent en outre y être altérées ou perdues.',
          fix: 'Supprimez {key} de {file}, ou déplacez-le dans "[development]", et liez en production une instance du service SAP Audit Log (auditlog, plan premium).',
        },
        off: {
          title: 'Journal d’audit désactivé en production',
          message:
            '{key} vaut {value} dans {file} et s’applique à la production : aucun accès aux données personnelles n’est journalisé.',
          fix: 'Supprimez {key} de {file}, ou déplacez-le dans "[development]", et liez en production une instance du service SAP Audit Log (auditlog, plan premium).',
        },
      },
    },
  }),
})

const SETTINGS: readonly (readonly [readonly string[], string, 'off' | 'console'])[] = [
  [['audit-log'], 'false', 'off'],
  [['audit-log', 'kind'], 'audit-log-to-console', 'console'],
]

const PLUGIN = '@cap-js/audit-logging'

interface Marked {
  readonly at: Place
  readonly element: string
  readonly mark: string
}

/** The first annotated element of what services expose: the plugin looks at services alone. */
function findMarked(root: CapRoot): Marked | undefined {
  let subject: Marked | undefined
  for (const { name, entity } of exposedEntities(root)) {
    const semantics = entity.annotations.get('PersonalData.EntitySemantics')
    for (const member of entity.members()) {
      const sensitive = member.annotations.get('PersonalData.IsPotentiallySensitive')
      if (isSet(sensitive))
        return { at: sensitive.place, element: `${name}.${member.name}`, mark: '@PersonalData.IsPotentiallySensitive' }
    }
    if (subject === undefined && isSet(semantics) && wordOf(semantics.value)?.endsWith('DataSubject') === true)
      subject = { at: semantics.place, element: name, mark: '@PersonalData.EntitySemantics: DataSubject' }
  }
  return subject
}

function isSet(annotation: CapAnnotation | undefined): annotation is CapAnnotation {
  const value = annotation?.value
  return value !== undefined && value.kind !== 'null' && !(value.kind === 'boolean' && value.value === false)
}

/** By the plugin, an older package, a feature of CAP Java, or the project's own service. */
function isLogged(root: CapRoot, project: Project): boolean {
  if (root.runtime === 'java')
    return root.files.some(
      (file) => file.kind.role === 'pom' && file.content.as === 'markup' && namesAuditLog(file.content.document),
    )
  const isOwn =
    [...productionSettings(root, 'requires', 'audit-log', 'impl'), ...productionSettings(root, 'requires', 'audit-log', 'kind')]
      .length > 0
  return (
    isOwn ||
    [PLUGIN, '@sap/audit-logging', '@sap/audit-log-client'].some(
      (name) => dependencyOf(root, project.files, name) === 'production',
    )
  )
}

function namesAuditLog(document: Parameters<typeof elementsOf>[0]): boolean {
  for (const { localName, texts } of elementsOf(document))
    if (localName === 'artifactId' && texts.some(({ text }) => /audit-?log/i.test(text))) return true
  return false
}
