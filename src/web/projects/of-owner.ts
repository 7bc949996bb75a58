import { basePath } from '../../platform/config/urls.ts'
import { notFound } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import { loadIssue } from '../../collaboration/issues/load.ts'
import {
  boardsOf,
  boardsToArrange,
  mayArrangeBoardsOf,
} from '../../collaboration/projects/owners.ts'
import { boardsPath } from '../../collaboration/projects/present.ts'
import { loadVisible } from '../../repositories/repository/load.ts'
import type { Account } from '../../identity/users/account.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import type { Page } from '../layout.ts'
import type { Look, Shown, Submitted } from '../look.ts'
import { inOwnerFrame } from '../owner-frame.ts'
import { isOfScript } from '../of-script.ts'
import type { BoardsForm, BoardsLook, BoardsPage, Done, Naming } from './look.ts'

/** A page of boards of the account of the path. */
export function pageOfOwner(
  page: (look: BoardsLook) => Promise<BoardsPage>,
  { isForArranging = false } = {},
) {
  return async (look: Look): Promise<Page> => {
    const owner = await loadVisibleAccount(look.ctx, look.viewer, look.param('owner'))
    if (isForArranging) await boardsToArrange(look.ctx, look.viewer, owner)
    return inFrame(look, owner, await page(await lookOf(look, owner)))
  }
}

/** A form of such a page. */
export function formOfOwner(act: (form: BoardsForm) => Promise<Done>) {
  return async (submitted: Submitted): Promise<Shown> => {
    const { ctx, viewer, form } = submitted
    const owner = await loadVisibleAccount(ctx, viewer, submitted.param('owner'))
    await boardsToArrange(ctx, viewer, owner)
    const done = await act({ ...(await lookOf(submitted, owner)), viewer, form })
    if (!('leadsTo' in done)) {
      return { page: await inFrame(submitted, owner, done), status: 422 }
    }
    return isOfScript(submitted.request) ? { record: done } : done
  }
}

async function lookOf(look: Look, owner: Account): Promise<BoardsLook> {
  const { ctx, viewer, query, request, param } = look
  return {
    ctx,
    viewer,
    query,
    request,
    param,
    boards: await boardsOf(ctx, viewer, owner),
    path: `${basePath(ctx.config)}/${boardsPath(owner)}`,
    mayArrange: await mayArrangeBoardsOf(ctx, viewer, owner),
    naming: namingOf(look, owner),
    besides: undefined,
  }
}

function namingOf({ ctx, viewer }: Look, owner: Account): Naming {
  return {
    name: ({ home, issue }) => `${home.name}#${issue.number}`,
    hint: 'repository#number',
    unknown: `There is no such issue or pull request. Name it as in repository#1.`,
    find: async (typed) => {
      const [, repo = '', number = ''] = /^(?:[^/#]+\/)?([^/#]+)#(\d+)$/.exec(typed) ?? []
      if (repo === '') throw notFound()
      const view = await loadVisible(ctx, viewer, { owner: owner.name, repo })
      return loadIssue(ctx, view, readInteger(number))
    },
  }
}

async function inFrame(look: Look, owner: Account, page: BoardsPage): Promise<Page> {
  return inOwnerFrame(look, owner, { tab: 'projects', ...page })
}
