import { Type } from 'typebox'

/** What nearly every refusal says. */
export const ErrorBody = Type.Object(
  { message: Type.String(), url: Type.Optional(Type.String()) },
  { title: 'APIError' },
)
