import { readingCode } from '../commits/code.ts'
import type { Context } from '../context.ts'
import { readCommit } from '../git/history.ts'
import type { ObjectReader } from '../git/objects.ts'
import { findBranch } from '../git/revisions.ts'
import { kindOf, readTree, walkTree } from '../git/tree.ts'
import { folderOf } from '../repositories/folder.ts'
import type { Repository } from '../repositories/repository.ts'
import { languageOf } from './languages.ts'
import { findLicense, isLicenseFile } from './licenses.ts'
import { findAnalysed, replaceLanguages, updateFindings } from './queries.ts'

/** Larger files are no licences. */
const MAX_LICENSE_BYTES = 128 * 1024

/** The job after a push: what the default branch is written in, and under which licences. */
export async function analyseRepository(ctx: Context, id: number): Promise<void> {
  const repo = await findAnalysed(ctx.db, id)
  if (!repo || repo.isEmpty) return
  const found = await readingCode(ctx, repo, (objects) => examine(ctx, repo, objects))
  if (!found) return
  await ctx.db.transaction().execute(async (tx) => {
    await replaceLanguages(tx, id, found.languages)
    await updateFindings(tx, id, {
      language: found.languages[0]?.language ?? '',
      licenses: found.licenses,
    })
  })
}

async function examine(ctx: Context, repo: Repository, objects: ObjectReader) {
  const branch = await findBranch(objects, repo.defaultBranch)
  if (!branch) return undefined
  const { treeId } = await readCommit(objects, branch.commitId)
  return {
    languages: await countLanguages(ctx, repo, objects, treeId),
    licenses: await findLicenses(objects, treeId),
  }
}

/** Most bytes first. */
async function countLanguages(
  ctx: Context,
  repo: Repository,
  objects: ObjectReader,
  treeId: string,
): Promise<readonly { readonly language: string; readonly bytes: number }[]> {
  const { entries } = await walkTree(ctx.git, folderOf(ctx, repo), treeId, { recursive: true })
  const totals = new Map<string, number>()
  for (const entry of entries) {
    const language = kindOf(entry) === 'file' ? languageOf(entry.path) : undefined
    if (language === undefined) continue
    const size = (await objects.info(entry.id))?.size ?? 0
    totals.set(language, (totals.get(language) ?? 0) + size)
  }
  return [...totals]
    .map(([language, bytes]) => ({ language, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes || (a.language < b.language ? -1 : 1))
}

async function findLicenses(objects: ObjectReader, treeId: string): Promise<readonly string[]> {
  const names = new Set<string>()
  for (const entry of await readTree(objects, treeId)) {
    if (kindOf(entry) !== 'file' || !isLicenseFile(entry.name)) continue
    const file = await objects.read(entry.id, MAX_LICENSE_BYTES)
    const name = file && findLicense(file.content.toString('utf8'))
    if (name !== undefined) names.add(name)
  }
  return [...names].sort()
}
