import { context, ROOT_CONTEXT, SpanStatusCode, trace, type Context, type Span, type TracerProvider } from '@opentelemetry/api'
import { expect, onTestFinished, test } from 'vitest'
import { traceScans } from '../../adapters/traces.ts'
import { Refusal } from '../../core/errors.ts'
import type { ScanRunner } from '../../core/types.ts'
import { createOutcome } from '../api/sample.ts'
import { scanOptions } from '../runners/projects.ts'

const SOURCE = { kind: 'archive', bytes: new Uint8Array(), name: 'secret-name.zip' } as const

interface Told {
  readonly name: string
  readonly parent: string | undefined
  readonly attributes: Record<string, unknown>
  status?: SpanStatusCode
  ended: boolean
}

/** A provider as a host would set one up; what it was told, in the order of the starts. */
function provide(): Told[] {
  const told: Told[] = []
  const names = new WeakMap<Span, string>()
  const startSpan = (name: string, options: { attributes?: object } = {}, within: Context = ROOT_CONTEXT): Span => {
    const parent = trace.getSpan(within)
    const entry: Told = { name, parent: parent && names.get(parent), attributes: { ...options.attributes }, ended: false }
    told.push(entry)
    const unwanted = (): Span => {
      throw new Error('nothing else is told')
    }
    const span: Span = {
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
      setAttribute(key, value) {
        entry.attributes[key] = value
        return span
      },
      setStatus({ code }) {
        entry.status = code
        return span
      },
      end() {
        expect(entry.ended).toBe(false)
        entry.ended = true
      },
      isRecording: () => true,
      setAttributes: unwanted,
      addEvent: unwanted,
      addLink: unwanted,
      addLinks: unwanted,
      updateName: unwanted,
      recordException: unwanted,
    }
    names.set(span, name)
    return span
  }
  const provider: TracerProvider = {
    getTracer: () => ({
      startSpan,
      startActiveSpan: () => {
        throw new Error('nothing else is asked')
      },
    }),
  }
  trace.setGlobalTracerProvider(provider)
  onTestFinished(() => trace.disable())
  return told
}

const runs: ScanRunner = async (_, options, { onProgress }) => {
  onProgress?.({ phase: 'reading', done: 0, total: 2 })
  onProgress?.({ phase: 'reading', done: 1, total: 2 })
  onProgress?.({ phase: 'checking', done: 0, total: 1 })
  return createOutcome(options)
}

test('a scan is a span, and each of its phases one within it', async () => {
  const told = provide()
  const phases: string[] = []
  const options = scanOptions()
  await traceScans(runs)(SOURCE, options, { onProgress: ({ phase }) => phases.push(phase) })
  expect(told.map(({ name, parent, ended }) => [name, parent, ended])).toEqual([
    ['parapet.scan', undefined, true],
    ['parapet.waiting', 'parapet.scan', true],
    ['parapet.reading', 'parapet.scan', true],
    ['parapet.checking', 'parapet.scan', true],
  ])
  expect(told[0]?.attributes).toEqual({
    'parapet.scan.id': options.scanId,
    'parapet.scan.source': 'archive',
    'parapet.scan.outcome': 'done',
    'parapet.scan.findings': expect.any(Number),
  })
  expect(phases).toEqual(['reading', 'reading', 'checking'])
})

test('the span says how a scan ended, and nothing of what was scanned', async () => {
  const told = provide()
  const controller = new AbortController()
  const fails =
    (error: unknown): ScanRunner =>
    () =>
      Promise.reject(error)
  const ends: [ScanRunner, AbortSignal | undefined][] = [
    [fails(new Refusal('archive-invalid', { reason: 'truncated', entry: 'secret-name' })), undefined],
    [fails(new Error('secret-name')), undefined],
    [fails(new DOMException('x', 'AbortError')), controller.signal],
  ]
  controller.abort()
  for (const [runner, signal] of ends) {
    await expect(traceScans(runner)(SOURCE, scanOptions(), { ...(signal && { signal }) })).rejects.toThrow()
  }
  const scans = told.filter(({ name }) => name === 'parapet.scan')
  expect(
    scans.map(({ attributes, status }) => [attributes['parapet.scan.outcome'], attributes['parapet.scan.refusal'], status]),
  ).toEqual([
    ['refused', 'archive-invalid', undefined],
    ['failed', undefined, SpanStatusCode.ERROR],
    ['cancelled', undefined, undefined],
  ])
  expect(told.every(({ ended }) => ended)).toBe(true)
  expect(JSON.stringify(told)).not.toContain('secret-name')
})

test('without a provider the scan is the same', async () => {
  expect(trace.getTracer('x').startSpan('y').isRecording()).toBe(false)
  const options = scanOptions()
  expect(await traceScans(runs)(SOURCE, options, {})).toEqual(await runs(SOURCE, options, {}))
  expect(context.active()).toBe(ROOT_CONTEXT)
})
