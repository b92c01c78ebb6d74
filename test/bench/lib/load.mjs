/**
 * Puts load on one server with autocannon; run as a process of its own, so that the driver's work is not in the numbers.
 * Gets one job as a message, answers with one result.
 */
import autocannon from 'autocannon';

process.once('message', async (job) => {
  process.send(await load(job));
  process.disconnect();
});

async function load({ url, connections, seconds, requests }) {
  let connection = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    // Each connection sends its own share of the requests, so that no two write the same record at once.
    setupClient: (client) => {
      client.setRequests(shareOf(requests, connection++, connections).map(prepare));
    },
  });
  return {
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    good: result['2xx'],
    // The errors include the time-outs.
    bad: result.non2xx + result.errors,
    statuses: Object.fromEntries(
      Object.entries(result.statusCodeStats).map(([code, { count }]) => [code, count]),
    ),
  };
}

function shareOf(requests, connection, connections) {
  if (requests.length < connections) return [requests[connection % requests.length]];
  return requests.filter((_, index) => index % connections === connection);
}

/** A refresh token is good for one exchange: a request with one sends the token that the answer before gave. */
function prepare({ refreshToken, ...request }) {
  if (refreshToken === undefined) return request;
  let token = refreshToken;
  return {
    ...request,
    setupRequest: (next) => ({ ...next, body: JSON.stringify({ refresh_token: token }) }),
    onResponse: (status, body) => {
      if (status === 200) token = JSON.parse(body).refresh_token;
    },
  };
}
