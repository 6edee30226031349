import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDockerfiles, runningStages, type Dockerfile } from '../../../core/model/deployment/docker.ts'
import { runs } from '../../soak.ts'
import { readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

const read = (text: string): Dockerfile | undefined => findDockerfiles(readProject({ Dockerfile: text }))[0]
const tell = (text: string): string[] =>
  (read(text)?.stages ?? []).flatMap(({ image, alias, instructions }) => [
    `FROM ${image} ${alias ?? '-'}`,
    ...instructions.map(({ name, arguments: rest }) => `${name} ${rest.replaceAll(/\s+/g, ' ')}`),
  ])

describe('instructions', () => {
  test('continued lines with comments and empty lines in between, any case, Windows line ends', () => {
    const text = '# top\r\nfrom node:24 as Build\r\nRUN a && \\\r\n  # why\r\n\r\n  b\r\n  USER node\r\n'
    expect(tell(text)).toEqual(['FROM node:24 build', 'RUN a && b', 'USER node'])
  })

  test('a here-document is part of its instruction', () => {
    expect(tell('FROM a\nRUN <<EOF\nUSER root\nEOF\nUSER node\n')).toEqual(['FROM a -', 'RUN <<EOF USER root EOF', 'USER node'])
  })

  test('images: arguments with defaults, platforms, digests; spans', () => {
    const text =
      'ARG V=24\nARG EMPTY\nFROM --platform=linux/amd64 node:${V}-alpine@sha256:aa AS x\nFROM ${EMPTY:-alpine:3}\nFROM $UNKNOWN\n'
    const stages = read(text)?.stages ?? []
    expect(stages.map(({ image }) => image)).toEqual(['node:24-alpine@sha256:aa', 'alpine:3', '$UNKNOWN'])
    const [first] = stages
    expect(text.slice(first?.imageSpan.start, first?.imageSpan.end)).toBe('node:${V}-alpine@sha256:aa')
  })

  test('what runs: the last stage and those that it is built upon', () => {
    const file = read('FROM a AS base\nFROM b AS tools\nFROM BASE AS last\nFROM base AS end\n')
    expect(file === undefined ? [] : runningStages(file).map(({ image }) => image)).toEqual(['base', 'a'])
  })

  test('a stage of its own name is no circle', () => {
    const file = read('FROM node AS node\nFROM node\n')
    expect(file === undefined ? [] : runningStages(file).map(({ image }) => image)).toEqual(['node', 'node'])
  })
})

describe('hostile input', () => {
  test('any text', () => {
    const part = fc.constantFrom(
      'FROM ',
      'RUN ',
      'USER ',
      'ARG ',
      'A=1',
      '\\',
      '\n',
      '\r\n',
      ' ',
      '#',
      '<<EOF',
      'EOF',
      '${',
      '}',
      'a',
      ' AS ',
      '"',
      '\u0000',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        for (const { instructions, imageSpan } of read(text)?.stages ?? [])
          for (const { start, end } of [imageSpan, ...instructions])
            expect(0 <= start && start <= end && end <= text.length).toBe(true)
      }),
      { numRuns: runs(10_000) },
    )
  })

  test.each([
    'FROM a\n'.repeat(100_000),
    `FROM a\n${'RUN <<A <<B <<C\n'.repeat(50_000)}`,
    `FROM a\nRUN ${'\\\n'.repeat(250_000)}`,
    `FROM a\n${' '.repeat(500_000)}`,
    `FROM a\nRUN ${'<<A '.repeat(100_000)}`,
    `FROM ${'$'.repeat(400_000)}`,
  ])('in time %#', (text) => {
    const began = cpuTime()
    const file = read(text)
    if (file !== undefined) runningStages(file)
    expect(cpuTime() - began).toBeLessThan(20_000)
  })
})
