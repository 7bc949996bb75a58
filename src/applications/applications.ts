import { randomBytes, randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Account } from '../users/account.ts'
import {
  deleteApplication,
  findApplication,
  insertApplication,
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
  return { application, secret }
}

/** Replaces all settings, and the secret with them: the contract knows no other way to get a new one. */
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
  return { application, secret }
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
}

/** The secret is random, so a fast hash is enough. */
export function hashSecret(ctx: Context, secret: string): string {
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
