import { defineRule, type Rule } from '../rule.ts'
import { developmentAuth } from './_development-auth.ts'
import { isMtxSidecar } from '../../model/cap/index.ts'

/** The sidecar of multitenancy, which creates, upgrades and deletes tenants, with a strategy for development.
 *  Facts: @sap/cds-mtxs 4.1.0, package.json (profile mtx-sidecar: its services, and no authentication of its own but CAP's default, jwt). */
export const mtxMockedSidecar: Rule = defineRule({
  id: 'cap/mtx-mocked-sidecar',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/mtxs',
  on: 'cap-root',

  *check(root) {
    if (isMtxSidecar(root)) yield* developmentAuth(root)
  },

  text: {
    en: {
      title: 'The MTX sidecar authenticates as in development',
      message:
        'The authentication kind of the sidecar in production is {kind}: {key} in {file} stands in no profile, so it holds in every one.',
      why: 'Whoever reaches the sidecar calls it with any role that they name: subscribes and deletes tenants, and activates extensions in each of them.',
      fix: 'Move it into "[development]"; in production CAP’s default (jwt) holds, or name xsuaa or ias as the main application does.',
      variants: {
        local: {
          title: 'The MTX sidecar authenticates as in development in every profile',
          message:
            'The authentication kind of the sidecar is {kind} in every profile: {key} in {file} stands in none. Nothing in this project deploys it, but whoever does takes it along.',
        },
        profile: {
          message:
            'The authentication kind of the sidecar in production is {kind}: {key} in {file} says so for the profile {profile}.',
          fix: 'Remove it from the profile, so that production has its default (jwt), or name xsuaa or ias.',
        },
        variable: {
          message: 'The authentication kind of the sidecar in production is {kind}: the variable {variable} in {file} sets it.',
          fix: 'Remove the variable, so that production has its default (jwt), or name xsuaa or ias.',
        },
        development: {
          message: 'The authentication kind of the sidecar is {kind} where {file} deploys it: {variable} there is {profile}.',
          fix: 'Remove {variable}: platforms run the application in production by themselves.',
        },
      },
    },
    fr: {
      title: 'Le sidecar MTX authentifie comme en développement',
      message:
        'Le type d’authentification du sidecar en production est {kind} : {key} dans {file} n’est dans aucun profil et vaut donc pour tous.',
      why: 'Quiconque atteint le sidecar l’appelle avec le rôle de son choix : il abonne et supprime des clients, et active des extensions chez chacun.',
      fix: 'Déplacez ce réglage dans « [development] » ; en production vaut celui de CAP (jwt), ou indiquez xsuaa ou ias comme l’application principale.',
      variants: {
        local: {
          title: 'Le sidecar MTX authentifie comme en développement dans tous les profils',
          message:
            'Le type d’authentification du sidecar est {kind} dans tous les profils : {key} dans {file} n’est dans aucun. Rien dans ce projet ne le déploie, mais tout déploiement l’emportera.',
        },
        profile: {
          message:
            'Le type d’authentification du sidecar en production est {kind} : {key} dans {file} l’indique pour le profil {profile}.',
          fix: 'Retirez-le du profil pour que la production ait sa valeur par défaut (jwt), ou indiquez xsuaa ou ias.',
        },
        variable: {
          message:
            'Le type d’authentification du sidecar en production est {kind} : la variable {variable} dans {file} le définit.',
          fix: 'Retirez la variable pour que la production ait sa valeur par défaut (jwt), ou indiquez xsuaa ou ias.',
        },
        development: {
          message: 'Le type d’authentification du sidecar est {kind} là où {file} le déploie : {variable} y vaut {profile}.',
          fix: 'Retirez {variable} : les plateformes exécutent d’elles-mêmes l’application en production.',
        },
      },
    },
  },
})
