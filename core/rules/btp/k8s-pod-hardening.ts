import type { ProjectFile } from '../../files.ts'
import {
  findComposeServices,
  findKubernetesObjects,
  isForTesting,
  podOf,
  type ComposeService,
  type KubernetesObject,
} from '../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, memberOf, membersOf, numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { CAPABILITY, COMPOSE, furtherOf, POD, sharedBy } from './_consequences.ts'

/** Namespaces of the host. */
const HOST_FLAGS = ['hostNetwork', 'hostPID', 'hostIPC'] as const
/** With one of these a container is as good as privileged (Kubernetes, Pod Security Standards). */
const STRONG: ReadonlySet<string> = new Set([
  'ALL',
  'SYS_ADMIN',
  'SYS_MODULE',
  'SYS_PTRACE',
  'NET_ADMIN',
  'DAC_READ_SEARCH',
  'BPF',
])
const CONTAINERS = ['containers', 'initContainers', 'ephemeralContainers'] as const

/**
 * A pod, or a service of Compose, that shares resources of its host, or containers with more privileges than they need. Of a Helm template only what is written is
 * judged: what is missing may come from its values.
 * Facts: SAP BTP documentation, "Kubernetes pod security recommendations"; Kubernetes, Pod Security Standards (restricted);
 * Docker documentation, "Compose file reference" and "Docker daemon attack surface".
 * Impact: code in the container takes over its node and all other containers there; missing hardening gives nothing by itself.
 */
