export type Claims = Readonly<Record<string, unknown>>

/** Gives the signature of a text, in base64url. */
export type Sign = (text: string) => string

/** What is claimed, and the proof of who claims it: three parts with dots between them. */
export function writeJwt(header: Claims, claims: Claims, sign: Sign): string {
  const text = `${encode({ ...header, typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${sign(text)}`
}

/** The claims of what was signed as `isSigned` finds; nothing of anything else. */
export function readJwt(
  token: string,
  isSigned: (text: string, signature: string) => boolean,
): Claims | undefined {
  const [, text = '', claims = '', signature = ''] =
    /^([\w-]+\.([\w-]+))\.([\w-]+)$/.exec(token) ?? []
  return text !== '' && isSigned(text, signature) ? decode(claims) : undefined
}

function encode(part: Claims): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function decode(part: string): Claims {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Claims
}
