// Runs the tests of the MDN HTTP Observatory on a server of this machine. Prints {test: passed} as JSON.
import { writeFileSync } from 'node:fs';
import { ALL_TESTS } from '@mdn/mdn-http-observatory/src/constants.js';
import { retrieve } from '@mdn/mdn-http-observatory/src/retriever/retriever.js';

// The package downloads this list of domains when it is installed. None of them is on this machine.
const list = new URL('../conf/hsts-preload.json', import.meta.resolve('@mdn/mdn-http-observatory'));
try { writeFileSync(list, '{}', { flag: 'wx' }); } catch (error) { if (error.code !== 'EEXIST') throw error; }

const { hostname, port } = new URL(process.argv[2]);
// Nobody listens on the port for HTTPS.
const found = await retrieve(hostname, { httpPort: port, httpsPort: 1 });
console.log(JSON.stringify(Object.fromEntries(ALL_TESTS.map(test => [test.name, test(found).pass]))));