export const k8sPodHardening: Rule = defineRule({
  id: 'btp/k8s-pod-hardening',
  impact: 'takeover',
  // code that runs in the container
  reach: 'privileged',
  grades: { missing: { impact: 'defence', reach: 'user' } },
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/60-security/kubernetes-pod-security-recommendations-f8cb6e5.md',
  on: 'project',

  *check({ files }): Generator<Match> {
    for (const object of findKubernetesObjects(files)) {
      const pod = podOf(object)
      if (pod === undefined) continue
      yield* judgeSharing(object, pod)
      if (!object.isTemplate) yield* judgeMissing(object, pod)
    }
    for (const file of files.values()) yield* judgeValues(file)
    for (const service of findComposeServices(files)) yield* judgeService(service)
  },

  text: () => ({
    en: {
      title: 'Container with access to its host',
      message: '{kind} {name} sets "{setting}".',
      why: 'An attacker who runs code in the container can reach services that listen only on the node’s loopback interface.',
      fix: 'Remove "{setting}" from {kind} {name}; let other pods reach this one through a Service.',
      variants: {
        process: {
          why: 'An attacker who runs code in the container can access the {shared} of the node and of other pods on it, and read secrets there.',
          fix: 'Remove "{setting}" from {kind} {name}; containers of one pod {withinPod}.',
        },
        volume: {
          why: 'An attacker who runs code in the container can access this path on the node. A container runtime socket or system files are enough to take over the node.',
          fix: 'Remove the volume with "{setting}" and its volumeMounts from {kind} {name}. If the container only needs files, use an emptyDir, a configMap or a persistentVolumeClaim.',
        },
        privileges: {
          why: POD.en,
          fix: 'Remove "{setting}" from {kind} {name}; if the container needs a capability, add only that one to capabilities.add, for example NET_BIND_SERVICE.',
        },
        capability: {
          message: '{kind} {name} adds the capability {setting}.',
          why: CAPABILITY.en,
          fix: 'Remove {setting} from capabilities.add in {kind} {name}; keep only capabilities that the container really needs.',
        },
        values: {
          message: 'The values of {name} in {file} set "{setting}".',
          why: POD.en,
          fix: 'Remove "{setting}" from the values of {name} in {file}; if the container needs a capability, add only that one to capabilities.add, for example NET_BIND_SERVICE.',
        },
        composePrivileges: {
          message: 'Service {name} sets "{setting}".',
          why: COMPOSE.en,
          fix: 'Remove "{setting}" from service {name}; if the container needs a capability, add only that one to cap_add, for example NET_BIND_SERVICE.',
        },
        composeCapability: {
          message: 'Service {name} adds the capability {setting}.',
          why: CAPABILITY.en,
          fix: 'Remove {setting} from cap_add of service {name}; keep only capabilities that the container really needs.',
        },
        composeNetwork: {
          message: 'Service {name} sets "{setting}".',
          why: 'An attacker who runs code in the container can reach services that listen only on the host’s loopback interface.',
          fix: 'Remove "{setting}" from service {name}, and publish under "ports" the ports that must be reachable from outside.',
        },
        composeProcess: {
          message: 'Service {name} sets "{setting}".',
          why: 'An attacker who runs code in the container can access the {shared} of the host and of other containers on it, and read secrets there.',
          fix: 'Remove "{setting}" from service {name}; to share a namespace with another service only, use "service:<name>" instead of "host".',
        },
        composeVolume: {
          message: 'Service {name} mounts {setting} from its host.',
          why: COMPOSE.en,
          fix: 'Remove the entry for {setting} from "volumes" of service {name}; for files that the service has to keep, mount a named volume instead.',
        },
        missing: {
          title: 'Container with more privileges than needed',
          message: 'Container {container} in {kind} {name} does not set {lines:or}.',
          why: 'Each missing setting makes it easier for an attacker who runs code in the container to gain privileges or to modify the container’s files.',
          fix: 'Set in the securityContext of this container: {lines:and}{further}.',
        },
      },
    },
    fr: {
      title: 'Conteneur ayant accès à sa machine hôte',
      message: 'L’objet {kind} {name} définit "{setting}".',
      why: 'Un attaquant qui exécute du code dans le conteneur peut joindre des services qui n’écoutent que sur l’interface de bouclage du nœud.',
      fix: 'Supprimez "{setting}" de l’objet {kind} {name} ; rendez ce pod accessible aux autres par un Service.',
      variants: {
        process: {
          why: 'Un attaquant qui exécute du code dans le conteneur peut accéder {shared} du nœud et des autres pods qui s’y trouvent, et y lire des secrets.',
          fix: 'Supprimez "{setting}" de l’objet {kind} {name} ; les conteneurs d’un même pod {withinPod}.',
        },
        volume: {
          why: 'Un attaquant qui exécute du code dans le conteneur peut accéder à ce chemin du nœud. Un socket du moteur de conteneurs ou des fichiers système suffisent pour prendre le contrôle du nœud.',
          fix: 'Supprimez le volume avec "{setting}" et ses volumeMounts de l’objet {kind} {name}. Si le conteneur n’a besoin que de fichiers, utilisez un emptyDir, un configMap ou un persistentVolumeClaim.',
        },
        privileges: {
          why: POD.fr,
          fix: 'Supprimez "{setting}" de l’objet {kind} {name} ; si le conteneur a besoin d’une capability, n’ajoutez que celle-ci à capabilities.add, par exemple NET_BIND_SERVICE.',
        },
        capability: {
          message: 'L’objet {kind} {name} ajoute la capability {setting}.',
          why: CAPABILITY.fr,
          fix: 'Supprimez {setting} de capabilities.add dans l’objet {kind} {name} ; ne conservez que les capabilities dont le conteneur a vraiment besoin.',
        },
        values: {
          message: 'Dans {file}, les valeurs de {name} définissent "{setting}".',
          why: POD.fr,
          fix: 'Supprimez "{setting}" des valeurs de {name} dans {file} ; si le conteneur a besoin d’une capability, n’ajoutez que celle-ci à capabilities.add, par exemple NET_BIND_SERVICE.',
        },
        composePrivileges: {
          message: 'Le service {name} définit "{setting}".',
          why: COMPOSE.fr,
          fix: 'Supprimez "{setting}" du service {name} ; si le conteneur a besoin d’une capability, n’ajoutez que celle-ci à cap_add, par exemple NET_BIND_SERVICE.',
        },
        composeCapability: {
          message: 'Le service {name} ajoute la capability {setting}.',
          why: CAPABILITY.fr,
          fix: 'Supprimez {setting} de cap_add dans le service {name} ; ne conservez que les capabilities dont le conteneur a vraiment besoin.',
        },
        composeNetwork: {
          message: 'Le service {name} définit "{setting}".',
          why: 'Un attaquant qui exécute du code dans le conteneur peut joindre des services qui n’écoutent que sur l’interface de bouclage de l’hôte.',
          fix: 'Supprimez "{setting}" du service {name}, et publiez sous "ports" les ports qui doivent être accessibles de l’extérieur.',
        },
        composeProcess: {
          message: 'Le service {name} définit "{setting}".',
          why: 'Un attaquant qui exécute du code dans le conteneur peut accéder {shared} de l’hôte et des autres conteneurs qui s’y trouvent, et y lire des secrets.',
          fix: 'Supprimez "{setting}" du service {name} ; pour ne partager un espace de noms qu’avec un autre service, utilisez "service:<nom>" au lieu de "host".',
        },
        composeVolume: {
          message: 'Le service {name} monte {setting} de sa machine hôte.',
          why: COMPOSE.fr,
          fix: 'Supprimez l’entrée {setting} de "volumes" du service {name} ; pour les fichiers que le service doit conserver, montez plutôt un volume nommé.',
        },
        missing: {
          title: 'Conteneur avec plus de privilèges que nécessaire',
          message: 'Le conteneur {container} de l’objet {kind} {name} ne définit pas {lines:ni}.',
          why: 'Chaque réglage manquant aide un attaquant qui exécute du code dans le conteneur à obtenir des privilèges ou à modifier les fichiers du conteneur.',
          fix: 'Définissez dans le securityContext de ce conteneur : {lines:et}{further}.',
        },
      },
    },
  }),
})

