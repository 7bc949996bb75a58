import type { Above } from '../platform/above.ts'
import { archivesOfRepositories } from '../code/content/kept-archives.ts'
import { recordUnassigned } from '../collaboration/comments/record.ts'
import { listCheckStates } from './doctor/results.ts'
import { issuesOfRepositories } from '../collaboration/issues/drop-all.ts'
import { issuesOfPush } from '../collaboration/issues/obey-words.ts'
import { lfsOfRepositories } from '../code/lfs/copy.ts'
import { mirrorEdit } from '../code/mirrors/edit.ts'
import { newsOfRepositories } from '../outbound/notifications/tell-owners.ts'
import { ownedPackages, packagesOfRepositories } from '../delivery/packages/packages.ts'
import { cardsOfRepositories } from '../collaboration/projects/cards.ts'
import { pullsOfPush, pullsOfRepositories } from '../collaboration/pulls/follow.ts'
import { releasesOfPush } from '../delivery/releases/withdraw.ts'
import { ownedRepositories } from '../repositories/repository/owners.ts'
import { endLostWatches, watchThroughTeam } from '../repositories/repository/team-watches.ts'
import { memberships } from '../identity/users/remove.ts'

export const aboveParts: Above = {
  // Somebody who has several is told of repositories first, then of memberships, then of packages.
  ownedByAccounts: [ownedRepositories, memberships, ownedPackages],
  partsOfRepositories: [
    pullsOfRepositories,
    issuesOfRepositories,
    lfsOfRepositories,
    archivesOfRepositories,
    cardsOfRepositories,
    packagesOfRepositories,
    newsOfRepositories,
  ],
  pushListeners: [releasesOfPush, issuesOfPush, pullsOfPush],
  mirrorEdit,
  onTeamGain: watchThroughTeam,
  onTeamLoss: endLostWatches,
  onUnassigned: recordUnassigned,
  checkStates: listCheckStates,
}
