import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import { repositoryPage, type Show } from '../repository/visit.ts'
import { showLabels, takeLabelDelete, takeLabelEdit, takeNewLabel } from './labels.ts'
import {
  showMilestoneEdit,
  showNewMilestone,
  takeMilestoneDelete,
  takeMilestoneEdit,
  takeMilestoneState,
  takeNewMilestone,
} from './milestone-form.ts'
import { showMilestone, showMilestones } from './milestones.ts'
import { assertMayPlan } from './rights.ts'
import type { PageServer } from '../page-server.ts'

/** What issues and pull requests are sorted by: labels and milestones. */
export function trackerPages(server: PageServer, ctx: Context, site: Site): void {
  const show = (path: string, page: Show) =>
    server.get(`/:owner/:repo${path}`, repositoryPage(ctx, site, page))
  const take = (path: string, act: (submitted: Submitted) => Promise<Done>) =>
    server.post(`/:owner/:repo${path}`, repositoryForm(ctx, site, act, { admit: assertMayPlan }))

  show('/labels', (visit) => showLabels(visit))
  take('/labels/new', takeNewLabel)
  take('/labels/:id/edit', takeLabelEdit)
  take('/labels/:id/delete', takeLabelDelete)
  show('/milestones', showMilestones)
  show('/milestone/:id', showMilestone)
  show('/milestones/new', showNewMilestone)
  take('/milestones/new', takeNewMilestone)
  show('/milestones/:id/edit', showMilestoneEdit)
  take('/milestones/:id/edit', takeMilestoneEdit)
  take('/milestones/:id/state', takeMilestoneState)
  take('/milestones/:id/delete', takeMilestoneDelete)
}