function* judgeSharing({ file, kind, name }: KubernetesObject, pod: DataNode): Generator<Match> {
  const toMatch = (node: DataNode, setting: string): Match => ({
    at: { file, span: { start: node.start, end: node.end } },
    args: { kind, name, setting, ...sharedBy(setting) },
    ...(/^host(?:PID|IPC)/.test(setting) && { variant: 'process' }),
    ...(setting.startsWith('hostPath') && { variant: 'volume' }),
    ...(setting.startsWith('privileged') && { variant: 'privileges' }),
  })
  for (const flag of HOST_FLAGS) {
    const node = at(pod, flag)
    if (node !== undefined && booleanOf(node) === true) yield toMatch(node, `${flag}: true`)
  }
  for (const volume of itemsOf(at(pod, 'volumes'))) {
    const path = at(volume, 'hostPath', 'path')
    if (path !== undefined) yield toMatch(path, `hostPath: ${stringOf(path) ?? '?'}`)
  }
  for (const container of containersOf(pod)) {
    const node = at(container, 'securityContext', 'privileged')
    if (node !== undefined && booleanOf(node) === true) yield toMatch(node, 'privileged: true')
    for (const item of itemsOf(at(container, 'securityContext', 'capabilities', 'add'))) {
      const capability = stringOf(item)?.toUpperCase().replace(/^CAP_/, '') ?? ''
      if (STRONG.has(capability)) yield { ...toMatch(item, capability), variant: 'capability' }
    }
  }
}

/** Folders and sockets of the host that are as good as root on it. */
const HOST_PATHS = /^(?:\/|\/etc|\/root|\/proc|\/sys|\/dev|\/var\/lib\/docker|\/(?:var\/)?run\/docker\.sock)$/

