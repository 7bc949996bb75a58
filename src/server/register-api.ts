import { actionValueRoutes } from '../code/secrets-and-variables/routes.ts'
import { feedRoutes } from '../outbound/activity/routes.ts'
import { adoptionRoutes } from '../code/unadopted-repositories/routes.ts'
import { applicationRoutes } from '../identity/oauth2-applications/routes.ts'
import { starRoutes, watchRoutes } from '../repositories/stars-and-watches/routes.ts'
import { candidateRoutes, collaboratorRoutes } from '../repositories/collaborators/routes.ts'
import { deployKeyRoutes } from '../repositories/deploy-keys/routes.ts'
import { forkRoutes } from '../code/forks/routes.ts'
import { statusRoutes } from '../collaboration/statuses/routes.ts'
import {
  repositoryTeamRoutes,
  teamRepositoryRoutes,
} from '../repositories/team-repositories/routes.ts'
import { searchRoutes } from '../repositories/search/routes.ts'
import { topicRoutes } from '../repositories/topics/routes.ts'
import { transferRoutes } from '../code/transfers/routes.ts'
import { tokenRoutes } from '../identity/auth/routes.ts'
import { analysisRoutes } from '../code/analysis/routes.ts'
import { branchRoutes } from '../code/branches/routes.ts'
import { gitRoutes } from '../code/commits/git-routes.ts'
import { commitRoutes } from '../code/commits/routes.ts'
import { downloadRoutes } from '../protocols/downloads/content-routes.ts'
import { contentChangeRoutes, contentRoutes, patchRoutes } from '../code/content/routes.ts'
import { tagRoutes } from '../code/tags/routes.ts'
import { catalogueRoutes } from '../repositories/repository-defaults/routes.ts'
import type { Context } from '../platform/context.ts'
import { blockRoutes, followerRoutes } from '../identity/followers/routes.ts'
import type { Api } from '../platform/http/api.ts'
import { instanceRoutes } from './server-info/routes.ts'
import { signingKeyRoutes } from './server-info/signing-key-routes.ts'
import { generationRoutes } from '../code/templates/routes.ts'
import { issueTemplateRoutes } from '../collaboration/issue-templates/routes.ts'
import { cronRoutes } from '../platform/jobs/routes.ts'
import { organizationLabelRoutes, repositoryLabelRoutes } from '../repositories/labels/routes.ts'
import { commentListRoutes, commentRoutes } from '../collaboration/comments/routes.ts'
import { issueLabelRoutes } from '../collaboration/issue-labels/routes.ts'
import { dependencyRoutes } from '../collaboration/issues/dependency-routes.ts'
import { pinRoutes } from '../collaboration/issues/pin-routes.ts'
import { reactionRoutes } from '../collaboration/reactions/routes.ts'
import { issueSubscriptionRoutes } from '../collaboration/issue-subscriptions/routes.ts'
import { timeListRoutes, timeRoutes } from '../collaboration/time-tracking/routes.ts'
import { stopwatchRoutes } from '../collaboration/time-tracking/stopwatch-routes.ts'
import { timelineRoutes } from '../collaboration/timeline/routes.ts'
import { notificationRoutes } from '../outbound/notifications/routes.ts'
import { issueListRoutes } from '../collaboration/issues/list-routes.ts'
import { assigneeRoutes } from '../collaboration/issues/assignee-routes.ts'
import { issueSettingRoutes } from '../collaboration/issues/setting-routes.ts'
import { issueRoutes } from '../collaboration/issues/routes.ts'
import { milestoneRoutes } from '../collaboration/milestones/routes.ts'
import { packageRoutes } from '../delivery/packages/routes.ts'
import { projectCardRoutes, projectColumnRoutes } from '../collaboration/projects/column-routes.ts'
import { projectRoutes } from '../collaboration/projects/routes.ts'
import { gpgKeyRoutes } from '../identity/keys/gpg-routes.ts'
import { adminPublicKeyRoutes, publicKeyRoutes } from '../identity/keys/routes.ts'
import { markupRoutes } from '../protocols/markup-routes.ts'
import { mirrorRoutes, pushMirrorRoutes } from '../code/mirrors/routes.ts'
import { memberRoutes } from '../identity/organizations/member-routes.ts'
import {
  adminOrganizationRoutes,
  personOrganizationRoutes,
} from '../identity/organizations/person-routes.ts'
import { organizationRoutes } from '../identity/organizations/routes.ts'
import { teamRoutes } from '../identity/organizations/team-routes.ts'
import { branchProtectionRoutes, tagProtectionRoutes } from '../code/protection/routes.ts'
import { mergeRoutes } from '../collaboration/pulls/merge-routes.ts'
import {
  reviewCommentRoutes,
  reviewRequestRoutes,
} from '../collaboration/reviews/request-routes.ts'
import { reviewRoutes } from '../collaboration/reviews/routes.ts'
import { pullContentRoutes } from '../collaboration/pulls/content-routes.ts'
import { pullListRoutes, pullRoutes } from '../collaboration/pulls/routes.ts'
import { issueAttachmentRoutes } from '../collaboration/issue-attachments/routes.ts'
import { releaseAttachmentRoutes } from '../delivery/release-attachments/routes.ts'
import { avatarRoutes } from '../repositories/avatars/routes.ts'
import { releaseRoutes } from '../delivery/releases/routes.ts'
import { resumableUploadRoutes } from '../delivery/resumable-uploads/routes.ts'
import { repositoryListRoutes } from '../repositories/repository/list-routes.ts'
import { repositoryCreationRoutes, repositoryRoutes } from '../repositories/repository/routes.ts'
import { scheduleRoutes } from '../code/schedules/routes.ts'
import { adminEmailRoutes, adminUserRoutes } from '../identity/users/admin-routes.ts'
import { userRoutes } from '../identity/users/routes.ts'
import { wikiRoutes } from '../code/wikis/routes.ts'
import { webhookRoutes } from '../outbound/webhooks/routes.ts'

/** Every endpoint. */
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
  adoptionRoutes(api, ctx)
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
  projectRoutes(api, ctx)
  packageRoutes(api, ctx)
  projectColumnRoutes(api, ctx)
  projectCardRoutes(api, ctx)
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
