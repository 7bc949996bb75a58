import type { Activity } from '../../outbound/activity/queries.ts'
import type { ActivityKind } from '../../events/activity/record.ts'
import type { Caller, Context } from '../../platform/context.ts'
import type { Refer } from '../../platform/markup/references.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { avatar } from '../avatar.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { personLink } from '../person.ts'
import { idLink, subjectOf } from './commit-line.ts'
import { linkReferences, loadReferences } from './references.ts'
import { codePath } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

const MAX_COMMITS = 5

/** The repository in which something happened, and where what is said there leads. */
type Place = Pick<Visit, 'ctx' | 'home'> & { readonly refer: Refer }

/** What happened in a repository. */
export interface Happened {
  readonly activity: Activity
  readonly view: RepositoryView
}

/** For the lines of a feed: where the messages of commits lead. */
export async function loadFeedReferences(
  ctx: Context,
  viewer: Caller,
  lines: readonly Happened[],
): Promise<(view: RepositoryView) => Refer> {
  const texts = lines.flatMap(({ activity, view }) =>
    readCommits(activity.content).map((commit) => ({ view, text: subjectOf(commit) })),
  )
  return loadReferences(ctx, viewer, texts)
}

/**
 * One line of the feed, with what belongs to it below; `where` for feeds of more than one
 * repository.
 */
export function renderActivity(visit: Place, activity: Activity, where?: Html): Html {
  const { ctx } = visit
  const { account, createdAt } = activity
  return html`<li>
${avatar(ctx.config, account, 24)}
<div class="about">${personLink(ctx.config, account)} ${renderTold(tellActivity(visit, activity))}${where}
${renderDetails(visit, activity)}</div>
<span class="end mute">${timeAgo(ctx.now(), createdAt)}</span>
</li>`
}

/** What somebody did, without who. */
export interface Told {
  readonly done: string
  /** To what, which is there under `leadsTo` unless it is gone. */
  readonly what?: string
  readonly leadsTo?: string
}

export function tellActivity(visit: Pick<Place, 'home'>, activity: Activity): Told {
  const tell = tellers[activity.kind as ActivityKind]
  return tell ? tell(visit, activity) : { done: activity.kind }
}

function renderTold({ done, what, leadsTo }: Told): Html {
  if (what === undefined) return html`${done}`
  return leadsTo === undefined
    ? html`${done} <b>${what}</b>`
    : html`${done} <a href="${leadsTo}">${what}</a>`
}

type Tell = (visit: Pick<Place, 'home'>, activity: Activity) => Told

const issue =
  (done: string): Tell =>
  (visit, activity) => ({ done, ...numbered(visit, 'issues', activity) })
const pull =
  (done: string): Tell =>
  (visit, activity) => ({ done, ...numbered(visit, 'pulls', activity) })
const branch =
  (done: string): Tell =>
  (visit, activity) => ({ done, ...named(visit, activity) })
const gone =
  (done: string): Tell =>
  (_visit, { refName }) => ({ done, what: shortName(refName) })

const tellers: Readonly<Record<ActivityKind, Tell>> = {
  create_repo: () => ({ done: 'created the repository' }),
  rename_repo: (_visit, { content }) => ({ done: 'renamed the repository from', what: content }),
  transfer_repo: (_visit, { content }) => ({
    done: 'transferred the repository from',
    what: content,
  }),
  commit_repo: (visit, activity) => ({
    done: activity.content === '' ? 'created the branch' : 'pushed to',
    ...named(visit, activity),
  }),
  push_tag: branch('pushed the tag'),
  delete_tag: gone('deleted the tag'),
  delete_branch: gone('deleted the branch'),
  create_issue: issue('opened the issue'),
  comment_issue: issue('commented on'),
  close_issue: issue('closed the issue'),
  reopen_issue: issue('reopened the issue'),
  create_pull_request: pull('opened the pull request'),
  comment_pull: pull('commented on the pull request'),
  close_pull_request: pull('closed the pull request'),
  reopen_pull_request: pull('reopened the pull request'),
  merge_pull_request: pull('merged the pull request'),
  auto_merge_pull_request: pull('merged, as planned, the pull request'),
  approve_pull_request: pull('approved the pull request'),
  reject_pull_request: pull('asked for changes in the pull request'),
  publish_release: (visit, { refName, content }) => ({
    done: 'released',
    what: content || shortName(refName),
    leadsTo: pathTo(visit, 'releases', 'tag', shortName(refName)),
  }),
  mirror_sync_push: branch('brought from the mirrored repository'),
  mirror_sync_create: branch('found, in the mirrored repository, the new'),
  mirror_sync_delete: gone('no longer found, in the mirrored repository,'),
}

/** `refs/heads/main` and `refs/tags/v1` by the names that people call them. */
function shortName(refName: string): string {
  return refName.replace(/^refs\/(?:heads|tags)\//, '')
}

function named(visit: Pick<Place, 'home'>, { refName }: Activity): Omit<Told, 'done'> {
  const kind = refName.startsWith('refs/tags/') ? 'tag' : 'branch'
  const name = shortName(refName)
  return { what: name, leadsTo: codePath(visit, 'src', { kind, name }) }
}

/** The number stands in front of what was said. */
function numbered(
  visit: Pick<Place, 'home'>,
  of: 'issues' | 'pulls',
  { content }: Activity,
): Omit<Told, 'done'> {
  const number = content.split('|', 1)[0] ?? ''
  return { what: `#${number}`, leadsTo: pathTo(visit, of, number) }
}

/** The commits of a push, or what was said. */
export function renderDetails(visit: Place, { content }: Activity): Part {
  const commits = readCommits(content)
  if (commits.length > 0) {
    const lines = commits.map(
      ({ id, message }) =>
        html`<li>${idLink(visit, id)} ${linkReferences(subjectOf({ message }), visit.refer)}</li>`,
    )
    return html`<ul class="plain mute">${lines}</ul>`
  }
  const said = /^\d+\|(.+)$/s.exec(content)?.[1]
  return said !== undefined && html`<p class="mute">${said}</p>`
}

interface ToldCommit {
  readonly id: string
  readonly message: string
}

/** Of a push, as it was recorded. */
function readCommits(content: string): readonly ToldCommit[] {
  if (!content.startsWith('{')) return []
  try {
    const { Commits } = JSON.parse(content) as {
      Commits?: readonly Record<string, string>[] | null
    }
    return (Commits ?? [])
      .slice(0, MAX_COMMITS)
      .map(({ Sha1 = '', Message = '' }) => ({ id: Sha1, message: Message }))
  } catch {
    return []
  }
}
