import type { TestContext } from 'node:test'
import type { TestApp } from './app.ts'

/** What `call` gives when all of `other` happens after it has looked around, and before its first transaction. */
export async function doMeanwhile<T>(
  t: TestContext,
  { ctx: { db } }: TestApp,
  call: () => Promise<T>,
  other: () => Promise<unknown>,
): Promise<T> {
  const begin = db.transaction.bind(db)
  const mock = t.mock.method(db, 'transaction', () => {
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
