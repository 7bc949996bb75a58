import type { Context, SignedInCaller } from '../../platform/context.ts'
import { isDeployKey } from '../../identity/keys/public-keys.ts'
import { openByFingerprint } from '../../repositories/deploy-keys/open.ts'
import { forbidden, isNotFound, Moved, notFound, type AppError } from '../../platform/errors.ts'
import { assertUsable } from '../../identity/callers/identify.ts'
import { findKeyHolder, noteKeyUse, type KeyHolder } from '../../identity/keys/sign-in.ts'
import { assertMayPush, canFetch, isThere, notReadable } from '../../code/pushes/access.ts'
import { loadOrCreate } from '../../code/pushes/create-by-push.ts'
import type { Part, PartPath } from '../../code/pushes/part.ts'
import { findAt, loadVisible, loadVisibleById } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'

/** Whoever has shown that a key is theirs. */
export interface Principal {
  readonly fingerprint: string
}

export interface Admitted {
  readonly caller: SignedInCaller
  readonly view: RepositoryView
  readonly part: Part
  /** 0 when it is the key of an account. */
  readonly deployKeyId: number
}

type Opened = Omit<Admitted, 'part'>
type Wish = 'read' | 'write'

/** Whether a key opens anything at all. */
export async function isKnownKey(ctx: Context, fingerprint: string): Promise<boolean> {
  return (
    (await findKeyHolder(ctx, fingerprint)) !== undefined ||
    (await isDeployKey(ctx.db, fingerprint))
  )
}

/** The repository as the key opens it; what it does not open is not there. */
export async function admit(
  ctx: Context,
  { fingerprint }: Principal,
  path: PartPath,
  wish: Wish,
): Promise<Admitted> {
  const holder = await findKeyHolder(ctx, fingerprint)
  const opened = holder
    ? await asAccount(ctx, holder, wish, (caller) => loadFollowing(ctx, caller, path, wish))
    : await asDeployKey(ctx, fingerprint, (await findAt(ctx, path))?.id)
  const { part } = path
  assertMay(opened.view, part, wish)
  return { ...opened, part }
}

/** Throws when the push is allowed no longer, whatever the repository is called by now. */
export async function readmitPush(
  ctx: Context,
  { fingerprint }: Principal,
  { view: { repo }, part }: Admitted,
): Promise<void> {
  const { id } = repo
  const holder = await findKeyHolder(ctx, fingerprint)
  const { view } = holder
    ? await asAccount(ctx, holder, 'write', (caller) => loadVisibleById(ctx, caller, id))
    : await asDeployKey(ctx, fingerprint, id)
  assertMay(view, part, 'write')
}

function assertMay(view: RepositoryView, part: Part, wish: Wish): void {
  if (!isThere(view, part)) throw absent()
  if (wish === 'write') return assertMayPush(view, part)
  if (!canFetch(view, part)) throw notReadable(part)
}

async function asAccount(
  ctx: Context,
  { key, account }: KeyHolder,
  wish: Wish,
  load: (caller: SignedInCaller) => Promise<RepositoryView>,
): Promise<Opened> {
  assertUsable(ctx, account)
  await noteKeyUse(ctx, key)
  if (!key.opensGit) {
    throw forbidden('This key was added by a token that reaches no repositories.')
  }
  if (wish === 'write' && key.isReadOnly) throw forbidden('This key is for reading only.')
  const caller: SignedInCaller = { account, credential: { kind: 'ssh-key' }, publicOnly: false }
  return { caller, view: await load(caller), deployKeyId: 0 }
}

async function asDeployKey(
  ctx: Context,
  fingerprint: string,
  repositoryId: number | undefined,
): Promise<Opened> {
  const opened =
    repositoryId === undefined ? undefined : await openByFingerprint(ctx, repositoryId, fingerprint)
  if (!opened) throw absent()
  return { caller: opened.caller, view: opened.view, deployKeyId: opened.key.id }
}

/** Over SSH nobody can be sent elsewhere, so an old name leads on at once. */
async function loadFollowing(
  ctx: Context,
  caller: SignedInCaller,
  path: PartPath,
  wish: Wish,
): Promise<RepositoryView> {
  const load = wish === 'write' ? loadOrCreate : loadVisible
  try {
    return await load(ctx, caller, path)
  } catch (error) {
    if (error instanceof Moved) return loadFollowing(ctx, caller, renamed(path, error), wish)
    throw isNotFound(error) ? absent() : error
  }
}

function renamed(path: PartPath, { segments }: Moved): PartPath {
  const [owner, repo] = segments
  return { ...path, owner: owner?.to ?? path.owner, repo: repo?.to ?? path.repo }
}

function absent(): AppError {
  return notFound('Repository not found')
}
