export type * from './types.ts'
export { createLeftOutReader, moduleFolders, servesFiles, type ModuleFolder } from './module-folders.ts'
export { readDeployment } from './read-deployment.ts'
export { findCommands, findStartCommands, type Command, type StartCommand } from './commands.ts'
export { createAppNames, providedNames, providerOf, runsJava, variableText } from './applications.ts'
export { isReachableDebugger } from './debugger.ts'
export { contextOf, findComposeServices, opensPort, type ComposeService } from './compose.ts'
export { findContainers, findContainerVariables, type Container } from './containers.ts'
export { findDeployedFolders, type DeployedFolders } from './deployed-folders.ts'
export {
  findDockerfiles,
  runningStages,
  stagesOfRuntime,
  type Dockerfile,
  type DockerInstruction,
  type DockerStage,
} from './docker.ts'
export { createIgnores, findCfIgnores, findGitIgnores, readDockerIgnore, type GitIgnores, type IgnoreFiles } from './ignore.ts'
export { findGitlabIncludes } from './gitlab.ts'
export { findKubernetesObjects, podOf, type KubernetesObject } from './kubernetes.ts'
export { findCredentialBlocks, type CredentialBlock } from './jenkins.ts'
export { findLocalFiles, type LocalFile } from './local-files.ts'
export { abandonedHosts, domainOf, findApprouterHost, isIn, ownDomains } from './own-hosts.ts'
export {
  findPipelineImages,
  findPipelineSteps,
  findWorkflows,
  mayWrite,
  readWorkflow,
  type Workflow,
  type WorkflowJob,
  type WorkflowStep,
} from './pipelines.ts'
export { debuggingHostOf, hasOwnDomain, hostsOfRedirect, isHosted, type RedirectHosts } from './redirects.ts'
export { textOf } from './resolve.ts'
export { textItems } from './services.ts'
export { isForTesting, isNamedForTesting } from './stage.ts'
export {
  forwardsToken,
  isInternal,
  isLoopback,
  isOpen,
  isPublicByNature,
  isAccountHost,
  isSapHost,
  isTrue,
  readUrl,
  type UrlParts,
} from './urls.ts'
