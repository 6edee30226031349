import { accessesOf, constantOf, stringConstantOf, type CallValue, type Value } from '../../facts/index.ts'
import { isWorker } from '../messages/message-listeners.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { invoke } from '../values/objects.ts'
import { behindFields } from '../fields/members.ts'
import { fileNameOf } from '../../paths.ts'

const WORKERS = /^global:(?:Worker new|SharedWorker new port)$/
const MAX_DEPTH = 4

/** Adds messages between a page and its workers: what one posts the listeners of the other get as `data`. Fact: HTML standard, "Web workers". */
export function addWorkers(draft: FlowDraft): void {
  const { facts, path } = draft
  const isInside = isWorker(facts)
  /** The worker that messages go to or come from; undefined: none. */
  const workerOf = (value: Value): string | undefined =>
    isInside ? (isSelf(value) ? fileNameOf(path) : undefined) : workerBehind(value, draft)
  for (const call of facts.calls) {
    const { callee, args } = call
    // inside of a worker its own functions have no object before them
    const isBare = isInside && callee.kind === 'reference' && callee.binding === undefined
    if (callee.kind !== 'member' && !isBare) continue
    if (callee.kind !== 'member' && callee.kind !== 'reference') continue
    const isPosted = callee.name === 'postMessage'
    const isListened = callee.name === 'addEventListener' && args[0] !== undefined && constantOf(args[0]) === 'message'
    if (!isPosted && !isListened) continue
    const worker = callee.kind === 'member' ? workerOf(callee.object) : fileNameOf(path)
    const given = isPosted ? args[0] : args[1]
    if (worker === undefined || given === undefined) continue
    if (isPosted)
      draft.ends.ports.push({
        node: draft.graph.wrap(draft.use(given), ['data'], given),
        access: 'write',
        store: messagesOf(worker, isInside),
        path: [],
      })
    else listen(given, worker, isInside, draft)
  }
  for (const { target, value } of facts.assignments) {
    const worker = target.name === 'onmessage' ? workerOf(target.object) : undefined
    if (worker !== undefined) listen(value, worker, isInside, draft)
  }
}

function listen(handler: Value, worker: string, isInside: boolean, draft: FlowDraft): void {
  const event = draft.graph.add(handler)
  draft.ends.ports.push({ node: event, access: 'read', store: messagesOf(worker, !isInside), path: [] })
  invoke(handler, [event], draft)
}

/** Each worker is known by the name of its file. */
function messagesOf(worker: string, isFromWorker: boolean): string {
  return `worker ${worker.replace(/\.[cm]?[jt]s$/, '')} ${isFromWorker ? 'answers' : 'messages'}`
}

function isSelf(value: Value): boolean {
  return value.kind === 'reference' && value.binding === undefined && /^(?:self|globalThis)$/.test(value.name)
}

/** The file of the worker that a value is, as far as a constant names it. */
function workerBehind(value: Value, draft: FlowDraft): string | undefined {
  for (const one of behindFields(value, draft)) {
    const made = one.kind === 'member' ? one.object : one
    const isMade = accessesOf(one).some(({ root, steps }) => WORKERS.test([root, ...steps].join(' ')))
    if (isMade && made.kind === 'new') return fileNamed(made, 0)
  }
  return undefined
}

/** `sap.ui.require.toUrl("my/app/worker/simulate.js")`, `new URL("./simulate.ts", import.meta.url)`. */
function fileNamed({ args }: CallValue, depth: number): string | undefined {
  for (const argument of args) {
    const text = stringConstantOf(argument)
    if (text !== undefined) return fileNameOf(text)
    const inner =
      (argument.kind === 'call' || argument.kind === 'new') && depth < MAX_DEPTH ? fileNamed(argument, depth + 1) : undefined
    if (inner !== undefined) return inner
    const last = argument.kind === 'concat' ? argument.parts.at(-1) : undefined
    const end = argument.kind === 'template' ? argument.texts.at(-1) : last && constantOf(last)
    if (typeof end === 'string') return fileNameOf(end)
  }
  return undefined
}
