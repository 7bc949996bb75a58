import { checkTasks } from './doctor/tasks.ts'
import { removeFiles } from './attachments/drop.ts'
import { sweepAttachments } from './attachments/sweep.ts'
import { forgetHalfSignIns } from './auth/half-sign-ins.ts'
import { forgetExpiredMailCodes } from './auth/mail-codes.ts'
import { forgetExpiredChallenges } from './auth/security-keys/challenges.ts'
import { forgetExpiredSessions } from './auth/sessions.ts'
import { analyseRepository } from './analysis/analyse.ts'
import type { Context } from './context.ts'
import { obeyWords } from './issues/obey-words.ts'
import { forgetKeys } from './idempotency/once.ts'
import { forgetExpiredGrants } from './grants/grants.ts'
import { NotYet } from './jobs/queue.ts'
import { notifyOfIssue } from './notifications/notify.ts'
import { tellPushMirrors } from './mirrors/push-mirrors.ts'
import { syncPushMirror } from './mirrors/push-sync.ts'
import { updateMirrors } from './mirrors/queue.ts'
import { runImport } from './mirrors/run-import.ts'
import { syncMirror } from './mirrors/sync.ts'
import { mergeScheduled } from './pulls/auto-merge.ts'
import { mergePull } from './pulls/merge.ts'
import { mendPulls } from './pulls/mend.ts'
import { checkPulls } from './pulls/check-all.ts'
import { measureRepository } from './pushes/measure.ts'
import { sweepAvatars } from './avatars/sweep.ts'
import { removeUnusedLfs, sweepLfs } from './lfs/sweep.ts'
import { expireUploads } from './resumable-uploads/operations.ts'
import { sweepPackages } from './packages/sweep.ts'
import { collectAllGarbage, collectGarbage } from './repositories/garbage.ts'
import { removeFolder } from './repositories/remove.ts'
import { removeMarked } from './repositories/remove-all.ts'
import { sweepFolders } from './repositories/sweep.ts'
import { tellOfRelease } from './releases/tell.ts'
import { detectSchedules } from './schedules/detect.ts'
import { startScheduledRuns } from './schedules/start.ts'
import { areRemovalsHeld } from './storage/removals.ts'
import { measureWiki } from './wikis/settle.ts'
import { deliverWaiting, forgetOldDeliveries, resumeDeliveries } from './webhooks/deliver.ts'

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
  ctx.jobs.handle('measure_repository', async ({ id }) => {
    await tellPushMirrors(ctx, id)
    await detectSchedules(ctx, id)
    await measureRepository(ctx, id)
    await mendPulls(ctx, id)
    await analyseRepository(ctx, id)
  })
  ctx.jobs.handle('measure_wiki', async ({ id }) => {
    await tellPushMirrors(ctx, id)
    await measureWiki(ctx, id)
  })
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

/** Loaded with the first mail of a kind. */
function addMailJobs(ctx: Context): void {
  ctx.jobs.addLane('mail', { atOnce: ctx.config.mail.at_once })
  ctx.jobs.handle('mail_reset', async (asked, _ending, run) => {
    const { mailReset } = await import('./mail/reset.ts')
    await mailReset(ctx, asked, run)
  })
  ctx.jobs.handle('mail_confirmation', async (asked, _ending, run) => {
    const { mailConfirmation } = await import('./mail/confirmation.ts')
    await mailConfirmation(ctx, asked, run)
  })
  ctx.jobs.handle('mail_issue_news', async (news, _ending, run) => {
    const { mailIssueNews } = await import('./mail/issue-news.ts')
    await mailIssueNews(ctx, news, run)
  })
  ctx.jobs.handle('mail_release', async (news, _ending, run) => {
    const { mailRelease } = await import('./mail/release.ts')
    await mailRelease(ctx, news, run)
  })
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

/** What is done by the clock. */
export function addTasks(ctx: Context): void {
  ctx.schedule.add({
    name: 'forget_old_sign_in_failures',
    everySeconds: 3600,
    run: async () => {
      await ctx.signInLimits.forgetOld()
      await forgetExpiredSessions(ctx)
      await forgetExpiredMailCodes(ctx)
      await forgetHalfSignIns(ctx)
      await forgetExpiredChallenges(ctx)
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
    name: 'sweep_packages',
    everySeconds: 86_400,
    run: () => ifAllowed(ctx, () => sweepPackages(ctx)),
  })
  ctx.schedule.add({
    name: 'sweep_attachments',
    everySeconds: 86_400,
    run: () => ifAllowed(ctx, () => sweepAttachments(ctx)),
  })
  for (const task of checkTasks(ctx)) ctx.schedule.add(task)
}
