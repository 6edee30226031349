import type { ProjectFile } from '../../files.ts'
import { fileNameOf } from '../../paths.ts'
import { findCommands } from '../deployment/index.ts'
import { isToolFile } from '../script/index.ts'
import { withoutEnding } from './modules.ts'

interface HandSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly loadersOf: (file: string) => readonly string[]
  /** A descriptor or a shell script has its name. */
  readonly isNamed: (name: string) => boolean
}

/** Tells scripts among the tools of a project that no command, descriptor or pipeline names and no other script loads: a developer starts them by hand, and nobody else. */
export function createHandReader({ files, loadersOf, isNamed }: HandSources): (file: string) => boolean {
  let commands: string | undefined
  return (file) => {
    if (!SCRIPT.test(file) || !isToolFile(file) || OF_PIPELINES.test(file)) return false
    const name = fileNameOf(withoutEnding(file))
    if (STARTED_BY_NAME.test(name) || loadersOf(file).length > 0 || isNamed(name)) return false
    commands ??= [...findCommands(files)].map(({ text }) => text).join('\n')
    return !commands.includes(name)
  }
}

const SCRIPT = /\.[cm]?[jt]s$/i
/** What tools look for, and the module that a folder stands for: `vite.config`, `gulpfile`, `index`. */
const STARTED_BY_NAME = /^(?:index|main)$|file$|[.-](?:config|conf|setup)$/i
/** Migrations are run by a tool, in their order; a deployment and a pipeline name folders. */
const OF_PIPELINES = /(?:^|\/)(?:migrations?|deploy(?:ment)?|ci|\.github|bin)\//i
