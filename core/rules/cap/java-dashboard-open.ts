import { findJavaApplications, javaSetting, scalarText, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * The developer dashboard of CAP Java in a deployed application.
 * Facts: capire, CAP Java, "Developer Dashboard": for development only; off in the production profile, and limited to the role cds.Developer
 * unless its authorization is disabled.
 * Impact: any user who can log in reads data of the running application; with authorization, users with the role cds.Developer; the mere dependency gives
 * nothing. That it is deployed is assumed where nothing in the project says so.
 */
export const javaDashboardOpen: Rule = defineRule({
  id: 'cap/java-dashboard-open',
  impact: 'data',
  reach: 'user',
  grades: { shipped: { impact: 'defence' }, profile: { reach: 'privileged' } },
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/operating-applications/dashboard#cloud-setup',
  on: 'cap-root',

  *check(root, project) {
    const open = off(root, AUTHORIZATION)
    if (open !== undefined) return yield { ...open, ...(!root.deployed && { evidence: 'assumed' as const }) }
    if (!root.deployed) return
    for (const { dependencies } of findJavaApplications(root, project.files)) {
      const found = dependencies.find((it) => it.artifactId === DASHBOARD && it.profile === undefined)
      if (found === undefined) continue
      const args = { dependency: DASHBOARD, file: found.place.file }
      const served = off(root, PRODUCTION)
      if (served === undefined) yield { at: found.place, args, variant: 'shipped' }
      else yield { ...served, args: { ...args, ...served.args }, variant: 'profile' }
      return
    }
  },

  text: () => ({
    en: {
      title: 'Developer dashboard without authorization',
      message: '{key} is false in {file}: the developer dashboard of CAP Java does not require any role.',
      why: 'If the dashboard is active, every user who can log in can read queries, tenants, and events with their data; where its paths are public, an attacker needs no login.',
      fix: 'Remove {key} from {file}: the dashboard then requires the role cds.Developer. Leave the dependency cds-feature-dev-dashboard out of production builds.',
      variants: {
        profile: {
          title: 'Developer dashboard enabled in a deployed application',
          message: '{key} is false in {file}, and {dependency} is a dependency: the developer dashboard of CAP Java is active.',
          why: 'Every user with the role cds.Developer can read the queries, the tenants, and the events with their data in the running application.',
          fix: 'Remove {key} from {file}: the production profile then disables the dashboard. Leave {dependency} out of production builds, for example with a Maven profile.',
        },
        shipped: {
          title: 'Developer dashboard among the production dependencies',
          message:
            '{dependency} in {file} is part of every build: only the production profile disables the developer dashboard of CAP Java.',
          why: 'A single environment variable enables a dashboard that shows queries, tenants, and events with their data.',
          fix: 'Move the dependency {dependency} in {file} to a Maven profile for development, such as <profile><id>dev</id>, that the production build does not activate.',
        },
      },
    },
    fr: {
      title: 'Tableau de bord des développeurs sans autorisation',
      message: '{key} vaut false dans {file} : le tableau de bord des développeurs de CAP Java n’exige aucun rôle.',
      why: 'Si le tableau de bord est actif, tout utilisateur pouvant se connecter peut lire les requêtes, les locataires et les événements avec leurs données ; si ses chemins sont publics, un attaquant n’a pas besoin de compte.',
      fix: 'Supprimez {key} de {file} : le tableau de bord exige alors le rôle cds.Developer. Excluez la dépendance cds-feature-dev-dashboard des builds de production.',
      variants: {
        profile: {
          title: 'Tableau de bord des développeurs actif dans une application déployée',
          message:
            '{key} vaut false dans {file}, et {dependency} est une dépendance : le tableau de bord des développeurs de CAP Java est actif.',
          why: 'Tout utilisateur ayant le rôle cds.Developer peut lire les requêtes, les locataires et les événements avec leurs données dans l’application en service.',
          fix: 'Supprimez {key} de {file} : le profil de production désactive alors le tableau de bord. Excluez {dependency} des builds de production, par exemple avec un profil Maven.',
        },
        shipped: {
          title: 'Tableau de bord des développeurs parmi les dépendances de production',
          message:
            '{dependency} dans {file} fait partie de chaque build : seul le profil de production désactive le tableau de bord des développeurs de CAP Java.',
          why: 'Une seule variable d’environnement active un tableau de bord qui montre les requêtes, les locataires et les événements avec leurs données.',
          fix: 'Déplacez dans {file} la dépendance {dependency} vers un profil Maven de développement, par exemple <profile><id>dev</id>, que le build de production n’active pas.',
        },
      },
    },
  }),
})

const DASHBOARD = 'cds-feature-dev-dashboard'
const AUTHORIZATION = 'cds.dashboard.authorization.enabled'
const PRODUCTION = 'cds.environment.production.enabled'

function off(root: CapRoot, key: string): Match | undefined {
  const setting = javaSetting(root, key)
  if (setting === undefined || scalarText(setting.node) !== 'false') return undefined
  return { at: setting.place, args: { key: setting.key, file: setting.place.file } }
}
