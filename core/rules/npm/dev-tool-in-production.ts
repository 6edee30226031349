import { isBuildTool } from '../../parse/lock/index.ts'
import { isRunningDriver } from './_database-driver.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Tools among the run-time dependencies of what is deployed. Facts: npm documentation, "Specifying dependencies and devDependencies", "npm ci" (omit).
 * Impact: a larger attack surface, no fault that can be exploited by itself.
 */
export const devToolInProduction: Rule = defineRule({
  id: 'npm/dev-tool-in-production',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/specifying-dependencies-and-devdependencies-in-a-package-json-file',
  on: 'project',

  *check(project) {
    for (const it of project.npm.packages) {
      const { file, dependencies, deployedBy } = it
      const [by] = deployedBy
      if (by === undefined) continue
      for (const { name, member, nameSpan } of dependencies) {
        if (member !== 'dependencies' || !isBuildTool(name) || isRunningDriver(name, it, project)) continue
        yield {
          at: { file, span: { start: nameSpan.start, end: nameSpan.end } },
          args: { ...it.manager, package: name, file, by },
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Development tool among deployed dependencies',
      message: 'The {package} package is listed under "dependencies" in {file}, which {by} deploys.',
      why: 'The tool and its dependencies are not needed in production and enlarge the attack surface: each of these packages can contain vulnerabilities.',
      fix: 'Move {package} from "dependencies" to "devDependencies" in {file}, and run "{install}" in the folder of this file. If you install the packages for production yourself, use "{deploy}".',
    },
    fr: {
      title: 'Outil de développement parmi les dépendances déployées',
      message: 'Le paquet {package} figure dans "dependencies" de {file}, que {by} déploie.',
      why: 'L’outil et ses dépendances sont inutiles en production et étendent la surface d’attaque : chacun de ces paquets peut être vulnérable.',
      fix: 'Déplacez {package} de "dependencies" vers "devDependencies" dans {file} et exécutez "{install}" dans le dossier de ce fichier. Si vous installez vous-même les paquets pour la production, utilisez "{deploy}".',
    },
  }),
})
