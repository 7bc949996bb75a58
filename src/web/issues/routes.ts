import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import { repositoryPage } from '../repository/visit.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import { reply, takeFilesOfReply } from './answer.ts'
import { changeComment, retitle, rewrite } from './change.ts'
import { deleteFileOfComment, deleteFileOfIssue } from './delete-file.ts'
import { showIssue } from './issue.ts'
import { showIssues } from './list.ts'
import { newIssueRoutes } from './new.ts'
import { addPreview } from './preview.ts'
import { reactToComment, reactToIssue } from './react.ts'
import { changeDependencies, changePin, changePinPosition } from './relate.ts'
import { remove } from './remove.ts'
import { changeEstimate, changeTime } from './track.ts'
import {
  changeAssignees,
  changeDueDate,
  changeLabels,
  changeLock,
  changeMilestone,
  changeProjects,
  changeSubscription,
} from './triage.ts'
import { addUploads } from './upload.ts'
import type { PageServer } from '../page-server.ts'

export function issuePages(server: PageServer, ctx: Context, site: Site): void {
  const issues = '/:owner/:repo/issues'
  server.get(issues, repositoryPage(ctx, site, showIssues))
  newIssueRoutes(server, ctx, site)
  server.get(`${issues}/:index`, repositoryPage(ctx, site, showIssue))
  const take = (path: string, act: (submitted: Submitted) => Promise<Done>) =>
    server.post(`${issues}/:index/${path}`, repositoryForm(ctx, site, act))
  take('title', retitle)
  take('text', rewrite)
  server.post(
    `${issues}/:index/comments`,
    repositoryForm(ctx, site, reply, { takeFiles: takeFilesOfReply }),
  )
  take('comments/:id', changeComment)
  take('reactions', reactToIssue)
  take('comments/:id/reactions', reactToComment)
  take('labels', changeLabels)
  take('assignees', changeAssignees)
  take('milestone', changeMilestone)
  take('projects', changeProjects)
  take('due', changeDueDate)
  take('lock', changeLock)
  take('pin', changePin)
  take('pin/position', changePinPosition)
  take('dependencies', changeDependencies)
  take('time', changeTime)
  take('estimate', changeEstimate)
  take('subscription', changeSubscription)
  take('delete', remove)
  take('attachments/:attachment/delete', deleteFileOfIssue)
  take('comments/:id/attachments/:attachment/delete', deleteFileOfComment)
  addUploads(server, ctx, site)
  addPreview(server, ctx)
}
