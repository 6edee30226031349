import { capSecurityOf, definesRoles } from '../../model/authorization/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Models that require roles which no user can get.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax"; capire, "Authorization", roles and scopes.
 * Impact: none, access is refused: the fault is one of operation.
 */
export const xsuaaNoScopes: Rule = defineRule({
  id: 'btp/xsuaa-no-scopes',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services }, { capRoots }) {
    if (services.some(({ service }) => service === 'identity')) return
    const [first] = capSecurityOf(capRoots).roles
    const clients = services.filter(({ service }) => service === 'xsuaa')
    if (first === undefined || clients.some(({ isComplete, config }) => !isComplete || definesRoles(config))) return
    const [role, { file }] = first
    for (const { name, place } of clients) {
      const args = { name, role, file, descriptor: place.file }
      yield { at: place, args, ...(name !== place.file && { variant: 'resource' }) }
    }
  },

  text: () => ({
    en: {
      title: 'Roles of the CAP model missing from the security descriptor',
      message: '{name} defines no scopes and no role templates, but {file} requires the {role} role.',
      why: 'No user can get this role, so all calls that require it fail. If the restriction is then removed, an attacker can access the data without the role.',
      fix: 'Copy "scopes", "attributes" and "role-templates" from the output of "cds compile srv --to xsuaa" into {name}.',
      variants: {
        resource: {
          fix: 'Save the output of "cds compile srv --to xsuaa" to xs-security.json, and set "path: ./xs-security.json" under "parameters" of {name} in {descriptor}.',
        },
      },
    },
    fr: {
      title: 'Rôles du modèle CAP absents du descripteur de sécurité',
      message: '{name} ne définit ni scopes ni modèles de rôle, mais {file} exige le rôle {role}.',
      why: 'Aucun utilisateur ne peut obtenir ce rôle : tous les appels qui l’exigent échouent. Si la restriction est alors retirée, un attaquant accède aux données sans le rôle.',
      fix: 'Copiez dans {name} les sections "scopes", "attributes" et "role-templates" que produit "cds compile srv --to xsuaa".',
      variants: {
        resource: {
          fix: 'Enregistrez la sortie de "cds compile srv --to xsuaa" dans xs-security.json, et définissez "path: ./xs-security.json" sous "parameters" de la ressource {name} dans {descriptor}.',
        },
      },
    },
  }),
})
