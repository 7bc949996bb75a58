import { statSync } from 'node:fs'
import type { FastifyBaseLogger as Logger, FastifyInstance } from 'fastify'
import { commitPages } from '../code/commits/routes.ts'
import { downloadPages } from '../protocols/downloads/content-routes.ts'
import { uploadPages } from '../protocols/downloads/routes.ts'
import { callers } from '../identity/callers/callers.ts'
import type { Config } from '../platform/config/config.ts'
import { baseUrl } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { takeDatabase } from '../platform/db/database.ts'
import { addGit } from '../protocols/git-http/git.ts'
import { Draining } from '../platform/http/draining.ts'
import { addHealth } from '../platform/http/health.ts'
import { Meter, type GatherFigures } from '../platform/http/figures.ts'
import { addMetrics } from '../platform/http/metrics.ts'
import type { Api } from '../platform/http/api.ts'
import { watchSilent } from '../platform/network/connections.ts'
import { buildServer, type AnswerPage, type ServerParts } from '../platform/http/server.ts'
import { grantPages } from '../protocols/oauth2-routes.ts'
import { pullPages } from '../collaboration/pulls/routes.ts'
import { avatarPages } from '../repositories/avatars/routes.ts'
import { lfsPages } from '../protocols/lfs/routes.ts'
import { registryPages } from '../protocols/registry-routes.ts'
import { handleUnlessDeleted } from '../repositories/repository/deleted-meanwhile.ts'
import type { SshServer } from '../protocols/ssh/server.ts'
import { hasNoAccounts } from '../identity/users/create-first.ts'
import { addGoGet } from '../web/go-get.ts'
import { SetupToken } from '../web/setup-token.ts'
import { wikiFilePages } from '../code/wikis/routes.ts'
import { addJobs, addTasks } from './background.ts'
import { closeContext, openContext, type ContextOptions } from './open-context.ts'
import { registerApi } from './register-api.ts'

export interface App {
  readonly ctx: Context
  readonly server: FastifyInstance
  /** Where the first administrator is created in a browser; nowhere once there is an account. */
  readonly findSetupLink: () => Promise<string | undefined>
  /** Opens the door for SSH where the settings say so; gives its port. */
  readonly listenSsh: () => Promise<number | undefined>
  /** What this process has counted. */
  readonly meter: Meter
  /** From now on load balancers are told to send everything elsewhere. */
  readonly drain: () => void
  /** Lets requests finish, then closes everything. */
  readonly close: () => Promise<void>
}

export interface AppOptions extends ContextOptions {
  readonly onAnswer?: ServerParts['onAnswer']
  /** Adds the figures of the process to those of requests. */
  readonly processMetrics?: boolean
  /**
   * This process is one of several on one port, whose leading one looks after the file of the
   * database.
   */
  readonly crew?: { readonly gatherFigures: GatherFigures } | undefined
}

export async function buildApp(
  config: Config,
  log: Logger,
  options: AppOptions = {},
): Promise<App> {
  // Whatever somebody sends, no object gets a property that was not given to it. Frozen, which
  // would be more, it keeps libraries from giving their own objects methods of the same names.
  Object.seal(Object.prototype)
  const { crew } = options
  const release = crew ? undefined : await takeDatabase(config, (message) => log.warn(message))
  const ctx = await openContext(config, log, { ...options, isServer: true }).catch(
    (error: unknown) => {
      release?.()
      throw error
    },
  )
  warnOfOpenFolder(ctx)
  addTasks(ctx)
  addJobs(ctx)
  const setup = new SetupToken(ctx.secrets)
  const meter = new Meter({ watchesProcess: options.processMetrics ?? false })
  const draining = new Draining()
  const server = buildServer(ctx, {
    callers,
    handle: handleUnlessDeleted,
    draining,
    api: registerApi,
    outside: (outer, api) => {
      addHealth(outer, ctx, draining)
      addGit(outer, ctx)
      lfsPages(outer, ctx)
      registryPages(outer, ctx)
      avatarPages(outer, ctx)
      if (config.oauth2.enabled) grantPages(outer, ctx)
      addMetrics(outer, config, meter, crew?.gatherFigures)
      downloadPages(outer, ctx)
      wikiFilePages(outer, ctx)
      uploadPages(outer, ctx)
      pullPages(outer, ctx)
      commitPages(outer, ctx)
      addGoGet(outer, config)
      return pagesWhenWanted(ctx, api, setup)
    },
    ...(options.onAnswer ? { onAnswer: options.onAnswer } : {}),
  })
  const hangUpSilent = watchSilent(server.server)
  let ssh: SshServer | undefined
  const listenSsh = async () => {
    if (!config.ssh.enabled) return undefined
    // Loaded only where it is used: it is large.
    const door = await import('../protocols/ssh/server.ts')
    ssh = new door.SshServer(ctx)
    return ssh.listen()
  }
  const close = async () => {
    await ssh?.close()
    await closeServer(server, hangUpSilent)
    await closeContext(ctx)
    release?.()
  }
  const findSetupLink = async () =>
    (await hasNoAccounts(ctx)) ? baseUrl(config) + setup.path : undefined
  const drain = () => draining.begin()
  return { ctx, server, meter, findSetupLink, listenSsh, drain, close }
}

/** What is in it is for the server alone: databases and private repositories among them. */
function warnOfOpenFolder({ config, log }: Context): void {
  const isOpen = process.platform !== 'win32' && (statSync(config.data).mode & 0o077) !== 0
  if (isOpen) log.warn({ folder: config.data }, 'others may look into the data folder: chmod 700')
}

/**
 * Loaded with the first look at one: a server that only programs call is smaller and starts sooner
 * without.
 */
function pagesWhenWanted(ctx: Context, api: Api, setup: SetupToken): AnswerPage {
  let loading: Promise<AnswerPage> | undefined
  const load = async () => (await import('../web/routes.ts')).pageRoutes(ctx, api, setup)
  return async (request, reply) => {
    loading ??= load()
    const answerPage = await loading.catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return answerPage(request, reply)
  }
}

/**
 * A connection whose last request has just been answered is closed then, not when its client hangs
 * up.
 */
async function closeServer(server: FastifyInstance, hangUpSilent: () => void): Promise<void> {
  const timer = setInterval(() => {
    server.server.closeIdleConnections()
    hangUpSilent()
  }, 50)
  try {
    await server.close()
  } finally {
    clearInterval(timer)
  }
}
