import { listNames } from '../../arguments.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  grantsEvent,
  placeIn,
  privilegesOf,
  restrictionsOf,
  toWords,
  type CapRoot,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { ServiceInstance } from '../../model/deployment/index.ts'
import { isDeployedCode } from '../../model/script/index.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { comesFromTokens, hasOtherServers, isWholeStory } from './_callers/scopes.ts'
import { nameOf } from './_matches.ts'
import { isCodeList, isNameList } from './_model/entity-rights.ts'

/** Attributes of the user that scripts read by their names; undefined: all of them, or one by a name that is computed. */
const readAttributes: Extract<string | undefined> = defineExtract({
  name: 'cap-read-user-attributes',
  keywords: ['.attr', "['attr", 'attr }', 'attr}', 'attr,', 'attr:', 'xs.user.attributes', 'xsUserAttributes', 'getAttribute'],
  isFor: isDeployedCode,
  *collectText(text) {
    for (const [, name = ''] of text.matchAll(READ_BY_NAME)) yield name
    if (READS_ALL.test(text)) yield undefined
  },
})

/** `req.user.attr.area`, `user.attr?.['area']`, `token.xsUserAttributes?.area`, `authInfo.getAttribute('area')`. Fact: @sap/xssec 4 (README, "Token"). */
const READ_BY_NAME = /(?:\.(?:attr|xsUserAttributes)(?:\?\.\[|\?\.|\.|\[)['"`]?|\bgetAttribute\(['"`])([\w$]{1,100})/g
/** `attr` of a user, by whatever name, that is handed on, `attr[name]`, `const { attr } = req.user`, `{ attr: { area } }`, `getAttribute(NAME)`. */
const READS_ALL =
  /\.attr\b(?!\(|\.|\?\.[\w$]|(?:\?\.)?\[['"`])|\{[^{}=;]{0,100}\battr\b[^{}=;]{0,100}\}\s{0,5}=[^=;\n]{0,40}\buser\b|\buser\s{0,5}:\s{0,5}\{[^{}]{0,60}\battr\b|\battr\s{0,5}:\s{0,5}\{|\bgetAttribute\((?!['"`])|\[['"`]attr['"`]\]|xs\.user\.attributes|\bxsUserAttributes\b(?!\.|\?\.[\w$]|(?:\?\.)?\[['"`])/

/**
 * An attribute of XSUAA that role templates give to users, and that no model and no code of the project reads: the rows that it was defined for are filtered by nothing.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (`attributes`, `attribute-references`: values reach the application in the token, and do nothing by themselves);
 * capire, "Authorization", user attributes (`$user.<name>`, `req.user.attr`).
 * Impact: users see the rows of other areas than their own. Silent where something that isn't read may use the token: Java, another server, privileges of the database.
 */
export const xsuaaAttributeUnused: Rule = defineRule({
  id: 'cap/xsuaa-attribute-unused',
  impact: 'data',
  // whoever has a role with values of their own is one of several who have it
  reach: 'user',
  // which rows it was defined for, and that no other application of the landscape filters by it, is not in the project
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#user-attrs',
  on: 'deployment',
  extracts: [readAttributes],

  *check(deployment, project) {
    const { capRoots } = project
    if (capRoots.some(({ runtime, test }) => runtime === 'java' && !test)) return
    // asked for the whole project, once
    let isReadElsewhere: boolean | undefined
    let used: ReadonlySet<string> | undefined
    for (const root of capRoots) {
      const instances = project.securityOf(root)
      if (root.test || !instances.some(({ config }) => itemsOf(at(config, 'attributes')).length > 0)) continue
      if (!isWholeStory(instances) || !comesFromTokens(root)) continue
      if (isReadElsewhere === undefined) project.step(2 * project.files.size)
      isReadElsewhere ??= hasOtherServers(project) || hasOwnPrivileges(project)
      if (isReadElsewhere) return
      used ??= usedAttributes(project)
      if (used === undefined) return
      const told = new Set<string>()
      const open = openEntities(root)
      for (const instance of instances)
        for (const given of givenAttributes(instance)) {
          if (used.has(given.name)) continue
          const found = matchOf(root, open, given)
          if (found === undefined)
            yield {
              at: deployment.placeOf(given.node),
              args: { attribute: given.name, templates: listNames(given.templates) },
              variant: 'descriptor',
            }
          else {
            // one privilege may lack the conditions of several attributes
            const place = `${found.at.file} ${found.at.span?.start}`
            yield told.has(place) ? { ...found, key: given.name } : found
            told.add(place)
          }
        }
    }
  },

  text: () => ({
    en: {
      title: 'User attribute for data filtering used in no restriction',
      message:
        'The role templates of {role} give users the attribute {attribute}, but no condition in a model and no code reads it: {element} is granted to {role} without a condition.',
      why: 'The values of an attribute limit nothing by themselves: every user with the role can access the rows of all values, whatever administrators assign to this user.',
      fix: 'Add the condition to the privilege of {role} on {element}: where: (<element> = $user.{attribute}). If the rows are for all, remove {attribute} from "attributes" and "attribute-references".',
      variants: {
        descriptor: {
          message:
            'The attribute {attribute} of the role templates {templates:and} is read by no condition in a model and by no code of this project.',
          fix: 'Restrict the rows that the attribute was defined for: @restrict: [{ grant: \'READ\', to: \'<role>\', where: (<element> = $user.{attribute}) }]. Or remove {attribute} from "attributes" and "attribute-references".',
        },
      },
    },
    fr: {
      title: 'Attribut utilisateur de filtrage absent de toute restriction',
      message:
        'Les modèles de rôle de {role} donnent aux utilisateurs l’attribut {attribute}, mais aucune condition d’un modèle ni aucun code ne le lit : {element} est accordé à {role} sans condition.',
      why: 'Les valeurs d’un attribut ne limitent rien par elles-mêmes : tout utilisateur muni du rôle peut accéder aux lignes de toutes les valeurs, quelles que soient celles que les administrateurs lui attribuent.',
      fix: 'Ajoutez la condition au privilège de {role} sur {element} : where: (<élément> = $user.{attribute}). Si les lignes sont destinées à tous, retirez {attribute} de "attributes" et de "attribute-references".',
      variants: {
        descriptor: {
          message:
            'L’attribut {attribute} des modèles de rôle {templates:et} n’est lu par aucune condition d’un modèle ni par aucun code de ce projet.',
          fix: 'Limitez les lignes pour lesquelles l’attribut a été défini : @restrict: [{ grant: \'READ\', to: \'<rôle>\', where: (<élément> = $user.{attribute}) }]. Ou retirez {attribute} de "attributes" et de "attribute-references".',
        },
      },
    },
  }),
})

interface GivenAttribute {
  readonly name: string
  readonly node: DataNode
  readonly templates: readonly string[]
  /** Those of the application that come with one of these templates. */
  readonly roles: readonly string[]
}

/** Attributes that a role template gives to users. */
function* givenAttributes({ service, config }: ServiceInstance): Generator<GivenAttribute> {
  if (service !== 'xsuaa') return
  const templates = itemsOf(at(config, 'role-templates')).map((template) => ({
    name: stringOf(at(template, 'name')) ?? '',
    roles: itemsOf(at(template, 'scope-references')).map((scope) => lastName(stringOf(scope) ?? '')),
    // a name, or a record with the name and values of its own
    attributes: itemsOf(at(template, 'attribute-references')).map((item) => stringOf(item) ?? stringOf(at(item, 'name'))),
  }))
  for (const item of itemsOf(at(config, 'attributes'))) {
    const node = at(item, 'name')
    const name = stringOf(node)
    const giving = templates.filter(({ attributes }) => name !== undefined && attributes.includes(name))
    if (node === undefined || name === undefined || giving.length === 0) continue
    const roles = [...new Set(giving.flatMap((template) => template.roles))]
    yield { name, node, templates: giving.map((template) => template.name), roles }
  }
}

/** An entity, but for lists of values, that is granted without any condition to some roles. */
interface OpenEntity {
  readonly restriction: Restriction
  readonly privileges: readonly Privilege[]
  /** What its elements are called, in words. */
  readonly names: ReadonlySet<string>
}

function openEntities(root: CapRoot): readonly OpenEntity[] {
  const found: OpenEntity[] = []
  for (const restriction of restrictionsOf(root)) {
    root.step()
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || isCodeList(element) || isNameList(element)) continue
    const all = privilegesOf(annotation.value)
    const privileges = all.filter((one) => one.where === undefined && one.to !== undefined && grantsEvent(one, 'READ'))
    if (privileges.length === 0) continue
    const members = element.members()
    root.step(all.length + members.length)
    found.push({ restriction, privileges, names: new Set(members.map((member) => wordsOfAttribute(member.name))) })
  }
  return found
}

/**
 * The first entity, but for lists of values, that is granted to one of the roles without any condition, one with an element that is called like the attribute before others,
 * and then one that they write; undefined where each has one, or none names a role.
 */
function matchOf(root: CapRoot, entities: readonly OpenEntity[], { name: attribute, roles }: GivenAttribute): Match | undefined {
  let best: { readonly rank: number; readonly match: Match } | undefined
  const words = wordsOfAttribute(attribute)
  for (const { restriction, privileges, names } of entities) {
    root.step(privileges.length)
    const privilege = privileges.find((one) => one.to?.some((to) => roles.includes(to)) === true)
    const role = privilege?.to?.find((one) => roles.includes(one))
    if (privilege === undefined || role === undefined) continue
    const match = {
      at: placeIn(restriction.annotation, privilege.record),
      args: { attribute, role, element: nameOf(restriction), templates: '' },
    }
    const rank = (names.has(words) ? 2 : 0) + (grantsEvent(privilege, 'UPDATE') ? 1 : 0)
    if (best === undefined || rank > best.rank) best = { rank, match }
  }
  return best?.match
}

/** `plant` of `Plant`, `plantCode` and `plant_ID`. */
function wordsOfAttribute(name: string): string {
  return toWords(name).replace(/ (?:code|id|key)$/, '')
}

/** Attributes that models or code read; undefined: code reads all of them. */
function usedAttributes({ files, scripts, reach }: Project): ReadonlySet<string> | undefined {
  const used = new Set<string>()
  const loaded = loadedModels({ files, reach })
  for (const { path, content } of files.values()) {
    const names = content.as === 'cds' ? (content.document.userAttributes ?? []) : []
    // models among documents and tests restrict nothing, unless one that is in use loads them
    const isUsed = names.length > 0 && (reach.usageOf(path) !== 'unused' || endsOf(path).some((end) => loaded.has(end)))
    if (isUsed) for (const name of names) used.add(name)
  }
  for (const { file, value } of scripts.get(readAttributes)) {
    if (reach.usageOf(file) === 'unused') continue
    if (value === undefined) return undefined
    used.add(value)
  }
  return used
}

/** What models in use load with `using … from '../samples/rows'`: how paths of such models end. */
function loadedModels({ files, reach }: Pick<Project, 'files' | 'reach'>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { path, content } of files.values()) {
    const usings = content.as === 'cds' ? content.document.usings : []
    if (usings.length === 0 || reach.usageOf(path) === 'unused') continue
    for (const { from } of usings)
      if (from?.startsWith('.') === true) found.add(withoutEnd(from).replace(/^(?:\.{1,2}\/){1,20}/, ''))
  }
  return found
}

/** `docs/samples/rows`, `samples/rows` and `rows`. */
function endsOf(path: string): readonly string[] {
  const steps = withoutEnd(path).split('/')
  return steps.map((_, from) => steps.slice(from).join('/'))
}

function withoutEnd(path: string): string {
  return path.replace(/\.cds$/, '').replace(/\/index$/, '')
}

/** Privileges and procedures of SAP HANA read attributes of the session, and their text isn't kept. */
function hasOwnPrivileges({ files }: Project): boolean {
  return [...files.keys()].some((path) =>
    /\.hdb(?:analytic|structured)privilege$|\.hdb(?:procedure|function|view|calculationview)$/.test(path),
  )
}
