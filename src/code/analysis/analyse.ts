import { readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { readCommit } from '../../platform/git/history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { TreeEntry } from '../../platform/git/parse.ts'
import { findBranch } from '../../platform/git/revisions.ts'
import { kindOf, readTree } from '../../platform/git/tree.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { countLanguages } from './count.ts'
import { findLicenses, isLicenseFile, isLicenseFolder } from './licenses.ts'
import {
  findAnalysed,
  findLanguageTotals,
  replaceLanguages,
  saveLanguageTotals,
  updateFindings,
} from './queries.ts'

/** Larger files are no licences. */
const MAX_LICENSE_BYTES = 128 * 1024
const MAX_LICENSE_FILES = 50

/** The job after a push: what the default branch is written in, and under which licences. */
export async function analyseRepository(ctx: Context, id: number): Promise<void> {
  let commitId: string | undefined
  do {
    commitId = await analyseTip(ctx, id)
    // Somebody else may have looked at a later push, and was done sooner.
  } while (commitId !== undefined && commitId !== (await findTip(ctx, id)))
}

/** Says what was looked at; nothing where there is nothing to look at. */
async function analyseTip(ctx: Context, id: number): Promise<string | undefined> {
  const repo = await findAnalysed(ctx.db, id)
  if (!repo || repo.isEmpty) return undefined
  const found = await readingCode(ctx, repo, (objects) => examine(ctx, repo, objects))
  if (!found) return undefined
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'repository', id)
    await replaceLanguages(tx, id, found.languages)
    await saveLanguageTotals(tx, id, found.counted)
    await updateFindings(tx, id, {
      language: found.languages[0]?.language ?? '',
      licenses: found.licenses,
    })
  })
  return found.commitId
}

async function findTip(ctx: Context, id: number): Promise<string | undefined> {
  const repo = await findAnalysed(ctx.db, id)
  if (!repo) return undefined
  return readingCode(
    ctx,
    repo,
    async (objects) => (await findBranch(objects, repo.defaultBranch))?.commitId,
  )
}

async function examine(ctx: Context, repo: Repository, objects: ObjectReader) {
  const branch = await findBranch(objects, repo.defaultBranch)
  if (!branch) return undefined
  const { treeId } = await readCommit(objects, branch.commitId)
  const before = await findLanguageTotals(ctx.db, repo.id)
  return {
    commitId: branch.commitId,
    ...(await countLanguages(ctx, repo, treeId, before)),
    licenses: await namesOfLicenses(objects, treeId),
  }
}

async function namesOfLicenses(objects: ObjectReader, treeId: string): Promise<readonly string[]> {
  const names = new Set<string>()
  for (const { id } of await listLicenses(objects, treeId)) {
    const file = await objects.read(id, MAX_LICENSE_BYTES)
    if (!file) continue
    for (const name of await findLicenses(file.content.toString('utf8'))) names.add(name)
  }
  return [...names].sort()
}

async function listLicenses(objects: ObjectReader, treeId: string): Promise<readonly TreeEntry[]> {
  const root = await readTree(objects, treeId)
  const found = root.filter((entry) => kindOf(entry) === 'file' && isLicenseFile(entry.name))
  const folders = root.filter((entry) => kindOf(entry) === 'dir' && isLicenseFolder(entry.name))
  for (const { id } of folders) {
    found.push(...(await readTree(objects, id)).filter((entry) => kindOf(entry) === 'file'))
  }
  return found.slice(0, MAX_LICENSE_FILES)
}
