import {
  findDockerfiles,
  findLocalFiles,
  readDockerIgnore,
  runningStages,
  type Dockerfile,
  type DockerInstruction,
  type IgnoreFiles,
} from '../../model/deployment/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Paths that hold credentials wherever they are; asked as paths, so that any pattern may cover them. */
const PROBES = ['.env', 'default-env.json', '.cdsrc-private.json', '.git/config']

/** `COPY . .`, `COPY ./ /app`, `ADD . x`: the whole folder of the build. Copies from another stage are not of it. */
const WHOLE = /^(?:--(?!from=)\S{1,100}\s{1,20}){0,5}(?:\[\s{0,5}")?\.\/?(?:"\s{0,5},|\s)/
const BUILD_SECRET = /^([A-Z0-9_]{0,60}(?:TOKEN|PASSWORD|PASSWD|SECRET|API_?KEY))(?:=|\s|$)/

/**
 * Files with credentials that become part of an image, and keys that stay in its history. A literal key is told by the rules of `secrets`.
 * Facts: Docker documentation, ".dockerignore file", "Build secrets".
 */
export const dockerCopiesSecrets: Rule = defineRule({
  id: 'btp/docker-copies-secrets',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [538],
  since: '0.1.0',
  docs: 'https://docs.docker.com/build/building/best-practices/',
  on: 'project',

  *check({ files }): Generator<Match> {
    const secret = findLocalFiles(files).flatMap(({ path, holds }) => (holds === 'credentials' ? [path] : []))
    for (const dockerfile of findDockerfiles(files)) {
      const ignore = readDockerIgnore(dockerfile.file, dockerfile.folder, files)
      const copied = secret.filter((path) => isInside(path, dockerfile.folder) && !ignore.covers(path))
      const running = new Set(runningStages(dockerfile))
      for (const stage of dockerfile.stages) {
        for (const instruction of stage.instructions) {
          const match = isWholeCopy(instruction)
            ? judgeCopy(dockerfile, running.has(stage), ignore, copied)
            : judgeParts(dockerfile, instruction, running.has(stage), ignore, copied)
          if (match !== undefined) yield place(dockerfile, instruction, match)
          else if (running.has(stage) && isKey(instruction))
            yield place(dockerfile, instruction, { severity: 'MEDIUM', variant: 'argument' })
        }
      }
    }
  },

  text: {
    en: {
      title: 'A file with credentials becomes part of the image',
      message: '"{instruction}" copies {files} into the image; {ignore} does not leave it out.',
      why: 'Whoever can pull the image reads the credentials, from its layers even where a later line deletes the file.',
      fix: 'Leave it out in .dockerignore beside the Dockerfile, build again, and renew the credentials.',
      variants: {
        possible: {
          title: 'Everything in the folder becomes part of the image',
          message: '"{instruction}" copies the whole folder; {ignore} would let through {files}.',
          why: 'The first file with credentials that lies there when somebody builds is in the image, for everybody who can pull it.',
          fix: 'Write a .dockerignore that leaves out .env*, default-*.json, .cdsrc-private.json and .git, or copy single folders.',
        },
        argument: {
          title: 'A key of the build stays in the image',
          message: '"{instruction}" hands a key to the build; its value stays in the history of the image.',
          why: '"docker history" shows it to whoever can pull the image.',
          fix: 'Use "RUN --mount=type=secret,id=<name>" instead.',
        },
      },
    },
    fr: {
      title: 'Un fichier avec des identifiants entre dans l’image',
      message: '« {instruction} » copie {files} dans l’image ; {ignore} ne l’écarte pas.',
      why: 'Quiconque peut télécharger l’image lit les identifiants, dans ses couches même si une ligne suivante supprime le fichier.',
      fix: 'Écartez-le dans le .dockerignore à côté du Dockerfile, reconstruisez, et renouvelez les identifiants.',
      variants: {
        possible: {
          title: 'Tout le contenu du dossier entre dans l’image',
          message: '« {instruction} » copie tout le dossier ; {ignore} laisserait passer {files}.',
          why: 'Le premier fichier d’identifiants présent au moment d’une construction se retrouve dans l’image, pour tous ceux qui peuvent la télécharger.',
          fix: 'Écrivez un .dockerignore qui écarte .env*, default-*.json, .cdsrc-private.json et .git, ou copiez des dossiers précis.',
        },
        argument: {
          title: 'Une clé de la construction reste dans l’image',
          message: '« {instruction} » transmet une clé à la construction ; sa valeur reste dans l’historique de l’image.',
          why: '« docker history » la montre à quiconque peut télécharger l’image.',
          fix: 'Utilisez plutôt « RUN --mount=type=secret,id=<nom> ».',
        },
      },
    },
  },
})

function place({ file }: Dockerfile, instruction: DockerInstruction, match: Omit<Match, 'at'>): Match {
  const { name, arguments: rest, start, end } = instruction
  return {
    ...match,
    at: { file, span: { start, end } },
    args: {
      ...match.args,
      instruction: name === 'COPY' || name === 'ADD' ? `${name} ${rest}` : `${name} ${rest.replace(/=.*$/s, '')}`,
    },
  }
}

function isWholeCopy({ name, arguments: rest }: DockerInstruction): boolean {
  return (name === 'COPY' || name === 'ADD') && WHOLE.test(rest) && !/--from=/.test(rest)
}

/** `ARG NPM_TOKEN`, `ENV NPM_TOKEN=$NPM_TOKEN`: a name without a literal value. */
function isKey({ name, arguments: rest }: DockerInstruction): boolean {
  return (
    (name === 'ARG' && BUILD_SECRET.test(rest) && !rest.includes('=')) ||
    (name === 'ENV' && BUILD_SECRET.test(rest) && /=\s{0,5}["']?\$/.test(rest))
  )
}

const MAX_SOURCES = 50

/** `COPY srv ./srv`, `COPY default-env.json .`: files with credentials that the instruction names, or that lie in a folder that it names. */
function judgeParts(
  { folder }: Dockerfile,
  { name, arguments: rest }: DockerInstruction,
  isRunning: boolean,
  ignore: IgnoreFiles,
  copied: readonly string[],
): Omit<Match, 'at'> | undefined {
  if (copied.length === 0 || (name !== 'COPY' && name !== 'ADD') || /--from=|<</.test(rest)) return undefined
  const sources = rest
    .split(/[\s,[\]"']{1,20}/, MAX_SOURCES)
    .filter((part) => part !== '' && !part.startsWith('--') && !/[*?$]|:\/\//.test(part))
    .slice(0, -1)
    .map((part) => [folder, part.replace(/^\.?\//, '').replace(/\/$/, '')].filter((segment) => segment !== '').join('/'))
  return toMatch(
    copied.filter((path) => sources.some((source) => isInside(path, source))),
    ignore,
    isRunning,
  )
}

function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** A stage that only others copy from holds the file in its own layers, which nobody pulls. */
function toMatch(copied: readonly string[], { paths }: IgnoreFiles, isRunning: boolean): Omit<Match, 'at'> | undefined {
  if (copied.length === 0) return undefined
  const args = { files: copied.slice(0, 3).join(', '), ignore: paths[0] ?? '.dockerignore' }
  return { args, ...(!isRunning && { severity: 'MEDIUM' }) }
}

/** The whole folder: what lies there, or could. */
function judgeCopy(
  { folder }: Dockerfile,
  isRunning: boolean,
  ignore: IgnoreFiles,
  copied: readonly string[],
): Omit<Match, 'at'> | undefined {
  if (copied.length > 0) return toMatch(copied, ignore, isRunning)
  const open = PROBES.filter((probe) => !ignore.covers(folder === '' ? probe : `${folder}/${probe}`))
  if (open.length === 0 || (open.length < PROBES.length && ignore.paths.length > 0)) return undefined
  const args = { files: open.join(', '), ignore: ignore.paths[0] ?? '.dockerignore' }
  return { args, severity: isRunning ? 'MEDIUM' : 'LOW', variant: 'possible' }
}
