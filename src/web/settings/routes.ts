import type { Context } from '../../platform/context.ts'
import { addHookPages } from '../hooks/pages.ts'
import type { Site } from '../layout.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import type { Visit } from '../repository/visit.ts'
import {
  dropRule,
  moveRule,
  saveRule,
  showBranchRules,
  showNewRule,
  showRule,
} from './branch-rules.ts'
import {
  dropCollaborator,
  removeTeam,
  saveCollaborator,
  saveTeam,
  showCollaborators,
} from './collaborators.ts'
import { archive, cancelOffer, remove, showDanger, transfer } from './danger.ts'
import { addKey, removeKey, showDeployKeys } from './deploy-keys.ts'
import { editFeatures, showFeatures } from './features.ts'
import {
  dropPicture,
  editGeneral,
  editTopics,
  pictureTerms,
  savePicture,
  showGeneral,
} from './general.ts'
import { enterHooks } from './hooks.ts'
import { addRemote, dropRemote, pushNow, saveMirror, showMirrors, syncMirror } from './mirrors.ts'
import { settingsForm, settingsPage } from './section.ts'
import { addTagRule, dropTagRule, saveTagRule, showTagRule, showTagRules } from './tag-rules.ts'
import type { PageServer } from '../page-server.ts'

/** How a repository is set up, for those who administer it. */
export function settingsPages(server: PageServer, ctx: Context, site: Site): void {
  const settings = '/:owner/:repo/settings'
  const show = (path: string, page: (visit: Visit) => Promise<InShell>) =>
    server.get(settings + path, settingsPage(ctx, site, page))
  const take = (path: string, act: (submitted: Submitted) => Promise<Done>) =>
    server.post(settings + path, settingsForm(ctx, site, act))

  show('', (visit) => showGeneral(visit))
  take('', editGeneral)
  take('/topics', editTopics)
  server.post(`${settings}/avatar`, settingsForm(ctx, site, savePicture, pictureTerms))
  take('/avatar/delete', dropPicture)
  show('/features', (visit) => showFeatures(visit))
  take('/features', editFeatures)
  show('/collaboration', (visit) => showCollaborators(visit))
  take('/collaboration', saveCollaborator)
  take('/collaboration/delete', dropCollaborator)
  take('/collaboration/teams', saveTeam)
  take('/collaboration/teams/delete', removeTeam)
  show('/branches', showBranchRules)
  show('/branches/new', showNewRule)
  show('/branches/edit', showRule)
  take('/branches', saveRule)
  take('/branches/delete', dropRule)
  take('/branches/order', moveRule)
  show('/tags', (visit) => showTagRules(visit))
  take('/tags', addTagRule)
  take('/tags/delete', dropTagRule)
  show('/tags/:id', showTagRule)
  take('/tags/:id', saveTagRule)
  addHookPages({
    enter: enterHooks,
    again: (page) => page,
    show: (path, page) => show(`/hooks${path}`, page),
    take: (path, act) => take(`/hooks${path}`, act),
  })
  show('/keys', (visit) => showDeployKeys(visit))
  take('/keys', addKey)
  take('/keys/delete', removeKey)
  show('/mirrors', (visit) => showMirrors(visit))
  take('/mirrors', saveMirror)
  take('/mirrors/sync', syncMirror)
  take('/mirrors/push', addRemote)
  take('/mirrors/push/delete', dropRemote)
  take('/mirrors/push/sync', pushNow)
  show('/danger', (visit) => showDanger(visit))
  take('/danger/archive', archive)
  take('/danger/transfer', transfer)
  take('/danger/transfer/cancel', cancelOffer)
  take('/danger/delete', remove)
}
