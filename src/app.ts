import type { FastifyBaseLogger as Logger, FastifyInstance } from 'fastify'
import { actionValueRoutes } from './action-values/routes.ts'
import { feedRoutes } from './activity/routes.ts'
import { applicationRoutes } from './applications/routes.ts'
import { starRoutes, watchRoutes } from './audience/routes.ts'
import { candidateRoutes, collaboratorRoutes } from './collaborators/routes.ts'
import { deployKeyRoutes } from './deploy-keys/routes.ts'
import { checkTasks } from './doctor/tasks.ts'
import { forkRoutes } from './forks/routes.ts'
import { statusRoutes } from './statuses/routes.ts'
import { repositoryTeamRoutes, teamRepositoryRoutes } from './team-repositories/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { topicRoutes } from './topics/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import { DownloadCounts } from './attachments/download-counts.ts'
import { removeFiles } from './attachments/drop.ts'
import { sweepAttachments } from './attachments/sweep.ts'
import { LastUse } from './auth/last-use.ts'
import { Passwords } from './auth/passwords.ts'
import { loadSecrets } from './auth/secrets.ts'
import { tokenRoutes } from './auth/routes.ts'
import { forgetExpiredSessions } from './auth/sessions.ts'
import { SignInLimits } from './auth/sign-in-limits.ts'
import { analyseRepository } from './analysis/analyse.ts'
import { analysisRoutes } from './analysis/routes.ts'
import { branchRoutes } from './branches/routes.ts'
import { gitRoutes } from './commits/git-routes.ts'
import { commitPages, commitRoutes } from './commits/routes.ts'
import { downloadPages, downloadRoutes } from './content/download-routes.ts'
import { contentChangeRoutes, contentRoutes, patchRoutes } from './content/routes.ts'
import { uploadPages } from './downloads/routes.ts'
import { tagRoutes } from './tags/routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import type { Config } from './config/config.ts'
import { baseUrl } from './config/urls.ts'
import type { Context } from './context.ts'
import { checkAfterUncleanStop, markRunning, openDatabase, type Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { GroupedWrites } from './db/grouped-writes.ts'
import { SharedClock } from './db/shared-clock.ts'
import { VersionedCache } from './db/versioned-cache.ts'
import { blockRoutes, followerRoutes } from './followers/routes.ts'
import { prepareGit } from './git/environment.ts'
import { closeObjects } from './git/object-pool.ts'
import { Git } from './git/run.ts'
import type { Api } from './http/api.ts'
import { addGit } from './http/git.ts'
import { addHealth } from './http/health.ts'
import { addMetrics } from './http/metrics.ts'
import { buildServer, type ServerParts } from './http/server.ts'
import { forgetKeys } from './idempotency/once.ts'
import { instanceRoutes } from './instance/routes.ts'
import { signingKeyRoutes } from './instance/signing-key-routes.ts'
import { generationRoutes } from './generation/routes.ts'
import { forgetExpiredGrants } from './grants/grants.ts'
import { grantPages } from './grants/routes.ts'
import { issueTemplateRoutes } from './issue-templates/routes.ts'
import { cronRoutes } from './jobs/routes.ts'
import { JobQueue, NotYet } from './jobs/queue.ts'
import { Schedule } from './jobs/schedule.ts'
import { organizationLabelRoutes, repositoryLabelRoutes } from './labels/routes.ts'
import { commentListRoutes, commentRoutes } from './comments/routes.ts'
import { issueLabelRoutes } from './issue-labels/routes.ts'
import { notifyOfIssue } from './notifications/notify.ts'
import { dependencyRoutes } from './issues/dependency-routes.ts'
import { pinRoutes } from './issues/pin-routes.ts'
import { reactionRoutes } from './reactions/routes.ts'
import { issueSubscriptionRoutes } from './issue-subscriptions/routes.ts'
import { timeListRoutes, timeRoutes } from './time-tracking/routes.ts'
import { stopwatchRoutes } from './time-tracking/stopwatch-routes.ts'
import { timelineRoutes } from './timeline/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { issueListRoutes } from './issues/list-routes.ts'
import { assigneeRoutes } from './issues/assignee-routes.ts'
import { issueSettingRoutes } from './issues/setting-routes.ts'
import { issueRoutes } from './issues/routes.ts'
import { milestoneRoutes } from './milestones/routes.ts'
import { gpgKeyRoutes } from './keys/gpg-routes.ts'
import { adminPublicKeyRoutes, publicKeyRoutes } from './keys/routes.ts'
import { markupRoutes } from './markup/routes.ts'
import { tellPushMirrors } from './mirrors/push-mirrors.ts'
import { syncPushMirror } from './mirrors/push-sync.ts'
import { updateMirrors } from './mirrors/queue.ts'
import { mirrorRoutes, pushMirrorRoutes } from './mirrors/routes.ts'
import { syncMirror } from './mirrors/sync.ts'
import { memberRoutes } from './organizations/member-routes.ts'
import { adminOrganizationRoutes, personOrganizationRoutes } from './organizations/person-routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { teamRoutes } from './organizations/team-routes.ts'
import { branchProtectionRoutes, tagProtectionRoutes } from './protection/routes.ts'
import { mergeScheduled } from './pulls/auto-merge.ts'
import { mergePull } from './pulls/merge.ts'
import { mergeRoutes } from './pulls/merge-routes.ts'
import { mendPulls } from './pulls/mend.ts'
import { checkPulls } from './pulls/check-all.ts'
import { reviewCommentRoutes, reviewRequestRoutes } from './reviews/request-routes.ts'
import { reviewRoutes } from './reviews/routes.ts'
import { pullContentRoutes } from './pulls/content-routes.ts'
import { pullListRoutes, pullPages, pullRoutes } from './pulls/routes.ts'
import { measureRepository } from './pushes/measure.ts'
import { issueAttachmentRoutes } from './issue-attachments/routes.ts'
import { releaseAttachmentRoutes } from './release-attachments/routes.ts'
import { avatarPages, avatarRoutes } from './avatars/routes.ts'
import { sweepAvatars } from './avatars/sweep.ts'
import { lfsPages } from './lfs/routes.ts'
import { removeUnusedLfs, sweepLfs } from './lfs/sweep.ts'
import { releaseRoutes } from './releases/routes.ts'
import { expireUploads } from './resumable-uploads/operations.ts'
import { resumableUploadRoutes } from './resumable-uploads/routes.ts'
import { repositoryListRoutes } from './repositories/list-routes.ts'
import { collectAllGarbage, collectGarbage } from './repositories/garbage.ts'
import { removeFolder } from './repositories/remove.ts'
import { sweepFolders } from './repositories/sweep.ts'
import { repositoryCreationRoutes, repositoryRoutes } from './repositories/routes.ts'
import { Outside } from './network/outside.ts'
import { detectSchedules } from './schedules/detect.ts'
import { scheduleRoutes } from './schedules/routes.ts'
import { startScheduledRuns } from './schedules/start.ts'
import type { SshServer } from './ssh/server.ts'
import type { FileStorage } from './storage/file-storage.ts'
import { openStorage, roomOf } from './storage/open-storage.ts'
import { areRemovalsHeld } from './storage/removals.ts'
import { adminEmailRoutes, adminUserRoutes } from './users/admin-routes.ts'
import { hasNoAccounts } from './users/create-first.ts'
import { userRoutes } from './users/routes.ts'
import { wikiRoutes } from './wikis/routes.ts'
import { measureWiki } from './wikis/settle.ts'
import { pageRoutes } from './web/routes.ts'
import { SetupToken } from './web/setup-token.ts'
import { deliverWaiting, forgetOldDeliveries, resumeDeliveries } from './webhooks/deliver.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export interface App {
  readonly ctx: Context
  readonly server: FastifyInstance
  /** Where the first administrator is created in a browser; nowhere once there is an account. */
  readonly findSetupLink: () => Promise<string | undefined>
  /** Opens the door for SSH where the settings say so; gives its port. */
  readonly listenSsh: () => Promise<number | undefined>
  /** Lets requests finish, then closes everything. */
  readonly close: () => Promise<void>
}

