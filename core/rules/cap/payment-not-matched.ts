import { excerptOf } from '../../facts/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findUnmatchedPayments, OF_PAYMENTS } from './_rows/unmatched-payments.ts'

/**
 * A handler asks the provider of payments about one payment and takes another row for paid: the request names both, and nothing compares them.
 * Facts: PayPal, Orders API v2 (the answer to a capture tells the order, its amount and reference); Stripe, "Fulfill orders" (the session tells what was paid).
 * Impact: a small payment of one's own, made once, pays for any order or credits any amount. Who may pay is a user, also where the route itself asks for no login.
 */
export const paymentNotMatched: Rule = defineRule({
  id: 'cap/payment-not-matched',
  impact: 'data',
  reach: 'user',
  evidence: 'shown',
  confidence: 'medium',
  cwe: [345, 639],
  since: '0.3.0',
  docs: 'https://developer.paypal.com/docs/api/orders/v2/#orders_capture',
  keywords: ['UPDATE', 'update', 'Update'],
  prefilter: (text) => OF_PAYMENTS.test(text),
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    if (isDeveloperFile(path) || isToolFile(path) || isOfUi5App(path)) return
    for (const { start, end, asked, payment, row } of findUnmatchedPayments(facts, text, (count) => budget.step(count)))
      yield {
        at: { file: path, span: { start, end } },
        args: { call: excerptOf(text, asked), payment: quoteWord(payment), row: quoteWord(row) },
      }
  },

  text: () => ({
    en: {
      title: 'Payment not compared with the order that it pays for',
      message:
        'The request names the payment that {call} asks about ({payment}) and the row that is then taken for paid ({row}), and nothing compares the two.',
      why: 'An attacker who has made one small payment can name it for any order or top-up, also several times, and gets goods or credit that nobody has paid for.',
      fix: 'Read the row by the number of the payment that was stored when the payment was started, and go on only if its state is still open and the amount and currency that the provider has captured are those of the row.',
    },
    fr: {
      title: 'Paiement non comparé à la commande qu’il règle',
      message:
        'La requête désigne le paiement sur lequel porte {call} ({payment}) et la ligne ensuite considérée comme payée ({row}), et rien ne compare les deux.',
      why: 'Un attaquant qui a effectué un seul petit paiement peut le désigner pour n’importe quelle commande ou recharge, même plusieurs fois, et obtient des biens ou un crédit que personne n’a payés.',
      fix: 'Lisez la ligne d’après le numéro de paiement enregistré au début du paiement, et ne continuez que si son état est encore ouvert et que le montant et la devise encaissés par le prestataire sont ceux de la ligne.',
    },
  }),
})
