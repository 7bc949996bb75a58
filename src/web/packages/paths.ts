import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Account } from '../../identity/users/account.ts'
import type { Look } from '../look.ts'

/** Where the packages of an account are listed. */
export function packagesPath({ ctx }: Pick<Look, 'ctx'>, { name }: Account): string {
  return `${basePath(ctx.config)}/${encodeSegment(name)}/-/packages`
}
