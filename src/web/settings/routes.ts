import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Site } from '../layout.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import type { Visit } from '../repository/visit.ts'
import {
  dropCollaborator,
  removeTeam,
  saveCollaborator,
  saveTeam,
  showCollaborators,
} from './collaborators.ts'
import { archive, remove, showDanger, transfer } from './danger.ts'
import { addKey, removeKey, showDeployKeys } from './deploy-keys.ts'
import { editFeatures, showFeatures } from './features.ts'
import { editGeneral, editTopics, showGeneral } from './general.ts'
import { settingsForm, settingsPage } from './section.ts'

/** How a repository is set up, for those who administer it. */
export function settingsPages(server: FastifyInstance, ctx: Context, site: Site): void {
  const settings = '/:owner/:repo/settings'
  const show = (path: string, page: (visit: Visit) => Promise<InShell>) =>
    server.get(settings + path, settingsPage(ctx, site, page))
  const take = (path: string, act: (submitted: Submitted) => Promise<Done>) =>
    server.post(settings + path, settingsForm(ctx, site, act))

  show('', (visit) => showGeneral(visit))
  take('', editGeneral)
  take('/topics', editTopics)
  show('/features', (visit) => showFeatures(visit))
  take('/features', editFeatures)
  show('/collaboration', (visit) => showCollaborators(visit))
  take('/collaboration', saveCollaborator)
  take('/collaboration/delete', dropCollaborator)
  take('/collaboration/teams', saveTeam)
  take('/collaboration/teams/delete', removeTeam)
  show('/keys', (visit) => showDeployKeys(visit))
  take('/keys', addKey)
  take('/keys/delete', removeKey)
  show('/danger', (visit) => showDanger(visit))
  take('/danger/archive', archive)
  take('/danger/transfer', transfer)
  take('/danger/delete', remove)
}
