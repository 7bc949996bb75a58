import { readingCode } from '../../code/commits/code.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { AppError, Moved } from '../../platform/errors.ts'
import { readTip } from '../../platform/git/tip.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { assertReads, loadVisible } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { WeighedCache } from '../../platform/caches/weighed-cache.ts'
import { defaultConfig, type ReadConfig } from './config.ts'
import { findIssueFiles, noIssueFiles, type IssueFiles, type RefusedFile } from './find.ts'

const MAX_CACHED_BYTES = 32 * 1024 * 1024

/** What repositories say about new issues, kept by the commit that says it. */
export class IssueFilesReader {
  readonly #ctx: Context
  readonly #cache = new WeighedCache<IssueFiles>('issue_templates', MAX_CACHED_BYTES)

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  async templates(
    caller: Caller,
    view: RepositoryView,
  ): Promise<Pick<IssueFiles, 'templates' | 'failures'>> {
    const own = await this.#read(view.repo)
    const hasOwn = own.templates.length > 0 || own.failures.length > 0
    return hasOwn ? own : ((await this.#shared(caller, view)) ?? own)
  }

  /** What is wrong with the files: for those who can write them. */
  async refused(caller: Caller, view: RepositoryView): Promise<readonly RefusedFile[]> {
    const { failures } = await this.templates(caller, view)
    const { config } = await this.#read(view.repo)
    return config && config.problem !== '' ? [...failures, config] : failures
  }

  async config(caller: Caller, view: RepositoryView): Promise<ReadConfig> {
    const own = await this.#read(view.repo)
    const config = own.config ?? (await this.#shared(caller, view))?.config
    return config ?? { config: defaultConfig, problem: '' }
  }

  async #read(repo: Repository): Promise<IssueFiles> {
    const tip = await readTip(folderOf(this.#ctx, repo), repo.defaultBranch)
    if (tip === undefined) return noIssueFiles
    return this.#cache.get(`${repo.folder} ${tip}`, async () => {
      const value = await readingCode(this.#ctx, repo, (objects) => findIssueFiles(objects, tip))
      return { value, weight: weigh(value) }
    })
  }

  /**
   * What an organization has for those of its repositories that say nothing, as far as the caller
   * may read it.
   */
  async #shared(caller: Caller, { owner, repo }: RepositoryView): Promise<IssueFiles | undefined> {
    if (!this.#ctx.config.repositories.organization_issue_templates) return undefined
    if (owner.kind !== 'organization' || repo.name.toLowerCase() === SHARED_NAME) return undefined
    try {
      const shared = await loadVisible(this.#ctx, caller, { owner: owner.name, repo: SHARED_NAME })
      assertReads(shared, 'repo.code')
      return await this.#read(shared.repo)
    } catch (error) {
      if (error instanceof AppError || error instanceof Moved) return undefined
      throw error
    }
  }
}

const SHARED_NAME = '.gitea'

function weigh({ templates, failures, config }: IssueFiles): number {
  return 1000 + JSON.stringify([templates, failures, config]).length
}
