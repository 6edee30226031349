import type { ProjectFile } from '../../files.ts'
import { findKubernetesObjects, podOf, type KubernetesObject } from '../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, memberOf, membersOf, numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Folders of the host that give it away. */
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
 * A pod that shares the host, or leaves its containers more than they need. Of a template of Helm only what is written is judged: what is missing may
 * come when it is rendered. Facts: SAP BTP documentation, "Kubernetes pod security recommendations"; Kubernetes, Pod Security Standards (restricted).
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
      title: 'A container is not separated from its host',
      message: '{kind} {name} sets {setting}.',
      why: 'Whoever gets code to run in the container controls the node, and with it all other pods there.',
      fix: 'Remove {setting}; give single capabilities or volumes instead where they are needed.',
      variants: {
        missing: {
          title: 'A container may do more than it needs',
          message: 'Container {container} of {kind} {name} does not set {setting}.',
          why: 'Each of these takes a step away from whoever gets code to run in the container: becoming root, gaining rights, changing the image’s files.',
          fix: 'Write into its securityContext: runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] }, seccompProfile: { type: RuntimeDefault }.',
        },
      },
    },
    fr: {
      title: 'Un conteneur n’est pas séparé de sa machine hôte',
      message: '{kind} {name} définit {setting}.',
      why: 'Quiconque parvient à exécuter du code dans le conteneur contrôle le nœud, et avec lui tous les autres pods qui s’y trouvent.',
      fix: 'Supprimez {setting} ; donnez plutôt des capacités ou des volumes précis là où il le faut.',
      variants: {
        missing: {
          title: 'Un conteneur peut faire plus que nécessaire',
          message: 'Le conteneur {container} de {kind} {name} ne définit pas {setting}.',
          why: 'Chacun de ces réglages retire une possibilité à qui exécute du code dans le conteneur : devenir root, gagner des droits, modifier les fichiers de l’image.',
          fix: 'Écrivez dans son securityContext : runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] }, seccompProfile: { type: RuntimeDefault }.',
        },
      },
    },
  },
})

function* judgeSharing({ file, kind, name }: KubernetesObject, pod: DataNode): Generator<Match> {
  const told = (node: DataNode, setting: string): Match => ({
    at: { file, span: { start: node.start, end: node.end } },
    args: { kind, name, setting },
  })
  for (const flag of HOST_FLAGS) {
    const node = at(pod, flag)
    if (node !== undefined && booleanOf(node) === true) yield told(node, `${flag}: true`)
  }
  for (const volume of itemsOf(at(pod, 'volumes'))) {
    const path = at(volume, 'hostPath', 'path')
    if (path !== undefined) yield told(path, `hostPath: ${stringOf(path) ?? '?'}`)
  }
  for (const container of containersOf(pod)) {
    const node = at(container, 'securityContext', 'privileged')
    if (node !== undefined && booleanOf(node) === true) yield told(node, 'privileged: true')
    for (const item of itemsOf(at(container, 'securityContext', 'capabilities', 'add'))) {
      const capability = stringOf(item)?.toUpperCase().replace(/^CAP_/, '') ?? ''
      if (STRONG.has(capability)) yield told(item, `capabilities.add: ${capability}`)
    }
  }
}

const MAX_MEMBERS = 500

/** Values of a chart: `securityContext` of a container, of the chart itself or of one that it holds. */
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
    // a template in its place says what is not written here
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
