import type { FastifyBaseLogger as Logger, FastifyInstance } from 'fastify'
import { LastUse } from './auth/last-use.ts'
import { Passwords } from './auth/passwords.ts'
import { loadSecrets } from './auth/secrets.ts'
import { tokenRoutes } from './auth/routes.ts'
import { forgetOldFailures } from './auth/sign-in-limits.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import type { Api } from './http/api.ts'
import { buildServer, type ServerParts } from './http/server.ts'
import { instanceRoutes } from './instance/routes.ts'
import { Schedule } from './jobs/schedule.ts'
import { adminUserRoutes } from './users/admin-routes.ts'
import { userRoutes } from './users/routes.ts'

export interface App {
  readonly ctx: Context
  readonly server: FastifyInstance
  /** Lets requests finish, then closes everything. */
  readonly close: () => Promise<void>
}

export interface AppOptions {
  readonly now?: () => number
  readonly onAnswer?: ServerParts['onAnswer']
}

/** Opens and migrates the database, and puts together what runs on it. Nothing else wires anything. */
export async function openContext(
  config: Config,
  log: Logger,
  options: AppOptions = {},
): Promise<Context> {
  const now = options.now ?? (() => Math.floor(Date.now() / 1000))
  const secrets = loadSecrets(config)
  const db = await openDatabase(config)
  try {
    await migrate(db, now())
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    config,
    db,
    log,
    secrets,
    now,
    passwords: new Passwords(config, (text) => secrets.hash('remembered-password', text)),
    lastUse: new LastUse(db, log),
    schedule: new Schedule(db, log, now),
  }
}

export async function closeContext(ctx: Context): Promise<void> {
  await ctx.schedule.stop()
  await ctx.lastUse.flush()
  await ctx.db.destroy()
}

export async function buildApp(
  config: Config,
  log: Logger,
  options: AppOptions = {},
): Promise<App> {
  const ctx = await openContext(config, log, options)
  addTasks(ctx)
  const server = buildServer(ctx, {
    api: registerApi,
    pages: () => undefined,
    ...(options.onAnswer ? { onAnswer: options.onAnswer } : {}),
  })
  const close = async () => {
    await server.close()
    await closeContext(ctx)
  }
  return { ctx, server, close }
}

function registerApi(api: Api, ctx: Context): void {
  instanceRoutes(api, ctx)
  userRoutes(api, ctx)
  adminUserRoutes(api, ctx)
  tokenRoutes(api, ctx)
}

function addTasks(ctx: Context): void {
  ctx.schedule.add({
    name: 'forget_old_sign_in_failures',
    everySeconds: 3600,
    run: () => forgetOldFailures(ctx),
  })
}
