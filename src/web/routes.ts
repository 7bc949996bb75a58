import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import type { Api } from '../platform/http/api.ts'
import { readForm } from '../platform/http/body.ts'
import { describeApi } from '../platform/http/openapi.ts'
import { Query } from '../platform/http/query.ts'
import { Router } from '../platform/http/router.ts'
import { pathOf } from '../platform/http/path.ts'
import type { AnswerPage } from '../platform/http/server.ts'
import { listOffers } from '../code/transfers/transfer.ts'
import { createFirstAdministrator, hasNoAccounts } from '../identity/users/create-first.ts'
import { accountPages } from './account/routes.ts'
import { administrationPages } from './administration/routes.ts'
import { activateRoutes } from './activate.ts'
import { addAssets, loadAssets } from './assets.ts'
import { authorizeRoutes } from './authorize.ts'
import { changePasswordRoutes } from './change-password.ts'
import { loadLately } from './dashboard-feed.ts'
import { exploreRoutes } from './explore.ts'
import { sendFailure } from './failure.ts'
import { forgotPasswordRoutes } from './forgot-password.ts'
import { filePages } from './files/routes.ts'
import { issuePages } from './issues/routes.ts'
import { withoutLastSlash } from './last-slash.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { ownPageOf } from './look.ts'
import { sendMissing } from './missing.ts'
import { importRepositoryRoutes } from './import-repository.ts'
import { newRepositoryRoutes } from './new-repository.ts'
import { notificationPages } from './notifications/routes.ts'
import { once } from './once.ts'
import { organizationPages } from './organizations/routes.ts'
import { ownerRoutes } from './owner.ts'
import { openIdRoutes } from './openid.ts'
import { overviewPages } from './overview/routes.ts'
import { mayComeFrom, PageServer, type PageRoute } from './page-server.ts'
import { apiReferencePage } from './pages/api-reference.ts'
import { dashboardPage } from './pages/dashboard.ts'
import { homePage } from './pages/home.ts'
import { readSetupForm, setupProblem } from './pages/setup-form.ts'
import { blockedPage, setupDonePage, setupOverPage, setupPage } from './pages/setup.ts'
import { packagePages } from './packages/routes.ts'
import { projectPages } from './projects/routes.ts'
import { pullRequestPages } from './pulls/routes.ts'
import { repositoryPages } from './repository/routes.ts'
import { releaseForms } from './releases/routes.ts'
import { robotsRoutes } from './robots.ts'
import { searchPage } from './repository-search.ts'
import { secondStepRoutes } from './second-step.ts'
import { secretAddress } from './secret-address.ts'
import { settingsPages } from './settings/routes.ts'
import type { SetupToken } from './setup-token.ts'
import { openSession, signInRoutes } from './sign-in.ts'
import { signUpRoutes } from './sign-up.ts'
import { themeRoutes } from './theme-routes.ts'
import { trackerPages } from './tracker/routes.ts'
import { viewerOfPage } from './viewer.ts'
import { viewerOf } from '../identity/callers/viewer.ts'
import { wikiPages } from './wiki/routes.ts'

const MAX_FORM_BYTES = 65_536

/** Answers browsers, and tells what is missing. */
export function pageRoutes(ctx: Context, api: Api, token: SetupToken): AnswerPage {
  const hasPage = (path: string) => router().find('GET', path) !== undefined
  const isCopy = () => ctx.quiet.isQuiet
  const site: Site = { config: ctx.config, assets: loadAssets(), hasPage, isCopy }
  const missing: AnswerPage = async (request, reply) => {
    await viewerOfPage(ctx, request)
    return sendMissing(request, reply, site)
  }
  const server = new PageServer()
  registerPages(server, ctx, site)
  setupRoutes(server, ctx, site, token, missing)
  if (ctx.config.api.swagger) descriptionRoutes(server, ctx, site, api)
  const router = once(() => new Router(server.routes))
  return answering(ctx, site, router(), missing)
}

