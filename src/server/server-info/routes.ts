import { basePath, baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { MIB } from '../../platform/storage/bytes.ts'
import { peopleCounts } from '../../identity/users/statistics.ts'
import {
  getGeneralAPISettings,
  getGeneralAttachmentSettings,
  getGeneralRepositorySettings,
  getGeneralUISettings,
  getNodeInfo,
  getSwagger,
  getVersion,
} from './schema.ts'
import { apiVersion, programVersion } from '../../platform/version.ts'

export function instanceRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/version', getVersion, async () => ok({ version: apiVersion }))

  api.get('/settings/api', getGeneralAPISettings, async () => ok(config.api))

  api.get('/settings/attachment', getGeneralAttachmentSettings, async () =>
    ok({ ...config.attachment, max_size: Math.ceil(config.attachment.max_size / MIB) }),
  )

  api.get('/settings/repository', getGeneralRepositorySettings, async () =>
    ok({
      mirrors_disabled: !config.mirror.enabled,
      http_git_disabled: !config.repositories.http_git,
      migrations_disabled: !config.repositories.migrations,
      stars_disabled: !config.repositories.stars,
      time_tracking_disabled: !config.time_tracking.enabled,
      lfs_disabled: !config.lfs.enabled,
    }),
  )

  api.get('/settings/ui', getGeneralUISettings, async () =>
    ok({
      default_theme: config.ui.default_theme,
      allowed_reactions: [...config.ui.reactions],
      custom_emojis: [...config.ui.custom_emojis],
    }),
  )

  if (config.federation.enabled) nodeInfoRoute(api, ctx)
  if (config.api.swagger) {
    const location = `${basePath(config)}/api/swagger`
    api.get('/swagger', getSwagger, async () => ({ status: 303, headers: { location } }))
  }
}

/** The address exists only where federation is switched on. */
function nodeInfoRoute(api: Api, ctx: Context): void {
  api.get('/nodeinfo', getNodeInfo, async () => {
    const people = await peopleCounts(ctx)
    return ok({
      version: '2.1',
      software: {
        name: 'codestead',
        version: programVersion,
        repository: baseUrl(ctx.config),
        homepage: baseUrl(ctx.config),
      },
      protocols: [],
      services: { inbound: [], outbound: [] },
      openRegistrations: ctx.config.users.sign_up,
      usage: {
        users: { total: people.total, activeHalfyear: people.halfYear, activeMonth: people.month },
        localPosts: 0,
        localComments: 0,
      },
      metadata: {},
    })
  })
}
