/** A collector of traces that takes all and keeps nothing, in a process of its own. Tells its URL to the parent process. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.once('disconnect', () => process.exit());
