import { beforeEach, describe, expect, test } from 'vitest'
import { createAdmission, MAX_OPEN_BODIES, type Admission, type Ticket } from '../../handlers/_admission.ts'

const MiB = 1024 * 1024
const MAX_HELD = 256 * MiB

let now: number
let admission: Admission

beforeEach(() => {
  now = 5000
  admission = createAdmission({ maxHeld: MAX_HELD, clock: () => now })
})

/** One that was let in with so many declared bytes, and has sent some of them. */
function open(declared: number, sent = 0): Ticket {
  const ticket = admission.admit(declared)
  ticket.hold(sent)
  return ticket
}

const isOut = ({ signal }: Ticket): boolean => signal.aborted

describe('what counts is what came', () => {
  test('three clients that declare everything and send little leave room for others', () => {
    const slow = [open(86 * MiB, 64 * 1024), open(85 * MiB, 64 * 1024), open(85 * MiB, 64 * 1024)]
    expect(isOut(open(100 * MiB, 100 * MiB))).toBe(false)
    now += 600_000
    for (const ticket of slow) ticket.hold(14 * MiB)
    expect(isOut(open(100 * MiB, 100 * MiB))).toBe(false)
    expect(slow.some(isOut)).toBe(false)
  })

  test('a body that can not fit is told so before it is read', () => {
    open(200 * MiB, 200 * MiB)
    expect(() => open(57 * MiB)).toThrow('busy')
    expect(isOut(open(56 * MiB, 56 * MiB))).toBe(false)
  })

  test('one that is larger than the setting gets through alone', () => {
    const large = open(300 * MiB, 300 * MiB)
    expect(isOut(large)).toBe(false)
    expect(() => open(1)).toThrow('busy')
    large.release()
    expect(isOut(open(1, 1))).toBe(false)
  })
})

describe('where memory runs short while bodies are read', () => {
  test('the newest give way, and the oldest gets through', () => {
    const [first, second, third] = [open(100 * MiB), open(100 * MiB), open(100 * MiB)]
    first?.hold(64 * MiB)
    second?.hold(64 * MiB)
    third?.hold(64 * MiB)
    second?.hold(100 * MiB)
    expect([first, second, third].map((ticket) => ticket && isOut(ticket))).toEqual([false, false, false])
    first?.hold(100 * MiB)
    expect([first, second, third].map((ticket) => ticket && isOut(ticket))).toEqual([false, false, true])
    // what it held is free for others
    expect(isOut(open(56 * MiB, 56 * MiB))).toBe(false)
  })

  test('nobody gives way in vain', () => {
    const older = open(200 * MiB, 200 * MiB)
    const growing = open(50 * MiB, 20 * MiB)
    const small = open(MiB, MiB)
    expect(() => growing.hold(60 * MiB)).toThrow('busy')
    expect([older, growing, small].map(isOut)).toEqual([false, true, false])
  })

  test('bodies that are whole stay', () => {
    const whole = open(250 * MiB, 250 * MiB)
    whole.received()
    now += 60_000
    const ticket = open(5 * MiB)
    expect(() => ticket.hold(7 * MiB)).toThrow('busy')
    expect(isOut(whole)).toBe(false)
  })

  test('who was cancelled holds nothing, and gets no more', () => {
    const older = open(100 * MiB)
    const newer = open(200 * MiB, 200 * MiB)
    older.hold(100 * MiB)
    expect(isOut(newer)).toBe(true)
    expect(() => newer.hold(200 * MiB)).toThrow('busy')
    newer.release()
    newer.end()
    expect(isOut(open(156 * MiB, 156 * MiB))).toBe(false)
  })
})

describe('bodies that take more than ten seconds', () => {
  test('hold half of the memory at most: the newest give way', () => {
    const tickets = [open(60 * MiB, 60 * MiB), open(60 * MiB, 60 * MiB), open(60 * MiB, 60 * MiB), open(60 * MiB, 60 * MiB)]
    now += 10_000
    expect(() => open(100 * MiB)).toThrow('busy')
    expect(tickets.some(isOut)).toBe(false)
    now += 1
    expect(isOut(open(100 * MiB, 100 * MiB))).toBe(false)
    expect(tickets.map(isOut)).toEqual([false, false, true, true])
  })

  test('one alone may have more, else it could never be read', () => {
    const slow = open(200 * MiB, 200 * MiB)
    now += 20_000
    slow.hold(220 * MiB)
    expect(isOut(open(MiB, MiB))).toBe(false)
    expect(isOut(slow)).toBe(false)
  })

  test('are half of all that are read at most, so that others are let in', () => {
    const slow = Array.from({ length: MAX_OPEN_BODIES }, () => open(100_000, 1))
    expect(() => open(1)).toThrow('busy')
    now += 10_001
    expect(isOut(open(1, 1))).toBe(false)
    expect(slow.filter(isOut)).toEqual(slow.slice(MAX_OPEN_BODIES / 2))
  })

  test('count no longer as slow once they are whole', () => {
    const tickets = [open(100 * MiB, 100 * MiB), open(100 * MiB, 100 * MiB)]
    for (const ticket of tickets) ticket.received()
    now += 60_000
    expect(isOut(open(MiB, MiB))).toBe(false)
    expect(tickets.some(isOut)).toBe(false)
  })
})

test('whatever clients do, the sum stays within the setting, and what is let go is free again', () => {
  // a small generator of its own, so that a failure comes back
  let seed = 7
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % most
  }
  const sizes = new Map<Ticket, number>()
  for (let step = 0; step < 20_000; step++) {
    now += random(2000)
    const tickets = [...sizes.keys()]
    const ticket = tickets[random(Math.max(1, tickets.length))]
    try {
      if (ticket === undefined || random(3) === 0) sizes.set(admission.admit(random(100) * MiB), 0)
      else if (random(4) === 0) {
        ticket.release()
        ticket.end()
        sizes.delete(ticket)
      } else if (random(6) === 0) ticket.received()
      else {
        const bytes = (sizes.get(ticket) ?? 0) + random(20) * MiB
        ticket.hold(bytes)
        sizes.set(ticket, bytes)
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'busy', details: { retryAfter: 5 } })
    }
    for (const other of sizes.keys()) if (isOut(other)) sizes.delete(other)
    const held = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    expect(held <= MAX_HELD || [...sizes.values()].filter((bytes) => bytes > 0).length === 1).toBe(true)
  }
  for (const ticket of sizes.keys()) ticket.release()
  expect(isOut(open(MAX_HELD, MAX_HELD))).toBe(false)
})
