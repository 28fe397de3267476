// Prints the feed on standard input as feedsmith reads it.
import { readFileSync } from 'node:fs'
import { parseAtomFeed } from 'feedsmith'

process.stdout.write(JSON.stringify(parseAtomFeed(readFileSync(0, 'utf8'))))
