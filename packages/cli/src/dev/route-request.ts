import { isLoopbackHost } from "@stemma/protocol";

type Fetch = (request: Request) => Promise<Response>;

/** Servers beside the service on one port. */
export interface DevServers {
	readonly runtime: Fetch;
	/** Pages under `/web/`; left out where a project has none. */
	readonly pages?: Fetch | undefined;
}

/** Routes of the runtime that the service does not have. Agents as A2A agents are the service's there. */
const IS_RUNTIME_PATH = /^\/(?:agents$|run\/|runs\/)/;
const IS_PAGE_PATH = /^\/web(?:\/|$)/;

/** Routes a request to the runtime or to pages of the project; `undefined` leaves it to the service. */
export function routeRequest(
	request: Request,
	{ runtime, pages }: DevServers,
): Promise<Response> | undefined {
	const { pathname, host } = new URL(request.url);
	if (IS_RUNTIME_PATH.test(pathname)) return runtime(request);
	if (pages === undefined || !IS_PAGE_PATH.test(pathname)) return undefined;
	// A name of another site that leads here is no address of this page.
	return isLoopbackHost(host) ? pages(request) : Promise.resolve(new Response("Forbidden", { status: 403 }));
}