export interface AppOptions {
  readonly now?: () => number
  readonly onAnswer?: ServerParts['onAnswer']
  /** Adds the figures of the process to those of requests. */
  readonly processMetrics?: boolean
}

/** Opens and migrates the database, and puts together what runs on it. Nothing else wires anything. */
export async function openContext(
  config: Config,
  log: Logger,
  options: AppOptions = {},
): Promise<Context> {
  const secrets = loadSecrets(config)
  const outside = new Outside(config)
  const db = await openDatabase(config)
  const clock = new SharedClock(db, options.now)
  const { now } = clock
  const files = await prepare(config, db, clock).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  return {
    config,
    db,
    groupedWrites: new GroupedWrites(db),
    log,
    secrets,
    clock,
    now,
    passwords: new Passwords(config, (text) => secrets.hash('remembered-password', text)),
    signInLimits: new SignInLimits(config, db, secrets, now),
    tokenCache: new VersionedCache(db),
    grantCache: new VersionedCache(db),
    accountCache: new VersionedCache(db),
    repositoryCache: new VersionedCache(db),
    surroundings: db.dialect === 'sqlite' ? new VersionedCache(db) : undefined,
    totals: new VersionedCache(db),
    lastUse: new LastUse(db, log),
    schedule: new Schedule(db, log, now),
    jobs: new JobQueue(db, log, now, config),
    git: new Git(prepareGit(config)),
    outside,
    files,
    room: roomOf(config, now),
    downloadCounts: new DownloadCounts(db, log),
  }
}

