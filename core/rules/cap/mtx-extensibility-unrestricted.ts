import { placeKey, type Configuration, type Setting } from '../../model/cap/index.ts'
import { at, itemsOf, memberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What tenants may extend: everything, without any number.
 *  Facts: @sap/cds-mtxs 4.1.0, srv/extensibility/linter (allowlist.js: an entry without limits allows all; annotations.js: `annotations` lifts the
 *  ban on security annotations). */
export const mtxExtensibilityUnrestricted: Rule = defineRule({
  id: 'cap/mtx-extensibility-unrestricted',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [732],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/mtxs#extensibility-config',
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

  text: {
    en: {
      title: 'Tenants may extend everything',
      message: 'The "extension-allowlist" in {file} has an entry for "*" without "new-fields", "fields" or "new-entities".',
      why: 'Whoever may develop extensions in one tenant adds fields to any entity and entities to any service, also to those that were never meant to be seen.',
      fix: 'Name the namespaces and services that are meant to be extended, and limit each: "new-fields", "new-entities".',
      variants: {
        annotations: {
          title: 'Tenants may change who has access',
          message: 'The "extension-allowlist" in {file} lets extensions write {annotation}.',
          why: 'Whoever may develop extensions in a tenant takes the authorization of a service away, for all users of that tenant.',
          fix: 'Remove {annotation} from "annotations".',
        },
      },
    },
    fr: {
      title: 'Les clients peuvent tout étendre',
      message: '« extension-allowlist » dans {file} a une entrée pour « * » sans « new-fields », « fields » ni « new-entities ».',
      why: 'Quiconque peut développer des extensions chez un client ajoute des champs à toute entité et des entités à tout service, même à ceux qui ne devaient jamais être vus.',
      fix: 'Nommez les espaces de noms et services prévus pour l’extension, et limitez chacun : « new-fields », « new-entities ».',
      variants: {
        annotations: {
          title: 'Les clients peuvent changer les droits d’accès',
          message: '« extension-allowlist » dans {file} permet aux extensions d’écrire {annotation}.',
          why: 'Quiconque peut développer des extensions chez un client retire l’autorisation d’un service, pour tous les utilisateurs de ce client.',
          fix: 'Retirez {annotation} de « annotations ».',
        },
      },
    },
  },
})

/** mtxs looks at its own service first, then at `extensibility`. */
function allowlistOf(configuration: Configuration): Setting | undefined {
  for (const service of ['cds.xt.ExtensibilityService', 'extensibility']) {
    if (configuration.value('requires', service)?.node.kind === 'object')
      return configuration.value('requires', service, 'extension-allowlist')
  }
  return undefined
}

function* judge(entry: DataNode, { place, variable }: Setting): Generator<Match> {
  // what stands within a variable's text has no place of its own
  const placeOf = ({ start, end }: DataNode): Match['at'] =>
    variable === undefined ? { file: place.file, span: { start, end } } : place
  for (const item of itemsOf(at(entry, 'annotations'))) {
    const annotation = stringOf(item) ?? ''
    if (/^@(?:requires|restrict)$/.test(annotation))
      yield { at: placeOf(item), args: { file: place.file, annotation }, variant: 'annotations', severity: 'HIGH' }
  }
  const all = itemsOf(at(entry, 'for')).find((item) => stringOf(item) === '*')
  if (all === undefined || ['new-fields', 'fields', 'new-entities'].some((limit) => isLimit(entry, limit))) return
  yield { at: placeOf(all), args: { file: place.file } }
}

function isLimit(entry: DataNode, name: string): boolean {
  const value = memberOf(entry, name)?.value
  return value !== undefined && value.kind !== 'null' && !itemsOf(value).some((item) => stringOf(item) === '*')
}
