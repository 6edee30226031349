import { findDockerfiles, runningStages, type DockerInstruction, type DockerStage } from '../../model/deployment/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Images that run as root unless the Dockerfile says otherwise. Of others nobody here knows. */
const ROOT_IMAGES =
  /(?:^|\/)(?:node|alpine|debian|ubuntu|nginx|httpd|openjdk|eclipse-temurin|sapmachine|amazoncorretto|python|golang|busybox|maven|centos|fedora|rockylinux)(?::|@|$)/
const ROOT_USER = /^(?:root|0)(?::|\s|$)/

/**
 * Weaknesses of an image that only its Dockerfile shows: it runs as root, its base moves, it opens the debugger, it installs what no lock file names.
 * Facts: Docker documentation, "Building best practices"; Node.js documentation, "Debugging" (--inspect).
 */
export const dockerRootOrLatest: Rule = defineRule({
  id: 'btp/docker-root-or-latest',
  severity: 'LOW',
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://docs.docker.com/build/building/best-practices/',
  on: 'project',

  *check({ files }): Generator<Match> {
    for (const dockerfile of findDockerfiles(files)) {
      const { file, stages } = dockerfile
      const names = new Set(stages.flatMap(({ alias }) => alias ?? []))
      const at = ({ start, end }: Span): Match['at'] => ({ file, span: { start, end } })
      for (const { image, imageSpan } of stages) {
        if (names.has(image.toLowerCase()) || !moves(image)) continue
        yield { at: at(imageSpan), args: { image, name: image.replace(/:.*$/, '') }, variant: 'latest' }
      }
      const running = runningStages(dockerfile)
      const [last] = running
      if (last !== undefined && runsAsRoot(running)) yield { at: at(last.from), args: { file, image: last.image } }
      for (const [index, stage] of running.entries())
        for (const instruction of stage.instructions) {
          const match = judge(instruction, index === 0)
          if (match !== undefined) yield { at: at(instruction), ...match }
        }
    }
  },

  text: {
    en: {
      title: 'The container runs as root',
      message: 'The last stage of {file} ({image}) has no USER other than root.',
      why: 'Whoever gets code to run in the application is root in the container, one fault of the kernel or of a mounted folder away from the host.',
      fix: 'Write "USER node" (or another user of the image) after the last RUN.',
      variants: {
        latest: {
          title: 'The base image can change by itself',
          message: '{image} names no version: every build takes what is newest then.',
          why: 'Nobody can say what runs, a hostile or broken image comes in by itself, and a build of today can’t be repeated.',
          fix: 'Name a version and its digest: "FROM {name}:<version>@sha256:<digest>".',
        },
        inspect: {
          title: 'The debugger of Node.js is open in the container',
          message: '"{text}" opens the debugger when the container starts.',
          why: 'Whoever reaches that port runs any code in the application.',
          fix: 'Remove "--inspect" from the command of the image.',
        },
        install: {
          title: 'The image installs packages that no lock file names',
          message: '"{text}" may resolve other versions than the lock file holds.',
          why: 'What runs is decided when the image is built, not by the file that was reviewed.',
          fix: 'Copy package-lock.json as well, and write "npm ci --omit=dev".',
        },
        download: {
          title: 'The image takes a file from an address without checking it',
          message: '"{text}" adds whatever is at that address when the image is built.',
          why: 'Whoever controls the address, or the connection where it is http, decides what is in the image.',
          fix: 'Write "ADD --checksum=sha256:<hash> …", or put the file into the project.',
        },
      },
    },
    fr: {
      title: 'Le conteneur s’exécute en tant que root',
      message: 'La dernière étape de {file} ({image}) n’a pas d’autre USER que root.',
      why: 'Quiconque parvient à exécuter du code dans l’application est root dans le conteneur, à une faille du noyau ou d’un dossier monté de la machine hôte.',
      fix: 'Écrivez « USER node » (ou un autre utilisateur de l’image) après le dernier RUN.',
      variants: {
        latest: {
          title: 'L’image de base peut changer d’elle-même',
          message: '{image} ne nomme aucune version : chaque construction prend la plus récente.',
          why: 'Personne ne peut dire ce qui s’exécute, une image hostile ou défectueuse arrive d’elle-même, et la construction d’aujourd’hui ne peut être refaite.',
          fix: 'Nommez une version et son empreinte : « FROM {name}:<version>@sha256:<empreinte> ».',
        },
        inspect: {
          title: 'Le débogueur de Node.js est ouvert dans le conteneur',
          message: '« {text} » ouvre le débogueur au démarrage du conteneur.',
          why: 'Quiconque atteint ce port exécute n’importe quel code dans l’application.',
          fix: 'Retirez « --inspect » de la commande de l’image.',
        },
        install: {
          title: 'L’image installe des paquets qu’aucun fichier de verrouillage ne nomme',
          message: '« {text} » peut résoudre d’autres versions que celles du fichier de verrouillage.',
          why: 'Ce qui s’exécute se décide à la construction de l’image, et non par le fichier relu.',
          fix: 'Copiez aussi package-lock.json, et écrivez « npm ci --omit=dev ».',
        },
        download: {
          title: 'L’image prend un fichier à une adresse sans le vérifier',
          message: '« {text} » ajoute ce qui se trouve à cette adresse au moment de la construction.',
          why: 'Quiconque contrôle l’adresse, ou la connexion si elle est en http, décide de ce que contient l’image.',
          fix: 'Écrivez « ADD --checksum=sha256:<empreinte> … », ou placez le fichier dans le projet.',
        },
      },
    },
  },
})

/** No tag, or one that moves by its nature; an argument of the build without a default says nothing. */
function moves(image: string): boolean {
  if (image.includes('@sha256:') || image.includes('$') || image.toLowerCase() === 'scratch') return false
  const tag = /:([^/:]{1,200})$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest' || tag === 'current' || tag === 'lts'
}

/** `running`: the last stage first. The last USER counts; without one it is the image’s own. */
function runsAsRoot(running: readonly DockerStage[]): boolean {
  const users = running.toReversed().flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'USER'))
  const user = users.at(-1)?.arguments.trim()
  if (user !== undefined) return ROOT_USER.test(user)
  const base = running.at(-1)?.image ?? ''
  return ROOT_IMAGES.test(base) && !/nonroot|rootless|unprivileged/i.test(base)
}

function judge({ name, arguments: rest }: DockerInstruction, isLast: boolean): Omit<Match, 'at'> | undefined {
  const text = `${name} ${rest}`.slice(0, 200)
  if ((name === 'CMD' || name === 'ENTRYPOINT') && isLast && /(?:^|[\s"'])--inspect(?:-brk)?(?:[=\s"',]|$)/.test(rest))
    return { args: { text }, severity: 'MEDIUM', variant: 'inspect' }
  if (name === 'RUN') {
    // a package by its name, or a global tool, is not what the lock file is for
    const [found, options = ''] =
      /\bnpm\s{1,5}(?:i|install)((?:\s{1,5}--?[\w=-]{1,40}){0,8})\s{0,5}(?=$|[&;|\n])/.exec(rest) ?? []
    if (found !== undefined && !/\s(?:-g|--global)\b/.test(options)) return { args: { text: found.trim() }, variant: 'install' }
  }
  if (name === 'ADD' && /(?:^|\s|")https?:\/\//i.test(rest) && !/--checksum=/.test(rest))
    return { args: { text }, variant: 'download' }
  return undefined
}
