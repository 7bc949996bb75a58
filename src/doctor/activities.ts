import { fileRightly, findFiledWrongly } from './activity-queries.ts'
import type { Check } from './check.ts'

export const activityChecks: readonly Check[] = [
  {
    name: 'activities are filed under who owns their repository',
    find: findFiledWrongly,
    mend: fileRightly,
  },
]