async function prepare(config: Config, db: Database, clock: SharedClock): Promise<FileStorage> {
  await clock.adjust()
  await migrate(db, clock.now())
  return openStorage(config)
}

export async function closeContext(ctx: Context): Promise<void> {
  ctx.clock.stop()
  await ctx.schedule.stop()
  await ctx.jobs.stop()
  await ctx.lastUse.settle()
  await ctx.downloadCounts.settle()
  await closeObjects(ctx.git)
  await ctx.files.close()
  await ctx.db.destroy()
}

export async function buildApp(
  config: Config,
  log: Logger,
  options: AppOptions = {},
): Promise<App> {
  // Whatever somebody sends, no object gets a property that was not given to it. Frozen, which would be more, it keeps
  // libraries from giving their own objects methods of the same names.
  Object.seal(Object.prototype)
  checkAfterUncleanStop(config, (message) => log.warn(message))
  const ctx = await openContext(config, log, options)
  const noteCleanStop = markRunning(config)
  addTasks(ctx)
  addJobs(ctx)
  const setup = new SetupToken()
  const server = buildServer(ctx, {
    api: registerApi,
    pages: (outer, _ctx, api) => {
      addHealth(outer, ctx)
      addGit(outer, ctx)
      lfsPages(outer, ctx)
      avatarPages(outer, ctx)
      if (config.oauth2.enabled) grantPages(outer, ctx)
      addMetrics(outer, config, { ofProcess: options.processMetrics ?? false })
      downloadPages(outer, ctx)
      uploadPages(outer, ctx)
      pullPages(outer, ctx)
      commitPages(outer, ctx)
      return pageRoutes(outer, ctx, api, setup)
    },
    ...(options.onAnswer ? { onAnswer: options.onAnswer } : {}),
  })
  let ssh: SshServer | undefined
  const listenSsh = async () => {
    if (!config.ssh.enabled) return undefined
    // Loaded only where it is used: it is large.
    const door = await import('./ssh/server.ts')
    ssh = new door.SshServer(ctx)
    return ssh.listen()
  }
  const close = async () => {
    await ssh?.close()
    await closeServer(server)
    await closeContext(ctx)
    noteCleanStop()
  }
  const findSetupLink = async () =>
    (await hasNoAccounts(ctx)) ? baseUrl(config) + setup.path : undefined
  return { ctx, server, findSetupLink, listenSsh, close }
}

