import { Type } from 'typebox'

const text = Type.Optional(Type.String())

export const TokenRequest = Type.Object({
  grant_type: text,
  client_id: text,
  client_secret: text,
  code: text,
  redirect_uri: text,
  code_verifier: text,
  refresh_token: text,
})

export const IntrospectionRequest = Type.Object({
  token: text,
  client_id: text,
  client_secret: text,
})
