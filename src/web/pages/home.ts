import type { Config } from '../../platform/config/config.ts'
import { apiUrl, basePath } from '../../platform/config/urls.ts'
import { programVersion } from '../../platform/version.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

/** Which server this is, and where to go from here. */
export function homePage(config: Config, { isEmpty }: { isEmpty: boolean }): Page {
  return {
    title: 'Start',
    narrow: true,
    content: html`
<h1>Codestead <span class="tag">${programVersion}</span></h1>
<p class="lede">A home for source code. Its API speaks Gitea's language, so the clients you have work here.</p>
${isEmpty && firstSteps()}
<dl class="sheet facts">
<div><dt>API</dt><dd><code>${apiUrl(config)}</code></dd></div>
${config.api.swagger && descriptionFacts(basePath(config))}
<div><dt>Health</dt><dd><a href="${basePath(config)}/api/healthz">/api/healthz</a></dd></div>
</dl>`,
  }
}

function firstSteps(): Html {
  return html`
<section class="sheet notice">
<h2>There is no account yet</h2>
<p>When it started, the server printed a link to create the first administrator. Open that, or run this where
the server runs:</p>
<pre tabindex="0"><code>npm run admin -- user create --admin \\
  --name NAME --email ADDRESS --password -</code></pre>
</section>`
}

function descriptionFacts(root: string): Html {
  return html`
<div><dt>Reference</dt><dd><a href="${root}/api/swagger">Every operation, with examples</a></dd></div>
<div><dt>OpenAPI</dt><dd><a href="${root}/swagger.v1.json">/swagger.v1.json</a></dd></div>`
}
