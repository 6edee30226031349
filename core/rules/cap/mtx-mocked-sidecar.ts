import { defineRule, type Rule } from '../rule.ts'
import type { Locale, Localized, RuleText } from '../../types.ts'
import { developmentAuth } from './_callers/development-auth.ts'
import { isMtxSidecar } from '../../model/cap/index.ts'

type Kind = 'mocked' | 'basic' | 'dummy' | 'locked'

/** What each kind lets an attacker do. */
const ACCEPTS: Localized<Readonly<Record<Kind, Pick<RuleText, 'why'> & Partial<RuleText>>>> = {
  en: {
    mocked: {
      why: 'An attacker who reaches the sidecar can log in without a password as a mock user such as yves, and subscribe or delete tenants.',
    },
    basic: {
      why: 'An attacker who reaches the sidecar can log in as a user defined in the configuration: passwords there are often weak, missing or readable in the repository. Depending on the user’s roles, the attacker can subscribe or delete tenants.',
    },
    dummy: {
      why: 'An attacker who reaches the sidecar can subscribe or delete tenants without logging in: every request passes all role checks.',
    },
    locked: {
      title: 'Basic authentication without users in the MTX sidecar',
      why: 'No users are configured, so nobody can log in, and tenants cannot subscribe. Users added later would be defined in the configuration, with passwords that an attacker may read or guess.',
    },
  },
  fr: {
    mocked: {
      why: 'Un attaquant qui peut accéder au sidecar peut s’y connecter sans mot de passe comme utilisateur fictif, par exemple yves, et abonner ou supprimer des locataires.',
    },
    basic: {
      why: 'Un attaquant qui peut accéder au sidecar peut s’y connecter avec un utilisateur défini dans la configuration : les mots de passe y sont souvent faibles, absents ou lisibles dans le dépôt. Selon les rôles de cet utilisateur, il peut abonner ou supprimer des locataires.',
    },
    dummy: {
      why: 'Un attaquant qui peut accéder au sidecar peut abonner ou supprimer des locataires sans aucune authentification : chaque requête satisfait à tous les contrôles de rôle.',
    },
    locked: {
      title: 'Authentification basique sans utilisateur dans le sidecar MTX',
      why: 'Aucun utilisateur n’est configuré : personne ne peut se connecter, et aucun locataire ne peut s’abonner. Des utilisateurs ajoutés plus tard figureraient dans la configuration, avec des mots de passe qu’un attaquant pourrait lire ou deviner.',
    },
  },
}

/** A text for each form and kind. */
function textsOf(
  forms: Readonly<Record<string, Partial<RuleText>>>,
  locale: Locale,
): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = {}
  for (const [form, words] of Object.entries({ unprofiled: {}, ...forms }))
    for (const [kind, accepted] of Object.entries(ACCEPTS[locale])) texts[`${form}-${kind}`] = { ...words, ...accepted }
  return texts
}

/**
 * The sidecar of multitenancy, which creates, upgrades and deletes tenants, with an authentication strategy for development.
 * Facts: @sap/cds-mtxs 4.1.0, package.json (profile mtx-sidecar: its services, and no authentication of its own but CAP's default, jwt).
 * Impact: whoever gets in creates, upgrades and deletes tenants with their data; `dummy` lets everybody in, of other kinds it is assumed that an attacker
 * knows a user with the role.
 */
export const mtxMockedSidecar: Rule = defineRule({
  id: 'cap/mtx-mocked-sidecar',
  impact: 'data',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/mtxs#sidecars',
  on: 'cap-root',

  *check(root) {
    if (!isMtxSidecar(root)) return
    for (const { isLocked, variant = 'unprofiled', ...match } of developmentAuth(root, true)) {
      const kind = isLocked ? 'locked' : (match.args?.['kind'] ?? '')
      yield { ...match, variant: `${variant}-${kind in ACCEPTS.en ? kind : 'mocked'}` }
    }
  },

  text: () => ({
    en: {
      title: 'Development authentication in the MTX sidecar',
      message:
        'The MTX sidecar uses the authentication kind "{kind}" in production: {key} in {file} is set outside any profile, so it applies to every profile.',
      why: ACCEPTS.en.mocked.why,
      fix: 'Remove {key} from {file}: the sidecar then uses mock users in development only, and jwt in production, which needs @sap/xssec. Or set the value to "xsuaa" or "ias", whichever the main application uses.',
      variants: textsOf(
        {
          local: {
            title: 'Development authentication in all MTX sidecar profiles',
            message:
              'The MTX sidecar uses the authentication kind "{kind}" in all profiles: {key} in {file} is set outside any profile. Nothing in this project deploys the sidecar yet.',
          },
          profile: {
            message:
              'The MTX sidecar uses the authentication kind "{kind}" in production: {key} in {file} sets it for the {profile} profile.',
            fix: 'Remove {key} from the {profile} profile in {file}: production then uses the default, jwt. Or set {key} to "xsuaa" or "ias".',
          },
          variable: {
            message:
              'The MTX sidecar uses the authentication kind "{kind}" in production: the environment variable {variable} in {file} sets it.',
            fix: 'Remove {variable} from {file}: production then uses the sidecar’s configuration or the default, jwt. Or set {variable} to "xsuaa" or "ias".',
          },
          development: {
            message:
              'The MTX sidecar uses the authentication kind "{kind}" where {file} deploys it: {variable} is "{profile}" there.',
            fix: 'Set {variable} to "production" in {file}.',
          },
        },
        'en',
      ),
    },
    fr: {
      title: 'Authentification de développement dans le sidecar MTX',
      message:
        'Le sidecar MTX utilise le type d’authentification "{kind}" en production : {key} dans {file} est défini hors de tout profil et s’applique donc à tous.',
      why: ACCEPTS.fr.mocked.why,
      fix: 'Supprimez {key} de {file} : le sidecar n’utilise alors des utilisateurs fictifs qu’en développement, et jwt, qui nécessite @sap/xssec, en production. Ou utilisez la valeur "xsuaa" ou "ias", selon celle de l’application principale.',
      variants: textsOf(
        {
          local: {
            title: 'Authentification de développement dans tous les profils du sidecar MTX',
            message:
              'Le sidecar MTX utilise le type d’authentification "{kind}" dans tous les profils : {key} dans {file} est défini hors de tout profil. Rien dans ce projet ne déploie encore le sidecar.',
          },
          profile: {
            message:
              'Le sidecar MTX utilise le type d’authentification "{kind}" en production : {key} dans {file} le définit pour le profil {profile}.',
            fix: 'Supprimez {key} du profil {profile} dans {file} : la production utilise alors la valeur par défaut, jwt. Ou donnez à {key} la valeur "xsuaa" ou "ias".',
          },
          variable: {
            message:
              'Le sidecar MTX utilise le type d’authentification "{kind}" en production : la variable d’environnement {variable} dans {file} le définit.',
            fix: 'Supprimez {variable} de {file} : la production utilise alors la configuration du sidecar ou la valeur par défaut, jwt. Ou donnez à {variable} la valeur "xsuaa" ou "ias".',
          },
          development: {
            message:
              'Le sidecar MTX que déploie {file} utilise le type d’authentification "{kind}" : {variable} y vaut "{profile}".',
            fix: 'Donnez à {variable} la valeur "production" dans {file}.',
          },
        },
        'fr',
      ),
    },
  }),
})
