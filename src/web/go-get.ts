import type { FastifyInstance } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import { baseUrl } from '../platform/config/urls.ts'
import { html, type Html } from '../platform/html.ts'

/**
 * `go get` asks with `?go-get=1`, at the address of a package, where the repository of its module
 * is. Every name is answered alike, so that nobody learns which repositories exist; git asks for
 * credentials later.
 */
export function addGoGet(server: FastifyInstance, config: Config): void {
  server.addHook('onRequest', (request, reply, done) => {
    const page = request.url.includes('go-get=1') ? goImport(config, request.url) : undefined
    if (!page) return done()
    reply.header('content-type', 'text/html; charset=utf-8').send(page.toString())
  })
}

function goImport(config: Config, url: string): Html | undefined {
  const [path = '', query = ''] = url.split('?')
  if (new URLSearchParams(query).get('go-get') !== '1') return undefined
  const [, owner, repo] = /^\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/.*)?$/.exec(path) ?? []
  if (owner === undefined || owner === 'api') return undefined
  const address = `${baseUrl(config)}/${owner}/${repo}`
  const module = address.replace(/^https?:\/\//, '')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="go-import" content="${module} git ${address}.git">
<title>${module}</title>
</head>
<body>go get ${module}</body>
</html>
`
}
