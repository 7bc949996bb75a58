// Loaded before everything else, by each npm script.
//
// The server runs on the .ts sources, which needs a recent Node. npm scripts find the pinned one
// first on PATH; where the registry has none for this platform, the machine's own must do.
import module from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Codestead needs Node 24.12 or later, and found ${process.versions.node}. ` +
      'On Linux and Windows "npm ci" brings the right one; use the npm scripts to start it.',
  )
  process.exit(1)
}

// What was compiled once is kept between starts: the next one is faster, and needs some 20 MB less
// memory.
module.enableCompileCache()

// Our files and those of our largest libraries import each other by their exact names, thousands of
// times: to ask the disk about each of these would take a quarter of the start.
const formats = { '.ts': 'module-typescript', '.mjs': 'module', '.js': undefined }
module.registerHooks({
  resolve(specifier, context, next) {
    const extension = /^\.\.?\/.*(\.ts|\.mjs|\.js)$/.exec(specifier)?.[1]
    const isExact = extension !== undefined && context.conditions.includes('import')
    if (!isExact || !context.parentURL?.startsWith('file:')) return next(specifier, context)
    const { href } = new URL(specifier, context.parentURL)
    return { url: href, format: formats[extension], shortCircuit: true }
  },
})

// Files wait for the disk in these threads, and passwords are hashed in them: with the usual four,
// a few of either would hold all others back. They are made with the first work for them, so it is
// early enough to say so here.
process.env.UV_THREADPOOL_SIZE ??= '16'
