import { AsyncLocalStorage } from 'node:async_hooks'
import type { TestContext } from 'node:test'
import type { TestApp } from './app.ts'

/**
 * What `call` gives when all of `other` happens after it has looked around, and before its first
 * transaction.
 */
export async function doMeanwhile<T>(
  t: TestContext,
  { ctx: { db, textIndex } }: TestApp,
  call: () => Promise<T>,
  other: () => Promise<unknown>,
  /** Before which of its transactions. */
  number = 1,
): Promise<T> {
  // It follows a second after earlier calls, in a transaction that is not meant.
  await textIndex.flush()
  const begin = db.transaction.bind(db)
  let count = 0
  const mock = t.mock.method(db, 'transaction', () => {
    if (++count < number) return begin()
    mock.mock.restore()
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    return Object.assign(transaction, {
      execute: async (work: Parameters<typeof execute>[0]) => {
        await other()
        return execute(work)
      },
    })
  })
  return call()
}

/**
 * What `call` gives when all of `other` happens before its statement of this number; nothing where
 * it has fewer.
 */
export async function doBeforeStatement<T>(
  t: TestContext,
  { ctx: { db } }: TestApp,
  number: number,
  call: () => Promise<T>,
  other: () => Promise<unknown>,
): Promise<T | undefined> {
  const mine = new AsyncLocalStorage<true>()
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  let count = 0
  const mock = t.mock.method(
    executor,
    'executeQuery',
    async (...given: Parameters<typeof execute>) => {
      if (mine.getStore() && ++count === number) await mine.exit(other)
      return execute(...given)
    },
  )
  const result = await mine.run(true, call)
  mock.mock.restore()
  return count < number ? undefined : result
}

/** Does `other` after the next password has been looked at, and before anything comes of it. */
export function doOnceVerified(
  t: TestContext,
  { ctx: { passwords } }: TestApp,
  other: () => Promise<unknown>,
): void {
  const verify = passwords.verify.bind(passwords)
  const mock = t.mock.method(passwords, 'verify', async (password: string, hash: string) => {
    mock.mock.restore()
    const isRight = await verify(password, hash)
    await other()
    return isRight
  })
}
