import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { Row } from '../db/schema.ts'
import { formatTime } from '../time.ts'
import type { Account } from '../users/account.ts'
import { announce } from './announce.ts'
import { presentPerson, presentPlace } from './payload.ts'

/** A status that a commit got. */
export async function announceStatus(
  ctx: Context,
  tx: Executor,
  actor: Account,
  status: Row<'commit_status'>,
): Promise<void> {
  const payload = async () => ({
    id: status.number,
    sha: status.commit_id,
    state: status.state,
    context: status.context,
    description: status.description,
    target_url: status.target_url,
    created_at: formatTime(status.created_at),
    updated_at: formatTime(status.updated_at),
    repository: await presentPlace(ctx, tx, status.repository_id),
    sender: presentPerson(ctx, actor),
  })
  await announce(ctx, tx, status.repository_id, [{ kind: 'status', payload }])
}
