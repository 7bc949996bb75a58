import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import { getSigningKey, getSigningKeySSH, repoSigningKey, repoSigningKeySSH } from './schema.ts'

/** The server signs nothing, so that there is no key to verify it with. */
export function signingKeyRoutes(api: Api, ctx: Context): void {
  const ofServer = async () => {
    throw noKey()
  }
  api.get('/signing-key.gpg', getSigningKey, ofServer)
  api.get('/signing-key.pub', getSigningKeySSH, ofServer)

  const repository = '/repos/:owner/:repo'
  api.get(`${repository}/signing-key.gpg`, repoSigningKey, async (call) => {
    await loadOfPath(ctx, call)
    throw noKey()
  })
  api.get(`${repository}/signing-key.pub`, repoSigningKeySSH, async (call) => {
    await loadOfPath(ctx, call)
    throw noKey()
  })
}

function noKey(): Error {
  return notFound('no signing key')
}
