import type { Context } from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { signedIn } from '../../platform/http/call.ts'
import type { FileTerms } from '../../platform/http/stored-form.ts'
import { createIssueWithFiles } from '../../collaboration/issue-attachments/issue-with-files.ts'
import {
  composeBody,
  findUnanswered,
  labelOf,
} from '../../collaboration/issue-templates/compose.ts'
import { IssueFilesReader } from '../../collaboration/issue-templates/load.ts'
import type { IssueTemplate } from '../../collaboration/issue-templates/template.ts'
import { assertNotArchived, readsUnit, writesUnit } from '../../repositories/repository/load.ts'
import { html } from '../../platform/html.ts'
import type { Site } from '../layout.ts'
import { pathTo, repositoryPage, type Shown, type Visit } from '../repository/visit.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import { textIn } from './editor.ts'
import { mayAttachToNew } from './files-path.ts'
import { factsOf, readFacts } from './new-facts.ts'
import {
  BLANK,
  renderChoices,
  renderNewIssue,
  renderRefused,
  type NewIssueState,
} from './new-page.ts'
import { isAboutRoom, noRoom, statusOf, termsOf, whatNow, whyRefused } from './sent-files.ts'
import { answersIn } from './template-fields.ts'
import type { PageServer } from '../page-server.ts'

/** New issues: a choice of templates where the repository has any, then a form. */
export function newIssueRoutes(server: PageServer, ctx: Context, site: Site): void {
  const files = new IssueFilesReader(ctx)
  const path = '/:owner/:repo/issues/new'
  server.get(
    path,
    repositoryPage(ctx, site, (visit) => showForm(files, visit)),
  )
  server.get(
    `${path}/choose`,
    repositoryPage(ctx, site, (visit) => showChoices(files, visit)),
  )
  server.post(
    path,
    repositoryForm(ctx, site, (submitted) => create(files, submitted), { takeFiles }),
  )
}

async function showForm(files: IssueFilesReader, visit: Visit): Promise<Shown> {
  assertMayWrite(visit)
  const { query } = visit
  const asked = query.text('template')
  const { templates, config, refused } = await loadFiles(files, visit)
  const template = templates.find(({ path }) => path === asked)
  const hasChoice = templates.length > 0 || config.contactLinks.length > 0
  if (
    !template &&
    (hasChoice ? asked !== BLANK || !config.blankIssues : asked && asked !== BLANK)
  ) {
    return { leadsTo: pathTo(visit, 'issues/new/choose') }
  }
  const title = query.text('title') ?? template?.title ?? ''
  const body = query.text('body') ?? template?.content ?? ''
  const facts = await factsOf(visit, template)
  return renderForm(visit, { template, title, body, facts, refused })
}

async function showChoices(files: IssueFilesReader, visit: Visit): Promise<Shown> {
  assertMayWrite(visit)
  const { templates, config, refused } = await loadFiles(files, visit)
  const content = html`${renderRefused(refused)}${renderChoices(visit, templates, config)}`
  return { tab: 'issues', title: 'New issue', content }
}

/** What is not said of a new issue here. */
const plain = { ref: '', isClosed: false, projectIds: [], dueAt: 0 }

/** From those who may write an issue. */
async function takeFiles(visit: Visit): Promise<FileTerms> {
  assertMayWrite(visit)
  if (!mayAttachToNew(visit)) throw notFound()
  return termsOf(visit.ctx)
}

async function create(files: IssueFilesReader, submitted: Submitted): Promise<Done> {
  assertMayWrite(submitted)
  const { ctx, viewer, view, form, stored, refused } = submitted
  const { templates } = await loadFiles(files, submitted)
  const template = templates.find(({ path }) => path === form.get('template'))
  const title = form.get('title') ?? ''
  const body = textIn(form)
  const answers = answersIn(form)
  const chosen = stored.count > 0 ? whatNow(submitted) : undefined
  const facts = await readFacts(submitted, form, template)
  const state = { template, title, body, answers, facts, filesProblem: chosen }
  if (refused) {
    const filesProblem = whyRefused(submitted, refused)
    return {
      ...(await renderForm(submitted, { ...state, filesProblem })),
      status: statusOf(refused),
    }
  }
  const missing = template?.fields && findUnanswered(template.fields, answers)
  if (missing) {
    const message = `“${labelOf(missing)}” is needed.`
    return renderForm(submitted, { ...state, problem: { id: missing.id, message } })
  }
  const text = template?.fields ? composeBody(template.fields, answers) : body
  const wanted = { ...plain, ...facts, title, body: text }
  try {
    const issue = await createIssueWithFiles(ctx, viewer, view, wanted, stored.take())
    return { leadsTo: pathTo(submitted, 'issues', String(issue.number)) }
  } catch (error) {
    if (isAboutRoom(error))
      return renderForm(submitted, { ...state, filesProblem: noRoom(submitted) })
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    return renderForm(submitted, {
      ...state,
      problem: { id: 'title', message: 'Give it a title.' },
    })
  }
}

async function renderForm(visit: Visit, state: NewIssueState) {
  return {
    tab: 'issues',
    title: 'New issue',
    content: html`${renderRefused(state.refused)}${await renderNewIssue(visit, state)}`,
  } as const
}

/** Whoever reads issues may write one, once they are signed in. */
function assertMayWrite({ viewer, view }: Visit): void {
  if (!readsUnit(view, 'repo.issues')) throw notFound()
  signedIn(viewer)
  assertNotArchived(view)
}

/** Templates are code: who does not read that has none. */
async function loadFiles(files: IssueFilesReader, { viewer, view }: Visit) {
  const none: readonly IssueTemplate[] = []
  const refused = writesUnit(view, 'repo.code') ? await files.refused(viewer, view) : []
  if (!readsUnit(view, 'repo.code')) {
    return { templates: none, config: { blankIssues: true, contactLinks: [] }, refused }
  }
  const { templates } = await files.templates(viewer, view)
  return { templates, config: (await files.config(viewer, view)).config, refused }
}
