import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathOf } from '../../facts/paths.ts'
import {
  authStrategyOf,
  effectiveConfiguration,
  hasPolicies,
  isForDevelopment,
  placeIn,
  PSEUDO_ROLES,
  restrictionsOf,
  rolesIn,
  type CapRoot,
} from '../../model/cap/index.ts'
import type { ServiceInstance } from '../../model/deployment/index.ts'
import {
  capSecurityOf,
  declaredRoles,
  definesRoles,
  indexSecurity,
  isGeneratedInBuild,
  isMisspeltPseudoRole,
  isPlatformRole,
  type DeclaredRoles,
} from '../../model/authorization/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf } from './_matches.ts'
import { askedScopes, unusedScopes } from './_scopes.ts'

/** Whether code makes users of its own, or adds to their roles. */
const givenRoles: Extract<true> = defineExtract({
  name: 'cap-given-roles',
  keywords: ['cds.User', 'user.roles'],
  collect({ facts: { calls, assignments } }) {
    const makesUser = calls.some(
      ({ kind, callee }) => kind === 'new' && /^(?:global:cds|module:@sap\/cds) User$/.test(pathOf(callee)?.join(' ') ?? ''),
    )
    const isRoles = (name: string | undefined): boolean => name === 'roles'
    const adds = assignments.some(
      ({ target }) => isRoles(target.name) || (target.object.kind === 'member' && isRoles(target.object.name)),
    )
    return makesUser || adds ? [true] : []
  },
})

/** A role that the model asks for and no scope of the project's descriptor gives.
 *  Facts: @sap/cds 9.9.3 and 10.1.1, lib/srv/middlewares/auth/jwt-auth.js (roles are the scopes of the token, compared letter by letter). */
export const roleNotInXsSecurity: Rule = defineRule({
  id: 'cap/role-not-in-xs-security',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  on: 'deployment',
  extracts: [givenRoles, askedScopes],

  *check(deployment, project) {
    const securityOf = indexSecurity(deployment, project.capRoots)
    // scopes that one project of several does not ask for may be another one's
    const asked = new Set<ServiceInstance>()
    const unsure = new Set<ServiceInstance>()
    for (const root of project.capRoots) {
      const instances = securityOf(root)
      const descriptors = instances.filter(({ service, config }) => service === 'xsuaa' && definesRoles(config))
      // a descriptor without any role is the finding of btp/xsuaa-no-scopes
      if (root.test || descriptors.length === 0) continue
      const isSure = isWholeStory(instances) && comesFromTokens(root)
      const missing = isSure ? [...missingRoles(root, descriptors)] : []
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
      const args = { role: scope, descriptor: fileOf(instance), annotation: '', element: '', other: '' }
      yield { at: deployment.placeOf(node), args, severity: 'LOW', variant: 'unused' }
    }
  },

  text: {
    en: {
      title: 'A role of the model is in no security descriptor',
      message: '@{annotation} on {element} asks for the role {role}, but {descriptor} defines no scope of that name.',
      why: 'Nobody can be given {role}: the access stays closed until somebody, in a hurry, opens it with another role or takes the restriction out.',
      fix: 'Add the scope "$XSAPPNAME.{role}" and a role template that references it, or name the role that is meant.',
      variants: {
        spelling: {
          message:
            '@{annotation} on {element} asks for the role {role}, but {descriptor} spells it {other}: CAP compares letter by letter.',
          fix: 'Write {other} in the model, or rename the scope.',
        },
        template: {
          message:
            '@{annotation} on {element} asks for the role {role}. {descriptor} has a role template of that name, but no scope: CAP compares with scopes.',
          fix: 'Add the scope "$XSAPPNAME.{role}" and reference it in the role template {role}.',
        },
        unused: {
          title: 'A scope of the security descriptor is asked for nowhere',
          message: '{descriptor} defines the scope {role}, but no model, route or code here asks for it.',
          why: 'Who gives somebody {role}, or refuses it, believes to decide about something; in fact it opens and closes nothing.',
          fix: 'Ask for {role} where it is meant, or remove the scope.',
        },
      },
    },
    fr: {
      title: 'Un rôle du modèle n’est dans aucun descripteur de sécurité',
      message: '@{annotation} sur {element} demande le rôle {role}, mais {descriptor} ne définit aucun scope de ce nom.',
      why: 'Personne ne peut recevoir {role} : l’accès reste fermé jusqu’à ce que quelqu’un l’ouvre à la hâte par un autre rôle ou retire la restriction.',
      fix: 'Ajoutez le scope « $XSAPPNAME.{role} » et un modèle de rôle qui le référence, ou nommez le rôle voulu.',
      variants: {
        spelling: {
          message:
            '@{annotation} sur {element} demande le rôle {role}, mais {descriptor} l’écrit {other} : CAP compare lettre par lettre.',
          fix: 'Écrivez {other} dans le modèle, ou renommez le scope.',
        },
        template: {
          message:
            '@{annotation} sur {element} demande le rôle {role}. {descriptor} a un modèle de rôle de ce nom, mais aucun scope : CAP compare avec les scopes.',
          fix: 'Ajoutez le scope « $XSAPPNAME.{role} » et référencez-le dans le modèle de rôle {role}.',
        },
        unused: {
          title: 'Un scope du descripteur de sécurité n’est demandé nulle part',
          message: '{descriptor} définit le scope {role}, mais aucun modèle, aucune route et aucun code ici ne le demande.',
          why: 'Qui accorde ou refuse {role} croit décider de quelque chose ; en réalité, cela n’ouvre et ne ferme rien.',
          fix: 'Demandez {role} là où il est voulu, ou supprimez le scope.',
        },
      },
    },
  },
})

