import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { findKubernetesObjects, podOf } from '../../../core/model/deployment/kubernetes.ts'
import { findWorkflows, mayWrite } from '../../../core/model/deployment/pipelines.ts'
import { at, stringOf } from '../../../core/parse/data.ts'
import { ParseFailure } from '../../../core/parse/failure.ts'
import { runs } from '../../soak.ts'
import { readProject } from '../project.ts'

describe('objects of Kubernetes', () => {
  test('documents, lists, and the pod of each kind', () => {
    const text = `
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { hostPID: true } }
---
apiVersion: batch/v1
kind: CronJob
spec: { jobTemplate: { spec: { template: { spec: { hostPID: true } } } } }
---
other: true
`
    const objects = findKubernetesObjects(readProject({ 'k8s/all.yaml': text }))
    expect(objects.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['List List', 'Pod a', 'CronJob CronJob'])
    expect(objects.map((object) => at(podOf(object), 'hostPID') !== undefined)).toEqual([false, true, true])
  })

  test('a template of Helm', () => {
    const text = `{{- range .Values.apps }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $.Release.Name }}-{{ .name }}
  labels:
    {{- include "labels" $ | nindent 4 }}
spec:
  replicas: {{ .replicas | default 1 }}
{{- end }}
`
    const [object] = findKubernetesObjects(readProject({ 'chart/templates/app.yaml': text }))
    expect(object).toMatchObject({ kind: 'Deployment', name: '{{ $.Release.Name }}-{{ .name }}', isTemplate: true })
  })

  test('files that hold them by their name or by what stands in them, none of tests', () => {
    const text = 'apiVersion: v1\nkind: Pod\n'
    const found = (path: string): number => findKubernetesObjects(readProject({ [path]: text })).length
    expect(
      ['a.yaml', 'k8s/a.yaml', 'helm/x/templates/b.yml', 'my-deployment.yaml', 'apirule.yml', 'deploy/api-rule-srv.yaml'].map(
        found,
      ),
    ).toEqual([1, 1, 1, 1, 1, 1])
    expect(['test/k8s/a.yaml', 'ui5.yaml'].map(found)).toEqual([0, 0])
  })
})

describe('workflows', () => {
  const read = (text: string) => findWorkflows(readProject({ '.github/workflows/x.yml': text }))[0]

  test('events in all forms', () => {
    const events = (on: string): string[] => [...(read(`on: ${on}\njobs: { a: {} }`)?.events ?? [])]
    expect([events('push'), events('[push, issues]'), events('{ push: { branches: [x] }, issues: null }')]).toEqual([
      ['push'],
      ['push', 'issues'],
      ['push', 'issues'],
    ])
  })

  test('jobs, steps, permissions', () => {
    const workflow = read(
      'permissions: read-all\njobs:\n  a:\n    permissions: { id-token: write }\n    steps: [{ uses: x/y@v1 }, { run: echo }, 5]\n  b: { uses: o/r/.github/workflows/w.yml@main }\n',
    )
    expect(workflow?.jobs.map(({ name, steps, uses }) => [name, steps.length, stringOf(uses)])).toEqual([
      ['a', 3, undefined],
      ['b', 0, 'o/r/.github/workflows/w.yml@main'],
    ])
    expect(mayWrite(workflow?.jobs[0]?.permissions, 'id-token')).toBe(true)
    expect(mayWrite(workflow?.permissions, 'id-token')).toBe(false)
  })

  test('a file without jobs is none', () => {
    expect(read('name: x')).toBeUndefined()
    expect(read('')).toBeUndefined()
  })
})

test('any YAML in both', () => {
  const keys = [
    'apiVersion',
    'kind',
    'items',
    'spec',
    'template',
    'containers',
    'metadata',
    'name',
    'on',
    'jobs',
    'steps',
    'uses',
    'run',
    'permissions',
  ]
  const node = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 5, '', 'Pod', 'v1', 'write-all'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 5 }),
    ),
  })).node
  fc.assert(
    fc.property(node, (value) => {
      const text = stringify(value)
      try {
        const files = readProject({ 'k8s/a.yaml': text, '.github/workflows/a.yml': text })
        for (const object of findKubernetesObjects(files)) podOf(object)
        for (const { jobs } of findWorkflows(files)) expect(Array.isArray(jobs)).toBe(true)
      } catch (error) {
        if (!(error instanceof ParseFailure)) throw error
      }
    }),
    { numRuns: runs(10_000) },
  )
})
