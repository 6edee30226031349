import { placeIn, restrictionsOf, rolesIn, type CapRoot } from '../../model/cap/index.ts'
import type { Deployment, ServiceInstance } from '../../model/deployment/index.ts'
import {
  capSecurityOf,
  declaredRoles,
  definesRoles,
  isPlatformRole,
  type DeclaredRoles,
} from '../../model/authorization/index.ts'
import { at } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf } from './_matches.ts'
import { askedScopes, comesFromTokens, isWholeStory, unusedScopes } from './_callers/scopes.ts'
import { givenRoles, isMissing } from './_callers/ungranted-roles.ts'

/**
 * A role that the model requires and no scope of the project's descriptor defines, or a scope that nothing checks.
 * Facts: @sap/cds 9.9.3 and 10.1.1, lib/srv/middlewares/auth/jwt-auth.js (roles are the scopes of the token, compared letter by letter).
 * Impact: access is denied rather than given; unused scopes mislead administrators.
 */
export const roleNotInXsSecurity: Rule = defineRule({
  id: 'cap/role-not-in-xs-security',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/cap-users#xsuaa-roles',
  on: 'deployment',
  extracts: [givenRoles, askedScopes],

  *check(deployment, project) {
    // scopes that one project of several does not check may be another one's
    const asked = new Set<ServiceInstance>()
    const unsure = new Set<ServiceInstance>()
    for (const root of project.capRoots) {
      const instances = project.securityOf(root)
      const descriptors = instances.filter(({ service, config }) => service === 'xsuaa' && definesRoles(config))
      // a descriptor without any role is another fault
      if (root.test || descriptors.length === 0) continue
      const isSure = isWholeStory(instances) && comesFromTokens(root)
      const missing = isSure ? [...missingRoles(root, descriptors, deployment)] : []
      const makes = isSure && root.scripts.get(givenRoles).length > 0
      if (!makes) yield* missing
      // a misspelt role leaves its scope unused: one fault
      const isClean = isSure && missing.length === 0 && !makes && asksForRoles(root)
      for (const instance of descriptors) (isClean ? asked : unsure).add(instance)
    }
    for (const { scope, node, instance } of unusedScopes(
      [...asked].filter((instance) => !unsure.has(instance)),
      project,
    )) {
      const args = { role: scope, descriptor: fileOf(instance, deployment), annotation: '', element: '', other: '' }
      yield { at: deployment.placeOf(node), args, variant: 'unused' }
    }
  },

  text: () => ({
    en: {
      title: 'CDS role missing from the security descriptor',
      message: '@{annotation} on {element} names the role {role}, but {descriptor} defines no scope with that name.',
      why: 'No token contains a scope {role}, so nobody gets the access that the model grants to this role.',
      fix: 'Add { "name": "$XSAPPNAME.{role}" } to "scopes" in {descriptor}, and reference it in "scope-references" of a role template; or correct the role in the model.',
      variants: {
        spelling: {
          message:
            '@{annotation} on {element} names the role {role}, but {descriptor} defines {other}: the names must match exactly.',
          fix: "Replace '{role}' with '{other}' in the model, or rename the scope in {descriptor}, also in \"scope-references\".",
        },
        template: {
          message:
            '@{annotation} on {element} names the role {role}. {descriptor} has a role template with that name but no scope with that name; CAP checks scopes.',
          fix: 'Add { "name": "$XSAPPNAME.{role}" } to "scopes" in {descriptor}, and reference it in the role template {role}.',
        },
        unused: {
          title: 'Unused scope in the security descriptor',
          message: '{descriptor} defines the scope {role}, which no model, route or code in this project checks.',
          why: 'Administrators who grant or refuse {role} believe that they control access, but the scope has no effect.',
          fix: "Require the scope where needed with @requires: '{role}', or remove it from {descriptor}, together with its references in role templates.",
        },
      },
    },
    fr: {
      title: 'Rôle du modèle CDS absent du descripteur de sécurité',
      message: '@{annotation} sur {element} nomme le rôle {role}, mais {descriptor} ne définit aucun scope de ce nom.',
      why: 'Aucun jeton ne contient de scope {role} : personne n’obtient l’accès que le modèle accorde à ce rôle.',
      fix: 'Ajoutez { "name": "$XSAPPNAME.{role}" } à "scopes" dans {descriptor}, et référencez-le dans "scope-references" d’un modèle de rôle ; ou corrigez le rôle dans le modèle CDS.',
      variants: {
        spelling: {
          message:
            '@{annotation} sur {element} nomme le rôle {role}, mais {descriptor} définit {other} : les noms doivent correspondre exactement.',
          fix: "Remplacez '{role}' par '{other}' dans le modèle CDS, ou renommez le scope dans {descriptor}, y compris dans \"scope-references\".",
        },
        template: {
          message:
            '@{annotation} sur {element} nomme le rôle {role}. {descriptor} contient un modèle de rôle de ce nom, mais aucun scope de ce nom ; CAP vérifie les scopes.',
          fix: 'Ajoutez { "name": "$XSAPPNAME.{role}" } à "scopes" dans {descriptor}, et référencez-le dans le modèle de rôle {role}.',
        },
        unused: {
          title: 'Scope inutilisé dans le descripteur de sécurité',
          message: '{descriptor} définit le scope {role}, qu’aucun modèle, aucune route et aucun code de ce projet ne vérifie.',
          why: 'Les administrateurs qui accordent ou refusent {role} croient contrôler un accès, mais ce scope est sans effet.',
          fix: "Exigez ce scope avec @requires: '{role}' là où il est nécessaire, ou supprimez-le de {descriptor}, ainsi que ses références dans les modèles de rôle.",
        },
      },
    },
  }),
})

/** The first place of each role that no descriptor has. */
function* missingRoles(root: CapRoot, descriptors: readonly ServiceInstance[], deployment: Deployment): Generator<Match> {
  const declared = declaredRoles(descriptors)
  const seen = new Set<string>()
  const [descriptor] = descriptors
  if (descriptor === undefined) return
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation } = restriction
    for (const { word: role, value } of rolesIn(name, annotation.value)) {
      if (seen.has(role) || !isMissing(role, declared)) continue
      seen.add(role)
      const { variant, other } = variantOf(role, declared)
      const args = { annotation: name, element: nameOf(restriction), role, descriptor: fileOf(descriptor, deployment), other }
      yield { at: placeIn(annotation, value), args, ...(variant !== undefined && { variant }) }
    }
  }
}

/** A model without any role of the project's own decides elsewhere. */
function asksForRoles(root: CapRoot): boolean {
  return [...capSecurityOf([root]).roles.keys()].some((role) => !isPlatformRole(role))
}

function variantOf(role: string, { scopes, templates }: DeclaredRoles): { readonly variant?: string; readonly other: string } {
  const fold = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '')
  const other = [...scopes].find((scope) => fold(scope) === fold(role))
  if (other !== undefined) return { variant: 'spelling', other }
  return { ...(templates.has(role) && { variant: 'template' }), other: '' }
}

/** The file with the scopes, as a message names it. */
function fileOf({ name, mta, config }: ServiceInstance, { placeOf }: Deployment): string {
  if (mta === undefined) return name
  const scopes = at(config, 'scopes')
  const file = scopes && placeOf(scopes).file
  // `path` of a resource names the file, `config` beside it need not hold any scope
  return file === undefined || file === mta.file ? `${name} (${mta.file})` : file
}
