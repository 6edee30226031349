import { accessesOf, findPart, resolveValue, type Value } from '../../../facts/index.ts'

/** `const pin = randomInt(1000, 9999)`: a PIN that is made here; others are of maps and of boards. */
export function isDrawnPin(value: Value): boolean {
  if (value.kind !== 'reference' || !/^(?:[a-z]{1,20}_?)?(?:pin|PIN|Pin)(?:_?[cC]ode)?$/.test(value.name)) return false
  const isRandom = (part: Value): boolean =>
    part.kind === 'call' &&
    accessesOf(part).some(({ root, steps }) =>
      root === 'global:Math' ? steps[0] === 'random' : RANDOM.test([root, ...steps].join(' ')),
    )
  return findPart(resolveValue(value), isRandom) !== undefined
}

const RANDOM = /crypto (?:default )?random\w{2,10}|getRandomValues/
