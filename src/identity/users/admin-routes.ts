import type { Context } from '../../platform/context.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import { invalid } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Query } from '../../platform/http/query.ts'
import type { Account } from './account.ts'
import { createPerson } from './create.ts'
import { editPerson, renameAccount } from './edit.ts'
import { searchEmailAddresses } from './email-queries.ts'
import { loadVisibleAccount } from './load.ts'
import { presentOwnedEmail, presentUser, readNewPerson, readPersonEdit } from './present.ts'
import { listPeople, peopleSorts, type PeopleFilter, type PeopleSort } from './queries.ts'
import { removePerson } from './remove.ts'
import {
  adminCreateUser,
  adminDeleteUser,
  adminEditUser,
  adminGetAllEmails,
  adminRenameUser,
  adminSearchEmails,
  adminSearchUsers,
  CreateUserOption,
  EditUserOption,
  RenameUserOption,
  visibilities,
} from './schema.ts'

export function adminEmailRoutes(api: Api, ctx: Context): void {
  const answer = async (call: Call, text: string) =>
    call.list(await searchEmailAddresses(ctx.db, text, call.page), presentOwnedEmail)
  api.get('/admin/emails', adminGetAllEmails, (call) => answer(call, ''))
  api.get('/admin/emails/search', adminSearchEmails, (call) =>
    answer(call, call.query.text('q')?.trim() ?? ''),
  )
}

export function adminUserRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/admin/users', adminSearchUsers, async (call) => {
    const found = await listPeople(ctx.db, call.caller, readFilter(call.query), call.page)
    return call.list(found, (person) => presentUser(config, call.caller, person))
  })

  api.post('/admin/users', adminCreateUser, async (call) => {
    const person = readNewPerson(await call.body(CreateUserOption))
    return created(presentUser(config, call.caller, await createPerson(ctx, person)))
  })

  api.patch('/admin/users/:username', adminEditUser, async (call) => {
    const account = await loadAccount(ctx, call)
    const edit = readPersonEdit(await call.body(EditUserOption))
    if (account.kind === 'organization')
      throw invalid(`${account.name} is an organization not a user`)
    return ok(presentUser(config, call.caller, await editPerson(ctx, account, edit, call.trace)))
  })

  api.delete('/admin/users/:username', adminDeleteUser, async (call) => {
    const account = await loadAccount(ctx, call)
    await removePerson(ctx, call.caller, account, { purge: call.query.boolean('purge') })
    return noContent()
  })

  api.post('/admin/users/:username/rename', adminRenameUser, async (call) => {
    const account = await loadAccount(ctx, call)
    const { new_username: name } = await call.body(RenameUserOption)
    if (account.kind === 'organization')
      throw invalid(`${account.name} is an organization not a user`)
    await renameAccount(ctx, account, name)
    return noContent()
  })
}

function loadAccount(ctx: Context, call: Call): Promise<Account> {
  return loadVisibleAccount(ctx, call.caller, call.param('username'))
}

function readFilter(query: Query): PeopleFilter {
  const sort = query.text('sort') || 'name'
  const order = query.text('order') || 'asc'
  const visibility = query.text('visibility') || undefined
  if (!Object.hasOwn(peopleSorts, sort)) throw invalid(`Invalid sort mode: "${sort}"`)
  if (order !== 'asc' && order !== 'desc') throw invalid(`Invalid sort order: "${order}"`)
  if (visibility !== undefined && !visibilities.some((known) => known === visibility)) {
    throw invalid(`Invalid visibility: "${visibility}"`)
  }
  return {
    text: query.text('q') ?? '',
    loginName: query.text('login_name') || undefined,
    sourceId: query.text('source_id') ? query.integer('source_id') : undefined,
    visibility: visibility as Visibility | undefined,
    isActive: query.optionalBoolean('is_active'),
    isAdmin: query.optionalBoolean('is_admin'),
    isRestricted: query.optionalBoolean('is_restricted'),
    hasTwoFactor: query.optionalBoolean('is_2fa_enabled'),
    prohibitLogin: query.optionalBoolean('is_prohibit_login'),
    sort: sort as PeopleSort,
    direction: order,
  }
}
