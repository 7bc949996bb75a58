import { checkTasks } from './doctor/tasks.ts'
import { removeFiles } from '../repositories/attachments/drop.ts'
import { shortenFeed } from '../events/activity/room.ts'
import { sweepAttachments } from '../repositories/attachments/sweep.ts'
import { forgetHalfSignIns } from '../identity/auth/half-sign-ins.ts'
import { forgetExpiredMailCodes } from '../identity/auth/mail-codes.ts'
import { forgetExpiredChallenges } from '../identity/auth/security-keys/challenges.ts'
import { forgetExpiredSessions } from '../identity/auth/sessions.ts'
import { analyseRepository } from '../code/analysis/analyse.ts'
import type { Context } from '../platform/context.ts'
import { obeyWords } from '../collaboration/issues/obey-words.ts'
import { findIdentity } from '../platform/db/identity.ts'
import { forgetKeys } from '../platform/http/idempotency-keys.ts'
import { forgetExpiredGrants } from '../identity/oauth2-server/grants.ts'
import { NotYet } from '../platform/jobs/queue.ts'
import { notifyOfIssue } from '../outbound/notifications/notify.ts'
import { tellPushMirrors } from '../code/mirrors/push-mirrors.ts'
import { syncPushMirror } from '../code/mirrors/push-sync.ts'
import { updateMirrors } from '../code/mirrors/queue.ts'
import { runImport } from '../code/mirrors/run-import.ts'
import { syncMirror } from '../code/mirrors/sync.ts'
import { mergeScheduled } from '../collaboration/pulls/auto-merge.ts'
import { mergePull } from '../collaboration/pulls/merge.ts'
import { mendPulls } from '../collaboration/pulls/mend.ts'
import { checkPulls } from '../collaboration/pulls/check-all.ts'
import { measureRepository } from '../code/pushes/measure.ts'
import { recordLeft } from '../code/pushes/record-left.ts'
import { sweepArchives } from '../code/content/kept-archives.ts'
import { sweepAvatars } from '../repositories/avatars/sweep.ts'
import { removeUnusedLfs, sweepLfs } from '../code/lfs/sweep.ts'
import { expireUploads } from '../delivery/resumable-uploads/operations.ts'
import { sweepPackages } from '../delivery/packages/sweep.ts'
import { collectAllGarbage, collectGarbage } from '../repositories/repository/garbage.ts'
import { repositoriesById } from '../repositories/repository/load.ts'
import { removeFolder } from '../repositories/repository/remove.ts'
import { removeMarked } from '../repositories/repository/remove-all.ts'
import { sweepFolders } from '../repositories/repository/sweep.ts'
import { tellOfRelease } from '../delivery/releases/tell.ts'
import { detectSchedules } from '../code/schedules/detect.ts'
import { startScheduledRuns } from '../code/schedules/start.ts'
import { emptyTrash } from '../platform/sweeps/trash.ts'
import { areRemovalsHeld } from '../platform/storage/removals.ts'
import { measureWiki } from '../code/wikis/after-change.ts'
import {
  deliverWaiting,
  forgetOldDeliveries,
  resumeDeliveries,
} from '../outbound/webhooks/deliver.ts'

/** What is done by the queue of jobs. */
export function addJobs(ctx: Context): void {
  ctx.jobs.handle('notify_of_issue', (news, _ending, run) => notifyOfIssue(ctx, news, run))
  ctx.jobs.handle('tell_of_release', (news, _ending, run) => tellOfRelease(ctx, news, run))
  ctx.jobs.handle('remove_repository_folder', ({ folder }) =>
    whenAllowed(ctx, () => removeFolder(ctx, folder)),
  )
  ctx.jobs.addLane('imports', { atOnce: ctx.config.mirror.at_once })
  ctx.jobs.handle('import_repository', ({ id }, ending) => runImport(ctx, id, ending))
  ctx.jobs.addLane('mirrors', { atOnce: ctx.config.mirror.at_once })
  ctx.jobs.handle('sync_mirror', ({ repositoryId }, ending) =>
    syncMirror(ctx, repositoryId, ending),
  )
  ctx.jobs.handle('detect_schedules', ({ repositoryId }) => detectSchedules(ctx, repositoryId))
  ctx.jobs.handle('sync_push_mirror', ({ id }, ending) => syncPushMirror(ctx, id, ending))
  ctx.jobs.addLane('measures', { atOnce: 2 })
  ctx.jobs.handle('measure_repository', ({ id }) =>
    unlessDeleted(ctx, id, async () => {
      await tellPushMirrors(ctx, id)
      await detectSchedules(ctx, id)
      await measureRepository(ctx, id)
      await mendPulls(ctx, id)
      await analyseRepository(ctx, id)
    }),
  )
  ctx.jobs.addLane('records', { atOnce: 1 })
  ctx.jobs.handle('record_moved', (plan, _ending, run) => recordLeft(ctx, plan, run))
  ctx.jobs.handle('measure_wiki', ({ id }) =>
    unlessDeleted(ctx, id, async () => {
      await tellPushMirrors(ctx, id)
      await measureWiki(ctx, id)
    }),
  )
  ctx.jobs.handle('shorten_feed', (feed) => shortenFeed(ctx, feed))
  ctx.jobs.handle('obey_words', (words) => obeyWords(ctx, words))
  ctx.jobs.handle('check_pulls', ({ repositoryId }) => checkPulls(ctx, repositoryId))
  ctx.jobs.handle('merge_scheduled', ({ issueId }) => mergeScheduled(ctx, issueId, mergePull))
  ctx.jobs.addLane('webhooks', { atOnce: ctx.config.webhooks.at_once })
  ctx.jobs.handle('deliver_webhook', ({ id }, ending) => deliverWaiting(ctx, id, ending))
  addMailJobs(ctx)
  ctx.jobs.addLane('garbage', { atOnce: 1 })
  ctx.jobs.handle('collect_garbage', ({ id }, ending) =>
    whenAllowed(ctx, () => collectGarbage(ctx, id, ending)),
  )
  ctx.jobs.addLane('removals', { atOnce: 1 })
  ctx.jobs.handle('remove_repositories', (asked, ending) => removeMarked(ctx, asked, ending))
  ctx.jobs.handle('remove_unused_lfs', () => whenAllowed(ctx, () => removeUnusedLfs(ctx)))
  ctx.jobs.handle('remove_files', ({ keys }) => whenAllowed(ctx, () => removeFiles(ctx, keys)))
}

