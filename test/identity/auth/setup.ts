import type { Headers, TestCaller } from '../../support/app.ts'

export const REFUSED = 'invalid username, password or token'

export function secretOf({ headers }: TestCaller): string {
  return (headers['authorization'] ?? '').replace('token ', '')
}

export function with_(authorization: string): Headers {
  return { authorization }
}
