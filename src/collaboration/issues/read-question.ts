import type { Query } from '../../platform/http/query.ts'
import { concerns, type IssueQuestion, type WideQuestion } from './question.ts'

export function readQuestion(query: Query): IssueQuestion {
  return {
    ...readCommon(query),
    assignedTo: query.text('assigned_by') ?? '',
    mentioning: query.text('mentioned_by') ?? '',
  }
}

export function readWideQuestion(query: Query): WideQuestion {
  return {
    ...readCommon(query),
    owner: query.text('owner') ?? '',
    team: query.text('team') ?? '',
    concerns: concerns.filter((concern) => query.boolean(concern)),
  }
}

function readCommon(query: Query) {
  const type = query.text('type')
  return {
    kinds: { issues: type !== 'pulls', pulls: type !== 'issues' },
    state: query.state(),
    keyword: (query.text('q') ?? '').trim(),
    labels: readNames(query, 'labels'),
    milestones: readNames(query, 'milestones'),
    since: query.time('since'),
    before: query.time('before'),
    createdBy: query.text('created_by') ?? '',
  }
}

/** Separated by commas. */
function readNames(query: Query, key: string): readonly string[] {
  const names = (query.text(key) ?? '').split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}
