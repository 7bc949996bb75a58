import type { Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertWritesTracker } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import {
  createMilestone,
  editMilestone,
  listMilestones,
  loadMilestone,
  removeMilestone,
} from './milestones.ts'
import { presentMilestone, readMilestoneEdit, readNewMilestone } from './present.ts'
import {
  CreateMilestoneOption,
  EditMilestoneOption,
  issueCreateMilestone,
  issueDeleteMilestone,
  issueEditMilestone,
  issueGetMilestone,
  issueGetMilestonesList,
} from './schema.ts'

/** Milestones stay readable with issues and pull requests switched off. */
export function milestoneRoutes(api: Api, ctx: Context): void {
  const milestones = '/repos/:owner/:repo/milestones'

  api.get(milestones, issueGetMilestonesList, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    const filter = { state: call.query.state(), name: call.query.text('name') ?? '' }
    const found = await listMilestones(ctx, repo.id, filter, call.page)
    return call.list(found, presentMilestone, { links: false })
  })

  api.post(milestones, issueCreateMilestone, async (call) => {
    const { repo } = await loadWritable(ctx, call)
    const wanted = readNewMilestone(await call.body(CreateMilestoneOption))
    return created(presentMilestone(await createMilestone(ctx, repo.id, wanted)))
  })

  api.get(`${milestones}/:id`, issueGetMilestone, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    return ok(presentMilestone(await loadMilestone(ctx, repo.id, call.param('id'))))
  })

  api.patch(`${milestones}/:id`, issueEditMilestone, async (call) => {
    const { repo } = await loadWritable(ctx, call)
    const edit = readMilestoneEdit(await call.body(EditMilestoneOption))
    const milestone = await loadMilestone(ctx, repo.id, call.param('id'))
    return ok(presentMilestone(await editMilestone(ctx, milestone, edit)))
  })

  api.delete(`${milestones}/:id`, issueDeleteMilestone, async (call) => {
    const { repo } = await loadWritable(ctx, call)
    const { id } = await loadMilestone(ctx, repo.id, call.param('id'))
    await removeMilestone(ctx, repo.id, id)
    return noContent()
  })
}

async function loadWritable(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  call.signedIn()
  assertWritesTracker(view)
  return view
}
