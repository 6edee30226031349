import {
  dependencyOf,
  exposedEntities,
  keyIn,
  productionSettings,
  wordOf,
  type CapAnnotation,
  type CapRoot,
} from '../../model/cap/index.ts'
import { booleanOf, stringOf } from '../../parse/data.ts'
import { elementsOf } from '../../parse/markup.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/** Personal data is marked in the model, and nothing writes down who read or changed it.
 *  Facts: capire, "Audit Logging" and "Java: AuditLog Service" (cds-feature-auditlog-v2, cds-feature-auditlog-ng); @cap-js/audit-logging 1.2.0, package.json. */
export const auditLoggingMissing: Rule = defineRule({
  id: 'cap/audit-logging-missing',
  severity: 'LOW',
  confidence: 'high',
  cwe: [778],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/dpp-audit-logging',
  on: 'cap-root',

  *check(root, project) {
    const marked = findMarked(root)
    const logged = isLogged(root, project)
    if (marked !== undefined && !logged) {
      const { at, element, mark } = marked
      const isJava = root.runtime === 'java'
      const args: Record<string, string> = { element, mark, missing: isJava ? 'cds-feature-auditlog-v2' : PLUGIN }
      yield { at, args, ...(isJava && { variant: 'java' }) }
    }
    for (const [path, word, variant] of SETTINGS) {
      if (variant === 'off' && (marked === undefined || !logged)) continue
      for (const setting of productionSettings(root, 'requires', ...path)) {
        const value = String(booleanOf(setting.node) ?? stringOf(setting.node) ?? '')
        if (value !== word) continue
        const args: Record<string, string> = { key: keyIn(setting, 'requires', ...path), value, file: setting.place.file }
        yield { at: setting.place, args, variant }
      }
    }
  },

  text: {
    en: {
      title: 'Nobody writes down who reads sensitive data',
      message:
        '{element} is marked as {mark}, and {missing} is not among the dependencies of production: no access to it and no change of it is logged.',
      why: 'Whoever copies the data of others leaves no trace, so a leak is neither noticed nor traced back.',
      fix: 'Run npm add {missing}, and bind the SAP Audit Log service.',
      variants: {
        java: {
          message:
            '{element} is marked as {mark}, and no pom.xml names an audit log feature ({missing}): accesses and changes go to the application’s log at best.',
          fix: 'Add the dependency com.sap.cds:{missing} to srv/pom.xml, and bind the SAP Audit Log service.',
        },
        console: {
          title: 'The audit log goes to the console in production',
          message:
            '{key} is {value} in {file}, and that holds in production: audit entries stand among the application’s log lines.',
          why: 'Whoever operates the application reads personal data there, and can drop the lines that tell of them.',
          fix: 'Remove {key}: the default of production is audit-log-to-restv2.',
        },
        off: {
          title: 'The audit log is switched off in production',
          message: '{key} is {value} in {file}, and that holds in production: nothing is logged.',
          fix: 'Remove {key}, or move it into "[development]".',
        },
      },
    },
    fr: {
      title: 'Personne ne note qui lit les données sensibles',
      message:
        '{element} est marqué comme {mark}, et {missing} ne figure pas parmi les dépendances de production : ni accès ni modification n’est consigné.',
      why: 'Quiconque copie les données d’autrui ne laisse aucune trace : la fuite n’est ni remarquée ni attribuée.',
      fix: 'Exécutez npm add {missing}, et liez le service SAP Audit Log.',
      variants: {
        java: {
          message:
            '{element} est marqué comme {mark}, et aucun pom.xml ne cite de fonction d’audit ({missing}) : accès et modifications vont au mieux dans le journal de l’application.',
          fix: 'Ajoutez la dépendance com.sap.cds:{missing} à srv/pom.xml, et liez le service SAP Audit Log.',
        },
        console: {
          title: 'Le journal d’audit part vers la console en production',
          message:
            '{key} vaut {value} dans {file}, et cela vaut en production : les entrées d’audit se mêlent au journal de l’application.',
          why: 'Quiconque exploite l’application y lit des données personnelles, et peut supprimer les lignes qui parlent de lui.',
          fix: 'Supprimez {key} : la valeur par défaut de production est audit-log-to-restv2.',
        },
        off: {
          title: 'Le journal d’audit est désactivé en production',
          message: '{key} vaut {value} dans {file}, et cela vaut en production : rien n’est consigné.',
          fix: 'Supprimez {key}, ou déplacez-la dans « [development] ».',
        },
      },
    },
  },
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

/** The first element that somebody marked, of what somebody outside can reach: the plugin looks at services alone. */
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
