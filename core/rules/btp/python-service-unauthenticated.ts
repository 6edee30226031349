import { defineRule, type Rule } from '../rule.ts'
import { quoteWord } from '../../quote.ts'
import { openPythonServices } from './_python-services.ts'

/**
 * A Python application beside CAP or UI5 that is deployed and answers requests, and of which no dependency, middleware or code looks at who calls.
 * Facts: SAP/cloud-pysec, README (validation of tokens is the application's); FastAPI, "Security" and "Global Dependencies"; Flask, `before_request`; the approuter's check does
 * not protect the address of the application itself.
 * Impact: an unauthenticated caller reads or changes what its databases hold; a service without any gives the use of what it runs. That is shown where the
 * project gives the application an address. A check that is left out where a variable is missing is none where nothing sets it; that somebody sets it by hand is not in the project.
 */
export const pythonServiceUnauthenticated: Rule = defineRule({
  id: 'btp/python-service-unauthenticated',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://github.com/SAP/cloud-pysec',
  grades: { compute: { impact: 'bounded' }, unset: { evidence: 'assumed' }, fixed: { evidence: 'assumed' } },
  on: 'project',

  *check(project) {
    for (const { at, framework, route, name, usesData, unset, fixed } of openPythonServices(project)) {
      const { exposure, isPublished } = project.reach.ofServer(at.file)
      const missing = unset ?? fixed
      if (missing !== undefined) {
        const args = { framework, route, name: quoteWord(name), variable: quoteWord(missing.variable) }
        const variant = fixed === undefined ? 'unset' : 'fixed'
        // somebody may set it by hand
        yield { at: missing.at, args, exposure, variant, ...(!usesData && { impact: 'bounded' }) }
        continue
      }
      yield {
        at,
        args: { framework, route, name },
        exposure,
        ...(isPublished && { evidence: 'shown' }),
        ...(!usesData && { variant: 'compute' }),
      }
    }
  },

  text: () => ({
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
        fixed: {
          title: 'User of the code accepted where a variable is missing in Python',
          message:
            'Where {variable} is not set, this dependency returns a user of the code without a look at the caller, and nothing in the project sets it for {name}.',
          why: 'Unless someone sets the variable by hand, an unauthenticated attacker who knows the URL of the service can call {route} and its other routes with the permissions of that user, and nothing fails that would show it.',
          fix: 'Read the variable with os.environ["{variable}"], so that the service does not start without it. For local runs, ask for a switch of its own that has to be set, and replace the dependency in tests with app.dependency_overrides.',
        },
        unset: {
          title: 'Python service without authentication where a variable is missing',
          message:
            'The only check of the callers of this {framework} application lets every request pass where {variable} is not set, and nothing in the project sets it for {name}.',
          why: 'Unless someone sets the variable by hand, an unauthenticated attacker who knows the URL of the service can call {route} and its other routes, and nothing fails that would show it.',
          fix: 'Read the variable with os.environ["{variable}"], so that the service does not start without it, and compare in every case with hmac.compare_digest. If only other applications call the service, give it a route below apps.internal as well.',
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
        fixed: {
          title: 'Utilisateur fixe accepté si une variable manque en Python',
          message:
            'Si {variable} n’est pas définie, cette dépendance renvoie un utilisateur écrit dans le code sans contrôler l’appelant, et rien dans le projet ne la définit pour {name}.',
          why: 'Sauf si quelqu’un définit la variable à la main, un attaquant non authentifié qui connaît l’URL du service peut appeler {route} et ses autres routes avec les droits de cet utilisateur, et aucune erreur ne le signale.',
          fix: 'Lisez la variable avec os.environ["{variable}"], pour que le service ne démarre pas sans elle. Pour une exécution locale, exigez un réglage distinct à activer, et remplacez la dépendance dans les tests avec app.dependency_overrides.',
        },
        unset: {
          title: 'Service Python sans authentification si une variable manque',
          message:
            'Le seul contrôle des appelants de cette application {framework} laisse passer toutes les requêtes si {variable} n’est pas définie, et rien dans le projet ne la définit pour {name}.',
          why: 'Sauf si quelqu’un définit la variable à la main, un attaquant non authentifié qui connaît l’URL du service peut appeler {route} et ses autres routes, et aucune erreur ne le signale.',
          fix: 'Lisez la variable avec os.environ["{variable}"], pour que le service ne démarre pas sans elle, et comparez dans tous les cas avec hmac.compare_digest. Si seules d’autres applications appellent le service, donnez-lui aussi une route sous apps.internal.',
        },
      },
    },
  }),
})
