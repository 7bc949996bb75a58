import { assertReadsPulls } from '../../collaboration/pulls/load.ts'
import { showList, type Kind } from '../issues/list.ts'
import { newPullPath } from '../repository/offered-branch.ts'
import { pathTo, type Shown, type Visit } from '../repository/visit.ts'

const pulls: Kind = {
  tab: 'pulls',
  title: 'Pull requests',
  name: 'pull request',
  purpose:
    'A pull request asks to bring the commits of one branch into another, after somebody has looked at them.',
  make: {
    path: (visit) => newPullPath(visit, visit.view.repo.defaultBranch) ?? pathTo(visit, 'compare'),
    label: 'New pull request',
    invitation: 'Compare two branches',
  },
}

export async function showPulls(visit: Visit): Promise<Shown> {
  assertReadsPulls(visit.view)
  return showList(visit, pulls)
}
