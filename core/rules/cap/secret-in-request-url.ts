import { isKeyOfUser, servedServices, type CapElement, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { isAccountPassword } from '../../model/script/index.ts'
import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A credential that is put into the address of a request, and a password that a function of a service takes: clients call functions with GET.
 * Facts: RFC 9110, section 17.9 (addresses are logged and handed on); OWASP, "Information exposure through query strings in URL"; OData 4.01, Part 1, "Invoking a Function" (parameters are part of the path or the query).
 * Impact: whoever reads the logs of proxies and servers can use the credential.
 */
export const secretInRequestUrl: Rule = defineRule({
  id: 'cap/secret-in-request-url',
  impact: 'takeover',
  reach: 'privileged',
  confidence: 'medium',
  cwe: [598],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/vulnerabilities/Information_exposure_through_query_strings_in_url',
  checks: {
    *flow(hit) {
      yield { ...gradeHit(hit), confidence: 'medium', args: { part: hit.quotedPart, sink: hit.quotedSink } }
    },

    *'cap-root'(root) {
      if (root.test) return
      for (const service of servedServices(root))
        for (const element of service.elements) {
          root.step()
          const password = element.kind === 'function' ? passwordOf(element, service, root) : undefined
          if (password === undefined) continue
          const name = element.name.slice(element.name.lastIndexOf('.') + 1)
          yield {
            at: element.place,
            args: { function: `${service.name}.${element.name}`, name, part: password },
            variant: 'function',
          }
        }
    },
  },

  text: () => ({
    en: {
      title: 'Credential in a request URL',
      message: 'The URL that {sink} calls contains {part}.',
      why: 'URLs are often written to the logs of servers and gateways, or to error messages. An attacker who can read them obtains the credential.',
      fix: 'Send the credential in a header: headers: { Authorization: … }, or in the body of a POST request. Better still, call the service through an SAP BTP destination that holds the credential.',
      variants: {
        function: {
          title: 'Password in the URL of a CAP function',
          message: 'Clients call the function {function} with GET, so the password in its parameter {part} is part of the URL.',
          fix: 'Declare it as action {name} instead of function {name} in the CDS model: clients then send the parameter in the body of a POST request. Better still, let the identity provider check passwords.',
        },
      },
      steps: { 'source-secret': '{part} becomes part of a URL.', sink: '{sink} requests this URL.' },
    },
    fr: {
      title: 'Secret dans l’URL d’une requête',
      message: 'L’URL appelée par {sink} contient {part}.',
      why: 'Les URL figurent souvent dans les journaux des serveurs et des passerelles, ou dans des messages d’erreur. Un attaquant qui peut les lire obtient le secret.',
      fix: 'Envoyez le secret dans un en-tête : headers: { Authorization: … }, ou dans le corps d’une requête POST. Mieux encore, appelez le service via une destination SAP BTP qui contient ce secret.',
      variants: {
        function: {
          title: 'Mot de passe dans l’URL d’une fonction CAP',
          message:
            'Les clients appellent la fonction {function} par GET : le mot de passe de son paramètre {part} figure donc dans l’URL.',
          fix: 'Déclarez-la comme action {name} au lieu de function {name} dans le modèle CDS : les clients envoient alors le paramètre dans le corps d’une requête POST. Mieux, laissez le fournisseur d’identité vérifier les mots de passe.',
        },
      },
      steps: { 'source-secret': '{part} entre dans une URL.', sink: '{sink} appelle cette URL.' },
    },
  }),
})

const ENTRIES = ['old', 'new', 'current', 'nueva', 'nova', 'neues', 'altes']

/** The parameter of an operation that is a password, by its name. */
function passwordOf({ name, entity }: CapElement, { name: service, place }: CapService, root: CapRoot): string | undefined {
  const events = [name.slice(name.lastIndexOf('.') + 1)]
  const { data } = root.eventOf({
    file: place.file,
    service,
    isConnected: false,
    events,
    entities: entity === undefined ? undefined : [entity],
  })
  const parameters = [...(data?.fields?.keys() ?? [])]
  return parameters.find((one) => isAccountPassword(one, ENTRIES) || isKeyOfUser(one, parameters))
}
