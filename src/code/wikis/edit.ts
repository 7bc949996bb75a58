import { commitWithin } from '../content/commit-within.ts'
import { isPathAllowed } from '../content/path.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import type { WrittenFile } from '../../platform/git/commit-files.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import type { TreeEntry } from '../../platform/git/parse.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import { findBranch } from '../../platform/git/revisions.ts'
import type { Reason } from '../../platform/reason.ts'
import { orTakeBack } from '../pushes/move-refs.ts'
import { assertNotStray } from '../../repositories/repository/folder.ts'
import { gitIdentity } from '../../repositories/repository/identity.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { inTurn } from '../../repositories/repository/turns.ts'
import type { PageNews } from './webhook-events.ts'
import { wikiToWrite } from './folder.ts'
import { addressOf, addressOfFile, fileOf, isReserved, titleOfFile } from './name.ts'
import { loadEntry, loadPage, readEntries } from './pages.ts'
import { afterWikiChange, headOf, mendHead } from './after-change.ts'

export interface PageEdit {
  /** Empty where the page keeps its own. */
  readonly title: string
  /** Absent where it stays what it is. */
  readonly content: Buffer | undefined
  readonly message: string
  /** The id of the text that it takes the place of; absent where that does not matter. */
  readonly replaces?: string
}

/** The name of the file that it got. */
export async function createPage(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  { title, content = Buffer.alloc(0), message }: PageEdit,
): Promise<string> {
  const file = fileOfNew(title)
  const change = { action: 'created', page: addressOfFile(file) } as const
  await commitToWiki(ctx, caller, repo, change, (entries) => {
    assertFree(entries, file)
    const files = [{ path: file, content, mode: '100644' }]
    return { files, message: message || `Add ${JSON.stringify(title)}` }
  })
  return file
}

/** The name of the file that it has then. */
export async function editPage(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  name: string,
  { title, content, message, replaces }: PageEdit,
): Promise<string> {
  const { file: current } = await loadPage(ctx, repo, name)
  const file = title === '' ? current : fileOfNew(title)
  const change = { action: 'edited', page: addressOfFile(file) } as const
  await commitToWiki(ctx, caller, repo, change, (entries) => {
    const { id, mode } = loadEntry(entries, current)
    if (replaces !== undefined && replaces !== id) throw changedMeanwhile()
    if (file !== current) assertFree(entries, file)
    const removed = { path: current, content: undefined, mode: '' }
    const written = { path: file, content: content ?? id, mode }
    const files = file === current ? [written] : [removed, written]
    return { files, message: message || `Update ${JSON.stringify(titleOfFile(file))}` }
  })
  return file
}

export async function removePage(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  name: string,
): Promise<void> {
  const { file } = await loadPage(ctx, repo, name)
  const change = { action: 'deleted', page: addressOfFile(file), comment: '' } as const
  await commitToWiki(ctx, caller, repo, change, (entries) => {
    loadEntry(entries, file)
    const files = [{ path: file, content: undefined, mode: '' }]
    return { files, message: `Delete ${JSON.stringify(titleOfFile(file))}` }
  })
}

function fileOfNew(title: string): string {
  if (isReserved(title)) throw refused(`wiki name is reserved: ${title}`, 'name_reserved')
  const file = fileOf(addressOf(title))
  if (!isPathAllowed(file)) throw refused(`wiki name is not allowed: ${title}`, 'name_invalid')
  return file
}

function assertFree(entries: readonly TreeEntry[], file: string): void {
  if (!entries.some(({ name }) => name === file)) return
  throw refused(`wiki page already exists [title: ${titleOfFile(file)}]`, 'name_taken')
}

function refused(message: string, reason: Reason): AppError {
  return new AppError('bad_request', message, { reason })
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', 'the page has changed meanwhile')
}

interface Planned {
  readonly files: readonly WrittenFile[]
  readonly message: string
}

/** How often a change is tried again on what somebody else has committed meanwhile. */
const MAX_ATTEMPTS = 20

type PageChange = Omit<PageNews, 'comment'> & Partial<PageNews>

/** What `plan` makes of the files that are there, on whatever the branch is by then. */
async function commitToWiki(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  change: PageChange,
  plan: (entries: readonly TreeEntry[]) => Planned,
): Promise<void> {
  const folder = await wikiToWrite(ctx, repo)
  try {
    const { comment, update } = await commitTo(ctx, caller, repo, folder, plan)
    await orTakeBack(ctx, folder, [update], async () => {
      await mendHead(ctx, folder)
      await afterWikiChange(ctx, caller, repo, [{ comment, ...change }])
    })
  } finally {
    // Git also writes where the folder was just removed, be it only how it failed.
    await assertNotStray(ctx, repo, folder)
  }
}

async function commitTo(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  folder: string,
  plan: (entries: readonly TreeEntry[]) => Planned,
): Promise<{ readonly comment: string; readonly update: RefUpdate }> {
  return inTurn(ctx, repo.id, async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const branch = await headOf(folder)
      const { parent, entries } = await readTip(ctx, folder, branch)
      const { files, message } = plan(entries)
      const signature = { ...gitIdentity(ctx.config, caller.account), at: ctx.now(), zone: 0 }
      const people = { author: signature, committer: signature }
      const text = message.replaceAll('\0', '').trim()
      const commit = { branch, parent, message: `${text}\n`, ...people, files }
      const outcome = await commitWithin(ctx, repo, folder, commit)
      if (outcome.kind !== 'written') continue
      const update = { ref: `refs/heads/${branch}`, before: parent, after: outcome.id }
      return { comment: text, update }
    }
    throw new AppError('conflict', 'the wiki changes too often to be committed to')
  })
}

async function readTip(ctx: Context, folder: string, branch: string) {
  return withObjects(ctx.git, folder, async (objects) => {
    const parent = (await findBranch(objects, branch))?.commitId
    return { parent, entries: await readEntries(objects, parent) }
  })
}
