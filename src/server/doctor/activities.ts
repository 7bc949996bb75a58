import {
  fileRightly,
  findFiledWrongly,
  findMiscounted,
  recountActivities,
} from './activity-queries.ts'
import type { Check } from './check.ts'

export const activityChecks: readonly Check[] = [
  {
    name: 'activities are filed under who owns their repository',
    find: findFiledWrongly,
    mend: fileRightly,
  },
  {
    name: 'activities are counted as they are, and as their actors show them',
    find: findMiscounted,
    mend: recountActivities,
  },
]
