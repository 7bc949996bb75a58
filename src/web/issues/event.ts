import { basePath } from '../../platform/config/urls.ts'
import { boardsPath } from '../../collaboration/projects/present.ts'
import type { Project } from '../../collaboration/projects/project.ts'
import { readsProjects } from '../../collaboration/projects/projects.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { describeSeconds } from '../../collaboration/time-tracking/tracked-time.ts'
import type { TimelineView } from '../../collaboration/timeline/view.ts'
import { avatar } from '../avatar.ts'
import { counted, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon, type IconName } from '../icons.ts'
import { personLink } from '../person.ts'
import { idLink } from '../repository/commit-line.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderLabel } from './label.ts'
import { anchorOf, pathOfOther } from './paths.ts'
import { titleText } from './title-text.ts'

type Tell = (entry: TimelineView, visit: Visit) => Part

interface Told {
  readonly icon: IconName
  readonly tell: Tell
}

const plainly =
  (text: string): Tell =>
  () =>
    text

/** What happened, in words after the name of who did it. */
const telling: Readonly<Record<string, Told>> = {
  close: { icon: 'check', tell: tellState('closed') },
  reopen: { icon: 'issue', tell: tellState('reopened') },
  label: { icon: 'tag', tell: tellLabel },
  milestone: { icon: 'clock', tell: tellMilestone },
  project: { icon: 'board', tell: tellProject },
  project_board: { icon: 'board', tell: tellColumn },
  assignees: { icon: 'person', tell: tellAssignee },
  change_title: { icon: 'comment', tell: tellTitle },
  change_issue_ref: { icon: 'branch', tell: tellRef('the branch') },
  change_target_branch: { icon: 'branch', tell: tellRef('the branch to merge into') },
  added_deadline: {
    icon: 'clock',
    tell: ({ comment }) => html`set the due date to ${comment.body}`,
  },
  modified_deadline: { icon: 'clock', tell: tellNewDay },
  removed_deadline: {
    icon: 'clock',
    tell: ({ comment }) => html`removed the due date, ${comment.body}`,
  },
  lock: {
    icon: 'lock',
    tell: ({ comment }) =>
      html`locked the conversation${comment.body !== '' && html`: ${comment.body}`}`,
  },
  unlock: { icon: 'lock', tell: plainly('unlocked the conversation') },
  pin: { icon: 'link', tell: plainly('pinned this') },
  unpin: { icon: 'link', tell: plainly('unpinned this') },
  add_dependency: { icon: 'link', tell: tellDependency('added') },
  remove_dependency: { icon: 'link', tell: tellDependency('removed') },
  issue_ref: { icon: 'link', tell: tellReference },
  pull_ref: { icon: 'link', tell: tellReference },
  comment_ref: { icon: 'link', tell: tellReference },
  commit_ref: { icon: 'commit', tell: tellCommit },
  start_tracking: { icon: 'clock', tell: plainly('started to work') },
  stop_tracking: { icon: 'clock', tell: tellTime('worked') },
  cancel_tracking: { icon: 'clock', tell: plainly('dropped the time that ran') },
  add_time_manual: { icon: 'clock', tell: tellTime('spent') },
  delete_time_manual: { icon: 'clock', tell: tellTime('took back') },
  change_time_estimate: {
    icon: 'clock',
    tell: ({ comment }) => tellEstimate(Number(comment.body) || 0),
  },
  pull_push: { icon: 'commit', tell: tellPush },
  pull_scheduled_merge: { icon: 'merge', tell: plainly('turned on auto-merge') },
  pull_cancel_scheduled_merge: { icon: 'merge', tell: plainly('turned off auto-merge') },
  merge_pull: { icon: 'merge', tell: plainly('merged this') },
  delete_branch: {
    icon: 'branch',
    tell: ({ comment }) => html`deleted the branch <code>${comment.details.oldRef}</code>`,
  },
  review_request: { icon: 'eye', tell: tellRequest },
  dismiss_review: {
    icon: 'eye',
    tell: ({ comment }) =>
      html`dismissed a review${comment.body !== '' && html`: ${comment.body}`}`,
  },
}

/** A line between what was said; what nobody has words for is left out. */
export function renderEvent(visit: Visit, entry: TimelineView): Part {
  const { comment, author } = entry
  const told = telling[comment.kind]
  if (!told) return undefined
  const { config } = visit.ctx
  return html`
<p class="event" id="${anchorOf(comment)}">${icon(told.icon)} <span>${avatar(config, author, 20)} ${author.id > 0 ? personLink(config, author) : html`<b>${author.name}</b>`} ${told.tell(entry, visit)} <a class="mute" href="#${anchorOf(comment)}">${timeAgo(visit.ctx.now(), comment.createdAt)}</a></span></p>`
}

/** By hand, or by the words of a commit or of a pull request. */
function tellState(verb: 'closed' | 'reopened'): Tell {
  return ({ comment: { details } }, visit) => {
    const { commitId, pullNumber } = details
    if (commitId !== undefined) return html`${verb} this with ${idLink(visit, commitId)}`
    if (pullNumber === undefined) return html`${verb} this`
    return html`${verb} this by merging <a href="${pathTo(visit, 'pulls', String(pullNumber))}">#${pullNumber}</a>`
  }
}

