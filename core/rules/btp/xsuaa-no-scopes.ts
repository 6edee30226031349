import { capSecurityOf, definesRoles } from '../../model/authorization/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Models that ask for roles which nobody can be given.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax"; capire, "Authorization", roles and scopes. */
export const xsuaaNoScopes: Rule = defineRule({
  id: 'btp/xsuaa-no-scopes',
  severity: 'INFO',
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
    for (const { name, place } of clients) yield { at: place, args: { name, role, file } }
  },

  text: {
    en: {
      title: 'The descriptor defines none of the roles that the model asks for',
      message: '{name} has no scopes and no role templates, but {file} asks for the role {role}.',
      why: 'Nobody can be given {role}, which in practice ends with the restriction being taken out.',
      fix: 'Generate them: cds compile srv --to xsuaa.',
    },
    fr: {
      title: 'Le descripteur ne définit aucun des rôles que le modèle demande',
      message: '{name} n’a ni scopes ni modèles de rôle, mais {file} demande le rôle {role}.',
      why: 'Personne ne peut recevoir {role} ; en pratique, on finit par retirer la restriction.',
      fix: 'Générez-les : cds compile srv --to xsuaa.',
    },
  },
})
