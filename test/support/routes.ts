import { registerApi } from '../../src/server/register-api.ts'
import { configWith } from '../../src/platform/config/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { Api, type Route } from '../../src/platform/http/api.ts'

/**
 * Every address of the API with what it declares. Registering looks at nothing but the
 * configuration.
 */
export function routesOf(): readonly Route[] {
  const api = new Api()
  registerApi(api, { config: configWith('.') } as Context)
  return api.routes
}
