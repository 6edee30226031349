import { placeKey, type Configuration, type Setting } from '../../model/cap/index.ts'
import { at, itemsOf, memberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Tenants can extend every entity and service without a limit, or change authorization annotations.
 * Facts: @sap/cds-mtxs 4.1.0, srv/extensibility/linter (allowlist.js: an entry without limits allows all; annotations.js: `annotations` lifts the
 * ban on security annotations).
 * Impact: extension developers of a tenant can lift the checks of authorization for its users, or extend more than was meant to be.
 */
export const mtxExtensibilityUnrestricted: Rule = defineRule({
  id: 'cap/mtx-extensibility-unrestricted',
  impact: 'data',
  reach: 'privileged',
  confidence: 'high',
  cwe: [732],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/mtxs#extension-restrictions',
  on: 'cap-root',

  *check(root) {
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const setting = allowlistOf(configuration)
      if (setting === undefined || seen.has(placeKey(setting))) continue
      seen.add(placeKey(setting))
      for (const entry of itemsOf(setting.node)) yield* judge(entry, setting)
    }
  },

  text: () => ({
    en: {
      title: 'Tenant extensions without restrictions',
      message:
        'An entry of "extension-allowlist" in {file} applies to "*", and none of "new-fields", "fields" and "new-entities" limits it.',
      why: 'A tenant’s extension developer can extend everything that the entry covers, without limits, and so expose data to users whose roles do not allow it.',
      fix: 'Replace "*" in {file} with the namespaces and services that may be extended, and limit each entry with "new-fields" or "new-entities".',
      variants: {
        annotations: {
          title: 'Tenant extensions can change authorization',
          message: 'The "extension-allowlist" in {file} allows extensions to write {annotation}.',
          why: 'A tenant’s extension developer can remove the authorization checks of a service for all users of that tenant.',
          fix: 'Remove "{annotation}" from "annotations" in {file}.',
        },
      },
    },
    fr: {
      title: 'Extensions de locataires sans restriction',
      message:
        'Une entrée de "extension-allowlist" dans {file} vaut pour "*", et ni "new-fields", ni "fields", ni "new-entities" ne la limite.',
      why: 'Un développeur d’extensions d’un locataire peut étendre sans limite tout ce que couvre l’entrée, et donc exposer des données à des utilisateurs dont les rôles ne le permettent pas.',
      fix: 'Remplacez "*" dans {file} par les espaces de noms et services extensibles, et limitez chaque entrée avec "new-fields" ou "new-entities".',
      variants: {
        annotations: {
          title: 'Autorisations modifiables par les extensions de locataires',
          message: '"extension-allowlist" dans {file} permet aux extensions d’écrire {annotation}.',
          why: 'Un développeur d’extensions d’un locataire peut supprimer les contrôles d’autorisation d’un service pour tous les utilisateurs de ce locataire.',
          fix: 'Retirez "{annotation}" de la liste "annotations" dans {file}.',
        },
      },
    },
  }),
})

/** @sap/cds-mtxs reads its own service first, then `extensibility`. */
function allowlistOf(configuration: Configuration): Setting | undefined {
  for (const service of ['cds.xt.ExtensibilityService', 'extensibility']) {
    if (configuration.value('requires', service)?.node.kind === 'object')
      return configuration.value('requires', service, 'extension-allowlist')
  }
  return undefined
}

function* judge(entry: DataNode, { place, variable }: Setting): Generator<Match> {
  // parts of a variable's value have no place of their own
  const placeOf = ({ start, end }: DataNode): Match['at'] =>
    variable === undefined ? { file: place.file, span: { start, end } } : place
  for (const item of itemsOf(at(entry, 'annotations'))) {
    const annotation = stringOf(item) ?? ''
    if (/^@(?:requires|restrict)$/.test(annotation))
      yield { at: placeOf(item), args: { file: place.file, annotation }, variant: 'annotations' }
  }
  const all = itemsOf(at(entry, 'for')).find((item) => stringOf(item) === '*')
  if (all === undefined || ['new-fields', 'fields', 'new-entities'].some((limit) => isLimit(entry, limit))) return
  yield { at: placeOf(all), args: { file: place.file } }
}

function isLimit(entry: DataNode, name: string): boolean {
  const value = memberOf(entry, name)?.value
  return value !== undefined && value.kind !== 'null' && !itemsOf(value).some((item) => stringOf(item) === '*')
}
