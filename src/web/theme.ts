import type { FastifyRequest } from 'fastify'
import { cookieOf } from '../identity/callers/cookies.ts'

export const THEME_COOKIE = 'codestead_theme'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** What the browser was told to keep; otherwise as its system has it. */
export function themeOf(request: FastifyRequest): Theme {
  return readTheme(cookieOf(request, THEME_COOKIE))
}

export function readTheme(text: string | null | undefined): Theme {
  return themes.find((theme) => theme === text) ?? 'system'
}
