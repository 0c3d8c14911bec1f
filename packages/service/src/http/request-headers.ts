import { createNewId } from "../auth/new-id";
import { ApiError } from "./api-error";

const PLAIN_ID = /^[A-Za-z0-9._-]{1,100}$/;
const MAX_DEPTH = 8;

/** The caller's own id where it is plain, so that it can be logged as it is; else a new one. */
export const readRequestId = (given: string | undefined): string =>
	given !== undefined && PLAIN_ID.test(given) ? given : createNewId("req");

/** @throws ApiError `agent_loop` when services and runtimes call one another in a circle. */
export function readDepth(given: string | undefined): number {
	if (given === undefined) return 0;
	if (!/^\d{1,3}$/.test(given))
		throw new ApiError(400, "invalid_request", "The header stemma-depth must be a number from 0 to 8.", {
			param: "stemma-depth",
		});
	return demandDepth(Number(given));
}

/** @throws ApiError `agent_loop` */
export function demandDepth(depth: number): number {
	if (depth <= MAX_DEPTH) return depth;
	throw agentLoop();
}

export const agentLoop = (): ApiError =>
	new ApiError(400, "agent_loop", `This call came through more than ${MAX_DEPTH} agents.`, {
		hint: "Agents seem to call one another in a circle: look where each of them leads.",
	});
