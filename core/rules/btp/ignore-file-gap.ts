import { createIgnores, findCfIgnores, findGitIgnores, findLocalFiles, type IgnoreFiles } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/** Files that tools of SAP write beside a project with credentials or references in them; asked as paths, so that any pattern may cover them. */
const WRITTEN_BY_TOOLS = ['default-env.json', '.cdsrc-private.json']

/**
 * Ignore files that let through what belongs to one machine. Patterns are understood as Git does: nobody has to write a name that another pattern
 * covers. Facts: gitignore documentation (Git 2.x); CAP documentation, "cds bind"; Cloud Foundry documentation, .cfignore.
 */
export const ignoreFileGap: Rule = defineRule({
  id: 'btp/ignore-file-gap',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [538],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/tools/cds-bind',
  on: 'project',

  *check(project): Generator<Match> {
    const { files } = project
    const git = findGitIgnores(files)
    const [top] = git.paths
    const secret = findLocalFiles(files).filter(({ holds }) => holds === 'credentials')
    for (const { path } of secret) {
      if (git.covers(path)) continue
      const nearest = nearestOf(git, path)
      yield {
        at: { file: path },
        args: { file: path, ignore: nearest ?? '' },
        ...(nearest === undefined && { severity: 'LOW', variant: 'none' }),
      }
    }
    yield* findPushed(
      project,
      secret.map(({ path }) => path),
    )
    // only where there is an ignore file to complete, and something that binds services
    if (top === undefined || secret.length > 0) return
    for (const { root } of project.capRoots) {
      const open = WRITTEN_BY_TOOLS.map((name) => (root === '' ? name : `${root}/${name}`)).filter((path) => !git.covers(path))
      const ignore = nearestOf(git, `${root === '' ? '' : `${root}/`}x`) ?? top
      if (open.length > 0)
        yield { at: { file: ignore }, args: { file: open.join(', '), ignore }, severity: 'INFO', variant: 'written' }
    }
  },

  text: {
    en: {
      title: 'Credentials of one machine are not ignored',
      message: '{file} holds credentials, and {ignore} does not cover it.',
      why: 'The next commit publishes it to everybody who can read the repository, for good: its history keeps it.',
      fix: 'Add a pattern for it to {ignore}, remove it from the repository, and renew the credentials if it was ever committed.',
      variants: {
        none: {
          message: '{file} holds credentials, and the project has no .gitignore that covers it.',
          fix: 'Write a .gitignore that covers it, remove it from the repository, and renew the credentials if it was ever committed.',
        },
        push: {
          title: 'Credentials of one machine are pushed with the application',
          message: '{file} holds credentials, lies in what {ignore} pushes, and no .cfignore covers it.',
          why: '"cf push" uploads it: everybody who may look into the application’s files reads it.',
          fix: 'Add a pattern for it to .cfignore in the folder that is pushed.',
        },
        module: {
          title: 'Credentials of one machine are packed into the MTA archive',
          message: '{file} holds credentials, lies in a module of {ignore}, and no "ignore" of its build parameters covers it.',
          why: 'The archive takes it along: everybody who may download the archive or look into the application’s files reads it.',
          fix: 'Write "build-parameters: { ignore: [default-env.json, .env, node_modules/] }" into that module.',
        },
        written: {
          title: 'What tools write with credentials would not be ignored',
          message: 'No pattern of {ignore} covers {file}, which tools of SAP write with bindings in it.',
          why: 'The first developer who binds a service commits its keys with the next change.',
          fix: 'Add "default-env.json" and ".cdsrc-private.json", or patterns that cover them, to .gitignore.',
        },
      },
    },
    fr: {
      title: 'Les identifiants d’un poste ne sont pas ignorés',
      message: '{file} contient des identifiants, et {ignore} ne le couvre pas.',
      why: 'Le prochain commit le publie à tous ceux qui peuvent lire le dépôt, pour toujours : l’historique le garde.',
      fix: 'Ajoutez un motif à {ignore}, retirez le fichier du dépôt, et renouvelez les identifiants s’il a déjà été versionné.',
      variants: {
        none: {
          message: '{file} contient des identifiants, et aucun .gitignore du projet ne le couvre.',
          fix: 'Écrivez un .gitignore qui le couvre, retirez-le du dépôt, et renouvelez les identifiants s’il a déjà été versionné.',
        },
        push: {
          title: 'Les identifiants d’un poste sont envoyés avec l’application',
          message: '{file} contient des identifiants, se trouve dans ce que {ignore} envoie, et aucun .cfignore ne le couvre.',
          why: '« cf push » le téléverse : quiconque peut voir les fichiers de l’application le lit.',
          fix: 'Ajoutez un motif au .cfignore du dossier envoyé.',
        },
        module: {
          title: 'Les identifiants d’un poste sont emballés dans l’archive MTA',
          message:
            '{file} contient des identifiants, se trouve dans un module de {ignore}, et aucun « ignore » de ses paramètres de construction ne le couvre.',
          why: 'L’archive l’emporte : quiconque peut la télécharger ou voir les fichiers de l’application le lit.',
          fix: 'Écrivez « build-parameters: { ignore: [default-env.json, .env, node_modules/] } » dans ce module.',
        },
        written: {
          title: 'Ce que des outils écrivent avec des identifiants ne serait pas ignoré',
          message: 'Aucun motif de {ignore} ne couvre {file}, que des outils de SAP écrivent avec des liaisons.',
          why: 'Le premier développeur qui lie un service versionne ses clés avec la modification suivante.',
          fix: 'Ajoutez « default-env.json » et « .cdsrc-private.json », ou des motifs qui les couvrent, à .gitignore.',
        },
      },
    },
  },
})

/** The ignore file that speaks for a path: the one in the nearest folder above. */
function nearestOf({ paths }: IgnoreFiles, path: string): string | undefined {
  return paths.findLast((candidate) => path.startsWith(candidate.slice(0, candidate.lastIndexOf('/') + 1)))
}

/** What `cf push` uploads knows .cfignore alone; what the MTA build tool packs, the module's build parameters alone. */
function* findPushed({ files, deployment }: Project, secret: readonly string[]): Generator<Match> {
  const cf = findCfIgnores(files)
  const told = new Set<string>()
  for (const { file, folder, node } of deployment.applications) {
    if (folder === undefined) continue
    const isPush = files.get(file)?.kind.role === 'cf-manifest'
    const path = stringOf(at(node, 'path')) ?? ''
    // what a build writes into gen has no files of one machine
    if (!isPush && (path === '' || /(?:^|\/)gen(?:\/|$)/.test(path))) continue
    const patterns = itemsOf(at(node, 'build-parameters', 'ignore')).flatMap((item) => stringOf(item) ?? [])
    const left = isPush ? cf : createIgnores(patterns, folder)
    for (const found of secret) {
      if (told.has(found) || !(folder === '' || found.startsWith(`${folder}/`)) || left.covers(found)) continue
      told.add(found)
      yield { at: { file: found }, args: { file: found, ignore: file }, variant: isPush ? 'push' : 'module', key: 'push' }
    }
  }
}
