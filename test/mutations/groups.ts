import type { Route } from '../../src/platform/http/api.ts'

const besideAccounts =
  /^\/(gitignore|licenses|label|markdown|markup|repositories|topics|packages|notifications)\b|\/(actions|activities|avatar|blocks|heatmap|hooks|labels|packages|projects|repos|starred|stopwatches|subscriptions|times|unadopted)\b/

export function isOfRepositories({ path }: Route): boolean {
  return path.startsWith('/repos/')
}

/** Who calls, what they call with, and where they belong. */
export function isOfAccounts({ path }: Route): boolean {
  return !besideAccounts.test(path)
}
