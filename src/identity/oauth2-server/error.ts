export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'

/**
 * What an application is told that asked for something it does not get, in the words of RFC 6749.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
  }
}
