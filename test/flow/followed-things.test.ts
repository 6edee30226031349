import { expect, test } from 'vitest'
import { createFollowedThings } from '../../core/flow/app/followed-things.ts'

/** As many as an app has whose functions are all handed to all others. */
const NODES = 2_600
const MOST = 200

test('where millions of things arrive, nodes take fewer, so that steps are left for what flows', () => {
  const followed = createFollowedThings(
    ({ fields }: { readonly fields: readonly string[] }) => fields.join(),
    MOST,
    () => {},
  )
  const ids = Array.from({ length: MOST + 50 }, (_, index) => followed.idOf({ fields: [`f${index}`] }))
  const counts: number[] = []
  for (let node = 0; node < NODES; node++) {
    for (const id of ids) followed.pass(node, id)
    counts.push(followed.known.at(node).length)
  }
  expect(counts[0]).toBe(MOST)
  expect(counts.at(-1)).toBe(24)
  expect(counts).toEqual([...counts].sort((a, b) => b - a))
})
