import type { FastifyInstance } from 'fastify'
import { addComment } from '../../comments/change.ts'
import type { Context } from '../../context.ts'
import { readInteger } from '../../http/query.ts'
import { editIssue } from '../../issues/edit.ts'
import { loadIssue } from '../../issues/load.ts'
import { assertNotArchived } from '../../repositories/load.ts'
import type { Site } from '../layout.ts'
import { pathTo, repositoryPage } from '../repository/visit.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import { anchorOf, showIssue } from './issue.ts'
import { showIssues } from './list.ts'
import { newIssueRoutes } from './new.ts'
import { addUploads } from './upload.ts'

export function issuePages(server: FastifyInstance, ctx: Context, site: Site): void {
  const issues = '/:owner/:repo/issues'
  server.get(issues, repositoryPage(ctx, site, showIssues))
  newIssueRoutes(server, ctx, site)
  server.get(
    `${issues}/:index`,
    repositoryPage(ctx, site, (visit) => showIssue(visit)),
  )
  server.post(`${issues}/:index/comments`, repositoryForm(ctx, site, reply))
  addUploads(server, ctx, site)
}

/** A comment, a change of state, or both: what is said first is heard first. */
async function reply(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, param } = submitted
  const issue = await loadIssue(ctx, view, readInteger(param('index')))
  assertNotArchived(view)
  const body = (form.get('body') ?? '').replaceAll('\r\n', '\n')
  const state = states[form.get('action') ?? '']
  if (body.trim() === '' && state === undefined) {
    return showIssue(submitted, { body, problem: 'Write something first.' })
  }
  const comment = body.trim() === '' ? undefined : await addComment(ctx, viewer, view, issue, body)
  if (state !== undefined) await editIssue(ctx, viewer, view, issue, { state })
  const path = pathTo(submitted, 'issues', String(issue.number))
  return { leadsTo: comment ? `${path}#${anchorOf(comment)}` : path }
}

const states: Readonly<Record<string, string>> = { close: 'closed', reopen: 'open' }
