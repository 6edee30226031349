import { createPayloads } from './payloads.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { servedBehindLogin } from './served-behind-login.ts'
import type { ProjectFile } from '../../files.ts'
import { booleanOf } from '../../parse/data.ts'
import { ownerOf } from '../../paths.ts'
import { authStrategyOf, isForDevelopment } from './auth.ts'
import { createDefinitions } from './definitions.ts'
import { findDeployedFolders, isForTesting } from '../deployment/index.ts'
import { effectiveConfiguration } from './configuration.ts'
import type { CapMember, CapRoot, CapService, Configuration, Setting } from './types.ts'
import { collectAnnotations, collectDocuments, findPackages, type CdsSources } from './documents.ts'
import { findElements } from './exposed.ts'
import { createUnresolvedReader } from './unresolved-elements.ts'
import { askedByContainer, isBareJava, textsOf } from './java-applications.ts'
import { javaSetting, scalarText } from './java-settings.ts'
import { idleModels } from './loaded.ts'
import { findLinks } from './links.ts'
import { collectMemberStatements } from './member-annotations.ts'
import { createDevelopmentReader } from './development-images.ts'
import { startsInDevelopment } from './development-starts.ts'
import { createMembers } from './members.ts'
import { createLookup } from './paths.ts'
import { productiveConfigurations } from './productive.ts'
import { isCdsBelow } from './installed-version.ts'
import { findRootFolders, javaVersion, runtimeOf } from './roots.ts'
import { addServices, type ServiceContext } from './services.ts'

/** The CAP projects of an upload, sorted by folder; one inside another belongs to itself. Throws a StopSignal where they are too entangled. */
export function findCapRoots(
  files: ReadonlyMap<string, ProjectFile>,
  scripts: Scripts,
  step: CapRoot['step'] = () => undefined,
): CapRoot[] {
  const folders = new Set(findRootFolders(files))
  const deployments = findDeployedFolders(files, folders)
  const owned = new Map<string, ProjectFile[]>()
  for (const folder of folders) owned.set(folder, [])
  for (const file of files.values()) {
    const owner = ownerOf(file.path, folders)
    if (owner !== undefined) owned.get(owner)?.push(file)
  }
  const isInDevelopment = createDevelopmentReader(files)
  const sources: ModelSources = { files, packages: findPackages(files), budget: { step }, isInDevelopment }
  const roots: CapRoot[] = []
  for (const [root, own] of owned) {
    own.sort((a, b) => (a.path < b.path ? -1 : 1))
    const runtime = runtimeOf(root, own, files)
    const parts: Omit<CapRoot, 'productive'> = {
      root,
      step,
      runtime,
      askedByContainer: runtime === 'java' ? askedByContainer(own) : undefined,
      test: own.length > 0 && own.every(({ kind }) => kind.test),
      files: own,
      scripts: scripts.within(own),
      services: [],
      entities: [],
      membersOf: () => new Map<string, CapMember>(),
      annotationsOf: () => new Map(),
      lookUp: () => 'unknown',
      projected: () => [],
      eventOf: NO_EVENTS,
      deployments: deployments.of(root),
      deployed: deployments.has(root),
      unloaded: new Map(),
    }
    const draft = { ...parts, productive: productiveConfigurations(parts) }
    roots.push({ ...draft, ...readModel(draft, sources) })
  }
  return roots
}

interface ModelSources extends CdsSources {
  /** What deploys a root starts it outside of production. */
  readonly isInDevelopment: ReturnType<typeof createDevelopmentReader>
}

function readModel(
  root: CapRoot,
  sources: ModelSources,
): Pick<CapRoot, 'services' | 'entities' | 'membersOf' | 'annotationsOf' | 'lookUp' | 'projected' | 'eventOf' | 'unloaded'> {
  const productive = root.files.filter(({ kind }) => !kind.test)
  const collected = collectDocuments(productive, sources)
  const configuration = effectiveConfiguration(root, ['production'])
  const idle = idleModels(root, configuration, sources)
  const loaded = collected.filter(({ file }) => !idle.has(file))
  const unloaded = collected.filter(({ file }) => idle.has(file))
  // of what is defined twice the draft that nothing loads does not count
  const documents = [...loaded, ...unloaded]
  const context: ServiceContext = {
    root: root.root,
    runtime: root.runtime,
    configuration,
    byTarget: collectAnnotations(loaded, sources.budget),
    idle,
    fallback: root.runtime === 'java' ? javaDefault(root, sources.files) : nodeDefault(root, configuration, sources),
  }
  const own = new Set(productive.map(({ path }) => path))
  const services: CapService[] = []
  for (const document of documents) if (own.has(document.file)) addServices(services, document, context)
  const definitions = createDefinitions(documents, context.byTarget, sources.budget)
  const statements = collectMemberStatements(loaded, sources.budget)
  const members = createMembers(statements, definitions, sources.budget)
  const unresolvedOf = createUnresolvedReader(statements, definitions, sources.budget)
  const elements = findElements(services, definitions, members, sources.budget, root.runtime)
  const seen = new Set<string>()
  const complete = services.map((service): CapService => {
    // the compiler takes no service twice: the first one has what is defined in it
    const exposed = seen.has(service.name) ? [] : (elements.get(service.name) ?? [])
    seen.add(service.name)
    return { ...service, elements: exposed, ...findLinks(service.name, exposed, definitions, members, sources.budget) }
  })
  return {
    entities: [...definitions.all].flatMap(([name, { definition }]) => (definition.kind === 'entity' ? name : [])),
    membersOf: members.of,
    annotationsOf: definitions.annotationsOf,
    lookUp: createLookup(members, unresolvedOf),
    projected: (name) => definitions.projected(name).map((definition) => definition.name),
    eventOf: createPayloads(root.root, complete, definitions, members, unresolvedOf),
    services: complete,
    unloaded: collectAnnotations(unloaded, sources.budget),
  }
}

