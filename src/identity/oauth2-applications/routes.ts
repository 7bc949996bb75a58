import type { Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import {
  createApplication,
  editApplication,
  loadApplication,
  removeApplication,
} from './applications.ts'
import { presentApplication, readSettings } from './present.ts'
import { listApplications } from './queries.ts'
import {
  CreateApplicationOptions,
  userCreateOAuth2Application,
  userDeleteOAuth2Application,
  userGetOAuth2Application,
  userGetOAuth2Applications,
  userUpdateOAuth2Application,
} from './schema.ts'

const ALL = '/user/applications/oauth2'
const ONE = `${ALL}/:id`

export function applicationRoutes(api: Api, ctx: Context): void {
  api.get(ALL, userGetOAuth2Applications, async (call) => {
    const { account } = call.signedIn()
    const found = await listApplications(ctx.db, account.id, call.page)
    return call.list(found, (application) => presentApplication(application), { links: false })
  })

  api.post(ALL, userCreateOAuth2Application, async (call) => {
    const { account } = call.signedIn()
    const settings = readSettings(await call.body(CreateApplicationOptions))
    const { application, secret } = await createApplication(ctx, account, settings)
    return created(presentApplication(application, secret))
  })

  api.get(ONE, userGetOAuth2Application, async (call) => {
    const { account } = call.signedIn()
    return ok(presentApplication(await loadApplication(ctx, account, call.id('id'))))
  })

  api.patch(ONE, userUpdateOAuth2Application, async (call) => {
    const { account } = call.signedIn()
    const settings = readSettings(await call.body(CreateApplicationOptions))
    const { application, secret } = await editApplication(ctx, account, call.id('id'), settings)
    return ok(presentApplication(application, secret))
  })

  api.delete(ONE, userDeleteOAuth2Application, async (call) => {
    await removeApplication(ctx, call.signedIn().account, call.id('id'))
    return noContent()
  })
}
