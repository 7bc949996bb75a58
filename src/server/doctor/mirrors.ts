import type { Check } from './check.ts'
import {
  findForgottenMirrors,
  findStrayMirrors,
  mendForgottenMirrors,
  mendStrayMirrors,
} from './mirror-queries.ts'

export const mirrorChecks: readonly Check[] = [
  { name: 'every mirror has its remote', find: findStrayMirrors, mend: mendStrayMirrors },
  {
    name: 'every mirror that waits has a job',
    find: findForgottenMirrors,
    mend: mendForgottenMirrors,
  },
]
