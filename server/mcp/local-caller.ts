import { isPreflight, isRendered, prepareAnswer, runPreflight, runWork } from '../http/prepared-answer.js';
import { RouteCall } from '../http/call.js';
import { Failure } from '../failure.js';
import type { Route } from '../http/route.js';
import type { Snapshot } from '../release/snapshot.js';
import { exchangeOf, jsonOf, requireRoute, type RouteCaller } from './route-caller.js';

/** Returns the caller for a user of this machine: nothing is counted, and no key is read. */
export function localCaller(
  routes: readonly Route[],
  currentSnapshot: () => Snapshot | undefined,
): RouteCaller {
  return async (operationId, { params = {}, query = {} }) => {
    const route = requireRoute(routes, operationId);
    const exchange = exchangeOf({ client: '127.0.0.1', authorization: undefined }, { params, query });
    const call = new RouteCall(exchange, currentSnapshot(), { params, query, body: undefined });
    let prepared = prepareAnswer(route, call);
    if (isPreflight(prepared)) prepared = await runPreflight(prepared);
    const found = isRendered(prepared) || prepared instanceof Failure ? prepared : await runWork(prepared);
    if (found instanceof Failure) throw found;
    return jsonOf(found);
  };
}