/** All that needs nothing else to be known. */
export function registerPages(server: PageServer, ctx: Context, site: Site): void {
  addAssets(server, site.assets)
  startRoutes(server, ctx, site)
  repositoryPages(server, ctx, site)
  filePages(server, ctx, site)
  releaseForms(server, ctx, site)
  issuePages(server, ctx, site)
  pullRequestPages(server, ctx, site)
  settingsPages(server, ctx, site)
  trackerPages(server, ctx, site)
  projectPages(server, ctx, site)
  packagePages(server, ctx, site)
  wikiPages(server, ctx, site)
  signInRoutes(server, ctx, site)
  openIdRoutes(server, ctx, site)
  robotsRoutes(server, ctx)
  secondStepRoutes(server, ctx, site)
  if (ctx.config.oauth2.enabled) authorizeRoutes(server, ctx, site)
  themeRoutes(server, ctx)
  exploreRoutes(server, ctx, site)
  ownerRoutes(server, ctx, site)
  newRepositoryRoutes(server, ctx, site)
  importRepositoryRoutes(server, ctx, site)
  organizationPages(server, ctx, site)
  accountPages(server, ctx, site)
  administrationPages(server, ctx, site)
  notificationPages(server, ctx, site)
  overviewPages(server, ctx, site)
  changePasswordRoutes(server, ctx, site)
  forgotPasswordRoutes(server, ctx, site)
  if (ctx.config.security.email_confirmation) activateRoutes(server, ctx, site)
  if (ctx.config.users.sign_up) signUpRoutes(server, ctx, site)
}

function answering(
  ctx: Context,
  site: Site,
  router: Router<PageRoute>,
  missing: AnswerPage,
): AnswerPage {
  return async (request, reply) => {
    const match = router.find(request.method, pathOf(request))
    try {
      if (!match) {
        const other = withoutLastSlash(site.config, router, request)
        return other === undefined ? await missing(request, reply) : reply.redirect(other, 301)
      }
      request.pattern = match.route.path
      request.params = match.parameters
      if (!mayComeFrom(ctx.config, match.route, request.headers)) {
        await viewerOfPage(ctx, request)
        return sendPage(reply.headers(secretAddress), site, blockedPage(ctx.config), 403)
      }
      return await match.route.answer(request, reply)
    } catch (error) {
      return sendFailure(request, reply, site, error)
    }
  }
}

/** Their own for those who are signed in; for others, which server this is. */
function startRoutes(server: PageServer, ctx: Context, site: Site): void {
  const dashboard = ownPageOf(ctx, site, async (look) => {
    const { account } = look.viewer
    const listed = await searchPage(look, { accountId: account.id })
    const offers = await listOffers(ctx, look.viewer)
    return dashboardPage(look, account, { listed, lately: await loadLately(look), offers })
  })
  server.get('/', async (request, reply) => {
    const { account } = await viewerOf(ctx, request)
    if (account) return dashboard(request, reply)
    return sendPage(reply, site, homePage(ctx.config, { isEmpty: await hasNoAccounts(ctx) }))
  })
}

/** The first administrator of an empty server. Afterwards nothing is left here to be used. */
function setupRoutes(
  server: PageServer,
  ctx: Context,
  site: Site,
  token: SetupToken,
  missing: AnswerPage,
): void {
  const send = (reply: FastifyReply, page: Page, status?: number) =>
    sendPage(reply.headers(secretAddress), site, page, status)
  const isAdmitted = (request: FastifyRequest) =>
    token.matches(new Query(request.query).text('token'))

  server.get('/setup', async (request, reply) => {
    if (!isAdmitted(request)) return missing(request, reply)
    if (!(await hasNoAccounts(ctx))) return send(reply, setupOverPage(ctx.config), 403)
    return send(reply, setupPage(ctx.config, token.path, { form: new URLSearchParams() }))
  })

  server.post('/setup', async (request, reply) => {
    if (!isAdmitted(request)) return missing(request, reply)
    if (!(await hasNoAccounts(ctx))) return send(reply, setupOverPage(ctx.config), 403)
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    try {
      const account = await createFirstAdministrator(ctx, readSetupForm(form))
      if (await openSession(ctx, request, reply, account)) request.caller = callerOf(account)
      return send(reply, setupDonePage(ctx.config, account))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'forbidden') return send(reply, setupOverPage(ctx.config), 403)
      const problem = setupProblem(error)
      return send(reply, setupPage(ctx.config, token.path, { form, problem }), 422)
    }
  })
}

/**
 * The description of the API, for programs and for people. Made when somebody asks: most starts
 * never need it.
 */
function descriptionRoutes(server: PageServer, ctx: Context, site: Site, api: Api): void {
  const described = once(() => describeApi(site.config, api.routes))
  const json = once(() => JSON.stringify(described()))
  const page = once(() => apiReferencePage(described()))

  server.get('/swagger.v1.json', (_request, reply) => {
    reply.header('content-type', 'application/json;charset=utf-8').send(json())
  })
  server.get('/api/swagger', async (request, reply) => {
    await viewerOfPage(ctx, request)
    return sendPage(reply, site, page())
  })
}
