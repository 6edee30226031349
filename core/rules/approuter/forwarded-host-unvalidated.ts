import { isSet } from '../../model/approuter/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Host names that the approuter believes: those that a proxy forwards, and those that tell the tenant.
 *  Facts: @sap/approuter 23.0.0 README, EXTERNAL_REVERSE_PROXY, ENABLE_X_FORWARDED_HOST_VALIDATION, TENANT_HOST_PATTERN. */
export const forwardedHostUnvalidated: Rule = defineRule({
  id: 'approuter/forwarded-host-unvalidated',
  severity: 'LOW',
  confidence: 'high',
  cwe: [644],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#configurations',
  on: 'approuter',

  *check(approuter) {
    const { environment } = approuter
    const isValidated = environment.settings('ENABLE_X_FORWARDED_HOST_VALIDATION').some((setting) => isSet(setting, true))
    for (const setting of environment.settings('EXTERNAL_REVERSE_PROXY')) {
      if (setting.deployed && isSet(setting, true) && !isValidated) yield { at: setting.place, args: { pattern: '' } }
    }
    for (const setting of environment.settings('TENANT_HOST_PATTERN')) {
      const pattern = stringOf(setting.value)
      if (setting.deployed && pattern !== undefined && !hasDomain(pattern))
        yield { at: setting.place, args: { pattern }, severity: 'MEDIUM', variant: 'tenant' }
    }
  },

  text: {
    en: {
      title: 'The forwarded host is taken as it comes',
      message: 'EXTERNAL_REVERSE_PROXY is true, and ENABLE_X_FORWARDED_HOST_VALIDATION is not.',
      why: 'Whoever reaches the approuter past the proxy writes a host of his own into the links and redirects of its answers.',
      fix: 'Set ENABLE_X_FORWARDED_HOST_VALIDATION to true as well.',
      variants: {
        tenant: {
          title: 'Any host tells the tenant',
          message: 'TENANT_HOST_PATTERN is {pattern}: it takes the tenant from every host.',
          why: 'A host that somebody else chooses decides in which tenant a request is served.',
          fix: 'End the pattern with the domain of the app: "^(.*)-app\\\\.cfapps\\\\.eu10\\\\.hana\\\\.ondemand\\\\.com$", or "^(.*)-${default-uri}" in an mta.yaml.',
        },
      },
    },
    fr: {
      title: 'L’hôte transmis est pris tel quel',
      message: 'EXTERNAL_REVERSE_PROXY vaut true, mais pas ENABLE_X_FORWARDED_HOST_VALIDATION.',
      why: 'Qui atteint l’approuter en évitant le proxy écrit l’hôte de son choix dans les liens et redirections des réponses.',
      fix: 'Donnez aussi la valeur true à ENABLE_X_FORWARDED_HOST_VALIDATION.',
      variants: {
        tenant: {
          title: 'N’importe quel hôte indique le tenant',
          message: 'TENANT_HOST_PATTERN vaut {pattern} : il tire le tenant de tout hôte.',
          why: 'Un hôte choisi par un tiers décide dans quel tenant une requête est servie.',
          fix: 'Terminez le motif par le domaine de l’application : « ^(.*)-app\\\\.cfapps\\\\.eu10\\\\.hana\\\\.ondemand\\\\.com$ », ou « ^(.*)-${default-uri} » dans un mta.yaml.',
        },
      },
    },
  },
})

/** Some letters of a domain, or what a deployment puts in their place, stand outside of the groups. */
function hasDomain(pattern: string): boolean {
  const outside = pattern
    .replaceAll(/\([^()]{0,200}\)/g, ' ')
    .replaceAll(/\[[^\]]{0,200}\]/g, ' ')
    .replaceAll(/\\[wdsSWDb]/g, ' ')
  return /[a-z0-9-]{2,}|[$~]\{/i.test(outside)
}
