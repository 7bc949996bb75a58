/**
 * What a webhook can listen to, each by its exact name. The last two are ours, beyond the contract.
 */
export const eventKinds = [
  'create',
  'delete',
  'fork',
  'push',
  'issues',
  'issue_assign',
  'issue_label',
  'issue_milestone',
  'issue_comment',
  'pull_request',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_comment',
  'pull_request_review',
  'pull_request_review_request',
  'pull_request_sync',
  'wiki',
  'repository',
  'release',
  'package',
  'status',
  'workflow_run',
  'workflow_job',
  'repository_update',
  'attachment',
] as const

export type EventKind = (typeof eventKinds)[number]

const whole = {
  issues: eventKinds.filter((kind) => kind.startsWith('issue')),
  pull_request: eventKinds.filter((kind) => kind.startsWith('pull_request')),
} as const

/**
 * Names of groups stand for all in them, `…_only` for the first alone; unknown names are passed
 * over, and the letter case plays no part.
 */
export function readEvents(names: readonly string[]): readonly EventKind[] {
  if (names.length === 0) return ['push']
  const wanted = new Set(names.flatMap((name) => expand(name.toLowerCase())))
  return eventKinds.filter((kind) => wanted.has(kind))
}

function expand(name: string): readonly string[] {
  if (name === 'issues' || name === 'pull_request') return whole[name]
  return [name.replace(/^(issues|pull_request)_only$/, '$1')]
}

/** What receivers know an event by: the kinds of one group share a name. */
export function groupOf(kind: string): string {
  if (/^issue_(assign|label|milestone)$/.test(kind)) return 'issues'
  if (kind === 'pull_request_comment') return 'issue_comment'
  if (/^pull_request_review_(approved|rejected|comment)$/.test(kind)) {
    return kind.replace('_review', '')
  }
  if (/^pull_request_(assign|label|milestone|sync|review_request)$/.test(kind)) {
    return 'pull_request'
  }
  return kind
}
