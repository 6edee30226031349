import { findKubernetesObjects } from '../../model/deployment/index.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Hosts of one's own machine and of one network. */
const LOCAL = /^(?:localhost|[^.]*|.*\.(?:localhost|local|internal|test|lan|nip\.io|sslip\.io|example))$|[{}$<>]/i
/** What gives certificates to an Ingress, or ends TLS elsewhere. */
const CERTIFICATES = /cert|ssl|tls|acme|https|managed|backend-protocol|scheme|internal|entrypoints/i

/**
 * An Ingress of Kubernetes for a public host without `tls`, which is then served by HTTP, and without annotations that bring certificates.
 * Facts: Kubernetes API, networking.k8s.io/v1, IngressSpec (`tls`) and "Ingress", section TLS; Gardener, "Request X.509 Certificates" (`cert.gardener.cloud/purpose`);
 * cert-manager, "Annotated Ingress resource".
 * Impact: who is on the way between a user and the cluster reads cookies and tokens. That a load balancer in front of it ends TLS, the project does not tell.
 */
export const k8sIngressNoTls: Rule = defineRule({
  id: 'btp/k8s-ingress-no-tls',
  impact: 'session',
  reach: 'anyone',
  attacker: 'network',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [319],
  since: '0.3.0',
  docs: 'https://kubernetes.io/docs/concepts/services-networking/ingress/#tls',
  on: 'project',

  *check({ files }) {
    for (const { file, node, name, kind, apiVersion, isTemplate } of findKubernetesObjects(files)) {
      if (kind !== 'Ingress' || isTemplate || !/^(?:networking\.k8s\.io|extensions)\//.test(apiVersion)) continue
      const spec = at(node, 'spec')
      if (
        at(spec, 'tls') !== undefined ||
        membersOf(at(node, 'metadata', 'annotations')).some(({ key }) => CERTIFICATES.test(key))
      )
        continue
      const found = publicHost(spec)
      if (found === undefined) continue
      const { host, start, end } = found
      yield { at: { file, span: { start, end } }, args: { name, host }, groupKey: file }
    }
  },

  text: () => ({
    en: {
      title: 'Ingress without TLS',
      message: 'The Ingress {name} serves {host} without "tls" and without an annotation that requests a certificate.',
      why: 'The host is served over plain HTTP: an attacker on the network path can read the session cookies and tokens of users, and act as these users.',
      fix: 'Add spec.tls with hosts: [{host}] and a secretName, and an annotation that requests the certificate: cert.gardener.cloud/purpose: managed, or cert-manager.io/cluster-issuer: <issuer>.',
    },
    fr: {
      title: 'Ingress sans TLS',
      message: 'L’Ingress {name} dessert {host} sans "tls" et sans annotation qui demande un certificat.',
      why: 'L’hôte est servi en HTTP non chiffré : un attaquant présent sur le réseau peut lire les cookies de session et les jetons des utilisateurs, et agir en leur nom.',
      fix: 'Ajoutez spec.tls avec hosts: [{host}] et un secretName, ainsi qu’une annotation qui demande le certificat : cert.gardener.cloud/purpose: managed, ou cert-manager.io/cluster-issuer: <émetteur>.',
    },
  }),
})

function publicHost(spec: DataNode | undefined): { host: string; start: number; end: number } | undefined {
  for (const rule of itemsOf(at(spec, 'rules'))) {
    const node = at(rule, 'host')
    const host = stringOf(node)
    if (node !== undefined && host !== undefined && !LOCAL.test(host)) return { host, start: node.start, end: node.end }
  }
  return undefined
}
