import { findJavaApplications, javaSetting, scalarText, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The developer dashboard of CAP Java where users are.
 *  Facts: capire, CAP Java, "Developer Dashboard": for development alone; off in the production profile, and open to the role cds.Developer alone
 *  unless its authorization is switched off. */
export const javaDashboardOpen: Rule = defineRule({
  id: 'cap/java-dashboard-open',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/operating-applications/dashboard',
  on: 'cap-root',

  *check(root, project) {
    const open = off(root, AUTHORIZATION)
    if (open !== undefined) return yield open
    if (!root.deployed) return
    for (const { dependencies } of findJavaApplications(root, project.files)) {
      const found = dependencies.find((it) => it.artifactId === DASHBOARD && it.profile === undefined)
      if (found === undefined) continue
      const args = { dependency: DASHBOARD }
      const served = off(root, PRODUCTION)
      if (served === undefined) yield { at: found.place, args, variant: 'shipped', severity: 'LOW' }
      else yield { ...served, args: { ...served.args, ...args }, variant: 'profile' }
      return
    }
  },

  text: {
    en: {
      title: 'The developer dashboard asks for no role',
      message: '{key} is false in {file}: the dashboard of CAP Java is open to whoever reaches the application.',
      why: 'It shows queries, events with their data, tenants and log levels, and changes some of them while the application runs.',
      fix: 'Remove {key}, and give the role cds.Developer to those who test.',
      variants: {
        profile: {
          title: 'The developer dashboard runs where users are',
          message: '{key} is false in {file}, and {dependency} is a dependency: the dashboard of CAP Java is served.',
          why: 'Everybody with the role cds.Developer sees queries, events with their data and tenants of the productive application.',
          fix: 'Remove {key}: the production profile switches the dashboard off.',
        },
        shipped: {
          title: 'The developer dashboard is part of what is deployed',
          message:
            '{dependency} is a dependency of every build. Only the production profile keeps the dashboard of CAP Java from being served.',
          why: 'One variable of the environment is then enough to open queries, events and tenants to others.',
          fix: 'Move the dependency into a Maven profile for development.',
        },
      },
    },
    fr: {
      title: 'Le tableau de bord des développeurs n’exige aucun rôle',
      message: '{key} vaut false dans {file} : le tableau de bord de CAP Java est ouvert à quiconque atteint l’application.',
      why: 'Il montre requêtes, événements avec leurs données, tenants et niveaux de journal, et en change certains pendant que l’application tourne.',
      fix: 'Supprimez {key}, et donnez le rôle cds.Developer à ceux qui testent.',
      variants: {
        profile: {
          title: 'Le tableau de bord des développeurs tourne là où sont les utilisateurs',
          message: '{key} vaut false dans {file}, et {dependency} est une dépendance : le tableau de bord de CAP Java est servi.',
          why: 'Quiconque a le rôle cds.Developer voit requêtes, événements avec leurs données et tenants de l’application productive.',
          fix: 'Supprimez {key} : le profil de production désactive le tableau de bord.',
        },
        shipped: {
          title: 'Le tableau de bord des développeurs fait partie de ce qui est déployé',
          message:
            '{dependency} est une dépendance de chaque construction. Seul le profil de production empêche CAP Java de servir le tableau de bord.',
          why: 'Une seule variable d’environnement suffit alors pour ouvrir requêtes, événements et tenants à d’autres.',
          fix: 'Déplacez la dépendance dans un profil Maven de développement.',
        },
      },
    },
  },
})

const DASHBOARD = 'cds-feature-dev-dashboard'
const AUTHORIZATION = 'cds.dashboard.authorization.enabled'
const PRODUCTION = 'cds.environment.production.enabled'

function off(root: CapRoot, key: string): Match | undefined {
  const setting = javaSetting(root, key)
  if (setting === undefined || scalarText(setting.node) !== 'false') return undefined
  return { at: setting.place, args: { key, file: setting.place.file } }
}
