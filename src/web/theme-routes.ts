import type { Context } from '../platform/context.ts'
import { readForm } from '../platform/http/body.ts'
import { writeCookie } from '../identity/callers/cookies.ts'
import { localPath } from './local-path.ts'
import { readTheme, THEME_COOKIE } from './theme.ts'
import type { PageServer } from './page-server.ts'

const MAX_FORM_BYTES = 16_384

export function themeRoutes(server: PageServer, { config }: Context): void {
  server.post('/user/theme', async (request, reply) => {
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    const theme = readTheme(form.get('theme'))
    reply.header('set-cookie', writeCookie(config, THEME_COOKIE, theme, { isHidden: true }))
    return reply.redirect(localPath(config, form.get('redirect_to')), 303)
  })
}
