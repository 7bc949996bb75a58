import type { Check } from './check.ts'
import {
  findIssueCountDrift,
  findNumberDrift,
  mendIssueCounts,
  mendNumbers,
} from './issue-queries.ts'

export const issueChecks: readonly Check[] = [
  { name: 'counts of issues are right', find: findIssueCountDrift, mend: mendIssueCounts },
  { name: 'numbers of issues are given once', find: findNumberDrift, mend: mendNumbers },
]
