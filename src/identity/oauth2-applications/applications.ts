import { logRightsChange } from '../../platform/audit.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { isSameSecret } from '../../platform/same-secret.ts'
import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { builtInName, loopback } from './built-in.ts'
import {
  addBuiltIn,
  deleteApplication,
  findApplication,
  findByClientId,
  insertApplication,
  listApplications,
  updateApplication,
  type Application,
} from './queries.ts'
import { assertRedirectUri } from './redirect-uri.ts'

export interface ApplicationSettings {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly isConfidential: boolean
  readonly skipsSecondaryAuthorization: boolean
}

/** The secret is returned here and kept nowhere. */
export interface ApplicationWithSecret {
  readonly application: Application
  readonly secret: string
}

export async function createApplication(
  ctx: Context,
  owner: Account,
  settings: ApplicationSettings,
): Promise<ApplicationWithSecret> {
  const columns = toColumns(settings)
  const secret = newSecret()
  const application = await insertApplication(ctx.db, {
    ...columns,
    account_id: owner.id,
    client_id: randomUUID(),
    secret_hash: hashSecret(ctx, secret),
    created_at: ctx.now(),
  })
  logApplication(ctx, 'application added', owner, application.id)
  return { application, secret }
}

/**
 * Replaces all settings, and the secret with them: the contract knows no other way to get a new
 * one.
 */
export async function editApplication(
  ctx: Context,
  owner: Account,
  id: number,
  settings: ApplicationSettings,
): Promise<ApplicationWithSecret> {
  await loadApplication(ctx, owner, id)
  const columns = toColumns(settings)
  const secret = newSecret()
  const application = await updateApplication(ctx.db, owner.id, id, {
    ...columns,
    secret_hash: hashSecret(ctx, secret),
  })
  if (!application) throw notFound()
  logApplication(ctx, 'application edited', owner, id)
  return { application, secret }
}

/** The settings alone: whoever uses the secret goes on. */
export async function changeSettings(
  ctx: Context,
  owner: Account,
  id: number,
  settings: ApplicationSettings,
): Promise<void> {
  if (!(await updateApplication(ctx.db, owner.id, id, toColumns(settings)))) throw notFound()
  logApplication(ctx, 'application edited', owner, id)
}

export async function renewSecret(
  ctx: Context,
  owner: Account,
  id: number,
): Promise<ApplicationWithSecret> {
  const secret = newSecret()
  const changes = { secret_hash: hashSecret(ctx, secret) }
  const application = await updateApplication(ctx.db, owner.id, id, changes)
  if (!application) throw notFound()
  logApplication(ctx, 'application secret renewed', owner, id)
  return { application, secret }
}

export async function applicationsOf(
  ctx: Context,
  owner: Account,
  page: Page,
): Promise<PageOf<Application>> {
  return listApplications(ctx.db, owner.id, page)
}

/** Whoever it belongs to; of those that come with the server, the ones that are wanted. */
export async function findClient(ctx: Context, clientId: string): Promise<Application | undefined> {
  const { enabled, built_in_applications: wanted } = ctx.config.oauth2
  if (!enabled || !/^[0-9a-f-]{36}$/.test(clientId)) return undefined
  const name = builtInName(clientId)
  if (name === undefined) return findByClientId(ctx.db, clientId)
  return wanted.includes(name) ? findBuiltIn(ctx, name, clientId) : undefined
}

/** Written down when somebody first comes with it. */
async function findBuiltIn(
  ctx: Context,
  name: string,
  clientId: string,
): Promise<Application | undefined> {
  const known = await findByClientId(ctx.db, clientId)
  if (known) return known
  await addBuiltIn(ctx.db, {
    name,
    client_id: clientId,
    redirect_uris: JSON.stringify(loopback),
    created_at: ctx.now(),
  })
  return findByClientId(ctx.db, clientId)
}

export function isSecretOf(ctx: Context, { secretHash }: Application, secret: string): boolean {
  return secretHash !== '' && isSameSecret(hashSecret(ctx, secret), secretHash)
}

export async function loadApplication(
  ctx: Context,
  owner: Account,
  id: number,
): Promise<Application> {
  const application = await findApplication(ctx.db, owner.id, id)
  if (!application) throw notFound()
  return application
}

export async function removeApplication(ctx: Context, owner: Account, id: number): Promise<void> {
  if (!(await deleteApplication(ctx.db, owner.id, id))) throw notFound()
  logApplication(ctx, 'application removed', owner, id)
}

function logApplication({ log }: Context, what: string, { name }: Account, id: number): void {
  logRightsChange(log, what, { account: name, application: id })
}

/** The secret is random, so a fast hash is enough. */
function hashSecret(ctx: Context, secret: string): string {
  return ctx.secrets.hash('oauth2-client-secret', secret)
}

function toColumns(settings: ApplicationSettings) {
  for (const uri of settings.redirectUris) assertRedirectUri(uri)
  return {
    name: settings.name,
    redirect_uris: JSON.stringify(settings.redirectUris),
    confidential_client: settings.isConfidential ? (1 as const) : (0 as const),
    skip_secondary_authorization: settings.skipsSecondaryAuthorization
      ? (1 as const)
      : (0 as const),
  }
}

const SECRET_LENGTH = 52
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

function newSecret(): string {
  const letters = [...randomBytes(SECRET_LENGTH)].map((byte) => alphabet[byte & 31])
  return `gto_${letters.join('')}`
}
