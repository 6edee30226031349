import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import type { Localized, RuleText } from '../../types.ts'
import { developmentAuth } from './_development-auth.ts'
import { isMtxSidecar } from '../../model/cap/index.ts'

/** Of `basic` without users. */
const LOCKED: Localized<Partial<RuleText>> = {
  en: {
    title: 'Basic authentication without users in the MTX sidecar',
    why: 'No users are configured, so nobody can log in: tenants cannot subscribe. Users that are added later come from a configuration file, with passwords that an attacker may read or guess.',
  },
  fr: {
    title: 'Authentification basic sans utilisateurs dans le sidecar MTX',
    why: 'Aucun utilisateur n’est configuré : personne ne peut se connecter, et aucun locataire ne peut s’abonner. Des utilisateurs ajoutés plus tard figureraient dans un fichier de configuration, avec des mots de passe qu’un attaquant peut lire ou deviner.',
  },
}

/** The same variants for `basic` without users. */
function withLocked(
  texts: Readonly<Record<string, Partial<RuleText>>>,
  locked: Partial<RuleText>,
): Readonly<Record<string, Partial<RuleText>>> {
  const all = Object.entries(texts).flatMap(([name, text]): [string, Partial<RuleText>][] => [
    [name, text],
    [`locked-${name}`, { ...text, ...locked }],
  ])
  return { ...Object.fromEntries(all), locked }
}

/**
 * The sidecar of multitenancy, which creates, upgrades and deletes tenants, with an authentication strategy for development.
 * Facts: @sap/cds-mtxs 4.1.0, package.json (profile mtx-sidecar: its services, and no authentication of its own but CAP's default, jwt).
 * Severity: CRITICAL for `dummy` (no authentication at all), HIGH for users of development in what is deployed; MEDIUM where nothing deploys it, LOW
 * for mocked users there and in a landscape for tests, and for `basic` without users, with which nobody can log in.
 */
export const mtxMockedSidecar: Rule = defineRule({
  id: 'cap/mtx-mocked-sidecar',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/mtxs#sidecars',
  on: 'cap-root',

  *check(root) {
    if (!isMtxSidecar(root)) return
    for (const { isLocked, variant, ...match } of developmentAuth(root))
      yield { ...match, ...variantOfCases(isLocked && 'locked', variant) }
  },

  text: {
    en: {
      title: 'Mock authentication in the MTX sidecar',
      message:
        'The MTX sidecar uses the authentication kind "{kind}" in production: {key} in {file} is set outside any profile, so it applies to every profile.',
      why: 'An attacker who reaches the sidecar can subscribe or delete tenants and activate extensions for them, with a mock user or with no credentials at all.',
      fix: 'Replace the value of {key} in {file} with { "[development]": { "kind": "{kind}" } }: production then uses the default, jwt, which needs @sap/xssec. Or set it to "xsuaa" or "ias", as in the main application.',
      variants: withLocked(
        {
          local: {
            title: 'Mock authentication in all MTX sidecar profiles',
            message:
              'The MTX sidecar uses the authentication kind "{kind}" in all profiles: {key} in {file} is set outside any profile. Nothing in this project deploys it yet.',
          },
          profile: {
            message:
              'The MTX sidecar uses the authentication kind "{kind}" in production: {key} in {file} sets it for the {profile} profile.',
            fix: 'Remove {key} from the {profile} profile in {file}: production then uses its default, jwt. Or set it to "xsuaa" or "ias".',
          },
          variable: {
            message:
              'The MTX sidecar uses the authentication kind "{kind}" in production: the environment variable {variable} in {file} sets it.',
            fix: 'Remove {variable} from {file}: production then uses the sidecar’s configuration or the default, jwt. Or set it to "xsuaa" or "ias".',
          },
          development: {
            message:
              'The MTX sidecar uses the authentication kind "{kind}" where {file} deploys it: {variable} is "{profile}" there.',
            fix: 'Remove {variable} from {file}, or set it to "production".',
          },
        },
        LOCKED.en,
      ),
    },
    fr: {
      title: 'Authentification fictive dans le sidecar MTX',
      message:
        'Le sidecar MTX utilise le type d’authentification "{kind}" en production : {key} dans {file} est défini hors de tout profil et s’applique donc à tous.',
      why: 'Un attaquant qui peut accéder au sidecar peut abonner ou supprimer des locataires et activer des extensions pour eux, avec un utilisateur fictif ou sans aucun identifiant.',
      fix: 'Remplacez la valeur de {key} dans {file} par { "[development]": { "kind": "{kind}" } } : la production utilise alors la valeur par défaut, jwt, qui nécessite @sap/xssec. Ou donnez-lui la valeur "xsuaa" ou "ias", comme dans l’application principale.',
      variants: withLocked(
        {
          local: {
            title: 'Authentification fictive dans tous les profils du sidecar MTX',
            message:
              'Le sidecar MTX utilise le type d’authentification "{kind}" dans tous les profils : {key} dans {file} est défini hors de tout profil. Rien dans ce projet ne le déploie encore.',
          },
          profile: {
            message:
              'Le sidecar MTX utilise le type d’authentification "{kind}" en production : {key} dans {file} le définit pour le profil {profile}.',
            fix: 'Supprimez {key} du profil {profile} dans {file} : la production utilise alors la valeur par défaut, jwt. Ou donnez-lui la valeur "xsuaa" ou "ias".',
          },
          variable: {
            message:
              'Le sidecar MTX utilise le type d’authentification "{kind}" en production : la variable d’environnement {variable} dans {file} le définit.',
            fix: 'Supprimez {variable} de {file} : la production utilise alors la configuration du sidecar ou la valeur par défaut, jwt. Ou donnez-lui la valeur "xsuaa" ou "ias".',
          },
          development: {
            message:
              'Le sidecar MTX utilise le type d’authentification "{kind}" là où {file} le déploie : {variable} y vaut "{profile}".',
            fix: 'Retirez {variable} de {file}, ou donnez-lui la valeur "production".',
          },
        },
        LOCKED.fr,
      ),
    },
  },
})
