import { A2aServerError } from "./a2a-server-error";
import type { BindingOptions } from "./bindings/binding";
import { handleJsonRpc } from "./bindings/json-rpc";
import { handleRest } from "./bindings/rest";
import { CARD_PATH } from "./card-path";
import { toCardResponse } from "./http/card-response";
import type { ServedAgent } from "./served-agent";

/** Options of `createA2aServer`: a handler for the agent card, JSON-RPC and HTTP+JSON. */
export interface A2aServerOptions {
	/**
	 * Converts an error of a store, unless it is an `A2aServerError` itself, to the error that the caller gets; a good
	 * place to log it. Default, and for `undefined`: an `INTERNAL_ERROR` without details.
	 */
	readonly mapError?: ((error: unknown) => A2aServerError | undefined) | undefined;
	/** Silence after which streams send a comment, in milliseconds. Default 15,000. */
	readonly heartbeatMs?: number | undefined;
}

/** Speaks A2A 1.0 for any number of agents; it keeps nothing between requests. */
export interface A2aServer {
	/**
	 * Answers a request to an agent: JSON-RPC at its base path, HTTP+JSON and the card behind it. All that a caller did wrong is
	 * told in the answer.
	 */
	fetch(request: Request, agent: ServedAgent): Promise<Response>;
}

const HEARTBEAT_MS = 15_000;

export function createA2aServer({
	mapError = () => undefined,
	heartbeatMs = HEARTBEAT_MS,
}: A2aServerOptions = {}): A2aServer {
	const options: BindingOptions = {
		heartbeatMs,
		mapError: (error) => (A2aServerError.is(error) ? error : (mapError(error) ?? createInternalError(error))),
	};
	return {
		async fetch(request, agent) {
			const path = toRelativePath(agent.basePath, request);
			if (path === CARD_PATH && /^(GET|HEAD)$/.test(request.method))
				return toCardResponse(request, agent.card);
			if (path === "" || path === "/") return handleJsonRpc(request, agent, options);
			return handleRest(request, path, agent, options);
		},
	};
}

/** @throws Error when the host has given an agent that the request does not go to. */
function toRelativePath(basePath: string, { url }: Request): string {
	const { pathname } = new URL(url);
	if (pathname.startsWith(basePath)) return pathname.slice(basePath.length);
	throw new Error(`The path ${pathname} does not begin with the agent's base path ${basePath}.`);
}

const createInternalError = (cause: unknown): A2aServerError =>
	new A2aServerError("INTERNAL_ERROR", "Something went wrong in the server of this agent.", { cause });