/** A connection whose last request has just been answered is closed then, not when its client hangs up. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setInterval(() => server.server.closeIdleConnections(), 50)
  try {
    await server.close()
  } finally {
    clearInterval(timer)
  }
}

export function registerApi(api: Api, ctx: Context): void {
  instanceRoutes(api, ctx)
  signingKeyRoutes(api, ctx)
  catalogueRoutes(api, ctx)
  markupRoutes(api, ctx)
  userRoutes(api, ctx)
  adminUserRoutes(api, ctx)
  adminEmailRoutes(api, ctx)
  tokenRoutes(api, ctx)
  organizationRoutes(api, ctx)
  memberRoutes(api, ctx)
  teamRoutes(api, ctx)
  personOrganizationRoutes(api, ctx)
  adminOrganizationRoutes(api, ctx)
  publicKeyRoutes(api, ctx)
  adminPublicKeyRoutes(api, ctx)
  gpgKeyRoutes(api, ctx)
  applicationRoutes(api, ctx)
  followerRoutes(api, ctx)
  blockRoutes(api, ctx)
  cronRoutes(api, ctx)
  mirrorRoutes(api, ctx)
  scheduleRoutes(api, ctx)
  actionValueRoutes(api, ctx)
  pushMirrorRoutes(api, ctx)
  repositoryRoutes(api, ctx)
  repositoryCreationRoutes(api, ctx)
  repositoryListRoutes(api, ctx)
  contentRoutes(api, ctx)
  contentChangeRoutes(api, ctx)
  patchRoutes(api, ctx)
  downloadRoutes(api, ctx)
  commitRoutes(api, ctx)
  gitRoutes(api, ctx)
  branchRoutes(api, ctx)
  tagRoutes(api, ctx)
  analysisRoutes(api, ctx)
  collaboratorRoutes(api, ctx)
  candidateRoutes(api, ctx)
  starRoutes(api, ctx)
  watchRoutes(api, ctx)
  topicRoutes(api, ctx)
  forkRoutes(api, ctx)
  searchRoutes(api, ctx)
  feedRoutes(api, ctx)
  repositoryLabelRoutes(api, ctx)
  organizationLabelRoutes(api, ctx)
  milestoneRoutes(api, ctx)
  issueListRoutes(api, ctx)
  issueRoutes(api, ctx)
  issueSettingRoutes(api, ctx)
  assigneeRoutes(api, ctx)
  commentListRoutes(api, ctx)
  commentRoutes(api, ctx)
  issueLabelRoutes(api, ctx)
  pinRoutes(api, ctx)
  dependencyRoutes(api, ctx)
  reactionRoutes(api, ctx)
  issueSubscriptionRoutes(api, ctx)
  timelineRoutes(api, ctx)
  timeListRoutes(api, ctx)
  timeRoutes(api, ctx)
  stopwatchRoutes(api, ctx)
  notificationRoutes(api, ctx)
  transferRoutes(api, ctx)
  teamRepositoryRoutes(api, ctx)
  repositoryTeamRoutes(api, ctx)
  deployKeyRoutes(api, ctx)
  statusRoutes(api, ctx)
  generationRoutes(api, ctx)
  issueTemplateRoutes(api, ctx)
  branchProtectionRoutes(api, ctx)
  tagProtectionRoutes(api, ctx)
  wikiRoutes(api, ctx)
  releaseRoutes(api, ctx)
  releaseAttachmentRoutes(api, ctx)
  resumableUploadRoutes(api, ctx)
  issueAttachmentRoutes(api, ctx)
  webhookRoutes(api, ctx)
  avatarRoutes(api, ctx)
  pullListRoutes(api, ctx)
  pullRoutes(api, ctx)
  pullContentRoutes(api, ctx)
  mergeRoutes(api, ctx)
  reviewRoutes(api, ctx)
  reviewRequestRoutes(api, ctx)
  reviewCommentRoutes(api, ctx)
}

function addJobs(ctx: Context): void {
  ctx.jobs.handle('notify_of_issue', (news) => notifyOfIssue(ctx, news))
  ctx.jobs.handle('remove_repository_folder', ({ folder }) =>
    whenAllowed(ctx, () => removeFolder(ctx, folder)),
  )
  ctx.jobs.addLane('mirrors', { atOnce: ctx.config.mirror.at_once })
  ctx.jobs.handle('sync_mirror', ({ repositoryId }, ending) =>
    syncMirror(ctx, repositoryId, ending),
  )
  ctx.jobs.handle('detect_schedules', ({ repositoryId }) => detectSchedules(ctx, repositoryId))
  ctx.jobs.handle('sync_push_mirror', ({ id }, ending) => syncPushMirror(ctx, id, ending))
  ctx.jobs.handle('measure_repository', async ({ id }) => {
    await tellPushMirrors(ctx, id)
    await detectSchedules(ctx, id)
    await measureRepository(ctx, id)
    await mendPulls(ctx, id)
    await analyseRepository(ctx, id)
  })
  ctx.jobs.handle('measure_wiki', ({ id }) => measureWiki(ctx, id))
  ctx.jobs.handle('check_pulls', ({ repositoryId }) => checkPulls(ctx, repositoryId))
  ctx.jobs.handle('merge_scheduled', ({ issueId }) => mergeScheduled(ctx, issueId, mergePull))
  ctx.jobs.addLane('webhooks', { atOnce: ctx.config.webhooks.at_once })
  ctx.jobs.handle('deliver_webhook', ({ id }, ending) => deliverWaiting(ctx, id, ending))
  ctx.jobs.addLane('garbage', { atOnce: 1 })
  ctx.jobs.handle('collect_garbage', ({ id }, ending) =>
    whenAllowed(ctx, () => collectGarbage(ctx, id, ending)),
  )
  ctx.jobs.handle('remove_unused_lfs', () => whenAllowed(ctx, () => removeUnusedLfs(ctx)))
  ctx.jobs.handle('remove_files', ({ keys }) => whenAllowed(ctx, () => removeFiles(ctx, keys)))
}

const HELD_SECONDS = 30

/** For what takes data away: not while it is being copied. */
async function whenAllowed({ config }: Context, remove: () => Promise<void>): Promise<void> {
  if (areRemovalsHeld(config)) throw new NotYet(HELD_SECONDS)
  await remove()
}