/** Before the model is read. */
const NO_EVENTS: CapRoot['eventOf'] = () => ({
  services: [],
  isCertain: false,
  isEmitted: false,
  isUndeclared: false,
  data: undefined,
  params: undefined,
  answer: () => undefined,
})

/**
 * A login that the project's own server has in front of its services holds for all of them.
 * Since cds 6 a service that says nothing wants a user in production where the project sets up an authentication or XSUAA is bound, unless that is switched
 * off, or the strategy does (`mocked`); since cds 7 there is one without a binding. Outside of production it wants none.
 * Facts: @sap/cds 5.9.8, 6.0.4 to 6.8.4 and 7.0.0, libx/_runtime/auth/index.js (`config.credentials`) and lib/env, `requires.auth` (`jwt-auth` in
 * production); change log of 6.0.0, "Services are secured by default in production". What an MTA binds to an application, a manifest of Cloud Foundry that names the same
 * one leaves bound (documentation of Cloud Foundry, "App manifest attribute reference", services): a leftover of `cds build` before cds 5.
 */
function nodeDefault(
  own: CapRoot,
  configuration: Configuration,
  { files, isInDevelopment }: ModelSources,
): ServiceContext['fallback'] {
  const { root, productive, scripts, deployments } = own
  if (scripts.get(servedBehindLogin).length > 0) return 'default-authenticated'
  if (isInDevelopment(own) || startsInDevelopment(own, files)) return 'default-public'
  // a deployment may say so too, by its variables
  const configurations = [configuration, ...productive()]
  if (configurations.some(isOpenByDefault)) return 'default-public'
  if (isCdsBelow(6, files, { root, deployments })) return 'default-public'
  if (!isCdsBelow(7, files, { root, deployments }) || configurations.some(setsUpAuthentication)) return 'default-authenticated'
  // users of the configuration are asked without a binding, and nobody is made to log in
  const isDefault = configurations.every((one) => authStrategyOf(one).kind === undefined)
  const bound = new Set(deployments.flatMap(({ name, mayBindXsuaa }) => (mayBindXsuaa === true ? (name ?? []) : [])))
  const isBound =
    isDefault &&
    deployments.length > 0 &&
    deployments.every(({ file, name = '', mayBindXsuaa }) => mayBindXsuaa === true || (MANIFEST.test(file) && bound.has(name)))
  return isBound ? 'default-authenticated' : 'default-public'
}

/** A manifest of Cloud Foundry. */
const MANIFEST = /(?:^|\/)manifest[^/]{0,40}\.ya?ml$/i

function setsUpAuthentication(configuration: Configuration): boolean {
  const { kind, custom } = authStrategyOf(configuration)
  return kind !== undefined && (custom || !isForDevelopment(kind))
}

function isOpenByDefault(configuration: Configuration): boolean {
  const isReal = (setting: Setting | undefined): boolean =>
    setting !== undefined && (setting.variable === undefined || !isForTesting(setting.place.file))
  const restricts = configuration.value('requires', 'auth', 'restrict_all_services')
  if (isReal(restricts) && booleanOf(restricts?.node) === false) return true
  const { kind, setting, custom } = authStrategyOf(configuration)
  return kind !== undefined && isReal(setting) && !custom && kind !== 'basic' && isForDevelopment(kind)
}

/**
 * `model-relaxed`, the default of CAP Java 5, leaves open what says nothing; `model-strict`, the one before, does not. Before 1.26 nothing was restricted, unless tenants
 * share the application. Without a library that validates tokens nothing authenticates, whatever the mode; of what is deployed a rule of its own says so.
 * Facts: capire, "Changelog 2022", CAP Java 1.26.0 (`defaultRestrictionLevel`, `openUnrestrictedEndpoints`); CAP Java, "Security", "Auto Configuration".
 */
function javaDefault(own: CapRoot, files: ReadonlyMap<string, ProjectFile>): ServiceContext['fallback'] {
  const setting = (name: string): string => {
    const found = javaSetting(own, `cds.security.${name}`)
    return found === undefined ? '' : scalarText(found.node)
  }
  const mode = setting('authentication.mode')
  if (!own.deployed && isBareJava(own, files)) return 'default-public'
  if (mode === 'model-strict' || mode === 'always') return 'default-authenticated'
  if (mode === 'model-relaxed' || mode === 'never') return 'default-public'
  const { version } = javaVersion(own.root, files) ?? {}
  const [, major, minor] = /^(\d+)(?:\.(\d+))?/.exec(version ?? '') ?? []
  if (major === undefined) return own.askedByContainer === undefined ? 'default-unknown' : 'default-authenticated'
  if (Number(major) >= 5) return 'default-public'
  const isOpen = Number(major) === 1 && Number(minor) < 26 && !own.files.some(asksForLogin)
  if (!isOpen || setting('openUnrestrictedEndpoints') === 'false') return 'default-authenticated'
  return /^(?:|any)$/.test(setting('defaultRestrictionLevel')) ? 'default-public' : 'default-authenticated'
}

/** A chain of its own that wants a login for the rest, or the feature for tenants. */
function asksForLogin(file: ProjectFile): boolean {
  const { kind, content } = file
  if (kind.role === 'java' && content.as === 'text') return LOGIN.test(content.text ?? '')
  return kind.role === 'pom' && textsOf(file, 'artifactId').has('cds-feature-mt')
}

const LOGIN = /anyRequest\(\)\s{0,200}\.(?:authenticated|fullyAuthenticated|denyAll|access|has\w{1,30})\(/
