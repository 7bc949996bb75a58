interface Named {
  readonly login?: string
  readonly full_name?: string
  readonly number?: number
  readonly title?: string
  readonly name?: string
  readonly tag_name?: string
  readonly html_url?: string
  readonly version?: string
  readonly owner?: Named
}

interface Told {
  readonly action?: string
  readonly ref?: string
  readonly ref_type?: string
  readonly page?: string
  readonly total_commits?: number
  readonly repository?: Named
  readonly forkee?: Named
  readonly sender?: Named
  readonly issue?: Named
  readonly comment?: Named
  readonly release?: Named
  readonly attachment?: Named
  readonly package?: Named
}

/** One line about an event, for services that show text. */
export function describeEvent(kind: string, payload: Readonly<Record<string, unknown>>): string {
  const told = payload as Told
  const where = told.repository?.full_name ?? told.package?.owner?.login ?? ''
  const who = told.sender?.login ?? ''
  return `[${where}] ${who} ${whatHappened(kind, told)}`.replace(/\s+/g, ' ').trim()
}

function whatHappened(kind: string, told: Told): string {
  const { action = '', ref = '', issue, comment, release } = told
  const about = issue ? `#${issue.number ?? 0} ${issue.title ?? ''}` : ''
  switch (kind) {
    case 'push':
      return `pushed ${told.total_commits ?? 0} commit(s) to ${ref.replace(/^refs\/\w+\//, '')}`
    case 'create':
    case 'delete':
      return `${kind}d ${told.ref_type ?? ''} ${ref}`
    case 'fork':
      return `forked ${told.forkee?.full_name ?? ''}`
    case 'repository':
    case 'repository_update':
      return `${action} the repository`
    case 'release':
      return `${action} release ${release?.name || (release?.tag_name ?? '')} ${release?.html_url ?? ''}`
    case 'attachment':
      return `${action} the attachment ${told.attachment?.name ?? ''} ${about}`
    case 'package':
      return `${action} the package ${told.package?.name ?? ''} ${told.package?.version ?? ''} ${told.package?.html_url ?? ''}`
    case 'wiki':
      return `${action} the wiki page ${told.page ?? ''}`
    case 'issue_comment':
    case 'pull_request_comment':
      return `${action} a comment on ${about} ${comment?.html_url ?? ''}`
    default:
      return issue ? `${action} ${about} ${issue.html_url ?? ''}` : `${kind} ${action}`
  }
}
