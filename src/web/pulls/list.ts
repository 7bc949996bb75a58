import { assertReadsPulls } from '../../pulls/load.ts'
import { showList, type Kind } from '../issues/list.ts'
import type { Shown, Visit } from '../repository/visit.ts'

const pulls: Kind = {
  tab: 'pulls',
  title: 'Pull requests',
  name: 'pull request',
  purpose:
    'A pull request asks to bring the commits of one branch into another, after somebody has looked at them.',
  make: { path: 'compare', label: 'New pull request', invitation: 'Compare two branches' },
}

export async function showPulls(visit: Visit): Promise<Shown> {
  assertReadsPulls(visit.view)
  return showList(visit, pulls)
}
