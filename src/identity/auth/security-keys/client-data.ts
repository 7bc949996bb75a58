import type { Config } from '../../../platform/config/config.ts'
import { baseUrl } from '../../../platform/config/urls.ts'
import { invalid } from '../../../platform/errors.ts'

/** What a key is asked for: to be enrolled, or to answer. */
export type Ceremony = 'webauthn.create' | 'webauthn.get'

/** What a browser says that it has asked a key, and for which site. */
export interface ClientData {
  readonly type: unknown
  readonly challenge: unknown
  readonly origin: unknown
  readonly crossOrigin: unknown
}

export function readClientData(bytes: Buffer): ClientData {
  const { type, challenge, origin, crossOrigin } = { ...parsed(bytes) }
  return { type, challenge, origin, crossOrigin }
}

function parsed(bytes: Buffer): Partial<ClientData> | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as Partial<ClientData> | null
  } catch {
    return null
  }
}

/** The site is the configured one, whatever the Host of a request says. */
export function assertAskedHere(config: Config, data: ClientData, ceremony: Ceremony): void {
  if (data.type !== ceremony) throw invalid('the security key was asked for something else')
  const { origin } = new URL(baseUrl(config))
  const isFramed = data.crossOrigin !== undefined && data.crossOrigin !== false
  if (data.origin !== origin || isFramed) throw invalid('the security key was asked elsewhere')
}
