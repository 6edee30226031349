import { createAppNames, isForTesting, runsJava, variableText } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Variables for tests, by which the SDK does without what a token says. */
const MOCKS: ReadonlySet<string> = new Set(['ALLOW_MOCKED_AUTH_HEADER', 'USE_MOCKED_TENANT', 'USE_MOCKED_USER'])

/** The one whose effect is documented. */
const DOCUMENTED = 'ALLOW_MOCKED_AUTH_HEADER'

/**
 * A deployed Java application whose descriptor switches on the user that the SAP Cloud SDK invents for tests.
 * Facts: SAP, cloud-s4-sdk-pipeline-lib, vars/checkDeploymentDescriptors.groovy (the three variables, refused in a productive branch as "a very high security threat");
 * SAP, cloud-s4-sdk-book ("remove the user variable used for mocking" once the token tells user and tenant).
 * Impact: requests without a token reach the systems behind destinations; what else asks for a login, and whether the version of the SDK reads the variable, the descriptor does not say.
 */
export const mockedUserVariable: Rule = defineRule({
  id: 'btp/mocked-user-variable',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [489, 287],
  since: '0.3.0',
  docs: 'https://github.com/SAP-archive/cloud-s4-sdk-pipeline-lib/blob/master/vars/checkDeploymentDescriptors.groovy',
  on: 'deployment',

  *check({ applications }) {
    const appsAt = createAppNames(applications)
    for (const application of applications) {
      if (!runsJava(application)) continue
      for (const variable of application.variables) {
        const { name, place } = variable
        if (!MOCKS.has(name) || isForTesting(place.file) || variableText(variable, application)?.trim() !== 'true') continue
        yield {
          at: place,
          reach: application.hasPublicRoute ? 'anyone' : 'privileged',
          args: { variable: name, app: appsAt(place) },
          ...(name !== DOCUMENTED && { variant: 'part' }),
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Mocked user of the SAP Cloud SDK enabled in a deployment',
      message:
        '{variable} is true for {app:and}: without a token, the SAP Cloud SDK uses the user and tenant that it has for tests.',
      why: 'The check by which the SDK refuses requests without a token is off, so an unauthenticated attacker can use the destinations of the application.',
      fix: 'Remove {variable} for {app:and}, and set it on developer machines alone. Check the token of each request, for example with spring-security and the xsuaa starter.',
      variants: {
        part: {
          message:
            '{variable} is true for {app:and}. SAP’s own pipeline library refuses this setting of the SAP Cloud SDK in a productive branch.',
          why: 'The name says that the SDK uses a tenant or user for tests, so an attacker without a token may be able to use the destinations of the application.',
        },
      },
    },
    fr: {
      title: 'Utilisateur fictif du SAP Cloud SDK activé en déploiement',
      message:
        '{variable} vaut true pour {app:et} : en l’absence de jeton, le SAP Cloud SDK utilise l’utilisateur et le locataire prévus pour les tests.',
      why: 'Le contrôle par lequel le SDK refuse les requêtes sans jeton est désactivé : un attaquant non authentifié peut utiliser les destinations de l’application.',
      fix: 'Supprimez {variable} pour {app:et}, et ne la définissez que sur les postes de développement. Vérifiez le jeton de chaque requête, par exemple avec spring-security et le starter xsuaa.',
      variants: {
        part: {
          message:
            '{variable} vaut true pour {app:et}. La bibliothèque de pipelines de SAP refuse ce paramètre du SAP Cloud SDK dans une branche productive.',
          why: 'D’après son nom, le SDK utilise un locataire ou un utilisateur de test : un attaquant sans jeton peut éventuellement utiliser les destinations de l’application.',
        },
      },
    },
  }),
})
