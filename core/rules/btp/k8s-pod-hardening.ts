import type { ProjectFile } from '../../files.ts'
import { findKubernetesObjects, podOf, type KubernetesObject } from '../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, memberOf, membersOf, numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

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
 * A pod that shares resources of its host, or containers with more privileges than they need. Of a Helm template only what is written is
 * judged: what is missing may come from its values.
 * Facts: SAP BTP documentation, "Kubernetes pod security recommendations"; Kubernetes, Pod Security Standards (restricted).
 * Severity: MEDIUM for access to the host, it takes code execution in the container; LOW for missing hardening.
 */
export const k8sPodHardening: Rule = defineRule({
  id: 'btp/k8s-pod-hardening',
  severity: 'MEDIUM',
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
  },

  text: {
    en: {
      title: 'Container with access to its host',
      message: '{kind} {name} sets {setting}.',
      why: 'An attacker who runs code in the container can take over the node and all other pods on it.',
      fix: 'Remove "{setting}" from {kind} {name}; where it is needed, add a single capability or mount an emptyDir, configMap or persistentVolumeClaim instead.',
      variants: {
        missing: {
          title: 'Container with more privileges than needed',
          message: 'Container {container} of {kind} {name} does not set {setting}.',
          why: 'An attacker who runs code in the container can more easily become root, gain further privileges or change the files of the image.',
          fix: 'Write into its securityContext: runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] }, seccompProfile: { type: RuntimeDefault }.',
        },
      },
    },
    fr: {
      title: 'Conteneur ayant accès à sa machine hôte',
      message: '{kind} {name} définit {setting}.',
      why: 'Un attaquant qui exécute du code dans le conteneur peut prendre le contrôle du nœud et de tous les autres pods qui s’y trouvent.',
      fix: 'Supprimez "{setting}" de {kind} {name} ; si nécessaire, ajoutez plutôt une capacité précise ou montez un emptyDir, configMap ou persistentVolumeClaim.',
      variants: {
        missing: {
          title: 'Conteneur avec plus de privilèges que nécessaire',
          message: 'Le conteneur {container} de {kind} {name} ne définit pas {setting}.',
          why: 'Un attaquant qui exécute du code dans le conteneur peut plus facilement devenir root, obtenir d’autres privilèges ou modifier les fichiers de l’image.',
          fix: 'Écrivez dans son securityContext : runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] }, seccompProfile: { type: RuntimeDefault }.',
        },
      },
    },
  },
})

function* judgeSharing({ file, kind, name }: KubernetesObject, pod: DataNode): Generator<Match> {
  const toMatch = (node: DataNode, setting: string): Match => ({
    at: { file, span: { start: node.start, end: node.end } },
    args: { kind, name, setting },
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
      if (STRONG.has(capability)) yield toMatch(item, `capabilities.add: ${capability}`)
    }
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
          args: { kind: 'chart', name: key, setting: 'privileged: true' },
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
      ...(booleanOf(either('runAsNonRoot')) === true || (numberOf(user) ?? 0) > 0 ? [] : ['runAsNonRoot']),
      ...(booleanOf(at(own, 'allowPrivilegeEscalation')) === false ? [] : ['allowPrivilegeEscalation: false']),
      ...(drops ? [] : ['capabilities.drop: [ALL]']),
      ...(booleanOf(at(own, 'readOnlyRootFilesystem')) === true ? [] : ['readOnlyRootFilesystem']),
      ...(either('seccompProfile') === undefined ? ['seccompProfile'] : []),
    ]
    const place = memberOf(container, 'name')?.value ?? container
    if (missing.length === 0) continue
    yield {
      at: { file, span: { start: place.start, end: place.end } },
      args: { kind, name, container: stringOf(at(container, 'name')) ?? '?', setting: missing.join(', ') },
      severity: 'LOW',
      variant: 'missing',
    }
  }
}

function containersOf(pod: DataNode): DataNode[] {
  return CONTAINERS.flatMap((key) => [...itemsOf(at(pod, key))])
}