/** The same for what is done every day: the next day will do. */
async function ifAllowed({ config }: Context, sweep: () => Promise<void>): Promise<void> {
  if (!areRemovalsHeld(config)) await sweep()
}

function addTasks(ctx: Context): void {
  ctx.schedule.add({
    name: 'forget_old_sign_in_failures',
    everySeconds: 3600,
    run: async () => {
      await ctx.signInLimits.forgetOld()
      await forgetExpiredSessions(ctx)
      await forgetExpiredGrants(ctx)
    },
  })
  ctx.schedule.add({
    name: 'start_schedule_tasks',
    everySeconds: 30,
    run: () => startScheduledRuns(ctx),
  })
  ctx.schedule.add({ name: 'update_mirrors', everySeconds: 60, run: () => updateMirrors(ctx) })
  ctx.schedule.add({
    name: 'resume_webhooks',
    everySeconds: 30,
    run: () => resumeDeliveries(ctx),
  })
  ctx.schedule.add({
    name: 'forget_old_deliveries',
    everySeconds: 3600,
    run: () => forgetOldDeliveries(ctx),
  })
  ctx.schedule.add({
    name: 'sweep_repository_folders',
    everySeconds: 86_400,
    run: () => ifAllowed(ctx, () => sweepFolders(ctx)),
  })
  ctx.schedule.add({
    name: 'forget_idempotency_keys',
    everySeconds: 3600,
    run: () => forgetKeys(ctx),
  })
  ctx.schedule.add({
    name: 'expire_uploads',
    everySeconds: 3600,
    run: () => ifAllowed(ctx, () => expireUploads(ctx)),
  })
  ctx.schedule.add({
    name: 'git_gc_repos',
    everySeconds: 86_400,
    run: () => collectAllGarbage(ctx),
  })
  ctx.schedule.add({
    name: 'sweep_avatars',
    everySeconds: 86_400,
    run: () => ifAllowed(ctx, () => sweepAvatars(ctx)),
  })
  ctx.schedule.add({
    name: 'sweep_lfs',
    everySeconds: 86_400,
    run: () => ifAllowed(ctx, () => sweepLfs(ctx)),
  })
  ctx.schedule.add({
    name: 'sweep_attachments',
    everySeconds: 86_400,
    run: () => ifAllowed(ctx, () => sweepAttachments(ctx)),
  })
  for (const task of checkTasks(ctx)) ctx.schedule.add(task)
}
