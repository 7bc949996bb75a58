import type { Check } from './check.ts'
import {
  deleteTeamlessMembers,
  findOrganizationsWithoutOwner,
  findTeamlessMembers,
  findUnlistedTeamMembers,
  insertUnlistedTeamMembers,
} from './queries.ts'

export const organizationChecks: readonly Check[] = [
  {
    // Who should own it is not ours to guess: an administrator adds a member to its team of owners.
    name: 'every organization has an owner',
    find: findOrganizationsWithoutOwner,
  },
  {
    name: 'members of a team are members of its organization',
    find: findUnlistedTeamMembers,
    mend: insertUnlistedTeamMembers,
  },
  {
    name: 'members of an organization are in one of its teams',
    find: findTeamlessMembers,
    mend: deleteTeamlessMembers,
  },
]
