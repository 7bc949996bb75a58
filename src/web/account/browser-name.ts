/** The first that fits counts: many say that they are like another one, too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bChromium\//, 'Chromium'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bEpiphany\//, 'GNOME Web'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bFreeBSD\b/, 'FreeBSD'],
  [/\bOpenBSD\b/, 'OpenBSD'],
  [/\bNetBSD\b/, 'NetBSD'],
  [/\bLinux\b/, 'Linux'],
]

/** "Firefox on Linux", as far as the browser says it; nothing when it says neither. */
export function browserName(agent: string): string | undefined {
  const browser = nameIn(browsers, agent) ?? programIn(agent)
  const system = nameIn(systems, agent)
  if (system === undefined) return browser
  return `${browser ?? 'A browser'} on ${system}`
}

function nameIn(known: readonly (readonly [RegExp, string])[], agent: string): string | undefined {
  return known.find(([pattern]) => pattern.test(agent))?.[1]
}

/**
 * What a program calls itself that is none of the known browsers; every one of these begins with
 * Mozilla.
 */
function programIn(agent: string): string | undefined {
  const [program = ''] = /^[\w.-]{1,40}/.exec(agent) ?? []
  return program === '' || program === 'Mozilla' ? undefined : program
}
