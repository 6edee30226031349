import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { valuesOf } from '../../facts/index.ts'
import type { ProjectFile } from '../../files.ts'
import { fileNameOf, folderOf } from '../../paths.ts'
import { findCommands } from '../deployment/index.ts'
import { isOfUi5App, isToolFile } from '../script/index.ts'
import { withoutEnding } from './modules.ts'

/** Texts of scripts that name a folder of tools or what lies in one: `fork('./scripts/jobs.js')`, `path.join(__dirname, 'tools')`. */
export const toolPaths: Extract<string> = defineExtract({
  name: 'reach-tool-paths',
  keywords: ['script', 'tool', 'hack'],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    for (const { value } of valuesOf(facts)) {
      step()
      const texts = value.kind === 'literal' ? [value.value] : value.kind === 'template' ? value.texts : []
      for (const text of texts) if (typeof text === 'string' && text.length <= MAX_PATH && TOOLS.test(text)) yield text
    }
  },
})

const MAX_PATH = 200
const TOOLS = /(?:^|[/-])(?:scripts?|tools?|tooling|hack)(?:\/|$)/i

interface HandSources {
  readonly scripts: Scripts
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly loadersOf: (file: string) => readonly string[]
  /** A descriptor or a shell script has its name. */
  readonly isNamed: (name: string) => boolean
}

/** Tells scripts among the tools of a project that no command, descriptor or pipeline names, nor their folder, and no other script names or loads: a developer starts them by hand, and nobody else. */
export function createHandReader({ files, scripts, loadersOf, isNamed }: HandSources): (file: string) => boolean {
  let commands: string | undefined
  let named: readonly { readonly from: string; readonly path: string }[] | undefined
  return (file) => {
    if (!SCRIPT.test(file) || !isToolFile(file) || OF_PIPELINES.test(file)) return false
    const name = fileNameOf(withoutEnding(file))
    if (STARTED_BY_NAME.test(name) || loadersOf(file).length > 0 || isNamed(name)) return false
    commands ??= [...findCommands(files)].map(({ text }) => text).join('\n')
    const folder = fileNameOf(folderOf(file))
    if ([name, `${folder}/*`, `${folder}/$`].some((one) => commands?.includes(one))) return false
    named ??= scripts.get(toolPaths).map(({ file: from, value }) => ({ from, path: value.replace(/\/$/, '') }))
    return !named.some(({ from, path }) => from !== file && (path.includes(name) || fileNameOf(path) === folder))
  }
}

const SCRIPT = /\.[cm]?[jt]s$/i
/** What tools look for, and the module that a folder stands for: `vite.config`, `gulpfile`, `index`. */
const STARTED_BY_NAME = /^(?:index|main)$|file$|[.-](?:config|conf|setup)$/i
/** Migrations are run by a tool, in their order; a deployment and a pipeline name folders. */
const OF_PIPELINES = /(?:^|\/)(?:migrations?|deploy(?:ment)?|ci|\.github|bin)\//i
