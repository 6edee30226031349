import { describe, expect, it } from 'vitest'
import { findContainers } from '../../../core/model/deployment/containers.ts'
import { readProject } from '../project.ts'

function read(
  texts: Readonly<Record<string, string>>,
): { names: readonly string[]; folder: string | undefined; variables: string[] }[] {
  return findContainers(readProject(texts)).map(({ names, folder, variables }) => ({
    names,
    folder,
    variables: variables.map(({ name, value }) => `${name}=${'value' in value ? value.value : value.kind}`),
  }))
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  template:
    spec:
      containers:
        - name: web
          image: registry.acme.com:5000/acme/shop-router:1.0.0@sha256:abc
          envFrom: [{ configMapRef: { name: shop } }, { secretRef: { name: other } }, 5]
          env:
            - { name: A, value: a }
            - { name: B, valueFrom: { secretKeyRef: { name: shop, key: b } } }
            - { name: C, valueFrom: { configMapKeyRef: { name: shop, key: c } } }
            - { name: D, value: '{{ .Values.d }}' }
            - x
        - { name: sidecar }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: shop }
data: { c: see, e: 5, f: null }
`

describe('findContainers', () => {
  it('reads the environment of workloads, with what their ConfigMaps hold', () => {
    expect(read({ 'k8s/shop.yaml': DEPLOYMENT })).toEqual([
      { names: ['web', 'shop', 'shop-router'], folder: undefined, variables: ['c=see', 'e=5', 'A=a', 'C=see'] },
    ])
  })

  it('reads the sections of a chart by their names and images', () => {
    const values =
      'env: { TOP: 1 }\nsrv: { image: { repository: acme/shop-srv }, env: { A: true } }\nrouter: { image: "x/y:1", env: [{ name: B, value: b }], extraEnv: { C: c } }\na: { b: { c: { d: { env: { E: e } } } } }\n'
    expect(read({ 'charts/shop/values.yaml': values, 'deploy/values-prod.yml': 'web: { env: { F: f } }' })).toEqual([
      { names: ['shop'], folder: undefined, variables: ['TOP=1'] },
      { names: ['router', 'y'], folder: undefined, variables: ['B=b', 'C=c'] },
      { names: ['srv', 'shop-srv'], folder: undefined, variables: ['A=true'] },
      { names: ['web'], folder: undefined, variables: ['F=f'] },
    ])
  })

  it('reads images by their folder, and leaves tests and images without variables alone', () => {
    const texts = { 'web/Dockerfile': 'FROM a\nENV A=b', Dockerfile: 'FROM a', 'test/Dockerfile': 'FROM a\nENV A=b' }
    expect(read(texts)).toEqual([{ names: [], folder: 'web', variables: ['A=b'] }])
  })
})
