import type { Static } from 'typebox'
import { formatTime } from '../../platform/time.ts'
import type { ApplicationSettings } from './applications.ts'
import type { Application } from './queries.ts'
import type { ApplicationBody, CreateApplicationOptions } from './schema.ts'

export function presentApplication(
  application: Application,
  secret = '',
): Static<typeof ApplicationBody> {
  return {
    id: application.id,
    name: application.name,
    client_id: application.clientId,
    client_secret: secret,
    confidential_client: application.isConfidential,
    skip_secondary_authorization: application.skipsSecondaryAuthorization,
    redirect_uris: [...application.redirectUris],
    created: formatTime(application.createdAt),
  }
}

export function readSettings(body: Static<typeof CreateApplicationOptions>): ApplicationSettings {
  return {
    name: body.name,
    redirectUris: body.redirect_uris,
    isConfidential: body.confidential_client ?? false,
    skipsSecondaryAuthorization: body.skip_secondary_authorization ?? false,
  }
}
