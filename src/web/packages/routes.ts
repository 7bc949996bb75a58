import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import { formOf, pageOf } from '../look.ts'
import type { PageServer } from '../page-server.ts'
import { showPackages } from './list.ts'
import { showVersion, takeDeletion } from './version.ts'

export function packagePages(server: PageServer, ctx: Context, site: Site): void {
  const packages = '/:owner/-/packages'
  const version = `${packages}/:type/:name/:version`
  server.get(packages, pageOf(ctx, site, showPackages))
  server.get(
    version,
    pageOf(ctx, site, (look) => showVersion(look)),
  )
  server.post(`${version}/delete`, formOf(ctx, site, takeDeletion))
}
