import type { Context } from '../../platform/context.ts'
import { usesOpenId } from '../../identity/openid-connect/provider.ts'
import { addApplicationPages } from '../applications/pages.ts'
import { addHookPages } from '../hooks/pages.ts'
import type { Site } from '../layout.ts'
import {
  fileFormOf,
  formOf,
  ownPageOf,
  type Shown,
  type SignedInLook,
  type Submitted,
} from '../look.ts'
import { enterApplications, withdrawGrant } from './applications.ts'
import { addBlock, endBlock, showBlocks } from './blocks.ts'
import { addEmail, confirmEmail, removeEmail, showEmails } from './emails.ts'
import { enterHooks } from './hooks.ts'
import { addOwnGpgKey, addSshKey, dropGpgKey, dropSshKey, showKeys } from './keys.ts'
import { saveNotifications, showNotifications } from './notifications.ts'
import { dropOpenId, linkOpenId, setPassword, showOpenId } from './openid.ts'
import { dropOwnAvatar, saveAvatar, saveProfile, showProfile } from './profile.ts'
import { again } from './section.ts'
import { changeFactor, showCodes, showSecondFactor, takeFactor } from './second-factor.ts'
import { askKey, dropKey, enrolKey, offerKey, showKey, showNewKey } from './security-keys.ts'
import { endOthers, endSession, showSessions } from './sessions.ts'
import { dropToken, makeToken, showTokens } from './tokens.ts'
import type { PageServer } from '../page-server.ts'

/** What somebody sets of their own account. */
export function accountPages(server: PageServer, ctx: Context, site: Site): void {
  const settings = '/user/settings'
  const show = (path: string, page: (look: SignedInLook) => Promise<Shown>) =>
    server.get(settings + path, ownPageOf(ctx, site, page))
  const take = (path: string, act: (submitted: Submitted) => Promise<Shown>) =>
    server.post(settings + path, formOf(ctx, site, act))

  show('', (look) => showProfile(look))
  take('', saveProfile)
  server.post(`${settings}/avatar`, fileFormOf(ctx, site, 'avatar', saveAvatar))
  take('/avatar/delete', dropOwnAvatar)
  show('/emails', (look) => showEmails(look))
  take('/emails', addEmail)
  take('/emails/delete', removeEmail)
  if (ctx.config.security.email_confirmation) take('/emails/confirm', confirmEmail)
  show('/notifications', (look) => showNotifications(look))
  take('/notifications', saveNotifications)
  show('/keys', (look) => showKeys(look))
  take('/keys/ssh', addSshKey)
  take('/keys/ssh/delete', dropSshKey)
  take('/keys/gpg', addOwnGpgKey)
  take('/keys/gpg/delete', dropGpgKey)
  show('/tokens', (look) => showTokens(look))
  take('/tokens', makeToken)
  take('/tokens/delete', dropToken)
  if (ctx.config.oauth2.enabled) {
    take('/applications/withdraw', withdrawGrant)
    addApplicationPages({
      enter: enterApplications,
      show: (path, page) => show(`/applications${path}`, page),
      take: (path, act) => take(`/applications${path}`, act),
    })
  }
  addHookPages({
    enter: enterHooks,
    again,
    show: (path, page) => show(`/hooks${path}`, page),
    take: (path, act) => take(`/hooks${path}`, act),
  })
  show('/blocks', (look) => showBlocks(look))
  take('/blocks', addBlock)
  take('/blocks/delete', endBlock)
  show('/two-factor', (look) => showSecondFactor(look))
  take('/two-factor', takeFactor)
  take('/two-factor/change', changeFactor)
  show('/two-factor/codes', (look) => showCodes(look))
  show('/two-factor/keys/new', (look) => showNewKey(look))
  take('/two-factor/keys/new', enrolKey)
  take('/two-factor/keys/offer', offerKey)
  take('/two-factor/keys/question', askKey)
  show('/two-factor/keys/:id', (look) => showKey(look))
  take('/two-factor/keys/:id/delete', dropKey)
  if (usesOpenId(ctx)) {
    show('/openid', (look) => showOpenId(look))
    take('/openid/password', setPassword)
    server.getFromHere(`${settings}/openid/link`, linkOpenId(ctx, site))
    take('/openid/delete', dropOpenId)
  }
  show('/sessions', showSessions)
  take('/sessions/end', endSession)
  take('/sessions/end-others', endOthers)
}
