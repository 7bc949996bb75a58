// One database is enough: none is used.
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { suite, test } from 'node:test'
import { AppError } from '../../../src/platform/errors.ts'
import { Slots } from '../../../src/platform/git/slots.ts'

const never = new AbortController().signal
const isBusy = (error: unknown) =>
  error instanceof AppError && error.code === 'unavailable' && (error.retryAfter ?? 0) > 0

suite('slots', () => {
  test('let so many in at once, and the next when one leaves, in their order', async () => {
    const slots = new Slots({ atOnce: 2, waiting: 5, patienceMs: 60_000 })
    const entered: number[] = []
    const enter = async (number: number) => {
      const leave = await slots.take(never)
      entered.push(number)
      return leave
    }

    const places = [1, 2, 3, 4].map(enter)
    await turn()
    assert.deepEqual(entered, [1, 2])
    const leave = await places[0]
    leave?.()
    leave?.()
    await turn()

    assert.deepEqual(entered, [1, 2, 3])
    for (const place of places.slice(1)) (await place)()
    assert.deepEqual(entered, [1, 2, 3, 4])
  })

  test('leave some for others, of which nobody gets more than half', async () => {
    const slots = new Slots({ atOnce: 4, waiting: 4, patienceMs: 60_000 })
    const entered: string[] = []
    const enter = async (name: string, takers: readonly string[]) => {
      const leave = await slots.take(never, takers)
      entered.push(name)
      return leave
    }

    const places = [
      enter('a1', ['a', 'x']),
      enter('a2', ['a', 'y']),
      enter('a3', ['a', 'z']),
      enter('b1', ['b', 'x']),
      enter('c1', ['c', 'x']),
      enter('d1', ['d']),
      enter('e1', ['e']),
    ]
    await turn()
    assert.deepEqual(entered, ['a1', 'a2', 'b1', 'd1'])
    const [a1, , , b1] = places
    ;(await b1)?.()
    await turn()
    assert.deepEqual(entered.slice(4), ['c1'])
    ;(await a1)?.()
    await turn()

    assert.deepEqual(entered.slice(5), ['a3'])
    for (const place of places.slice(1, 6)) (await place)()
    ;(await places[6])?.()
    for (const place of ['a', 'a', 'b', 'b']) await slots.take(never, [place])
  })

  test('send away who has half of the queue, and nobody else', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 4, patienceMs: 60_000 })
    const leave = await slots.take(never, ['a'])
    const waiting = [slots.take(never, ['a']), slots.take(never, ['a'])]

    await assert.rejects(slots.take(never, ['a']), isBusy)
    const other = slots.take(never, ['b'])

    leave()
    for (const place of [...waiting, other]) (await place)()
  })

  test('send away who finds the queue full, or waits too long', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 1, patienceMs: 1 })
    const leave = await slots.take(never)

    const waiting = slots.take(never)
    await assert.rejects(slots.take(never), isBusy)
    await assert.rejects(waiting, isBusy)

    leave()
    ;(await slots.take(never))()
  })

  test('forget who has left while waiting', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 1, patienceMs: 60_000 })
    const leave = await slots.take(never)
    const gone = new AbortController()

    const waiting = slots.take(gone.signal)
    gone.abort()

    await assert.rejects(waiting)
    leave()
    ;(await slots.take(never))()
  })
})
