import type { Context } from '../../platform/context.ts'
import { admitDownload, admitUpload } from './lfs-access.ts'
import { readJsonBody, sendJson, type AddLfs } from './lfs-answer.ts'
import { Query, readInteger } from '../../platform/http/query.ts'
import { cleanPath, pageOfLocks, releaseLock, takeLock } from '../../code/lfs/locks.ts'
import { presentLock } from '../../code/lfs/present.ts'
import { LockBody, LockVerifyBody, UnlockBody } from '../../code/lfs/schema.ts'

/** Locks tell others to leave a file alone; git-lfs looks at them before each push. */
export function lockRoutes(add: AddLfs, ctx: Context): void {
  const json = { isJson: true }

  add('POST', '/locks', json, async (request, reply) => {
    const { caller, view } = await admitUpload(ctx, request)
    const { path } = await readJsonBody(ctx, request, LockBody)
    const { lock, isNew } = await takeLock(ctx, caller, view.repo, path)
    if (isNew) return sendJson(reply, 201, { lock: presentLock(lock) })
    return sendJson(reply, 409, { lock: presentLock(lock), message: 'already created lock' })
  })

  add('GET', '/locks', json, async (request, reply) => {
    const { view } = await admitDownload(ctx, request)
    const query = new Query(request.query)
    const path = query.text('path') || undefined
    const id = query.text('id') || undefined
    const { locks, next } = await pageOfLocks(ctx, view.repo, {
      path: path === undefined ? undefined : cleanPath(path),
      id: id === undefined ? undefined : readInteger(id),
      ...pageFrom(ctx, query.text('cursor'), query.integer('limit')),
    })
    return sendJson(reply, 200, { locks: locks.map(presentLock), ...cursorTo(next) })
  })

  add('POST', '/locks/verify', json, async (request, reply) => {
    const { caller, view } = await admitUpload(ctx, request)
    const { cursor, limit } = await readJsonBody(ctx, request, LockVerifyBody)
    const { locks, next } = await pageOfLocks(ctx, view.repo, pageFrom(ctx, cursor, limit))
    const isOurs = ({ accountId }: (typeof locks)[number]) => accountId === caller.account.id
    return sendJson(reply, 200, {
      ours: locks.filter(isOurs).map(presentLock),
      theirs: locks.filter((lock) => !isOurs(lock)).map(presentLock),
      ...cursorTo(next),
    })
  })

  add('POST', '/locks/:id/unlock', json, async (request, reply) => {
    const { caller, view } = await admitUpload(ctx, request)
    const { force = false } = await readJsonBody(ctx, request, UnlockBody)
    const id = readInteger((request.params as Record<string, string>)['id'] ?? '')
    const lock = await releaseLock(ctx, caller, view.repo, { id, force })
    return sendJson(reply, 200, { lock: presentLock(lock) })
  })
}

function pageFrom(ctx: Context, cursor: string | undefined, limit: number | undefined) {
  const asked = limit || ctx.config.lfs.locks_per_page
  return { after: readInteger(cursor ?? ''), limit: Math.max(1, asked) }
}

function cursorTo(next: string | undefined) {
  return next === undefined ? {} : { next_cursor: next }
}
