import { bodyWrappers, workedOutAndSent } from './_body-wrappers.ts'
import { decidedValues } from './_decided-values.ts'
import { ownRoutes } from './_foreign-requests.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * What a server has to decide, the page works out and sends: the price of a booking, that it was paid, the rest of a balance, when somebody came.
 * Facts: OWASP Web Security Testing Guide 4.2, "Test Business Logic Data Validation"; SAPUI5 documentation, "Browser Security": what runs in the browser can be
 * changed by its user; CWE-602.
 * Impact: users pay what they like, or nothing. The service may work it out again, and nothing in the project says so; of a payment in an app without a customer, and of the
 * time that a clock of the page tells, it is a guess.
 */
export const clientDecidedValue: Rule = defineRule({
  id: 'ui5/client-decided-value',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [602],
  since: '0.3.0',
  docs: 'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/10-Business_Logic_Testing/01-Test_Business_Logic_Data_Validation',
  extracts: [decidedValues, bodyWrappers, ownRoutes],
  on: 'ui5-app',

  *check(app, project) {
    for (const { file, value } of workedOutAndSent(app, decidedValues, project)) {
      const { kind, at: span, fields, isOfCustomer } = value
      yield {
        at: { file, span },
        args: { fields: fields.join(', ') },
        groupKey: `${app.root} ${kind}`,
        ...(kind !== 'price' && { variant: kind }),
        ...((kind === 'time' || (kind === 'payment' && !isOfCustomer)) && { evidence: 'guessed' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Price computed in the client',
      message: 'The page computes what its user has to pay and sends it ({fields:and}); no server in this project computes it.',
      why: 'A user can send any amount from the browser console or a proxy, and book or buy for less. If the service stores what it gets, the amount is what counts.',
      fix: 'Send the items and their quantities alone, and let the service compute the amount from its own prices. If a service outside this project ignores what the page sends and computes it again, suppress this finding with that reason.',
      variants: {
        payment: {
          title: 'Payment confirmed by the client',
          message:
            'The page itself says in a request that something was paid ({fields:and}); no server in this project asks for the payment.',
          why: 'A user can send this request from the browser console or a proxy without paying. If the service stores the state as it comes, orders count as paid that are not.',
          fix: 'Remove the state from the request: let the service set it when the payment provider confirms the payment (a signed webhook), or in an action whose handler checks the role. If a service outside this project does so, suppress this finding with that reason.',
        },
        balance: {
          title: 'Balance computed in the client',
          message:
            'The page computes what is left of a balance that it has read, and writes it back ({fields:and}); no server in this project computes it.',
          why: 'A user can write any balance with this request from the browser console or a proxy. Two pages that do so at the same time overwrite the result of each other.',
          fix: 'Send what is booked alone, and let the service change the balance in one step (UPDATE … SET balance = balance - amount) after checking the authorization and the limit. If a service outside this project does so, suppress this finding with that reason.',
        },
        time: {
          title: 'Time of arrival taken from the client',
          message: 'The page sends the time of its own clock as the time at which somebody came or went ({fields:and}).',
          why: 'A user can set the clock of the device, or send another time from the browser console or a proxy, and so change recorded working hours.',
          fix: 'Remove the time from the request and let the service set it ($now in CDS, the time of the server). If a service outside this project ignores what the page sends, suppress this finding with that reason.',
        },
      },
    },
    fr: {
      title: 'Prix calculé côté client',
      message:
        'La page calcule ce que son utilisateur doit payer et l’envoie ({fields:and}) ; aucun serveur de ce projet ne le calcule.',
      why: 'Un utilisateur peut envoyer n’importe quel montant depuis la console du navigateur ou un proxy, et réserver ou acheter pour moins. Si le service enregistre ce qu’il reçoit, c’est ce montant qui compte.',
      fix: 'N’envoyez que les articles et leurs quantités, et laissez le service calculer le montant à partir de ses propres prix. Si un service hors de ce projet ignore ce montant et le recalcule, masquez ce constat en indiquant ce motif.',
      variants: {
        payment: {
          title: 'Paiement confirmé par le client',
          message:
            'La page indique elle-même dans une requête qu’un paiement a eu lieu ({fields:and}) ; aucun serveur de ce projet ne le vérifie.',
          why: 'Un utilisateur peut envoyer cette requête depuis la console du navigateur ou un proxy sans payer. Si le service enregistre l’état tel quel, des commandes passent pour payées sans l’être.',
          fix: 'Retirez cet état de la requête : laissez le service le renseigner quand le prestataire confirme le paiement (webhook signé), ou dans une action dont le gestionnaire vérifie le rôle. Si un service hors de ce projet le fait, masquez ce constat en indiquant ce motif.',
        },
        balance: {
          title: 'Solde calculé côté client',
          message:
            'La page calcule ce qui reste d’un solde qu’elle a lu et l’enregistre ({fields:and}) ; aucun serveur de ce projet ne le calcule.',
          why: 'Un utilisateur peut écrire n’importe quel solde par cette requête depuis la console du navigateur ou un proxy. Deux pages qui le font en même temps s’écrasent mutuellement leur résultat.',
          fix: 'N’envoyez que ce qui est imputé, et laissez le service modifier le solde en une seule étape (UPDATE … SET solde = solde - montant) après avoir vérifié les droits et la limite. Si un service hors de ce projet le fait, masquez ce constat en indiquant ce motif.',
        },
        time: {
          title: 'Heure d’arrivée fournie par le client',
          message:
            'La page envoie l’heure de sa propre horloge comme heure d’arrivée ou de départ d’une personne ({fields:and}).',
          why: 'Un utilisateur peut régler l’horloge de l’appareil, ou envoyer une autre heure depuis la console du navigateur ou un proxy, et modifier ainsi les heures enregistrées.',
          fix: 'Retirez l’heure de la requête et laissez le service la renseigner ($now en CDS, l’heure du serveur). Si un service hors de ce projet ignore ce que la page envoie, masquez ce constat en indiquant ce motif.',
        },
      },
    },
  }),
})
