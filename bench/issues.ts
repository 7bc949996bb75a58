import { benchGrowth, type Reading } from './growth.ts'
import { generateTracker, type Tracker } from './world/tracker.ts'

/** Lists of issues of one repository, and of all. */
export async function issuesBench(): Promise<void> {
  await benchGrowth({
    heading: 'lists of issues',
    sizes: (process.env['BENCH_ISSUES'] ?? '1000,300000').split(',').map(Number),
    fill: generateTracker,
    readings: readingsOf,
  })
}

const since = '2030-01-01T00:00:00Z'

function readingsOf({ repository, tokens }: Tracker): readonly Reading[] {
  const queries = [
    'issues',
    'issues?state=closed',
    'issues?state=all&type=issues',
    'issues?page=10',
    'issues?labels=common',
    'issues?labels=rare',
    'issues?milestones=next',
    'issues?created_by=member',
    `issues?since=${since}`,
    'issues?q=thing',
    'issues?q=nowhere',
    'issues/comments',
    `issues/comments?since=${since}`,
    'issues/pinned',
    'issues/999',
  ]
  const everywhere = ['/repos/issues/search', '/repos/issues/search?q=nowhere']
  const paths = [...queries.map((query) => `/repos/${repository}/${query}`), ...everywhere]
  return paths.map((path) => ({ name: path, path, token: tokens.ordinary }))
}
