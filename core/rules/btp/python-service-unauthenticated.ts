import { defineRule, type Rule } from '../rule.ts'
import { openPythonServices } from './_python-services.ts'

/**
 * A Python application beside CAP or UI5 that is deployed and answers requests, and of which no dependency, middleware or code looks at who calls.
 * Facts: SAP/cloud-pysec, README (validation of tokens is the application's); FastAPI, "Security" and "Global Dependencies"; Flask, `before_request`; the approuter's check does
 * not protect the address of the application itself.
 * Impact: an unauthenticated caller reads or changes what its databases hold; a service without any gives the use of what it runs. That is shown where the
 * project gives the application an address.
 */
export const pythonServiceUnauthenticated: Rule = defineRule({
  id: 'btp/python-service-unauthenticated',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://github.com/SAP/cloud-pysec',
  grades: { compute: { impact: 'bounded' } },
  on: 'project',

  *check(project) {
    for (const { at, framework, route, name, usesData } of openPythonServices(project)) {
      const { exposure, isPublished } = project.reach.ofServer(at.file)
      yield {
        at,
        args: { framework, route, name },
        exposure,
        ...(isPublished && { evidence: 'shown' }),
        ...(!usesData && { variant: 'compute' }),
      }
    }
  },

  text: {
    en: {
      title: 'Python service without authentication',
      message:
        '{route} and the other routes of this {framework} application have no authentication: no dependency, middleware or code of {name} checks the callers.',
      why: 'An unauthenticated attacker who knows the URL of the service can call its routes, and read or change the data behind them. The login of an approuter does not protect that URL.',
      fix: 'Validate the token before each route (xssec.create_security_context), in FastAPI(dependencies=[Depends(…)]) or a before_request function of Flask. If only other applications call it, give it a route below apps.internal as well.',
      variants: {
        compute: {
          why: 'An unauthenticated attacker who knows the URL of the service can run its models and the services that it calls, at your expense and without any limit. The login of an approuter does not protect that URL.',
        },
      },
    },
    fr: {
      title: 'Service Python sans authentification',
      message:
        '{route} et les autres routes de cette application {framework} sont sans authentification : aucune dépendance, aucun middleware ni code de {name} ne contrôle les appelants.',
      why: 'Un attaquant non authentifié qui connaît l’URL du service peut appeler ses routes, et lire ou modifier les données qui se trouvent derrière. La connexion de l’approuter ne protège pas cette URL.',
      fix: 'Validez le jeton avant chaque route (xssec.create_security_context), dans FastAPI(dependencies=[Depends(…)]) ou dans une fonction before_request de Flask. Si seules d’autres applications l’appellent, donnez-lui aussi une route sous apps.internal.',
      variants: {
        compute: {
          why: 'Un attaquant non authentifié qui connaît l’URL du service peut exécuter ses modèles et les services qu’il appelle, à vos frais et sans aucune limite. La connexion de l’approuter ne protège pas cette URL.',
        },
      },
    },
  },
})
