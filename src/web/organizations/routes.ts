import type { Context } from '../../platform/context.ts'
import { addApplicationPages } from '../applications/pages.ts'
import { addHookPages } from '../hooks/pages.ts'
import type { Site } from '../layout.ts'
import {
  fileFormOf,
  formOf,
  ownPageOf,
  pageOf,
  type Shown,
  type SignedInLook,
  type Submitted,
} from '../look.ts'
import { enterApplications } from './applications.ts'
import { addBlock, endBlock, showBlocks } from './blocks.ts'
import {
  create,
  dropAvatar,
  remove,
  removeRepositories,
  rename,
  saveAvatar,
  saveGeneral,
  showGeneral,
  showNew,
} from './general.ts'
import { enterHooks } from './hooks.ts'
import { showLabels, takeLabelDelete, takeLabelEdit, takeNewLabel } from './labels.ts'
import { dropMember as dropFromAll, showMembers } from './members.ts'
import { hideMembership, leave, showMembership, showPeople } from './people.ts'
import {
  showTeam as showTeamToAll,
  showTeamRepositories,
  showTeams as showTeamsToAll,
} from './team-view.ts'
import {
  addMember,
  addTeam,
  dropMember,
  dropTeam,
  giveRepository,
  renameTeam,
  saveRights,
  showTeam,
  showTeams,
  takeRepository,
} from './teams.ts'
import type { PageServer } from '../page-server.ts'

/** Organizations: new ones, what all see of them, and how they are set up by those who own them. */
export function organizationPages(server: PageServer, ctx: Context, site: Site): void {
  const show = (path: string, page: (look: SignedInLook) => Promise<Shown>) =>
    server.get(`/org${path}`, ownPageOf(ctx, site, page))
  const take = (path: string, act: (submitted: Submitted) => Promise<Shown>) =>
    server.post(`/org${path}`, formOf(ctx, site, act))

  show('/create', (look) => showNew(look))
  take('/create', create)
  server.get(
    '/org/:org/members',
    pageOf(ctx, site, (look) => showPeople(look)),
  )
  take('/:org/members/show', showMembership)
  take('/:org/members/hide', hideMembership)
  take('/:org/members/leave', leave)
  show('/:org/teams', showTeamsToAll)
  show('/:org/teams/:team', showTeamToAll)
  show('/:org/teams/:team/repositories', showTeamRepositories)
  show('/:org/settings', (look) => showGeneral(look))
  take('/:org/settings', saveGeneral)
  server.post('/org/:org/settings/avatar', fileFormOf(ctx, site, 'avatar', saveAvatar))
  take('/:org/settings/avatar/delete', dropAvatar)
  take('/:org/settings/rename', rename)
  take('/:org/settings/repos/delete', removeRepositories)
  take('/:org/settings/delete', remove)
  show('/:org/settings/members', showMembers)
  take('/:org/settings/members/delete', dropFromAll)
  show('/:org/settings/teams', (look) => showTeams(look))
  take('/:org/settings/teams', addTeam)
  show('/:org/settings/teams/:team', (look) => showTeam(look))
  take('/:org/settings/teams/:team/rights', saveRights)
  take('/:org/settings/teams/:team/members', addMember)
  take('/:org/settings/teams/:team/members/delete', dropMember)
  take('/:org/settings/teams/:team/repositories', giveRepository)
  take('/:org/settings/teams/:team/repositories/delete', takeRepository)
  take('/:org/settings/teams/:team/rename', renameTeam)
  take('/:org/settings/teams/:team/delete', dropTeam)
  show('/:org/settings/labels', (look) => showLabels(look))
  take('/:org/settings/labels/new', takeNewLabel)
  take('/:org/settings/labels/:id/edit', takeLabelEdit)
  take('/:org/settings/labels/:id/delete', takeLabelDelete)
  show('/:org/settings/blocks', (look) => showBlocks(look))
  take('/:org/settings/blocks', addBlock)
  take('/:org/settings/blocks/delete', endBlock)
  if (ctx.config.oauth2.enabled) {
    addApplicationPages({
      enter: enterApplications,
      show: (path, page) => show(`/:org/settings/applications${path}`, page),
      take: (path, act) => take(`/:org/settings/applications${path}`, act),
    })
  }
  addHookPages({
    enter: enterHooks,
    again: (page) => ({ page, status: 422 }),
    show: (path, page) => show(`/:org/settings/hooks${path}`, page),
    take: (path, act) => take(`/:org/settings/hooks${path}`, act),
  })
}
