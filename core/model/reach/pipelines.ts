import { fileNameOf } from '../../paths.ts'

/** Where pipelines are described. Jenkins reads Jenkinsfiles by their name. */
const PIPELINE_FOLDERS = /(?:^|\/)\.(?:github\/(?:workflows|actions)|azure-pipelines?)\//i
const PIPELINE_NAMES = /^(?:azure-pipelines|jenkinsfile)|\.gitlab-ci\.ya?ml$|\.jenkinsfile$/i

/** Whether a file describes a pipeline. */
export function isPipeline(file: string): boolean {
  return PIPELINE_FOLDERS.test(file) || PIPELINE_NAMES.test(fileNameOf(file))
}
