import { declaredMutations, mutationResolvers } from './_model/graphql-mutations.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A mutation without the directive by which the same API protects others.
 * Facts: Apollo Server 4, "Authentication and authorization" (custom directives); graphql-tools 10, "Schema directives": a directive works on the fields that carry it.
 * Impact: callers change data without the right that the siblings ask for; whether something in front of the whole API asks for a login is not known.
 */
export const graphqlMutationUnprotected: Rule = defineRule({
  id: 'cap/graphql-mutation-unprotected',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://www.apollographql.com/docs/apollo-server/security/authentication#with-custom-directives',
  extracts: [declaredMutations, mutationResolvers],
  on: 'project',

  *check({ scripts }) {
    const declared = scripts.get(declaredMutations)
    const protectedBy = ({ directives }: { readonly directives: readonly string[] }): string | undefined =>
      directives.find((name) => PROTECTS.test(name))
    const other = declared.find(({ value }) => protectedBy(value) !== undefined)?.value
    if (other === undefined) return
    const asking = new Map(scripts.get(mutationResolvers).map(({ value: { name, asksCaller } }) => [name, asksCaller]))
    for (const { file, value } of declared) {
      const { name, start, end } = value
      if (protectedBy(value) !== undefined || IS_PUBLIC.test(name) || asking.get(name) !== false) continue
      yield {
        at: { file, span: { start, end } },
        args: { mutation: quoteWord(name), directive: `@${protectedBy(other) ?? ''}`, other: quoteWord(other.name) },
        groupKey: file,
      }
    }
  },

  text: () => ({
    en: {
      title: 'GraphQL mutation without authorization',
      message:
        'The mutation {mutation} has no {directive}, which protects {other}, and its resolver does not look at the caller.',
      why: 'An attacker who reaches the GraphQL endpoint calls the mutation and changes data, without the role that other mutations require.',
      fix: 'Add {directive} with the required role behind the field in the schema, or put it on the whole type: type Mutation {directive}. Then exempt what has to be public, such as the login.',
    },
    fr: {
      title: 'Mutation GraphQL sans contrôle d’autorisation',
      message:
        'La mutation {mutation} ne porte pas {directive}, qui protège {other}, et son résolveur ne regarde pas l’appelant.',
      why: 'Un attaquant qui atteint le point d’accès GraphQL appelle la mutation et modifie des données, sans le rôle qu’exigent d’autres mutations.',
      fix: 'Ajoutez {directive} avec le rôle requis après le champ dans le schéma, ou placez-la sur tout le type : type Mutation {directive}. Exemptez ensuite ce qui doit être public, comme la connexion.',
    },
  }),
})

/** Names of directives that ask who calls. */
const PROTECTS =
  /^(?:auth\w{0,20}|is_?(?:auth|admin|logged|owner)\w{0,15}|has_?(?:role|scope|permission|any)\w{0,10}|requires?\w{0,20}|protect\w{0,10}|guard\w{0,10}|admin\w{0,10}|log(?:ged)?_?in\w{0,10}|private|roles?|scopes?|permissions?)$/i

/** What has to be called without a login. */
const IS_PUBLIC =
  /log_?(?:in|out)|sign_?(?:in|up|out)|regist|forgot|reset|recover|refresh|verify|confirm|token|subscribe|contact|feedback|otp|oauth|activate_?(?:account|user|e?mail)|create_?(?:user|account)/i