/** The first place of each role that no descriptor has. */
function* missingRoles(root: CapRoot, descriptors: readonly ServiceInstance[]): Generator<Match> {
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
      const args = { annotation: name, element: nameOf(restriction), role, descriptor: fileOf(descriptor), other }
      yield { at: placeIn(annotation, value), args, ...(variant !== undefined && { variant }) }
    }
  }
}

/** A model without any role of the project's own decides elsewhere. */
function asksForRoles(root: CapRoot): boolean {
  return [...capSecurityOf([root]).roles.keys()].some((role) => !isPlatformRole(role))
}

/** Nothing that is missing in the upload, made by the build, or decided elsewhere says more about roles. */
function isWholeStory(instances: readonly ServiceInstance[]): boolean {
  return instances.every(({ service, isComplete }) => service === 'xsuaa' && isComplete) && !isGeneratedInBuild(instances)
}

/** Roles are scopes of a token of XSUAA: no policies, no mocked users, no middleware of the project's own. */
function comesFromTokens(root: CapRoot): boolean {
  if (hasPolicies(root)) return false
  if (root.runtime === 'java') return true
  const { kind = 'jwt', custom } = authStrategyOf(effectiveConfiguration(root, ['production']))
  return !custom && kind !== 'ias' && !isForDevelopment(kind)
}

function isMissing(role: string, { scopes, others }: DeclaredRoles): boolean {
  if (PSEUDO_ROLES.has(role) || isPlatformRole(role) || isMisspeltPseudoRole(role)) return false
  return !scopes.has(role) && !others.has(role)
}

function variantOf(role: string, { scopes, templates }: DeclaredRoles): { readonly variant?: string; readonly other: string } {
  const fold = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '')
  const other = [...scopes].find((scope) => fold(scope) === fold(role))
  if (other !== undefined) return { variant: 'spelling', other }
  return { ...(templates.has(role) && { variant: 'template' }), other: '' }
}

/** The file with the scopes, as a message names it. */
function fileOf({ name, mta }: ServiceInstance): string {
  return mta === undefined ? name : `${name} (${mta.file})`
}
