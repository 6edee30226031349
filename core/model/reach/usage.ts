import type { Usage } from '../../types.ts'
import { isDeveloperFile } from '../script/index.ts'

/** Folders of texts for people. */
const DOCUMENTATION = /(?:^|\/)(?:docs?|documentation)\/|\.(?:md|mdx|markdown|rst|adoc|http|rest|bru)$/i

/** Folders and names of tests, as `kindOf` of core/project knows them. */
const TESTS = /(?:^|\/)(?:tests?|__tests__|__mocks__|__snap__|localservice|mockserver)\/|\.(?:spec|test)\.[a-z]{2,4}$/i

/** What tools for programming with language models are told: templates and instructions, nothing of the app. */
const INSTRUCTIONS = /(?:^|\/)\.(?:agents?|claude|cline|codex|cursor|gemini|windsurf)\//i

/** Descriptors of a router that developers start. */
const LOCAL_ROUTERS = /(?:^|\/)xs-app[-_.](?:hybrid|local|dev)\.json$/i

/** Working copies of tools, which nobody meant to commit. */
const WORKING_COPIES = /(?:^|\/)\.(?:tmp|temp|cache|history)\//i

/** A pipeline runs whatever its file is called: `.github/workflows/test.yml`. */
const PIPELINES = /(?:^|\/)\.(?:github\/(?:workflows|actions)|azure-pipelines?)\//i

/** Folders of a Java package are no folders of the project: `dev.kyma.samples`. */
const JAVA_PACKAGES = /(^|\/)(src\/main\/java\/).{1,300}\//

/** What a file is for as far as its path tells: tests, mocks, documents and what only developers run is deployed by nobody. */
export function usageByPath(file: string): Usage {
  if (PIPELINES.test(file)) return 'deployed'
  const path = file.replace(JAVA_PACKAGES, '$1$2')
  return isDeveloperFile(path) ||
    INSTRUCTIONS.test(path) ||
    WORKING_COPIES.test(path) ||
    LOCAL_ROUTERS.test(path) ||
    DOCUMENTATION.test(path) ||
    TESTS.test(path)
    ? 'unused'
    : 'deployed'
}
