// The server runs on the .ts sources, which needs a recent Node. npm scripts find the pinned one first on
// PATH; where the registry has none for this platform, the machine's own must do.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Codestead needs Node 24.12 or later, and found ${process.versions.node}. ` +
      'On Linux and Windows "npm ci" brings the right one; use the npm scripts to start it.',
  )
  process.exit(1)
}