/** What fails because its repository has been deleted meanwhile is over. */
async function unlessDeleted(ctx: Context, id: number, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if ((await repositoriesById(ctx.db, [id])).has(id)) throw error
  }
}

/** Loaded with the first mail of a kind. */
function addMailJobs(ctx: Context): void {
  ctx.jobs.addLane('mail', { atOnce: ctx.config.mail.at_once })
  ctx.jobs.handle('mail_reset', async (asked, _ending, run) => {
    const { mailReset } = await import('../outbound/mail/reset.ts')
    await mailReset(ctx, asked, run)
  })
  ctx.jobs.handle('mail_confirmation', async (asked, _ending, run) => {
    const { mailConfirmation } = await import('../outbound/mail/confirmation.ts')
    await mailConfirmation(ctx, asked, run)
  })
  ctx.jobs.handle('mail_security', async (news, _ending, run) => {
    const { mailSecurity } = await import('../outbound/mail/security.ts')
    await mailSecurity(ctx, news, run)
  })
  ctx.jobs.handle('mail_issue_news', async (news, _ending, run) => {
    const { mailIssueNews } = await import('../outbound/mail/issue-news.ts')
    await mailIssueNews(ctx, news, run)
  })
  ctx.jobs.handle('mail_repository_news', async (news, _ending, run) => {
    const { mailRepositoryNews } = await import('../outbound/mail/repository-news.ts')
    await mailRepositoryNews(ctx, news, run)
  })
  ctx.jobs.handle('mail_release', async (news, _ending, run) => {
    const { mailRelease } = await import('../outbound/mail/release.ts')
    await mailRelease(ctx, news, run)
  })
}

const HELD_SECONDS = 30

/**
 * For what takes data away: not while it is being copied, nor in a copy whose bucket may be that
 * of the original.
 */
async function whenAllowed({ config, quiet }: Context, remove: () => Promise<void>): Promise<void> {
  if (areRemovalsHeld(config) || quiet.isQuiet) throw new NotYet(HELD_SECONDS)
  await remove()
}

/**
 * For what removes data every day: left out while data is being copied, as the next day will do;
 * and on the first day of a database, or of a copy of one, which gives time to notice that it is
 * the wrong one.
 */
async function ifAllowed(ctx: Context, sweep: () => Promise<void>): Promise<void> {
  if (areRemovalsHeld(ctx.config) || ctx.quiet.isQuiet) return
  const identity = await findIdentity(ctx.db)
  if (identity && ctx.now() >= identity.sweepsFrom) await sweep()
}

const HOUR = 3600
const DAY = 86_400

/** What is done by the clock: after how many seconds again, and what. */
export function addTasks(ctx: Context): void {
  const daily = (sweep: (ctx: Context) => Promise<void>) =>
    [DAY, () => ifAllowed(ctx, () => sweep(ctx))] as const
  const tasks: Readonly<Record<string, readonly [number, () => Promise<void>]>> = {
    start_schedule_tasks: [30, () => startScheduledRuns(ctx)],
    resume_webhooks: [30, () => resumeDeliveries(ctx)],
    update_mirrors: [60, () => updateMirrors(ctx)],
    forget_expired_credentials: [HOUR, () => forgetExpiredCredentials(ctx)],
    forget_old_deliveries: [HOUR, () => forgetOldDeliveries(ctx)],
    forget_idempotency_keys: [HOUR, () => forgetKeys(ctx)],
    expire_uploads: [HOUR, () => ifAllowed(ctx, () => expireUploads(ctx))],
    git_gc_repos: [DAY, () => collectAllGarbage(ctx)],
    sweep_repository_folders: daily(sweepFolders),
    sweep_avatars: daily(sweepAvatars),
    sweep_lfs: daily(sweepLfs),
    sweep_packages: daily(sweepPackages),
    sweep_attachments: daily(sweepAttachments),
    sweep_archives: daily(sweepArchives),
    empty_trash: daily(emptyTrash),
  }
  for (const [name, [everySeconds, run]] of Object.entries(tasks)) {
    ctx.schedule.add({ name, everySeconds, isNightly: everySeconds === DAY, run })
  }
  for (const task of checkTasks(ctx)) ctx.schedule.add(task)
}

async function forgetExpiredCredentials(ctx: Context): Promise<void> {
  await ctx.signInLimits.forgetOld()
  await forgetExpiredSessions(ctx)
  await forgetExpiredMailCodes(ctx)
  await forgetHalfSignIns(ctx)
  await forgetExpiredChallenges(ctx)
  await forgetExpiredGrants(ctx)
}
