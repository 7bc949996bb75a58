import { anonymous, type Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import type { Account } from './account.ts'
import {
  addEmailAddresses,
  assertManagesEmails,
  emailAddressesOf,
  removeEmailAddresses,
} from './emails.ts'
import { editProfile } from './edit.ts'
import { assertMayExplore } from './explore.ts'
import { loadVisibleAccount } from './load.ts'
import { presentEmail, presentSettings, presentUser, readSettings } from './present.ts'
import { searchPeople } from './queries.ts'
import {
  EmailOption,
  getUserSettings,
  updateUserSettings,
  userAddEmail,
  userDeleteEmail,
  userGet,
  userGetCurrent,
  userListEmails,
  userSearch,
  UserSettingsOptions,
} from './schema.ts'
import { isListedFor } from './visibility.ts'

export function userRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  const presentSelf = keptBy((account: Account) =>
    Object.freeze(presentUser(config, { ...anonymous, account }, account)),
  )
  api.get('/user', userGetCurrent, async (call) => ok(presentSelf(call.signedIn().account)))

  api.get('/users/search', userSearch, async (call) => {
    assertMayExplore(ctx, call.caller)
    const visible = isListedFor(config, call.caller)
    const id = call.query.integer('uid') || undefined
    const wanted = { text: call.query.text('q') ?? '', id, visible }
    const found = await searchPeople(ctx.db, call.caller, wanted, call.page)
    const data = found.items.map((person) => presentUser(config, call.caller, person))
    return call.listOf(found, { ok: true, data })
  })

  api.get('/users/:username', userGet, async (call) => {
    assertMayExplore(ctx, call.caller)
    const account = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    return ok(presentUser(config, call.caller, account))
  })

  api.get('/user/settings', getUserSettings, async (call) =>
    ok(presentSettings(call.signedIn().account)),
  )

  api.patch('/user/settings', updateUserSettings, async (call) => {
    const { account } = call.signedIn()
    const edit = readSettings(await call.body(UserSettingsOptions))
    return ok(presentSettings(await editProfile(ctx, account, edit)))
  })

  api.get('/user/emails', userListEmails, async (call) => {
    const { account } = call.signedIn()
    return ok((await emailAddressesOf(ctx, account)).map(presentEmail))
  })

  api.post('/user/emails', userAddEmail, async (call) => {
    const { account } = call.signedIn()
    assertManagesEmails(ctx)
    const { emails = [] } = await call.body(EmailOption)
    const addresses = await addEmailAddresses(ctx, account, emails, call.trace)
    return created(addresses.map(presentEmail))
  })

  api.delete('/user/emails', userDeleteEmail, async (call) => {
    const { account } = call.signedIn()
    assertManagesEmails(ctx)
    const { emails = [] } = await call.body(EmailOption)
    await removeEmailAddresses(ctx, account, emails, call.trace)
    return noContent()
  })
}