function tellLabel({ label, comment }: TimelineView): Part {
  const verb = comment.details.removed ? 'removed' : 'added'
  return label ? html`${verb} the label ${renderLabel(label)}` : html`${verb} a label that is gone`
}

function tellMilestone({ milestone, oldMilestone, comment }: TimelineView): Part {
  const name = (one: { title: string } | undefined) =>
    html`<b>${one?.title ?? 'one that is gone'}</b>`
  const { milestoneId = 0, oldMilestoneId = 0 } = comment.details
  if (milestoneId === 0) return html`removed the milestone ${name(oldMilestone)}`
  if (oldMilestoneId === 0) return html`set the milestone ${name(milestone)}`
  return html`changed the milestone from ${name(oldMilestone)} to ${name(milestone)}`
}

function tellProject({ project, comment }: TimelineView, visit: Visit): Part {
  const verb = comment.details.projectId === undefined ? 'took this off' : 'put this on'
  if (!project) return html`${verb} a project that is gone`
  const path = project === 'hidden' ? undefined : boardsShown(visit, project)
  if (project === 'hidden' || path === undefined) return html`${verb} a project`
  return html`${verb} the project <a href="${path}/${project.id}">${project.title}</a>`
}

/** A column is named as its board is: only to those who see that. */
function tellColumn({ project, comment }: TimelineView, visit: Visit): Part {
  const path = project && project !== 'hidden' ? boardsShown(visit, project) : undefined
  if (!project || project === 'hidden' || path === undefined) return 'moved this on a project'
  return html`moved this to <b>${comment.details.columnTitle}</b> on the project <a href="${path}/${project.id}">${project.title}</a>`
}

/** Where the boards are among which it is, unless they are not for the viewer. */
function boardsShown(visit: Visit, { place }: Project): string | undefined {
  const { ctx, view } = visit
  if (place.kind === 'repository')
    return readsProjects(view) ? pathTo(visit, 'projects') : undefined
  if (!readsUnit(view, 'repo.projects')) return undefined
  return `${basePath(ctx.config)}/${boardsPath(view.owner)}`
}

function tellCommit({ comment: { details, body } }: TimelineView, visit: Visit): Part {
  return html`named this in ${idLink(visit, details.commitId ?? '')} ${body}`
}

function tellAssignee({ assignee, author, comment }: TimelineView, { ctx }: Visit): Part {
  const verb = comment.details.removed ? 'unassigned' : 'assigned'
  if (!assignee) return html`${verb} somebody who is gone`
  if (assignee.id !== author.id) return html`${verb} ${personLink(ctx.config, assignee)}`
  return comment.details.removed ? 'is no longer assigned' : 'took this on'
}

function tellTitle({ comment: { details } }: TimelineView): Part {
  return html`changed the title from <del>${titleText(details.oldTitle ?? '')}</del> to <b>${titleText(details.newTitle ?? '')}</b>`
}

function tellRef(what: string): Tell {
  return ({ comment: { details } }) => {
    const { oldRef = '', newRef = '' } = details
    if (newRef === '') return html`took away ${what} <code>${oldRef}</code>`
    if (oldRef === '') return html`set ${what} to <code>${newRef}</code>`
    return html`changed ${what} from <code>${oldRef}</code> to <code>${newRef}</code>`
  }
}

function tellNewDay({ comment }: TimelineView): Part {
  const [after = '', before = ''] = comment.body.split('|')
  return html`changed the due date from ${before} to ${after}`
}

/** What the viewer may not see of another repository has no name here. */
function tellDependency(verb: string): Tell {
  return ({ dependent }, visit) => {
    if (!dependent) return html`${verb} a dependency`
    const { issue } = dependent
    const path = pathOfOther(visit.ctx.config, dependent)
    return html`${verb} the dependency <a href="${path}">${titleText(issue.title)} #${issue.number}</a>`
  }
}

function tellReference({ source, comment }: TimelineView, visit: Visit): Part {
  if (!source) return 'mentioned this'
  const { home, issue } = source
  const { commentId } = comment.details
  const path = pathOfOther(visit.ctx.config, source)
  const isHere = home.id === visit.view.repo.id
  return html`mentioned this in <a href="${path}${commentId !== undefined && `#issuecomment-${commentId}`}">${titleText(issue.title)} ${!isHere && `${home.ownerName}/${home.name}`}#${issue.number}</a>`
}

function tellEstimate(seconds: number): Part {
  if (seconds === 0) return 'removed the time estimate'
  return html`changed the time estimate to ${describeSeconds(seconds)}`
}

function tellTime(verb: string): Tell {
  return ({ comment }) => html`${verb} ${describeSeconds(Number(comment.body.slice(1)) || 0)}`
}

interface Push {
  readonly is_force_push?: boolean
  readonly commits?: number
  readonly to?: string
}

function tellPush({ comment }: TimelineView, visit: Visit): Part {
  const { is_force_push: isForce, commits = 0, to = '' } = JSON.parse(comment.body) as Push
  const what = isForce
    ? 'rewrote the branch, which is'
    : `pushed ${counted(commits, 'commit')}, up to`
  return html`${what} ${idLink(visit, to)}${isForce && ' now'}`
}

function tellRequest({ assignee, comment }: TimelineView, { ctx }: Visit): Part {
  const who: Html = assignee ? personLink(ctx.config, assignee) : html`a team`
  return comment.details.removed
    ? html`no longer asks ${who} for a review`
    : html`asked ${who} for a review`
}
