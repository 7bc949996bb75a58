import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import { noContent } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { HEAD_BYTES } from '../../platform/files/media-type.ts'
import { fileAnswer } from '../../platform/http/file-answer.ts'
import { enterAsOwner } from '../../identity/organizations/access.ts'
import { loadAdministered } from '../repository/routes.ts'
import { loadAvatar, removeAvatar, setAvatar } from './change.ts'
import { identicon } from './identicon.ts'
import { readImage } from './image.ts'
import type { Pictured } from './queries.ts'
import {
  AvatarOption,
  orgDeleteAvatar,
  orgUpdateAvatar,
  repoDeleteAvatar,
  repoUpdateAvatar,
  userDeleteAvatar,
  userUpdateAvatar,
} from './schema.ts'

export function avatarRoutes(api: Api, ctx: Context): void {
  const update = async (call: Call, of: Pictured, id: number) => {
    const { image } = await call.body(AvatarOption)
    await setAvatar(ctx, of, id, readImage(image))
    return noContent()
  }
  const remove = async (of: Pictured, id: number) => {
    await removeAvatar(ctx, of, id)
    return noContent()
  }

  const ofRepository = '/repos/:owner/:repo/avatar'
  api.post(ofRepository, repoUpdateAvatar, async (call) =>
    update(call, 'repository', (await loadAdministered(ctx, call)).repo.id),
  )
  api.delete(ofRepository, repoDeleteAvatar, async (call) =>
    remove('repository', (await loadAdministered(ctx, call)).repo.id),
  )
  api.post('/user/avatar', userUpdateAvatar, async (call) =>
    update(call, 'account', call.signedIn().account.id),
  )
  api.delete('/user/avatar', userDeleteAvatar, async (call) =>
    remove('account', call.signedIn().account.id),
  )
  api.post('/orgs/:org/avatar', orgUpdateAvatar, async (call) =>
    update(call, 'account', (await enterAsOwner(ctx, call)).org.id),
  )
  api.delete('/orgs/:org/avatar', orgDeleteAvatar, async (call) =>
    remove('account', (await enterAsOwner(ctx, call)).org.id),
  )
}

/**
 * The addresses that records hand out: names of pictures are random, and known only to who has seen
 * them.
 */
export function avatarPages(server: FastifyInstance, ctx: Context): void {
  server.get('/repo-avatars/:name', (request, reply) => show(ctx, 'repository', request, reply))
  server.get('/avatars/:name', (request, reply) => show(ctx, 'account', request, reply))
}

async function show(
  ctx: Context,
  of: Pictured,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { name = '' } = request.params as Record<string, string>
  const image = await loadAvatar(ctx, of, name.replaceAll('\0', ''))
  if (!image && of === 'account' && /^[0-9a-f]{32}$/.test(name)) return sendIdenticon(reply, name)
  if (!image) return reply.callNotFound()
  const asked = {
    ifNoneMatch: request.headers['if-none-match'],
    range: undefined,
    ifRange: undefined,
  }
  const open = async function* () {
    yield image
  }
  const head = image.subarray(0, HEAD_BYTES)
  const file = { name, size: image.length, id: name, isPrivate: false, showsSvg: false, head, open }
  const { status, headers = {}, body } = fileAnswer(asked, file)
  return reply
    .status(status)
    .headers({ ...headers, 'cache-control': 'private, max-age=21600' })
    .send(body)
}

function sendIdenticon(reply: FastifyReply, hash: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=21600',
    })
    .send(identicon(hash))
}
