import type { IncomingHttpHeaders } from "node:http";
import type { RouteName } from "./route.ts";

/** A request that came in, and how its answer ended. */
export interface ReceivedRequest {
	/** `undefined` for what is no route. */
	readonly route: RouteName | undefined;
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	/** Epoch milliseconds. */
	readonly at: number;
	/** The answer was sent to its end. */
	readonly isAnswered: boolean;
	/** The connection was gone before, and not by the server's doing. */
	readonly isAborted: boolean;
}