function* judgeService({ file, name, node }: ComposeService): Generator<Match> {
  const toMatch = (part: DataNode, setting: string, variant: string): Match => ({
    at: { file, span: { start: part.start, end: part.end } },
    args: { name, setting, ...sharedBy(setting) },
    variant,
    ...(isForTesting(file) && { usage: 'unused' as const }),
  })
  const privileged = at(node, 'privileged')
  if (privileged !== undefined && booleanOf(privileged) === true)
    yield toMatch(privileged, 'privileged: true', 'composePrivileges')
  for (const key of ['network_mode', 'pid', 'ipc']) {
    const mode = at(node, key)
    if (mode !== undefined && stringOf(mode) === 'host')
      yield toMatch(mode, `${key}: host`, key === 'network_mode' ? 'composeNetwork' : 'composeProcess')
  }
  for (const item of itemsOf(at(node, 'cap_add'))) {
    const capability = stringOf(item)?.toUpperCase().replace(/^CAP_/, '') ?? ''
    if (STRONG.has(capability)) yield toMatch(item, capability, 'composeCapability')
  }
  for (const volume of itemsOf(at(node, 'volumes'))) {
    const source = stringOf(volume) === undefined ? at(volume, 'source') : volume
    const path = stringOf(source)?.split(':', 1)[0] ?? ''
    if (source !== undefined && HOST_PATHS.test(path.replace(/(?<=.)\/$/, ''))) yield toMatch(source, path, 'composeVolume')
  }
}

const MAX_MEMBERS = 500

/** Values of a chart: `securityContext` of a container, of the chart itself or of a subchart. */
function* judgeValues({ path: file, kind, content }: ProjectFile): Generator<Match> {
  if (kind.role !== 'kubernetes' || kind.test || content.as !== 'data') return
  for (const root of content.roots) {
    if (stringOf(at(root, 'kind')) !== undefined) continue
    for (const { key, value } of membersOf(root).slice(0, MAX_MEMBERS)) {
      const inner = membersOf(value).slice(0, MAX_MEMBERS)
      for (const { name, node } of [{ name: key, node: value }, ...inner.map((one) => ({ name: one.key, node: one.value }))]) {
        const flag = name === 'securityContext' ? at(node, 'privileged') : at(node, 'containerSecurityContext', 'privileged')
        if (flag === undefined || booleanOf(flag) !== true) continue
        yield {
          at: { file, span: { start: flag.start, end: flag.end } },
          args: { name: key, file, setting: 'privileged: true' },
          variant: 'values',
        }
      }
    }
  }
}

function* judgeMissing({ file, kind, name }: KubernetesObject, pod: DataNode): Generator<Match> {
  const shared = at(pod, 'securityContext')
  for (const container of itemsOf(at(pod, 'containers'))) {
    const own = at(container, 'securityContext')
    // a template in its place sets what is not written here
    if ([shared, own].some((node) => stringOf(node)?.includes('{{') === true)) continue
    const either = (key: string): DataNode | undefined => at(own, key) ?? at(shared, key)
    const user = either('runAsUser')
    const drops = itemsOf(at(own, 'capabilities', 'drop')).some((item) => stringOf(item)?.toUpperCase() === 'ALL')
    const missing = [
      ...(booleanOf(either('runAsNonRoot')) === true || (numberOf(user) ?? 0) > 0 ? [] : ['runAsNonRoot: true']),
      ...(booleanOf(at(own, 'allowPrivilegeEscalation')) === false ? [] : ['allowPrivilegeEscalation: false']),
      ...(drops ? [] : ['capabilities: { drop: [ALL] }']),
      ...(booleanOf(at(own, 'readOnlyRootFilesystem')) === true ? [] : ['readOnlyRootFilesystem: true']),
      ...(either('seccompProfile') === undefined ? ['seccompProfile: { type: RuntimeDefault }'] : []),
    ]
    const place = memberOf(container, 'name')?.value ?? container
    if (missing.length === 0) continue
    yield {
      at: { file, span: { start: place.start, end: place.end } },
      args: {
        kind,
        name,
        container: stringOf(at(container, 'name')) ?? '?',
        lines: missing.join(', '),
        further: furtherOf(missing),
      },
      variant: 'missing',
    }
  }
}

function containersOf(pod: DataNode): DataNode[] {
  return CONTAINERS.flatMap((key) => [...itemsOf(at(pod, key))])
}
